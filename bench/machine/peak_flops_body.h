// SPDX-License-Identifier: Apache-2.0
//
// The loop of peak_flops.c, included once for each type and instruction set: NAME, TARGET, VECTOR,
// LANES of it, FILL(number), FMA(a, b, c).
TARGET static void NAME(int64_t operations)
{
    enum { SUMS = 12 };
    VECTOR sum[SUMS];
    const VECTOR x = FILL(0.5), y = FILL(0.25);
    for (int k = 0; k < SUMS; k++) sum[k] = x;
    for (int64_t i = 0; i < operations; i += 2 * SUMS * LANES)
        for (int k = 0; k < SUMS; k++) {
            sum[k] = FMA(sum[k], x, y);
            __asm__ volatile("" : "+" REGISTER(sum[k]));
        }
}
#undef NAME
#undef TARGET
#undef VECTOR
#undef LANES
#undef FILL
#undef FMA
