# sums all prime numbers, by Ben
def get_all(n):
    ok = [True] * (n + 1)
    ok[0] = ok[1] = False
    for i in range(2, int(n**0.5) + 1):
        if ok[i]:
            # every multiple of i is no prime
            for k in range(i * i, n + 1, i):
                ok[k] = False
    return [i for i in range(n + 1) if ok[i]]


print(sum(get_all(int(input()))))
