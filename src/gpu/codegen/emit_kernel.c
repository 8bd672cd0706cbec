// SPDX-License-Identifier: Apache-2.0
//
// Writes the front of a kernel's text. What it writes is C that reads like the kernels it stands
// before; `HEDDLE_DUMP_KERNEL=FILE` shows it.
#include "emit_kernel.h"

#include "core/indexed.h"
#include "emit_indexed.h"
#include "emit_convert.h"
#include "emit_math.h"
#include "emit_structures.h"
#include "kernel_sources.h"

#include <stdio.h>
#include <string.h>

// ---- Configurations -----------------------------------------------------------------------------

static uint8_t alignment_of(const void *data)
{
    const uintptr_t low = (uintptr_t)data & (0 - (uintptr_t)data);
    return (uint8_t)(low == 0 || low > 16 ? 16 : low);
}

hd__gpu_layout hd__gpu_layout_of(const hd_view *v)
{
    hd__gpu_layout l = {.type = v->type};
    if (v->ndim == 0) return l;
    if (v->space == HD_IMPLICIT) {
        l.form = hd__is_constant(v) ? HD__GPU_CONSTANT : HD__GPU_PROGRESSION;
        return l;
    }
    l.aligned = alignment_of(v->data);
    if (hd__is_indexed(v)) {
        l.form = HD__GPU_INDEXED;
        l.index = (uint8_t)v->scalar.index.type;
        if (v->stride[0] == 1) l.index_aligned = alignment_of(v->scalar.index.data);
        l.dense_base = v->stride[HD__BASE_AXIS] == 1;
        return l;
    }
    l.form = v->ndim > 1                             ? HD__GPU_DIMENSIONS
             : v->stride[0] == 1 || v->shape[0] <= 1 ? HD__GPU_CONTIGUOUS
                                                     : HD__GPU_STRIDED;
    l.ndim = l.form == HD__GPU_DIMENSIONS ? (uint8_t)v->ndim : 0;
    return l;
}

hd__gpu_kernel_view hd__gpu_kernel_view_of(const hd_view *v)
{
    hd__gpu_kernel_view k = {.data = v->space == HD_IMPLICIT ? 0 : (uint64_t)(uintptr_t)v->data};
    for (int d = 0; d < v->ndim; d++) {
        k.shape[d] = v->shape[d];
        k.stride[d] = v->stride[d];
    }
    if (hd__is_indexed(v)) {
        k.shape[HD__BASE_AXIS] = v->shape[HD__BASE_AXIS];
        k.stride[HD__BASE_AXIS] = v->stride[HD__BASE_AXIS];
        k.start = (int64_t)(uintptr_t)v->scalar.index.data;
        k.step = v->shape[HD__FLAG_AXIS];
    }
    if (v->space == HD_IMPLICIT) {
        k.start = v->scalar.i.start;
        k.step = v->scalar.i.step;
        memcpy(k.constant, v->scalar.bytes, sizeof k.constant);
    }
    return k;
}

hd__gpu_kernel_inputs hd__gpu_kernel_inputs_of(const hd__reader *r)
{
    hd__gpu_kernel_inputs in = {0};
    for (int k = 0; k < r->inputs; k++) in.view[k] = hd__gpu_kernel_view_of(&r->view[k]);
    return in;
}

// A lane reads 16 bytes at once; where inputs differ in size, four elements.
void hd__gpu_config_inputs(hd__gpu_kernel_config *config, const hd__reader *in, size_t out_size)
{
    config->inputs = in->inputs;
    bool same = true, powers = true;
    const size_t first = hd__size_of(in->view[0].type);
    for (int k = 0; k < in->inputs; k++) {
        const size_t size = hd__size_of(in->view[k].type);
        config->in[k] = hd__gpu_layout_of(&in->view[k]);
        same = same && size == first;
        powers = powers && size <= 16 && (size & (size - 1)) == 0;
    }
    config->k = !powers ? 1 : same ? (int32_t)(16 / first) : 4;
    while (config->k > 1 && (size_t)config->k * out_size > 32) config->k /= 2;
}

void hd__gpu_config_fold(hd__gpu_kernel_config *config, const hd__fold *f)
{
    config->op = (int32_t)f->op;
    config->form = (int32_t)f->form;
    config->element = f->element;
    config->number = f->number;
    config->result = f->out;
    config->ddof = hd__has_moments(f) ? f->ddof : 0;
    config->divides = f->divides;
    config->value = f->value;
    config->of_heads = f->heads;
    config->squares = f->squares;
    config->has_init = f->init != NULL;
}

// ---- Users' texts -------------------------------------------------------------------------------

void hd__gpu_emit_source(hd__gpu_text *t, const hd_source *source)
{
    if (source == NULL || source->text == NULL) return;
    // What a user writes "static inline" is a function of the device here.
    hd__gpu_emit(t, "#define inline __device__ inline\n#line 1 \"source %s\"\n%s\n#undef inline\n",
                 source->name, source->text);
}

void hd__gpu_emit_state(hd__gpu_text *t, const hd_state *state, const char *variable)
{
    if (state->size == 0) return;
    hd__gpu_emit(t,
                 "extern \"C\" {\n__constant__ %s %s;\n}\n"
                 "static_assert(sizeof %s == %zu, \"the state has another size on the host\");\n",
                 state->text, variable, variable, state->size);
}

void hd__gpu_emit_state_parameter(hd__gpu_text *t, const hd_state *state, const char *variable)
{
    if (state->size > 0) hd__gpu_emit(t, ", const %s *state = &%s", state->text, variable);
}

// "(float, x, float, y)" becomes "(float x, float y)": every other comma outside of brackets, with
// " &" in its place where the bit of the parameter is set. A state comes last.
static void emit_parameters(hd__gpu_text *t, const hd_function *map, uint32_t references)
{
    int depth = 0, commas = 0;
    for (const char *c = map->inputs_text; *c != 0; c++) {
        depth += (*c == '(' || *c == '[' || *c == '<') - (*c == ')' || *c == ']' || *c == '>');
        const bool between = *c == ',' && depth == 1 && commas++ % 2 == 0;
        if (depth == 0 && *c == ')')
            hd__gpu_emit_state_parameter(t, &map->state, HD__GPU_FUNCTION_STATE);
        hd__gpu_emit(t, "%c", between ? ' ' : *c);
        if (between && (references >> commas / 2 & 1)) hd__gpu_emit(t, "&");
    }
}

// The text of the type of input k: the words between two commas.
static void emit_input_type(hd__gpu_text *t, const hd_function *map, int k)
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
            hd__gpu_emit(t, "%c", *c);
        }
    }
}

// ---- Reading ------------------------------------------------------------------------------------

static void emit_structure(hd__gpu_text *t, const char *name, const hd__gpu_layout *l)
{
    const size_t size = hd__size_of(l->type);
    size_t unit = 8;
    while (size % unit != 0 || l->aligned % unit != 0) unit /= 2;
    static const char *const units[] = {"", "uint8_t", "uint16_t", "",        "uint32_t",
                                        "", "",        "",         "uint64_t"};
    hd__gpu_emit(t, "struct %s {\n    %s part[%zu];\n};\n", name, units[unit], size / unit);
}

static void emit_offset(hd__gpu_text *t, const hd__gpu_layout *l, const char *view)
{
    if (l->form == HD__GPU_CONTIGUOUS)
        hd__gpu_emit(t, "i");
    else if (l->form == HD__GPU_STRIDED)
        hd__gpu_emit(t, "i * %s.stride[0]", view);
    else
        hd__gpu_emit(t, "hk_offset(&%s, %d, i)", view, l->ndim);
}

// Whether HK_K elements can be moved as whole words.
bool hd__gpu_is_wide(const hd__gpu_layout *l, int32_t k)
{
    const size_t bytes = hd__size_of(l->type) * (size_t)k;
    return l->form == HD__GPU_CONTIGUOUS && k > 1 && bytes >= 4 && bytes % 4 == 0 &&
           l->aligned % (bytes < 16 ? bytes : 16) == 0 && (bytes < 16 || bytes % 16 == 0);
}

void hd__gpu_emit_words(hd__gpu_text *t, const char *what, size_t bytes)
{
    for (size_t at = 0; at < bytes;) {
        const size_t step = bytes - at >= 16 ? 16 : bytes - at >= 8 ? 8 : 4;
        hd__gpu_emit(t, "    hk_%s_%zu(p + %zu, u.w + %zu);\n", what, step, at, at / 4);
        at += step;
    }
}

static void emit_input(hd__gpu_text *t, const hd__gpu_kernel_config *config, int k)
{
    const hd__gpu_layout *l = &config->in[k];
    char view[32];
    if (l->form == HD__GPU_INDEXED) {
        hd__gpu_emit_indexed(t, config, k);
        return;
    }
    snprintf(view, sizeof view, "in->view[%d]", k);
    hd__gpu_emit(t, "HK_FN hk_in_%d hk_one_%d(const hk_inputs *in, int64_t i)\n{\n", k, k);
    if (l->form == HD__GPU_PROGRESSION) {
        hd__gpu_emit(t, "    return %s.start + i * %s.step;\n}\n", view, view);
    } else if (l->form == HD__GPU_CONSTANT) {
        hd__gpu_emit(t, "    return *(const hk_in_%d *)%s.constant;\n}\n", k, view);
    } else {
        hd__gpu_emit(t, "    return ((const hk_in_%d *)%s.data)[", k, view);
        emit_offset(t, l, view);
        hd__gpu_emit(t, "];\n}\n");
    }
    hd__gpu_emit(t, "HK_FN void hk_run_%d(const hk_inputs *in, int64_t i, hk_in_%d *x)\n{\n", k, k);
    if (hd__gpu_is_wide(l, config->k)) {
        const size_t size = hd__size_of(l->type), bytes = size * (size_t)config->k;
        hd__gpu_emit(t,
                     "    union {\n        uint32_t w[%zu];\n        hk_in_%d x[HK_K];\n    } u;\n",
                     bytes / 4, k);
        hd__gpu_emit(t, "    const char *p = %s.data + i * %zu;\n", view, size);
        hd__gpu_emit_words(t, "read", bytes);
        hd__gpu_emit(t, "#pragma unroll\n    for (int j = 0; j < HK_K; j++) x[j] = u.x[j];\n}\n");
    } else {
        hd__gpu_emit(
            t,
            "#pragma unroll\n    for (int j = 0; j < HK_K; j++) x[j] = hk_one_%d(in, i + j);\n}\n",
            k);
    }
}

static void emit_input_types(hd__gpu_text *t, const hd__gpu_kernel_config *config,
                             const hd__fold *fold, const hd_function *map)
{
    for (int k = 0; k < config->inputs; k++) {
        const hd_type type = config->in[k].type;
        if (hd__is_number(type)) {
            hd__gpu_emit(t, "typedef %s hk_in_%d;\n", hd__gpu_type_text(type), k);
        } else if (map != NULL) {
            hd__gpu_emit(t, "typedef ");
            emit_input_type(t, map, k);
            hd__gpu_emit(t, " hk_in_%d;\n", k);
        } else if (fold != NULL) {
            hd__gpu_emit(t, "typedef %s hk_in_%d;\n", fold->node->type_text, k);
        } else {
            char name[32];
            snprintf(name, sizeof name, "hk_in_%d", k);
            hd__gpu_layout both = config->in[k];
            if (config->out.aligned < both.aligned) both.aligned = config->out.aligned;
            if (both.aligned == 0) both.aligned = config->out.aligned; // a constant's
            if (config->at_once && config->values.aligned < both.aligned)
                both.aligned = config->values.aligned;
            emit_structure(t, name, &both);
        }
    }
}

void hd__gpu_emit_call(hd__gpu_text *t, const hd__gpu_kernel_config *config, const char *format)
{
    hd__gpu_emit(t, "hk_function(");
    for (int k = 0; k < config->inputs; k++) {
        hd__gpu_emit(t, k > 0 ? ", " : "");
        if (config->in[k].type == HD_BOOL) hd__gpu_emit(t, "0 != ");
        hd__gpu_emit(t, format[0] == 'o' ? "hk_one_%d(in, i)" : "x%d[j]", k);
    }
    hd__gpu_emit(t, ")");
}

void hd__gpu_emit_inputs(hd__gpu_text *t, const hd__gpu_kernel_config *config, const hd__fold *fold,
                         const hd_function *map)
{
    emit_input_types(t, config, fold, map);
    for (int k = 0; k < config->inputs; k++) emit_input(t, config, k);
}

void hd__gpu_emit_function_of(hd__gpu_text *t, const hd_function *map, const char *result,
                              uint32_t references)
{
    hd__gpu_emit(t, "typedef %s %s;\n", map->result_text, result);
    hd__gpu_emit_state(t, &map->state, HD__GPU_FUNCTION_STATE);
    hd__gpu_emit(t, "#line 1 \"function %s\"\nHK_FN %s hk_function", map->name, result);
    emit_parameters(t, map, references);
    hd__gpu_emit(t, "\n#line 1 \"function %s\"\n%s\n#line 1 \"kernel_types.h\"\n", map->name,
                 map->body_text);
}

void hd__gpu_emit_function(hd__gpu_text *t, const hd_function *map, const char *result)
{
    hd__gpu_emit_function_of(t, map, result, 0);
}

static void emit_reading(hd__gpu_text *t, const hd__gpu_kernel_config *config, const hd__fold *fold,
                         const hd_function *map)
{
    hd__gpu_emit_inputs(t, config, fold, map);
    if (map == NULL) {
        hd__gpu_emit_verbatim(
            t, "typedef hk_in_0 hk_element;\n"
               "HK_FN hk_element hk_item(const hk_inputs *in, int64_t i)\n{\n"
               "    return hk_one_0(in, i);\n}\n"
               "HK_FN void hk_items(const hk_inputs *in, int64_t i, hk_element *e)\n{\n"
               "    hk_run_0(in, i, e);\n}\n");
        hd__gpu_emit_asking(t, config, false);
        return;
    }
    hd__gpu_emit_function(t, map, "hk_element");
    hd__gpu_emit(t, "HK_FN hk_element hk_item(const hk_inputs *in, int64_t i)\n{\n    return ");
    hd__gpu_emit_call(t, config, "one");
    hd__gpu_emit(t,
                 ";\n}\nHK_FN void hk_items(const hk_inputs *in, int64_t i, hk_element *e)\n{\n");
    for (int k = 0; k < config->inputs; k++)
        hd__gpu_emit(t, "    hk_in_%d x%d[HK_K];\n    hk_run_%d(in, i, x%d);\n", k, k, k, k);
    hd__gpu_emit(t, "#pragma unroll\n    for (int j = 0; j < HK_K; j++) e[j] = ");
    hd__gpu_emit_call(t, config, "run");
    hd__gpu_emit(t, ";\n}\n");
    hd__gpu_emit_asking(t, config, true);
}

// ---- Writing ------------------------------------------------------------------------------------

// hk_put and hk_put_run for elements of a type, or hk_put_value.
void hd__gpu_emit_writing(hd__gpu_text *t, const hd__gpu_kernel_config *config,
                          const hd__gpu_layout *l, const char *type, const char *put)
{
    if (l->form == HD__GPU_ABSENT) { // nothing
        hd__gpu_emit(t,
                     "HK_FN void %s(const hk_view *v, int64_t i, %s x)\n{\n}\n"
                     "HK_FN void %s_run(const hk_view *v, int64_t i, const %s *x)\n{\n}\n",
                     put, type, put, type);
        return;
    }
    hd__gpu_emit(t, "HK_FN void %s(const hk_view *v, int64_t i, %s x)\n{\n    ((%s *)v->data)[",
                 put, type, type);
    emit_offset(t, l, "(*v)");
    hd__gpu_emit(t, "] = x;\n}\n");
    hd__gpu_emit(t, "HK_FN void %s_run(const hk_view *v, int64_t i, const %s *x)\n{\n", put, type);
    if (hd__gpu_is_wide(l, config->k)) {
        const size_t size = hd__size_of(l->type), bytes = size * (size_t)config->k;
        hd__gpu_emit(t, "    union {\n        uint32_t w[%zu];\n        %s x[HK_K];\n    } u;\n",
                     bytes / 4, type);
        hd__gpu_emit(t, "    char *p = v->data + i * %zu;\n", size);
        hd__gpu_emit(t, "#pragma unroll\n    for (int j = 0; j < HK_K; j++) u.x[j] = x[j];\n");
        hd__gpu_emit_words(t, "write", bytes);
        hd__gpu_emit(t, "}\n");
    } else {
        hd__gpu_emit(
            t, "#pragma unroll\n    for (int j = 0; j < HK_K; j++) %s(v, i + j, x[j]);\n}\n", put);
    }
}

// ---- Offsets ------------------------------------------------------------------------------------

// Offsets of segments as i64.
void hd__gpu_emit_offsets(hd__gpu_text *t, const hd__gpu_layout *l)
{
    hd__gpu_emit(t, "HK_FN int64_t hk_bound(const hk_view *v, int64_t i)\n{\n    return ");
    if (l->form == HD__GPU_ABSENT) {
        hd__gpu_emit(t, "0;\n}\n");
    } else if (l->form == HD__GPU_PROGRESSION) {
        hd__gpu_emit(t, "v->start + i * v->step;\n}\n");
    } else if (l->form == HD__GPU_CONSTANT) {
        hd__gpu_emit(t, "(int64_t)*(const %s *)v->constant;\n}\n", hd__gpu_type_text(l->type));
    } else {
        hd__gpu_emit(t, "(int64_t)((const %s *)v->data)[", hd__gpu_type_text(l->type));
        emit_offset(t, l, "(*v)");
        hd__gpu_emit(t, "];\n}\n");
    }
}

// ---- Keys ---------------------------------------------------------------------------------------

// hk_key, and how one or HK_K of them are read; numbers differ by value, structures byte by byte.
static void emit_keys(hd__gpu_text *t, const hd__gpu_kernel_config *config)
{
    const hd__gpu_layout *l = &config->keys;
    const size_t size = hd__size_of(l->type), bytes = size * (size_t)config->k;
    if (l->form == HD__GPU_ABSENT) {
        hd__gpu_emit_verbatim(
            t, "typedef uint32_t hk_key;\n"
               "HK_FN hk_key hk_key_at(const hk_view *v, int64_t i)\n{\n    return 0;\n}\n"
               "HK_FN void hk_keys_at(const hk_view *v, int64_t i, hk_key *x)\n{\n}\n"
               "HK_FN bool hk_keys_differ(hk_key a, hk_key b)\n{\n    return false;\n}\n");
        return;
    }
    hd__gpu_layout both = *l;
    if (config->keys_out.form != HD__GPU_ABSENT && config->keys_out.aligned < both.aligned)
        both.aligned = config->keys_out.aligned;
    if (hd__is_number(l->type))
        hd__gpu_emit(t, "typedef %s hk_key;\n", hd__gpu_type_text(l->type));
    else
        emit_structure(t, "hk_key", &both);
    hd__gpu_emit(t, "HK_FN hk_key hk_key_at(const hk_view *v, int64_t i)\n{\n    return ");
    if (l->form == HD__GPU_PROGRESSION) {
        hd__gpu_emit(t, "v->start + i * v->step;\n}\n");
    } else if (l->form == HD__GPU_CONSTANT) {
        hd__gpu_emit(t, "*(const hk_key *)v->constant;\n}\n");
    } else {
        hd__gpu_emit(t, "((const hk_key *)v->data)[");
        emit_offset(t, l, "(*v)");
        hd__gpu_emit(t, "];\n}\n");
    }
    hd__gpu_emit(t, "HK_FN void hk_keys_at(const hk_view *v, int64_t i, hk_key *x)\n{\n");
    if (hd__gpu_is_wide(l, config->k)) {
        hd__gpu_emit(t,
                     "    union {\n        uint32_t w[%zu];\n        hk_key x[HK_K];\n    } u;\n",
                     bytes / 4);
        hd__gpu_emit(t, "    const char *p = v->data + i * %zu;\n", size);
        hd__gpu_emit_words(t, "read", bytes);
        hd__gpu_emit(t, "#pragma unroll\n    for (int j = 0; j < HK_K; j++) x[j] = u.x[j];\n}\n");
    } else {
        hd__gpu_emit(
            t, "#pragma unroll\n    for (int j = 0; j < HK_K; j++) x[j] = hk_key_at(v, i + j);\n"
               "}\n");
    }
    hd__gpu_emit(t, "HK_FN bool hk_keys_differ(hk_key a, hk_key b)\n{\n");
    if (!hd__is_number(l->type)) {
        size_t unit = 8;
        while (size % unit != 0 || both.aligned % unit != 0) unit /= 2;
        hd__gpu_emit(
            t,
            "    bool differ = false;\n"
            "    for (int k = 0; k < %zu; k++) differ = differ || a.part[k] != b.part[k];\n"
            "    return differ;\n}\n",
            size / unit);
    } else if (l->type == HD_F16 || l->type == HD_BF16) {
        const char *name = l->type == HD_F16 ? "f16" : "bf16";
        hd__gpu_emit(t, "    return hk_%s_to_f32(a) != hk_%s_to_f32(b);\n}\n", name, name);
    } else {
        hd__gpu_emit(t, l->type == HD_BOOL ? "    return (a != 0) != (b != 0);\n}\n"
                                           : "    return a != b;\n}\n");
    }
    if (config->keys_out.form != HD__GPU_ABSENT)
        hd__gpu_emit_writing(t, config, &config->keys_out, "hk_key", "hk_put_key");
}

// ---- Without a fold -----------------------------------------------------------------------------

void hd__gpu_emit_result(hd__gpu_text *t, const hd__gpu_kernel_config *config,
                         const hd_function *map)
{
    const hd_type from = map != NULL ? map->result : config->in[0].type, to = config->out.type;
    if (hd__is_number(to) && (map == NULL || from != to)) { // a bucket function may be wider
        hd__gpu_emit(t, "typedef %s hk_result;\n", hd__gpu_type_text(to));
        hd__gpu_emit(t, "HK_FN hk_result hk_result_of(hk_element e)\n{\n    return ");
        hd__gpu_emit_conversion(t, to, from, "e");
        hd__gpu_emit(t, ";\n}\n");
    } else {
        hd__gpu_emit(t, "typedef hk_element hk_result;\n"
                        "HK_FN hk_result hk_result_of(hk_element e)\n{\n    return e;\n}\n");
    }
    hd__gpu_emit_writing(t, config, &config->out, "hk_result", "hk_put");
}

// ---- All of it ----------------------------------------------------------------------------------

bool hd__gpu_emits_function(const hd__gpu_kernel_config *config)
{
    const bool flags = config->codegen_kind == HD__GPU_CODEGEN_FLAGS;
    return config->codegen_kind != HD__GPU_CODEGEN_OFFSETS && !(flags && config->heads);
}

bool hd__gpu_emits_operator(const hd__gpu_kernel_config *config)
{
    return config->codegen_kind == HD__GPU_CODEGEN_FOLD;
}

// kernel_types.h.
static void emit_types(hd__gpu_text *t, const hd__gpu_kernel_config *config, const hd__fold *fold,
                       const hd_function *map)
{
    const hd_source *of_map = map != NULL ? map->source : NULL;
    const hd_source *of_fold = fold != NULL ? fold->node->source : NULL;
    const bool of_user = fold != NULL && fold->op == HD__USER_OP;
    hd__gpu_emit_math(t, of_user ? fold->node : NULL, map);
    hd__gpu_emit_source(t, of_map);
    if (of_fold != of_map) hd__gpu_emit_source(t, of_fold);
    hd__gpu_emit(t, "#line 1 \"kernel_types.h\"\n");
    if (config->codegen_kind == HD__GPU_CODEGEN_FLAGS) {
        hd__gpu_emit_flags(t, config, map);
    } else if (config->codegen_kind == HD__GPU_CODEGEN_GATHER) {
        hd__gpu_emit_gather(t, config, map);
    } else if (config->codegen_kind == HD__GPU_CODEGEN_OFFSETS) {
        hd__gpu_emit_offsets(t, &config->offsets);
        emit_keys(t, config);
    } else if (config->codegen_kind == HD__GPU_CODEGEN_HISTOGRAM) {
        hd__gpu_emit_histogram(t, config, map);
    } else if (config->codegen_kind == HD__GPU_CODEGEN_DIFFERENCE) {
        hd__gpu_emit_difference(t, config, map);
    } else if (config->codegen_kind == HD__GPU_CODEGEN_STENCIL) {
        hd__gpu_emit_stencil(t, config, map);
    } else if (config->codegen_kind == HD__GPU_CODEGEN_FIND) {
        emit_reading(t, config, NULL, map);
        hd__gpu_emit_wanted(t, config);
    } else if (config->codegen_kind == HD__GPU_CODEGEN_ORDER) {
        hd__gpu_emit_inputs(t, config, NULL, map);
        hd__gpu_emit_function(t, map, "hk_is_before");
        hd__gpu_emit_writing(t, config, &config->out, "hk_in_0", "hk_put");
        hd__gpu_emit_integers(t, config);
    } else if (config->codegen_kind == HD__GPU_CODEGEN_LINKS) {
        hd__gpu_emit_offsets(t, &config->offsets);
        hd__gpu_emit_integers(t, config);
    } else if (config->codegen_kind == HD__GPU_CODEGEN_UNITS) {
        hd__gpu_emit_units(t, config);
    } else if (config->codegen_kind == HD__GPU_CODEGEN_SORT) {
        hd__gpu_emit_sort(t, config);
    } else if (config->codegen_kind == HD__GPU_CODEGEN_STRUCTURES) {
        hd__gpu_emit_inputs(t, config, NULL, map);
        hd__gpu_emit_structures(t, config, map);
    } else if (fold != NULL) {
        emit_reading(t, config, fold, map);
        hd__gpu_emit_fold(t, config, fold);
        hd__gpu_emit_offsets(t, &config->offsets);
        emit_keys(t, config);
        if (config->scatters) hd__gpu_emit_destinations(t, config, fold);
    } else {
        emit_reading(t, config, fold, map);
        hd__gpu_emit_result(t, config, map);
    }
}

// The files of a kernel one behind another; its two generated headers where they are included.
void hd__gpu_emit_kernel(hd__gpu_text *t, const hd__gpu_kernel_config *config, const hd__fold *fold,
                         const hd_function *map)
{
    for (const hd__gpu_source *f = hd__gpu_kernel_sources(config->kernel); f->name != NULL; f++) {
        hd__gpu_emit(t, "#line 1 \"%s\"\n", f->name);
        if (f->text != NULL)
            hd__gpu_emit_verbatim(t, f->text);
        else if (strcmp(f->name, "kernel_config.h") == 0)
            hd__gpu_emit_config(t, config, fold, map);
        else
            emit_types(t, config, fold, map);
    }
}
