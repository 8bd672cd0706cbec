// SPDX-License-Identifier: Apache-2.0
//
// The generated header kernel_config.h: the configuration of a kernel as macros, the only place
// that writes them. Every kernel gets all of them, those of other families as zeros, so that
// kernels may ask by `if`.
#include "emit_kernel.h"

// Elements of less than a word that lie together are written by words.
static int32_t out_bytes(const hd__gpu_kernel_config *config)
{
    const size_t size = config->inputs > 0 ? hd__size_of(config->in[0].type) : 0;
    return config->out.form == HD__GPU_CONTIGUOUS && size < 4 && hd__is_number(config->out.type)
               ? (int32_t)size
               : 0;
}

static int32_t words_of(size_t bytes)
{
    return (int32_t)((bytes + 3) / 4);
}

static int32_t is_there(const hd__gpu_layout *l)
{
    return l->form != HD__GPU_ABSENT;
}

void hd__gpu_emit_config(hd__gpu_text *t, const hd__gpu_kernel_config *config, const hd__fold *f,
                         const hd_function *map)
{
    const hd__fold none = {0};
    const bool folds = f != NULL, exact = folds && f->form == HD__LIMBS;
    const bool real = exact && hd__is_float(f->element);
    if (!folds) f = &none;
    const int32_t value_words = words_of(f->node_size),
                  key = words_of(hd__size_of(config->keys.type));
    const struct {
        const char *name;
        int32_t value;
    } rows[] = {
        // The tile.
        {"INPUTS", config->inputs},
        {"K", config->k}, // elements that a lane reads at once
        {"ROWS", config->rows},
        {"THREADS", config->threads},
        {"BLOCKS", config->blocks}, // on one multiprocessor at least
        {"ITEMS", config->items},
        {"MOST_CHUNKS", config->chunks},
        {"KEYS_AT_ONCE", config->key_rows > 0 ? config->key_rows : 1},
        {"HINT", config->hint},
        {"CONTIGUOUS", config->contiguous},
        {"STAGE_BYTES", config->stage_bytes},
        // The fold.
        {"VALUE_WORDS", value_words},
        {"NODE_WORDS", value_words + (config->pairs == 0 ? 0
                                      : f->counted       ? 3
                                                         : 1)},
        {"COMMUTATIVE", folds && config->pairs == 0 && hd__gpu_commutes(f)},
        {"FREE", folds && config->pairs == 0 && hd__gpu_has_identity(f) && hd__gpu_commutes(f) &&
                     (f->node->flags & HD_EXACT) != 0},
        {"IDENTITY", folds && hd__gpu_has_identity(f)},
        {"SHORT", folds && hd__gpu_short_sum(f) != NULL},
        {"NATIVE", folds && hd__gpu_native_atomic(f) != NULL},
        {"COUNTED", f->counted},
        {"HAS_INIT", config->has_init},
        {"VALUES", config->has_values},
        {"LIMBS", !exact                ? 0
                  : f->number == HD_F64 ? HD__WIDE_LIMBS
                                        : HD__NARROW_LIMBS},
        {"EXPANSION", !real                  ? 0
                      : f->element == HD_F64 ? 2
                                             : 3},
        {"INTEGERS", exact && !real},
        {"DIRECT", config->direct},
        {"APART", config->scatters && hd__size_of(config->out.type) < 4},
        // The scan.
        {"PAIRS", config->pairs},
        {"CARRIES", config->carries},
        {"EXCLUSIVE", config->exclusive},
        {"REGISTER_ROWS", config->register_rows},
        {"ROWS_UNROLLED", config->rows_unrolled},
        {"OFFSETS", is_there(&config->offsets)},
        {"KEY_WORDS", is_there(&config->keys) ? key : 1},
        // Selection.
        {"HEADS", config->heads},
        {"INVERT", config->invert},
        {"BOTH", config->both},
        {"IN_PLACE", config->in_place},
        {"EARLY", config->codegen_kind == HD__GPU_CODEGEN_FLAGS && !config->heads && map == NULL &&
                      config->inputs > 1},
        {"KNOWN", config->known},
        {"OUT", is_there(&config->out)},
        {"OUT_BYTES", out_bytes(config)},
        {"OUT_CONTIGUOUS", config->out.form == HD__GPU_CONTIGUOUS},
        {"INDICES", is_there(&config->integer[HD__GPU_PUT_INDEX])},
        {"LENGTHS", is_there(&config->integer[HD__GPU_PUT_LENGTH])},
        {"COUNTS", is_there(&config->integer[HD__GPU_PUT_COUNT])},
        {"BEGINS", is_there(&config->integer[HD__GPU_PUT_BEGIN])},
        {"KEYS", is_there(&config->integer[HD__GPU_PUT_KEY])},
        // Radix passes and scatters.
        {"BITS", config->bits},
        {"PASSES", config->passes},
        {"OUT_OF_RANGE_LAST", config->out_of_range_last},
        {"AT_ONCE", config->at_once},
        {"WIDE_DESTINATIONS", config->wide_destinations},
        {"WIDE", config->wide_keys},
        {"SLICES", config->slices},
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
        hd__gpu_emit(t, "#define HK_%s %d\n", rows[k].name, (int)rows[k].value);
}
