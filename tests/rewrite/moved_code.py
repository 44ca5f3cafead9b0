"""Programs whose functions are inlined and outlined, and how to see that they still do the same.

Each program has many functions, some of which must not be touched, and prints what all of them
return. Every seed chooses another place.
"""

from codekin import Source
from codekin.rewrite import rewrite

PYTHON = '''\
LIMIT = 7
LOG = []


def note(x):
    LOG.append(x)
    return x


def square(x):
    return x * x


def sub(a, b):
    return a - b


def later(a, b):
    return b - a


def first_of(pair):
    """Doc."""
    head, _ = pair
    return head


def grown(values, step=1):
    out = []
    for value in values:
        if value > LIMIT:
            continue
        out.append(value + step)
    return out


def shadowing(LIMIT):
    kept = grown([1, LIMIT], 2)
    return kept, LIMIT


def counting(values):
    total = 0
    best = None
    for i, value in enumerate(values):
        twice = value * 2
        total += twice + i
        if best is None or twice > best:
            best = twice
    rest = [x for x in values if x != total]
    return total, best, rest


def sticky(values):
    out = []
    for i, value in enumerate(values):
        if i == 0:
            kept = [value]
        else:
            out.append(kept[0] + value)
        for j in range(value):
            doubled = value * j
            out.append(doubled + [k * j for k in range(2)][1])
    return out


def maybe(flag):
    if flag:
        found = 3
    note(flag)
    if flag:
        return found + note(1)
    return None


def rescued(values):
    done = 0
    try:
        for value in values:
            done += 1
            done = done + 10 // value
    except ZeroDivisionError as error:
        note(str(error))
    return done


def closing(n):
    steps = []

    def step(k):
        nonlocal n
        n += k
        steps.append(n)

    step(2)
    n = n * 2
    step(note(1))
    return steps, n


def lazily(n):
    numbers = (n + i for i in range(3))
    n = n * 100
    total = sum(x + n for x in (1, 2))
    return list(numbers), total


class Box:
    __hidden = 4

    def __init__(self, size):
        self.size = size
        self.kept = [size, size + 1]

    def grow(self, by):
        before = self.size
        self.size = self.size + by
        self.kept.append(self.size - before)
        return self.__hidden + self.size


def worked():
    it = iter([5, 3, 9, 4, 2, 8])
    a = square(next(it))
    b = sub(next(it), next(it))
    c = later(note(next(it)), note(next(it)))
    d = square(a + b) - sub(c, note(4))
    e = [square(x) for x in range(4) if sub(x, 1) != 0]
    f = first_of((a, b)) if later(a, b) < 0 else 0
    a = sub(b, a)
    g = square(-3) ** 2
    return a, b, c, d, e, f, g


box = Box(3)
print(worked(), shadowing(5), counting([3, 1, 2]), maybe(True), maybe(False))
print(sticky([2, 3, 1]), rescued([5, 2, 0, 1]), closing(3), lazily(2), box.grow(4), box.kept, LOG)
'''

C = """\
#include <stdio.h>

#define TWICE(x) ((x) + (x))
#define LEAVE(x) if (x) return -1

static int calls;

int note(int x) { calls++; printf("n%d ", x); return x; }

static int half(int x) {
    return x / 2;
}

static int nearest(double x) {
    return x + 0.5;
}

static double mean(double a, double b) {
    return (a + b) / 2;
}

static char shifted(int c) {
    return c + 256 + 1;
}

static int total(const int *values, int n) {
    int sum = 0;
    for (int i = 0; i < n; i++) {
        sum += values[i];
    }
    return sum;
}

static void swap(int *a, int *b) {
    int kept = *a;
    *a = *b;
    *b = kept;
}

static int tick(void) {
    static int ticks = 0;
    ticks += 2;
    return ticks;
}

static int early(int x) {
    if (x > 3) {
        return x;
    }
    return -x;
}

static int power(int base, int n) {
    int found = 1;
    while (n > 0) {
        found *= base;
        n--;
    }
    return found;
}

int sized(void) {
    int table[10] = {1, 2, 3};
    int length = sizeof(table) / sizeof(table[0]);
    table[1] = length + total(table, 3);
    length = length + table[1] * 2;
    return length + table[0];
}

int aliased(int n) {
    int *p = &n;
    n = n + 1;
    *p = *p * 2;
    n = n - 3;
    return n + half(n);
}

int jumping(int n) {
    int found = 0;
    for (int i = 0; i < n; i++) {
        if (i == 2) continue;
        if (i > 4) break;
        found += TWICE(i);
        found -= half(i);
    }
    LEAVE(found < 0);
    return found;
}

int old_style(int n) {
    int i, j, sum;
    sum = 0;
    for (i = 0; i < n; i++) sum += i;
    for (j = n; j > 0; j--) {
        i = j * 2;
        sum -= i + j;
    }
    for (i = 0; i < 3; i++) sum += i * i;
    return sum;
}

int worked(double y) {
    int values[4] = {4, 3, 2, 1};
    int a = half(y);
    double b = nearest(y) / 2;
    double c = mean(a, 3);
    int d = total(values, 4) + tick();
    char letter = shifted('a');
    swap(&values[0], &values[3]);
    int e = power(a, 3) - early(d);
    int f = half(note(e)) * 3;
    a = power(2, a);
    printf("%d %f %f %d %c %d %d %d\\n", a, b, c, d, letter, values[0], e, f);
    return values[3] + tick() + half(a) * half(d) - half(a + d);
}

int main(void) {
    printf("%d %d %d %d\\n", sized(), aliased(5), jumping(9), old_style(6));
    printf("%d\\n", worked(5.75));
    printf("%d\\n", calls);
    return 0;
}
"""

CPP = """\
#include <cstdio>
#include <string>
#include <vector>

static void bump(int& x) {
    x += 3;
}

static int longest(const std::vector<std::string>& words) {
    int best = 0;
    for (const auto& word : words) {
        if ((int) word.size() > best) best = word.size();
    }
    return best;
}

static long wide(long x) {
    return x * 100000;
}

static bool even(int x) {
    return x % 2 == 0;
}

class Counter {
public:
    explicit Counter(int start) : value(start) {}

    int add(int by) {
        int before = value;
        value += by;
        history.push_back(value - before);
        return value * 2;
    }

    int sum() const {
        int found = 0;
        for (int one : history) {
            found += one;
        }
        return found + value;
    }

private:
    int value;
    std::vector<int> history;
};

template <class T>
T larger(T a, T b) {
    T found = a;
    if (b > a) found = b;
    return found;
}

int referring(int n) {
    int m = n;
    int& same = m;
    same += 2;
    bump(m);
    int copy = m;
    same = copy * 2;
    auto doubled = [&]() { m *= 2; };
    doubled();
    return m + copy;
}

int worked(int n) {
    std::vector<std::string> words = {"a", "long", "word"};
    words.push_back("longer" + std::to_string(n));
    int size = longest(words);
    int m = size;
    bump(m);
    m = m * 2 - size;
    long big = wide(n);
    int choice = even(m) ? larger(m, 4) : 1;
    Counter counter(choice);
    counter.add(n);
    int sum = counter.sum() + counter.add(1);
    std::printf("%d %d %ld %d %d\\n", size, m, big, choice, sum);
    return even(sum) + m;
}

int main() {
    int first = worked(50000);
    int second = referring(4);
    std::printf("%d %d\\n", first, second);
    return 0;
}
"""

JAVA = """\
import java.util.*;

class A {
    private static int calls = 0;

    private final List<Integer> seen = new ArrayList<>();

    private static int note(int x) {
        calls++;
        System.out.print("n" + x + " ");
        return x;
    }

    private static long twice(long x) {
        return x * 2;
    }

    private static int code(char c) {
        return c + 0;
    }

    private static char following(int c) {
        return (char) (c + 1);
    }

    private static double mean(double a, double b) {
        return (a + b) / 2;
    }

    private static int later(int a, int b) {
        return b - a;
    }

    private static boolean even(int x) {
        return x % 2 == 0;
    }

    private static String label(int x) {
        return x + "!";
    }

    private static int total(int[] values) {
        int sum = 0;
        for (int value : values) {
            sum += value;
        }
        return sum;
    }

    private static int early(int x) {
        if (x > 3) {
            return x;
        }
        return -x;
    }

    private static int checked(int x) throws Exception {
        if (x > 2) {
            throw new Exception("big");
        }
        return x;
    }

    private void keep(int x) {
        seen.add(x);
        seen.add(x + 1);
    }

    int keeping(int x) {
        keep(x);
        keep(x * 2);
        int size = seen.size();
        size += seen.get(0);
        return size;
    }

    static int caught(int n) {
        int done = 0;
        try {
            for (int i = 0; i < n; i++) {
                done += 1;
                done += checked(i);
            }
        } catch (Exception error) {
            done += 100;
        }
        return done * 2 + n;
    }

    static int captured(int n) {
        int k = n + 1;
        Comparator<Integer> order = (a, b) -> b - a + k - k;
        List<Integer> sorted = new ArrayList<>(List.of(3, k, 4));
        sorted.sort(order);
        int found = sorted.get(0) + k;
        found = found * 2 - n;
        return found;
    }

    static int endless(int n) {
        int i = n;
        while (true) {
            i++;
            if (i % 7 == 0) {
                return i + n;
            }
        }
    }

    static <T extends Comparable<T>> T larger(T a, T b) {
        T found = a;
        if (b.compareTo(a) > 0) {
            found = b;
        }
        return found;
    }

    static void work() {
        int[] values = {4, 3, 2};
        int n = total(values);
        System.out.println(twice(n) + " " + code('a') + following('a') + mean(n, 2));
        System.out.println(later(note(1), note(2)) + (even(n) ? 1 : 2) + label(n + 1));
        long big = twice(n);
        double m = mean(n, big) + 1;
        int e = early(n) + later(n, 4) * 2;
        final int unset;
        unset = e + n;
        n = later(unset, n);
        System.out.println(big + " " + m + " " + e + " " + n + " " + larger(e, n));
        System.out.println(new A().keeping(3) + " " + caught(5) + " " + captured(2) + endless(2));
        System.out.println(calls);
    }
}
"""

JAVASCRIPT = """\
const LIMIT = 7;
const log = [];

function note(x) {
  log.push(x);
  return x;
}

function square(x) {
  return x * x;
}

function later(a, b) {
  return b - a;
}

function _grown(values) {
  const out = [];
  for (const value of values) {
    if (value > LIMIT) continue;
    out.push({ value, step: value + 1 });
  }
  return out;
}

function early(x) {
  if (x > 3) {
    return x;
  }
  return -x;
}

function shadowing(LIMIT) {
  const found = _grown([1, LIMIT]);
  return [found.length, LIMIT];
}

function closing(n) {
  let total = n;
  const add = (k) => { total += k; };
  add(2);
  total = total * 2;
  add(note(1));
  return total + n;
}

function rescued(values) {
  let done = 0;
  try {
    for (const value of values) {
      done += 1;
      done += value.length;
    }
  } catch (error) {
    done += 100;
  }
  return done * 2;
}

const worked = (n) => {
  let sum = 0, i;
  for (i = 0; i < n; i++) {
    const twice = i * 2;
    sum += twice + square(i);
  }
  var late = later(note(sum), note(i));
  sum = square(note(3)) - late;
  let [a, b] = [sum, late];
  [a, b] = [b, a];
  const same = early(a) + later(b, a) * 2;
  i = square(same % 5);
  return [sum, i, late, a, b, same];
};

const checked = { count: 0, next() { this.count += 1; return this.count * 2; } };
console.log(JSON.stringify([worked(5), shadowing(5), closing(3), rescued(["a", "bb", null])]));
console.log(checked.next(), checked.next(), JSON.stringify(log));
"""

TEXTS = {"python": PYTHON, "c": C, "cpp": CPP, "java": JAVA, "javascript": JAVASCRIPT}


def variants(language, change, seeds):
    """The different texts that seeds make of a program."""
    source = Source(TEXTS[language], language)
    found = [rewrite(source, change, seed) for seed in range(seeds)]
    assert None not in found
    return list(dict.fromkeys(found))


def apart(code, language, change):
    """What a change makes of a small text, with every seed; None if nothing."""
    found = {rewrite(Source(code, language), change, seed) for seed in range(6)}
    return found.pop() if len(found) == 1 else found
