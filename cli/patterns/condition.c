// SPDX-License-Identifier: Apache-2.0
//
// Conditions into flags: values compare as numbers of the elements' type; a NaN meets none.
#include "condition.h"

#include "program.h"
#include "cli/support/print.h"

// A number of any type.
typedef struct condition_number {
    enum { WHOLE, NATURAL, REAL } kind;
    int64_t whole;
    uint64_t natural;
    double real;
} condition_number;

static condition_number number_of(hd_type type, const void *x)
{
    switch (type) {
    case HD_I8: return (condition_number){.kind = WHOLE, .whole = *(const int8_t *)x};
    case HD_I16: return (condition_number){.kind = WHOLE, .whole = *(const int16_t *)x};
    case HD_I32: return (condition_number){.kind = WHOLE, .whole = *(const int32_t *)x};
    case HD_I64: return (condition_number){.kind = WHOLE, .whole = *(const int64_t *)x};
    case HD_U16: return (condition_number){.kind = NATURAL, .natural = *(const uint16_t *)x};
    case HD_U32: return (condition_number){.kind = NATURAL, .natural = *(const uint32_t *)x};
    case HD_U64: return (condition_number){.kind = NATURAL, .natural = *(const uint64_t *)x};
    case HD_F16:
        return (condition_number){.kind = REAL,
                                  .real = (double)hd__f16_to_f32(*(const uint16_t *)x)};
    case HD_BF16:
        return (condition_number){.kind = REAL,
                                  .real = (double)hd__bf16_to_f32(*(const uint16_t *)x)};
    case HD_F32: return (condition_number){.kind = REAL, .real = *(const float *)x};
    case HD_F64: return (condition_number){.kind = REAL, .real = *(const double *)x};
    default: return (condition_number){.kind = NATURAL, .natural = *(const uint8_t *)x};
    }
}

// -1, 0, 1 for less, equal, greater; 2 where a NaN is one of them.
static int compare(condition_number a, condition_number b)
{
    if (a.kind == WHOLE) return (a.whole > b.whole) - (a.whole < b.whole);
    if (a.kind == NATURAL) return (a.natural > b.natural) - (a.natural < b.natural);
    if (a.real != a.real || b.real != b.real) return 2;
    return (a.real > b.real) - (a.real < b.real);
}

typedef struct condition {
    const char *name, *text;
    bool on_less, on_equal, on_greater;
    condition_number limit;
} condition;

static bool holds(const condition *c, condition_number x)
{
    const int how = compare(x, c->limit);
    return (how == -1 && c->on_less) || (how == 0 && c->on_equal) || (how == 1 && c->on_greater);
}

// Where element k, in row-major order, lies.
static const void *element_at(const hd_view *v, int64_t k)
{
    int64_t offset = 0;
    for (int axis = v->ndim - 1; axis >= 0; axis--) {
        offset += k % v->shape[axis] * v->stride[axis];
        k /= v->shape[axis];
    }
    return (const char *)v->data + offset * (int64_t)hd_type_size(v->type);
}

int where_flags(workspace *w, const where_options *o, hd_view in, hd_view *flags)
{
    condition all[] = {{"greater", o->greater, false, false, true, {0}},
                       {"at-least", o->at_least, false, true, true, {0}},
                       {"less", o->less, true, false, false, {0}},
                       {"at-most", o->at_most, true, true, false, {0}},
                       {"equal", o->equal, false, true, false, {0}}};
    condition asked[5];
    int count = 0;
    for (int k = 0; k < 5; k++) {
        _Alignas(16) unsigned char element[16];
        if (all[k].text == NULL) continue;
        if (!print_parse(in.type, all[k].text, element))
            return fail(EXIT_USAGE, w->command, "--%s: expected a number of type %s, got '%s'",
                        all[k].name, hd_type_name(in.type), all[k].text);
        all[k].limit = number_of(in.type, element);
        asked[count++] = all[k];
    }
    if (o->flags != NULL && count > 0)
        return fail(EXIT_USAGE, w->command, "--flags: goes without --%s", asked[0].name);
    if (count == 0) return workspace_load(w, o->flags, NULL, flags);
    EXIT_TRY(workspace_alloc(w, HD_BOOL, in.ndim, in.shape, flags));
    for (int64_t i = 0; i < hd_count(in); i++) {
        const condition_number x = number_of(in.type, element_at(&in, i));
        bool keep = true;
        for (int k = 0; k < count; k++) keep = keep && holds(&asked[k], x);
        ((uint8_t *)flags->data)[i] = keep;
    }
    return EXIT_DONE;
}
