// SPDX-License-Identifier: Apache-2.0
// What kernels of sorts need: keys and values as bits, and what the order of keys depends on, which
// sort/order.cuh defines; offsets of segments, if there are any.
#include "emit_kernel.h"

static const char *infinity_of(hd_type type)
{
    switch (type) {
    case HD_F16: return "0x7c00";
    case HD_BF16: return "0x7f80";
    case HD_F32: return "0x7f800000";
    case HD_F64: return "0x7ff0000000000000ull";
    default: return "0";
    }
}

void hd__gpu_emit_sort(hd__gpu_text *t, const hd__gpu_kernel_config *config)
{
    const hd_type key = config->in[0].type;
    const int bytes = config->stage_bytes;
    hd__gpu_emit(t, "typedef uint%d_t hk_bits;\n", 8 * (int)hd__size_of(key));
    if (bytes == 16)
        hd__gpu_emit(t, "struct __attribute__((aligned(16))) hk_value {\n    uint32_t w[4];\n};\n");
    else
        hd__gpu_emit(t, "typedef uint%d_t hk_value;\n", bytes > 0 ? 8 * bytes : 32);
    hd__gpu_emit(t, "#define HK_VALUE_BYTES %d\n#define HK_INFINITY %s\n", bytes, infinity_of(key));
    hd__gpu_emit(t, "#define HK_SIGNED %d\n#define HK_DESCENDING %d\n#define HK_BOOL %d\n",
                 hd__kind_of(key) == HD__SIGNED, config->invert, key == HD_BOOL);
    if (config->offsets.form != HD__GPU_ABSENT) hd__gpu_emit_offsets(t, &config->offsets);
}
