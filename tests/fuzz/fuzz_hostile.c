// SPDX-License-Identifier: Apache-2.0
//
// Any bytes as a call of the library with hostile data: pattern, types, strides, options, sizes and
// what is wrong with the indices are drawn from them (tests/hostile/hostile.h). Small sizes mostly,
// so that many cases are tried; one in eight is large enough for threads.
#include <stdlib.h>

#include "tests/hostile/hostile.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const check_target *targets;
    static int count;
    if (targets == NULL) count = check_targets(&targets);
    hostile h = {.bytes = data,
                 .left = size,
                 .state = 1,
                 .targets = targets,
                 .target_count = count,
                 .tried = 2,
                 .largest = size > 0 && data[0] % 8 == 0 ? 100000 : 2000};
    for (size_t k = 0; k < size; k++) h.state = (h.state ^ data[k]) * 0x100000001b3u;
    if (size > 0) h.bytes++, h.left--;
    hostile_case(&h);
    if (check_finish() != 0) abort();
    return 0;
}
