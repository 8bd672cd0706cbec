// SPDX-License-Identifier: Apache-2.0
//
// The loop of peak_flops.c, included once for each type and instruction set: NAME, TARGET, VECTOR,
// LANES of it, FILL(number), FMA(a, b, c). Twelve sums hide an operation's latency, as variables,
// since an array of them would stay in memory.
TARGET static void NAME(int64_t operations)
{
    enum { SUMS = 12 };
    const VECTOR x = FILL(0.5), y = FILL(0.25);
    VECTOR a = x, b = x, c = x, d = x, e = x, f = x, g = x, h = x, i = x, j = x, k = x, l = x;
    for (int64_t done = 0; done < operations; done += 2 * SUMS * LANES) {
        a = FMA(a, x, y), b = FMA(b, x, y), c = FMA(c, x, y), d = FMA(d, x, y);
        e = FMA(e, x, y), f = FMA(f, x, y), g = FMA(g, x, y), h = FMA(h, x, y);
        i = FMA(i, x, y), j = FMA(j, x, y), k = FMA(k, x, y), l = FMA(l, x, y);
        __asm__ volatile(""
                         : "+" REGISTER(a), "+" REGISTER(b), "+" REGISTER(c), "+" REGISTER(d),
                           "+" REGISTER(e), "+" REGISTER(f), "+" REGISTER(g), "+" REGISTER(h),
                           "+" REGISTER(i), "+" REGISTER(j), "+" REGISTER(k), "+" REGISTER(l));
    }
}
#undef NAME
#undef TARGET
#undef VECTOR
#undef LANES
#undef FILL
#undef FMA
