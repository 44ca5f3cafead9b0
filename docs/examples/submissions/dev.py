import sys

limit = int(sys.stdin.readline())
found = []
for candidate in range(2, limit + 1):
    if all(candidate % prime for prime in found if prime * prime <= candidate):
        found.append(candidate)
print(sum(found))
