package org.example.shop;

import java.util.*;
import static java.lang.Math.max;

/** A shop. */
@Service(name = "shop", tags = {"a", "b"})
public abstract class Shop<T extends Comparable<T> & Cloneable> extends Base implements Store, AutoCloseable {
    private static final long LIMIT = 0xFFL + 0b1010 + 017 + 1_000;
    protected volatile double rate = 1.5e-3, other = 2f, hex = 0x1.8p1;
    char letter = 'x', escape = '\n', code = '\u0041';
    int[][] grid = new int[3][], table[] = {{1, 2}, {3}};
    transient Object nothing = null;

    static {
        System.out.println("static\t\"quoted\"");
    }

    enum Colour { RED, GREEN(2) { void paint() {} }; Colour(int... n) { } Colour() { this(0); } }

    record Point(int x, int y) {
        Point { if (x < 0) throw new IllegalArgumentException(); }
    }

    sealed interface Shape permits Circle, Square {}

    @interface Mark { int value() default 1; }

    public Shop(final List<? super T> items) throws java.io.IOException {
        super(items);
        this.rate += items.size() % 2 == 0 ? 1.0 : -2d;
    }

    @Override
    public synchronized <R> R visit(Map<String, ? extends List<T>> map, T first) {
        outer:
        for (int i = 0, n = map.size(); i < n && !map.isEmpty(); i++) {
            for (var entry : map.entrySet()) {
                if (entry.getKey() instanceof String s && s.length() >= 3 || i == 2) continue outer;
                else break;
            }
        }
        do { letter++; --letter; } while (letter != 'z');
        while (true) { if (letter > 3 ^ false) { break; } }
        int bits = ~1 & 2 | 3 << 4 >> 5 >>> 6;
        bits <<= 1; bits >>>= 2; bits |= 3; bits ^= 4;
        switch (bits) {
            case 1: case 2: return null;
            default: assert bits > 0 : "bits";
        }
        String day = switch (first) { case Integer k when k > 1 -> "one"; case Point(int x, var y) -> { yield "two"; } default -> """
            a "block" of
            text
            """; };
        try (var in = open(); Reader out = other) {
            Runnable run = () -> System.out.println(day);
            Comparator<T> by = (a, b) -> a.compareTo(b);
            Function<String, Integer> f = Integer::parseInt, g = ArrayList<String>::new;
        } catch (IOException | RuntimeException e) {
            throw e;
        } finally {
            synchronized (this) { ; }
        }
        return (R) new Object() { @Override public String toString() { return Shop.super.toString() + String.class; } };
    }

    abstract void nothing();
    native int fast(byte b, short s, float f, boolean ok);
}
