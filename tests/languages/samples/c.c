/* A small queue. */
#include <stdio.h>
#include "queue.h"
#define MAX(a, b) ((a) > (b) ? (a) : (b)) // larger
#define LIMIT 100
#define LOG(fmt, ...) printf("log: " fmt "\n", \
                             ##__VA_ARGS__)
#pragma once
#undef OLD
#ifdef DEBUG
static int debug = 1;
#elif defined(TRACE) && TRACE > 2
static int debug = 2;
#else
static int debug = 0;
#endif

typedef unsigned long long u64;
typedef struct node {
    int value : 4;
    struct node *next;
    union { float f; char bytes[4]; } u;
} Node, *NodePtr;

enum colour { RED = 1, GREEN, BLUE = 0x1F };
extern const volatile int shared;
static inline int add(int a, register int b) { return a + b; }
int (*operation)(int, int) = &add;
double table[2][3] = {{1.0, 2.5e-3, .5f}, {[1] = 3}};
Node first = {.value = 1, .next = NULL};

int variadic(const char *format, ...);
void swap(int *restrict a, int *restrict b);

int main(int argc, char **argv) {
    long total = 0L, mask = ~0 & 0xFFul | 3 ^ 4;
    char letter = 'x', tab = '\t', wide = L'w';
    const char *text = "quoted \"text\" %d\n" "joined";
    size_t size = sizeof(Node) + sizeof total;
    for (int i = 0; i < argc && !debug; i++) {
        if (argv[i] == 0 || i % 2 != 0) continue;
        else if (i >= LIMIT) break;
        total += i << 2 >> 1;
    }
    while (total > 0) { total -= 2; total /= 3; total <<= 1; }
    do total--; while (total <= -5);
    switch (letter) {
        case 'x':
        case 1: total = MAX(1, 2); break;
        default: goto end;
    }
    NodePtr p = (Node *) malloc(size);
    p->next->value = (*p).value, ++total;
    total = argc ? (1, 2) : -3;
    ;
end:
    LOG("%d", 1);
    return p == NULL ? 1 : true;
}
