// SPDX-License-Identifier: Apache-2.0
//
// A vote of all threads of a block, which is a barrier as well.
#pragma once

// Whether it holds in all threads of a block.
HK_FN bool hk_all_of_block(bool yes)
{
    uint32_t all;
    asm volatile("{ .reg .pred p, q; setp.ne.u32 p, %1, 0; bar.red.and.pred q, 0, p;"
                 " selp.u32 %0, 1, 0, q; }"
                 : "=r"(all)
                 : "r"((uint32_t)yes)
                 : "memory");
    return all != 0;
}
