def is_prime(number):
    if number < 2:
        return False
    divisor = 2
    while divisor * divisor <= number:
        if number % divisor == 0:
            return False
        divisor += 1
    return True


limit = int(input())
total = 0
for number in range(limit + 1):
    if is_prime(number):
        total += number
print(total)
