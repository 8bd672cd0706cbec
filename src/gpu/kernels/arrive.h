// SPDX-License-Identifier: Apache-2.0
//
// Who is last: blocks that arrive at a counter, which is zero before and after.
// Whether this block is the last of `all` to come here, counting for `weight` of them; every lane of warp 0 then
// sees what lane 0 of the others wrote before it came, and what it knew.
HD_FN bool hd_is_last(uint32_t *counter, uint32_t all, uint32_t weight = 1)
{
    uint32_t before = 0;
    if (hd_lane() == 0) {
        hd_fence();
        before = hd_add_to(counter, weight);
        if (before == all - weight) {
            hd_store_relaxed(counter, 0);
            hd_fence();
        }
    }
    before = hd_word_from(before, 0);
    hd_warp_barrier();
    return before == all - weight;
}
