// SPDX-License-Identifier: Apache-2.0
//
// The generated header kernel_config.h: the configuration of a kernel as macros, the only place
// that writes them. Every kernel gets all of them, those of other families as zeros, so that
// kernels may ask by `if`.
#include "emit_kernel.h"

// Elements of less than a word that lie together are written by words.
static int32_t out_bytes(const hd__shape *s)
{
    const size_t size = s->inputs > 0 ? hd__size_of(s->in[0].type) : 0;
    return s->out.form == HD__DENSE && size < 4 && hd__is_number(s->out.type) ? (int32_t)size : 0;
}

static int32_t words_of(size_t bytes)
{
    return (int32_t)((bytes + 3) / 4);
}

static int32_t is_there(const hd__layout *l)
{
    return l->form != HD__ABSENT;
}

void hd__emit_config(hd__text *t, const hd__shape *s, const hd__fold *f, const hd_function *map)
{
    const hd__fold none = {0};
    const bool folds = f != NULL, exact = folds && f->form == HD__LIMBS;
    const bool real = exact && hd__is_float(f->element);
    if (!folds) f = &none;
    const int32_t value_words = words_of(f->node_size), key = words_of(hd__size_of(s->keys.type));
    const struct {
        const char *name;
        int32_t value;
    } rows[] = {
        // The tile.
        {"INPUTS", s->inputs},
        {"K", s->k}, // elements that a lane reads at once
        {"ROWS", s->rows},
        {"THREADS", s->threads},
        {"BLOCKS", s->blocks}, // on one multiprocessor at least
        {"ITEMS", s->items},
        {"MOST_CHUNKS", s->chunks},
        {"KEYS_AT_ONCE", s->key_rows > 0 ? s->key_rows : 1},
        {"HINT", s->hint},
        {"CONTIGUOUS", s->dense},
        {"STAGE_BYTES", s->stage_bytes},
        // The fold.
        {"VALUE_WORDS", value_words},
        {"NODE_WORDS", value_words + (s->pairs == 0 ? 0
                                      : f->counted  ? 3
                                                    : 1)},
        {"COMMUTATIVE", folds && s->pairs == 0 && hd__swaps_sides(f)},
        {"FREE", folds && s->pairs == 0 && hd__has_identity(f) && hd__swaps_sides(f) &&
                     (f->node->flags & HD_EXACT) != 0},
        {"IDENTITY", folds && hd__has_identity(f)},
        {"SHORT", folds && hd__short_sum(f) != NULL},
        {"NATIVE", folds && hd__native_atomic(f) != NULL},
        {"COUNTED", f->counted},
        {"HAS_INIT", s->has_init},
        {"VALUES", s->has_values},
        {"LIMBS", !exact                ? 0
                  : f->number == HD_F64 ? HD__WIDE_LIMBS
                                        : HD__NARROW_LIMBS},
        {"EXPANSION", !real                  ? 0
                      : f->element == HD_F64 ? 2
                                             : 3},
        {"INTEGERS", exact && !real},
        {"DIRECT", s->direct},
        {"APART", s->scatters && hd__size_of(s->out.type) < 4},
        // The scan.
        {"PAIRS", s->pairs},
        {"CARRIES", s->carries},
        {"EXCLUSIVE", s->exclusive},
        {"REGISTER_ROWS", s->held},
        {"ROWS_UNROLLED", s->turn},
        {"OFFSETS", is_there(&s->offsets)},
        {"KEY_WORDS", is_there(&s->keys) ? key : 1},
        // Selection.
        {"HEADS", s->heads},
        {"INVERT", s->invert},
        {"BOTH", s->both},
        {"IN_PLACE", s->in_place},
        {"EARLY", s->says == HD__SAYS_LABELS && !s->heads && map == NULL && s->inputs > 1},
        {"KNOWN", s->known},
        {"OUT", is_there(&s->out)},
        {"OUT_BYTES", out_bytes(s)},
        {"OUT_CONTIGUOUS", s->out.form == HD__DENSE},
        {"INDICES", is_there(&s->integer[HD__PUT_INDEX])},
        {"LENGTHS", is_there(&s->integer[HD__PUT_LENGTH])},
        {"COUNTS", is_there(&s->integer[HD__PUT_COUNT])},
        {"BEGINS", is_there(&s->integer[HD__PUT_BEGIN])},
        {"KEYS", is_there(&s->integer[HD__PUT_KEY])},
        // Radix passes and scatters.
        {"BITS", s->bits},
        {"PASSES", s->passes},
        {"OUT_OF_RANGE_LAST", s->loose},
        {"AT_ONCE", s->at_once},
        {"WIDE_DESTINATIONS", s->far},
        {"WIDE", s->wide_keys},
        {"SLICES", s->slices},
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
        hd__say(t, "#define HK_%s %d\n", rows[k].name, (int)rows[k].value);
}
