// SPDX-License-Identifier: Apache-2.0
//
// Writes the front of a kernel's text. What it writes is C that reads like the kernels it stands
// before; `HEDDLE_DUMP_KERNEL=FILE` shows it.
#include "emit_kernel.h"

#include "emit_convert.h"
#include "gpu/runtime/kernel_key.h"
#include "emit_math.h"
#include "kernel_sources.h"

#include <stdio.h>
#include <string.h>

// ---- Shapes -------------------------------------------------------------------------------------

hd__layout hd__layout_of(const hd_view *v)
{
    hd__layout l = {.type = v->type};
    if (v->ndim == 0) return l;
    if (v->space == HD_IMPLICIT) {
        l.form = hd__is_constant(v) ? HD__CONSTANT : HD__PROGRESSION;
        return l;
    }
    const uintptr_t low = (uintptr_t)v->data & (0 - (uintptr_t)v->data);
    l.aligned = (uint8_t)(low == 0 || low > 16 ? 16 : low);
    l.form = v->ndim > 1                             ? HD__DIMENSIONS
             : v->stride[0] == 1 || v->shape[0] <= 1 ? HD__DENSE
                                                     : HD__STRIDED;
    l.ndim = l.form == HD__DIMENSIONS ? (uint8_t)v->ndim : 0;
    return l;
}

hd__kernel_view hd__kernel_view_of(const hd_view *v)
{
    hd__kernel_view k = {.data = v->space == HD_IMPLICIT ? 0 : (uint64_t)(uintptr_t)v->data};
    for (int d = 0; d < v->ndim; d++) {
        k.shape[d] = v->shape[d];
        k.stride[d] = v->stride[d];
    }
    if (v->space == HD_IMPLICIT) {
        k.start = v->scalar.i.start;
        k.step = v->scalar.i.step;
        memcpy(k.constant, v->scalar.bytes, sizeof k.constant);
    }
    return k;
}

hd__kernel_inputs hd__kernel_inputs_of(const hd__reader *r)
{
    hd__kernel_inputs in = {0};
    for (int k = 0; k < r->inputs; k++) in.view[k] = hd__kernel_view_of(&r->view[k]);
    return in;
}

// A lane reads 16 bytes at once; where inputs differ in size, four elements.
void hd__shape_inputs(hd__shape *s, const hd__reader *in, size_t out_size)
{
    s->inputs = in->inputs;
    bool same = true, powers = true;
    const size_t first = hd__size_of(in->view[0].type);
    for (int k = 0; k < in->inputs; k++) {
        const size_t size = hd__size_of(in->view[k].type);
        s->in[k] = hd__layout_of(&in->view[k]);
        same = same && size == first;
        powers = powers && size <= 16 && (size & (size - 1)) == 0;
    }
    s->k = !powers ? 1 : same ? (int32_t)(16 / first) : 4;
    while (s->k > 1 && (size_t)s->k * out_size > 32) s->k /= 2;
}

void hd__shape_fold(hd__shape *s, const hd__fold *f)
{
    s->op = (int32_t)f->op;
    s->form = (int32_t)f->form;
    s->element = f->element;
    s->number = f->number;
    s->result = f->out;
    s->ddof = hd__has_moments(f) ? f->ddof : 0;
    s->divides = f->divides;
    s->value = f->value;
    s->of_heads = f->heads;
    s->squares = f->squares;
    s->has_init = f->init != NULL;
}

// ---- Users' texts -------------------------------------------------------------------------------

static void say_source(hd__text *t, const hd_source *source)
{
    if (source == NULL || source->text == NULL) return;
    // What a user writes "static inline" is a function of the device here.
    hd__say(t, "#define inline __device__ inline\n#line 1 \"source %s\"\n%s\n#undef inline\n",
            source->name, source->text);
}

// "(float, x, float, y)" becomes "(float x, float y)": every other comma outside of brackets.
static void say_parameters(hd__text *t, const char *inputs)
{
    int depth = 0, commas = 0;
    for (const char *c = inputs; *c != 0; c++) {
        depth += (*c == '(' || *c == '[' || *c == '<') - (*c == ')' || *c == ']' || *c == '>');
        const bool between = *c == ',' && depth == 1 && commas++ % 2 == 0;
        hd__say(t, "%c", between ? ' ' : *c);
    }
}

// The text of the type of input k: the words between two commas.
static void say_input_type(hd__text *t, const hd_function *map, int k)
{
    int depth = 0, commas = 0;
    const char *c = map->inputs_text;
    while (*c != 0 && *c != '(') c++;
    for (c += *c != 0; *c != 0; c++) {
        depth += (*c == '(' || *c == '<') - (*c == ')' || *c == '>');
        if (depth < 0) return;
        if (*c == ',' && depth == 0) {
            if (commas++ == 2 * k) return;
        } else if (commas == 2 * k) {
            hd__say(t, "%c", *c);
        }
    }
}

// ---- Reading ------------------------------------------------------------------------------------

static void say_structure(hd__text *t, const char *name, const hd__layout *l)
{
    const size_t size = hd__size_of(l->type);
    size_t unit = 8;
    while (size % unit != 0 || l->aligned % unit != 0) unit /= 2;
    static const char *const units[] = {"", "uint8_t", "uint16_t", "",        "uint32_t",
                                        "", "",        "",         "uint64_t"};
    hd__say(t, "struct %s {\n    %s part[%zu];\n};\n", name, units[unit], size / unit);
}

static void say_offset(hd__text *t, const hd__layout *l, const char *view)
{
    if (l->form == HD__DENSE)
        hd__say(t, "i");
    else if (l->form == HD__STRIDED)
        hd__say(t, "i * %s.stride[0]", view);
    else
        hd__say(t, "hk_offset(&%s, %d, i)", view, l->ndim);
}

// Whether HD_K elements can be moved as whole words.
static bool is_wide(const hd__layout *l, int32_t k)
{
    const size_t bytes = hd__size_of(l->type) * (size_t)k;
    return l->form == HD__DENSE && k > 1 && bytes >= 4 && bytes % 4 == 0 &&
           l->aligned % (bytes < 16 ? bytes : 16) == 0;
}

static void say_words(hd__text *t, const char *what, size_t bytes)
{
    for (size_t at = 0; at < bytes;) {
        const size_t step = bytes - at >= 16 ? 16 : bytes - at >= 8 ? 8 : 4;
        hd__say(t, "    hk_%s_%zu(p + %zu, u.w + %zu);\n", what, step, at, at / 4);
        at += step;
    }
}

static void say_input(hd__text *t, const hd__shape *s, int k)
{
    const hd__layout *l = &s->in[k];
    char view[32];
    snprintf(view, sizeof view, "in->view[%d]", k);
    hd__say(t, "HK_FN hk_in_%d hk_one_%d(const hk_inputs *in, int64_t i)\n{\n", k, k);
    if (l->form == HD__PROGRESSION) {
        hd__say(t, "    return %s.start + i * %s.step;\n}\n", view, view);
    } else if (l->form == HD__CONSTANT) {
        hd__say(t, "    return *(const hk_in_%d *)%s.constant;\n}\n", k, view);
    } else {
        hd__say(t, "    return ((const hk_in_%d *)%s.data)[", k, view);
        say_offset(t, l, view);
        hd__say(t, "];\n}\n");
    }
    hd__say(t, "HK_FN void hk_run_%d(const hk_inputs *in, int64_t i, hk_in_%d *x)\n{\n", k, k);
    if (is_wide(l, s->k)) {
        const size_t size = hd__size_of(l->type), bytes = size * (size_t)s->k;
        hd__say(t, "    union {\n        uint32_t w[%zu];\n        hk_in_%d x[HK_K];\n    } u;\n",
                bytes / 4, k);
        hd__say(t, "    const char *p = %s.data + i * %zu;\n", view, size);
        say_words(t, "read", bytes);
        hd__say(t, "#pragma unroll\n    for (int j = 0; j < HK_K; j++) x[j] = u.x[j];\n}\n");
    } else {
        hd__say(
            t,
            "#pragma unroll\n    for (int j = 0; j < HK_K; j++) x[j] = hk_one_%d(in, i + j);\n}\n",
            k);
    }
}

static void say_input_types(hd__text *t, const hd__shape *s, const hd__fold *fold,
                            const hd_function *map)
{
    for (int k = 0; k < s->inputs; k++) {
        const hd_type type = s->in[k].type;
        if (hd__is_number(type)) {
            hd__say(t, "typedef %s hk_in_%d;\n", hd__type_text(type), k);
        } else if (map != NULL) {
            hd__say(t, "typedef ");
            say_input_type(t, map, k);
            hd__say(t, " hk_in_%d;\n", k);
        } else if (fold != NULL) {
            hd__say(t, "typedef %s hk_in_%d;\n", fold->node->type_text, k);
        } else {
            char name[32];
            snprintf(name, sizeof name, "hk_in_%d", k);
            hd__layout both = s->in[k];
            if (s->out.aligned < both.aligned) both.aligned = s->out.aligned;
            if (both.aligned == 0) both.aligned = s->out.aligned; // a constant's
            if (s->at_once && s->values.aligned < both.aligned) both.aligned = s->values.aligned;
            say_structure(t, name, &both);
        }
    }
}

static void say_call(hd__text *t, const hd__shape *s, const char *format)
{
    hd__say(t, "hk_function(");
    for (int k = 0; k < s->inputs; k++) {
        hd__say(t, k > 0 ? ", " : "");
        if (s->in[k].type == HD_BOOL) hd__say(t, "0 != ");
        hd__say(t, format[0] == 'o' ? "hk_one_%d(in, i)" : "x%d[j]", k);
    }
    hd__say(t, ")");
}

void hd__say_inputs(hd__text *t, const hd__shape *s, const hd__fold *fold, const hd_function *map)
{
    say_input_types(t, s, fold, map);
    for (int k = 0; k < s->inputs; k++) say_input(t, s, k);
}

void hd__say_function(hd__text *t, const hd_function *map, const char *result)
{
    hd__say(t, "typedef %s %s;\n", map->result_text, result);
    hd__say(t, "#line 1 \"function %s\"\nHK_FN %s hk_function", map->name, result);
    say_parameters(t, map->inputs_text);
    hd__say(t, "\n#line 1 \"function %s\"\n%s\n#line 1 \"kernel_types.h\"\n", map->name,
            map->body_text);
}

static void say_reading(hd__text *t, const hd__shape *s, const hd__fold *fold,
                        const hd_function *map)
{
    hd__say_inputs(t, s, fold, map);
    if (map == NULL) {
        hd__say_all(t, "typedef hk_in_0 hk_element;\n"
                       "HK_FN hk_element hk_item(const hk_inputs *in, int64_t i)\n{\n"
                       "    return hk_one_0(in, i);\n}\n"
                       "HK_FN void hk_items(const hk_inputs *in, int64_t i, hk_element *e)\n{\n"
                       "    hk_run_0(in, i, e);\n}\n");
        return;
    }
    hd__say_function(t, map, "hk_element");
    hd__say(t, "HK_FN hk_element hk_item(const hk_inputs *in, int64_t i)\n{\n    return ");
    say_call(t, s, "one");
    hd__say(t, ";\n}\nHK_FN void hk_items(const hk_inputs *in, int64_t i, hk_element *e)\n{\n");
    for (int k = 0; k < s->inputs; k++)
        hd__say(t, "    hk_in_%d x%d[HK_K];\n    hk_run_%d(in, i, x%d);\n", k, k, k, k);
    hd__say(t, "#pragma unroll\n    for (int j = 0; j < HK_K; j++) e[j] = ");
    say_call(t, s, "run");
    hd__say(t, ";\n}\n");
}

// ---- Writing ------------------------------------------------------------------------------------

// hk_put and hk_put_run for elements of a type, or hk_put_value.
void hd__say_writing(hd__text *t, const hd__shape *s, const hd__layout *l, const char *type,
                     const char *put)
{
    if (l->form == HD__ABSENT) { // nothing
        hd__say(t,
                "HK_FN void %s(const hk_view *v, int64_t i, %s x)\n{\n}\n"
                "HK_FN void %s_run(const hk_view *v, int64_t i, const %s *x)\n{\n}\n",
                put, type, put, type);
        return;
    }
    hd__say(t, "HK_FN void %s(const hk_view *v, int64_t i, %s x)\n{\n    ((%s *)v->data)[", put,
            type, type);
    say_offset(t, l, "(*v)");
    hd__say(t, "] = x;\n}\n");
    hd__say(t, "HK_FN void %s_run(const hk_view *v, int64_t i, const %s *x)\n{\n", put, type);
    if (is_wide(l, s->k)) {
        const size_t size = hd__size_of(l->type), bytes = size * (size_t)s->k;
        hd__say(t, "    union {\n        uint32_t w[%zu];\n        %s x[HK_K];\n    } u;\n",
                bytes / 4, type);
        hd__say(t, "    char *p = v->data + i * %zu;\n", size);
        hd__say(t, "#pragma unroll\n    for (int j = 0; j < HK_K; j++) u.x[j] = x[j];\n");
        say_words(t, "write", bytes);
        hd__say(t, "}\n");
    } else {
        hd__say(t, "#pragma unroll\n    for (int j = 0; j < HK_K; j++) %s(v, i + j, x[j]);\n}\n",
                put);
    }
}

// ---- Offsets ------------------------------------------------------------------------------------

// Offsets of segments as i64.
void hd__say_bounds(hd__text *t, const hd__layout *l)
{
    hd__say(t, "HK_FN int64_t hk_bound(const hk_view *v, int64_t i)\n{\n    return ");
    if (l->form == HD__ABSENT) {
        hd__say(t, "0;\n}\n");
    } else if (l->form == HD__PROGRESSION) {
        hd__say(t, "v->start + i * v->step;\n}\n");
    } else if (l->form == HD__CONSTANT) {
        hd__say(t, "(int64_t)*(const %s *)v->constant;\n}\n", hd__type_text(l->type));
    } else {
        hd__say(t, "(int64_t)((const %s *)v->data)[", hd__type_text(l->type));
        say_offset(t, l, "(*v)");
        hd__say(t, "];\n}\n");
    }
}

// ---- Keys ---------------------------------------------------------------------------------------

// hd_key, and how one or HD_K of them are read; numbers differ by value, structures byte by byte.
static void say_keys(hd__text *t, const hd__shape *s)
{
    const hd__layout *l = &s->keys;
    const size_t size = hd__size_of(l->type), bytes = size * (size_t)s->k;
    if (l->form == HD__ABSENT) {
        hd__say_all(t, "typedef uint32_t hk_key;\n"
                       "HK_FN hk_key hk_key_at(const hk_view *v, int64_t i)\n{\n    return 0;\n}\n"
                       "HK_FN void hk_keys_at(const hk_view *v, int64_t i, hk_key *x)\n{\n}\n"
                       "HK_FN bool hk_keys_differ(hk_key a, hk_key b)\n{\n    return false;\n}\n");
        return;
    }
    hd__layout both = *l;
    if (s->keys_out.form != HD__ABSENT && s->keys_out.aligned < both.aligned)
        both.aligned = s->keys_out.aligned;
    if (hd__is_number(l->type))
        hd__say(t, "typedef %s hk_key;\n", hd__type_text(l->type));
    else
        say_structure(t, "hk_key", &both);
    hd__say(t, "HK_FN hk_key hk_key_at(const hk_view *v, int64_t i)\n{\n    return ");
    if (l->form == HD__PROGRESSION) {
        hd__say(t, "v->start + i * v->step;\n}\n");
    } else if (l->form == HD__CONSTANT) {
        hd__say(t, "*(const hk_key *)v->constant;\n}\n");
    } else {
        hd__say(t, "((const hk_key *)v->data)[");
        say_offset(t, l, "(*v)");
        hd__say(t, "];\n}\n");
    }
    hd__say(t, "HK_FN void hk_keys_at(const hk_view *v, int64_t i, hk_key *x)\n{\n");
    if (is_wide(l, s->k)) {
        hd__say(t, "    union {\n        uint32_t w[%zu];\n        hk_key x[HK_K];\n    } u;\n",
                bytes / 4);
        hd__say(t, "    const char *p = v->data + i * %zu;\n", size);
        say_words(t, "read", bytes);
        hd__say(t, "#pragma unroll\n    for (int j = 0; j < HK_K; j++) x[j] = u.x[j];\n}\n");
    } else {
        hd__say(t,
                "#pragma unroll\n    for (int j = 0; j < HK_K; j++) x[j] = hk_key_at(v, i + j);\n"
                "}\n");
    }
    hd__say(t, "HK_FN bool hk_keys_differ(hk_key a, hk_key b)\n{\n");
    if (!hd__is_number(l->type)) {
        size_t unit = 8;
        while (size % unit != 0 || both.aligned % unit != 0) unit /= 2;
        hd__say(t,
                "    bool differ = false;\n"
                "    for (int k = 0; k < %zu; k++) differ = differ || a.part[k] != b.part[k];\n"
                "    return differ;\n}\n",
                size / unit);
    } else if (l->type == HD_F16 || l->type == HD_BF16) {
        const char *name = l->type == HD_F16 ? "f16" : "bf16";
        hd__say(t, "    return hk_%s_to_f32(a) != hk_%s_to_f32(b);\n}\n", name, name);
    } else {
        hd__say(t, l->type == HD_BOOL ? "    return (a != 0) != (b != 0);\n}\n"
                                      : "    return a != b;\n}\n");
    }
    if (s->keys_out.form != HD__ABSENT) hd__say_writing(t, s, &s->keys_out, "hk_key", "hk_put_key");
}

// ---- Without a fold -----------------------------------------------------------------------------

static void say_result(hd__text *t, const hd__shape *s, const hd_function *map)
{
    const hd_type from = map != NULL ? map->result : s->in[0].type, to = s->out.type;
    if (hd__is_number(to) && (map == NULL || from != to)) { // a bucket function may be wider
        hd__say(t, "typedef %s hk_result;\n", hd__type_text(to));
        hd__say(t, "HK_FN hk_result hk_result_of(hk_element e)\n{\n    return ");
        hd__say_conversion(t, to, from, "e");
        hd__say(t, ";\n}\n");
    } else {
        hd__say(t, "typedef hk_element hk_result;\n"
                   "HK_FN hk_result hk_result_of(hk_element e)\n{\n    return e;\n}\n");
    }
    hd__say_writing(t, s, &s->out, "hk_result", "hk_put");
}

// ---- All of it ----------------------------------------------------------------------------------

// kernel_types.h.
static void say_types(hd__text *t, const hd__shape *s, const hd__fold *fold, const hd_function *map)
{
    const hd_source *of_map = map != NULL ? map->source : NULL;
    const hd_source *of_fold = fold != NULL ? fold->node->source : NULL;
    const bool of_user = fold != NULL && fold->op == HD__USER_OP;
    hd__say_math(t, of_user ? fold->node : NULL, map);
    say_source(t, of_map);
    if (of_fold != of_map) say_source(t, of_fold);
    hd__say(t, "#line 1 \"kernel_types.h\"\n");
    if (s->says == HD__SAYS_LABELS) {
        hd__say_labels(t, s, map);
    } else if (s->says == HD__SAYS_GATHER) {
        hd__say_gather(t, s, map);
    } else if (s->says == HD__SAYS_BOUNDS) {
        hd__say_bounds(t, &s->offsets);
        say_keys(t, s);
    } else if (fold != NULL) {
        say_reading(t, s, fold, map);
        hd__say_fold(t, s, fold);
        hd__say_bounds(t, &s->offsets);
        say_keys(t, s);
        if (s->scatters) hd__say_places(t, s, fold);
    } else {
        say_reading(t, s, fold, map);
        say_result(t, s, map);
    }
}

// The files of a kernel one behind another; its two generated headers where they are included.
static void say_kernel(hd__text *t, const hd__shape *s, const hd__fold *fold,
                       const hd_function *map)
{
    for (const hd__gpu_source *f = hd__gpu_kernel_sources(s->kernel); f->name != NULL; f++) {
        hd__say(t, "#line 1 \"%s\"\n", f->name);
        if (f->text != NULL)
            hd__say_all(t, f->text);
        else if (strcmp(f->name, "kernel_config.h") == 0)
            hd__emit_config(t, s, fold, map);
        else
            say_types(t, s, fold, map);
    }
}

static hd_status check_texts(hd_context *ctx, const hd__fold *fold, const hd_function *map)
{
    if (map != NULL &&
        (map->body_text == NULL || map->inputs_text == NULL || map->result_text == NULL))
        return hd__fail(ctx, HD_ERROR_OPERATOR,
                        "function %s has no text for the GPU's compiler; HD_FUNCTION keeps it",
                        map->name);
    if (fold != NULL && (fold->node->body_text == NULL || fold->node->type_text == NULL))
        return hd__fail(ctx, HD_ERROR_OPERATOR,
                        "operator %s has no text for the GPU's compiler; HD_OPERATOR keeps it",
                        fold->asked->name);
    return HD_OK;
}

hd_status hd__kernel_for(hd_context *ctx, hd__gpu *gpu, const hd__shape *shape,
                         const hd__fold *fold, const hd_function *map, hd__kernel **kernel)
{
    hd__kernel_key key;
    hd__kernel_key_of(&key, shape, fold, map);
    *kernel = key.bytes > 0 ? hd__kernel_known(gpu, key.at, key.bytes) : NULL;
    if (*kernel != NULL) return HD_OK;
    HD_TRY(check_texts(ctx, fold, map));
    hd__text t = {0};
    say_kernel(&t, shape, fold, map);
    const hd_status status =
        t.lost ? hd__fail(ctx, HD_ERROR_MEMORY, "no memory for the text of a kernel")
               : hd__kernel_of(ctx, gpu, &t, shape->kernel, kernel);
    hd__text_drop(&t);
    if (status == HD_OK && key.bytes > 0) hd__kernel_remember(gpu, key.at, key.bytes, *kernel);
    return status;
}
