// SPDX-License-Identifier: Apache-2.0
//
// find_parts: where each tile of reduce_segments begins. Segments and elements are one sequence of items, a
// segment before its first element, so that segment s is item s + offset[s]; tile t has the items from
// t x HD_ITEMS on, and part[t] is its first segment. Tiles are alike in work whatever the lengths are.
extern "C" __global__ void __launch_bounds__(HD_THREADS)
    find_parts(const __grid_constant__ hd_view offsets, int64_t segments, int64_t n, int64_t tiles,
               int64_t *part)
{
    const int64_t tile = (int64_t)blockIdx.x * HD_THREADS + threadIdx.x;
    if (tile > tiles) return;
    const int64_t x = tile * HD_ITEMS;
    int64_t low = 0, high = segments; // the first segment that is item x or later is in low .. high
    if (tile == tiles) low = segments;
    if (tile == 0) high = 0;
    // It is near where it were if all segments were alike.
    int64_t at = (int64_t)((double)x * (double)segments / (double)(n + segments)), step = 1;
    while (low < high) {
        if (at < low) at = low;
        if (at >= high) at = high - 1;
        const int64_t here = hd_bound(&offsets, at);
        if (here < x - at) {
            low = at + 1;
            at = step > 0 && step < high - low ? low + step : low + (high - low) / 2;
        } else {
            high = at;
            at = step > 0 && step < high - low ? high - step : low + (high - low) / 2;
        }
        // Steps grow by four as long as they are less than what is left, then halves are taken.
        step = step < (high - low) / 4 ? 4 * step : 0;
    }
    part[tile] = low;
}
