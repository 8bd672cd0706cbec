// SPDX-License-Identifier: Apache-2.0
//
// How a user writes an operator or a function once and runs it on every backend, and the macros
// that infer types (HD_VIEW, HD_TYPE, hd_constant). heddle.h includes this file; do not include
// it alone.
//
//     HD_SOURCE(geometry, typedef struct { float x, y, z; } point;
//               static inline float norm2(point p) { return p.x * p.x + p.y * p.y + p.z * p.z; })
//
//     HD_OPERATOR(farther, point, geometry, HD_ASSOCIATIVE,
//                 { return norm2(a) >= norm2(b) ? a : b; })
//
//     HD_FUNCTION(product, float, HD_NO_SOURCE, (float, x, float, y), { return x * y; })
//
//     hd_reduce(ctx, HD_VIEW_OF(HD_TYPE(point), p, n), farther,
//               HD_VIEW_OF(HD_TYPE(point), &far, 1), NULL);
//     hd_reduce(ctx, HD_VIEW(x, n), HD_SUM, HD_VIEW(&dot, 1),
//               &(hd_reduce_options){.map = product, .with = HD_VIEWS(HD_VIEW(y, n))});
//
// The text must be in the common subset of C and CUDA C, without preprocessor lines. The operands
// of an operator are called a and b. Multiply-add is never contracted in it; whoever wants fma
// writes fmaf or fma. Nor do other flags of the file change its bits: heddle_exact.h takes them
// back around the text, and what it cannot take back (clang's -ffp-contract=fast) its probe finds.
// Then every call that is given the operator, function or comparison is HD_ERROR_OPERATOR, with
// the likely name of the flag.
//
// exp, sin, pow and their kind of <math.h> differ in last bits between the cpu's C library, CUDA's
// and the model's; hd_exp, hd_expf, ... of heddle/math.h have the same bits on every backend. sqrt,
// fma, fabs, floor, ceil, trunc and rint are exact, so the same everywhere.
#ifndef HEDDLE_OPERATOR_H
#define HEDDLE_OPERATOR_H

#include "heddle_exact.h"

#ifdef __cplusplus
#include <initializer_list>
#include <type_traits>
#endif

// Text that operators and functions share: types and static inline functions.
typedef struct hd_source {
    const char *name;
    const char *text;
} hd_source;

enum {
    HD_ASSOCIATIVE = 1, // (a b) c == a (b c), up to rounding: every operator must be
    HD_COMMUTATIVE = 2, // a b == b a
    HD_EXACT = 4        // associative to the last bit: may be computed in any grouping
};

// The layout of operators, functions and comparisons, which are compiled into users' programs: the
// library refuses those of headers that had another one.
#define HD__ABI 2

// Largest number of inputs of a function.
#define HD_MAX_INPUTS 8

// The state of an operator, function or comparison: what its text wants, and what a call gives it
// (heddle_state.h). All zero: none.
typedef struct hd_state {
    const void *data; // given: hd_with_state
    size_t bytes;     // of it
    size_t size;      // of the type that the text wants; 0: it wants none
    const char *text; // that type in source form, for run-time compilers
} hd_state;

struct hd_operator {
    uint32_t abi;     // HD__ABI
    uint32_t builtin; // 0 for a user's
    uint32_t flags;
    hd_type type; // of a user's elements
    const char *name;
    const void *identity; // one element, or NULL: none
    // out[i] = a[i] op b[i]; out may be a or b
    void (*combine)(void *out, const void *a, const void *b, int64_t n, const void *state);
    // out[j] = the tree over in[8 j] .. in[8 j + 7]; NULL: made from combine
    void (*up)(void *out, const void *in, int64_t n, const void *state);
    // the inclusive scan of 8 n elements whose groups of 8 have the prefixes base[0] .. base[n];
    // out may be in; NULL: made from combine
    void (*down)(void *out, const void *in, const void *base, int64_t n, const void *state);
    const char *type_text; // the same in source form, for run-time compilers
    const char *identity_text;
    const char *body_text;
    const hd_source *source;
    hd__probe *probe; // of the file it was compiled in, or NULL: not looked at
    hd_state state;
    const void *reserved[3];
};

struct hd_function {
    uint32_t abi; // HD__ABI
    int32_t inputs;
    hd_type result;
    hd_type input[HD_MAX_INPUTS];
    const char *name;
    // out[i] = f(in[0][i], in[1][i], ...), all contiguous; out is none of the inputs
    void (*apply)(void *out, const void *const *in, int64_t n, const void *state);
    const char *result_text;
    const char *inputs_text;
    const char *body_text;
    const hd_source *source;
    hd__probe *probe; // of the file it was compiled in, or NULL: not looked at
    hd_state state;
    // f(in[0][0], ...) + ... + f(in[0][n - 1], ...) of bool or u8, NULL: of any other type. n is a
    // multiple of HD__SUM_BLOCK, at most HD__SUM_MOST, so that the sum fits
    int32_t (*sum)(const void *const *in, int64_t n, const void *state);
    const void *reserved[2];
};

#define HD__SUM_BLOCK 64
#define HD__SUM_MOST  ((int64_t)1 << 22)

// ---- Types from C types ---------------------------------------------------------------------

#ifdef __cplusplus
template <class T> struct hd_type_of {
    static_assert(std::is_trivially_copyable<T>::value,
                  "elements are moved as bytes: expected a type that is trivially copyable");
    static const hd_type value = HD_STRUCT_OF(sizeof(T)) | HD__ALIGNED(alignof(T));
};
#define HD_TYPE_ROW(T, id)                                                                         \
    template <> struct hd_type_of<T> {                                                             \
        static const hd_type value = id;                                                           \
    };
HD_TYPE_ROW(char, HD_U8) // bytes, whether or not char is signed
HD_TYPE_ROW(signed char, HD_I8)
HD_TYPE_ROW(short, HD_I16)
HD_TYPE_ROW(int, HD_I32)
HD_TYPE_ROW(long, sizeof(long) == 8 ? HD_I64 : HD_I32)
HD_TYPE_ROW(long long, HD_I64)
HD_TYPE_ROW(unsigned char, HD_U8)
HD_TYPE_ROW(unsigned short, HD_U16)
HD_TYPE_ROW(unsigned int, HD_U32)
HD_TYPE_ROW(unsigned long, sizeof(long) == 8 ? HD_U64 : HD_U32)
HD_TYPE_ROW(unsigned long long, HD_U64)
HD_TYPE_ROW(float, HD_F32)
HD_TYPE_ROW(double, HD_F64)
HD_TYPE_ROW(bool, HD_BOOL)
HD_TYPE_ROW(hd_c64, HD_C64)
HD_TYPE_ROW(hd_c128, HD_C128)
#undef HD_TYPE_ROW
// 1: of a pointer to const.
template <class T> inline int hd__is_const(T *)
{
    return 0;
}
template <class T> inline int hd__is_const(const T *)
{
    return 1;
}
inline int hd__is_const(...) // a null pointer
{
    return 0;
}
#define HD__IS_CONST(p) hd__is_const(p)
template <class T> inline hd_view hd_view_infer(T *p, int64_t n)
{
    return hd_view_of(hd_type_of<T>::value, p, n);
}
template <class T> inline hd_view hd_view_infer(const T *p, int64_t n)
{
    return hd_read_only(hd_view_of(hd_type_of<T>::value, p, n));
}
template <class T> inline hd_view hd_constant(T x, int64_t n)
{
    return hd_constant_of(hd_type_of<T>::value, &x, n);
}
// A list of views: of an array that the caller keeps for as long as the list is used; and, for
// HD_VIEWS, of views in braces, which last as long as the call that the list is an argument of.
template <size_t N> inline hd_views hd_views_of(const hd_view (&array)[N])
{
    hd_views list;
    list.view = array;
    list.count = static_cast<int64_t>(N);
    return list;
}
inline hd_views hd__views_in(std::initializer_list<hd_view> views)
{
    hd_views list;
    list.view = views.begin();
    list.count = static_cast<int64_t>(views.size());
    return list;
}
// The same of operators.
template <size_t N> inline hd_operators hd_operators_of(const hd_operator *const (&array)[N])
{
    hd_operators list;
    list.op = array;
    list.count = static_cast<int64_t>(N);
    return list;
}
inline hd_operators hd__operators_in(std::initializer_list<const hd_operator *> operators)
{
    hd_operators list;
    list.op = operators.begin();
    list.count = static_cast<int64_t>(operators.size());
    return list;
}
inline hd_functions hd__functions_in(std::initializer_list<const hd_function *> functions)
{
    hd_functions list;
    list.function = functions.begin();
    list.count = static_cast<int64_t>(functions.size());
    return list;
}
// Results of functions that are counted: HD__SUM_OVER.
template <class R> struct hd__is_byte : std::false_type {
};
template <> struct hd__is_byte<bool> : std::true_type {
};
template <> struct hd__is_byte<unsigned char> : std::true_type {
};
template <class R> inline int32_t hd__byte(const R &)
{
    return 0;
}
inline int32_t hd__byte(bool x)
{
    return x;
}
inline int32_t hd__byte(unsigned char x)
{
    return x;
}
// A structure's type with the tag of its name, which most templates do not know.
constexpr hd_type hd__named(hd_type type, uint32_t tag)
{
    return (type & 0xffu) == HD_STRUCTURE && type >> 23 == 0 ? type | tag : type;
}
#define HD_TYPE(T)        (hd__named(hd_type_of<T>::value, HD__TAG(HD__EXPANDED(T))))
#define HD_VIEW(p, n)     hd_view_infer(((void)0, (p)), (n))
#define HD_VIEWS(...)     hd__views_in({__VA_ARGS__})
#define HD_OPERATORS(...) hd__operators_in({__VA_ARGS__})
#define HD_FUNCTIONS(...) hd__functions_in({__VA_ARGS__})
#else
// The rows of _Generic for the C types that have a type of their own.
#define HD__NUMBERS(ROW)                                                                           \
    ROW(char, HD_U8)                                                                               \
    ROW(signed char, HD_I8)                                                                        \
    ROW(short, HD_I16)                                                                             \
    ROW(int, HD_I32)                                                                               \
    ROW(long, (sizeof(long) == 8 ? HD_I64 : HD_I32))                                               \
    ROW(long long, HD_I64)                                                                         \
    ROW(unsigned char, HD_U8)                                                                      \
    ROW(unsigned short, HD_U16)                                                                    \
    ROW(unsigned, HD_U32)                                                                          \
    ROW(unsigned long, (sizeof(long) == 8 ? HD_U64 : HD_U32))                                      \
    ROW(unsigned long long, HD_U64)                                                                \
    ROW(float, HD_F32)                                                                             \
    ROW(double, HD_F64)                                                                            \
    ROW(_Bool, HD_BOOL)                                                                            \
    ROW(hd_c64, HD_C64)                                                                            \
    ROW(hd_c128, HD_C128)                                                                          \
    HD__COMPLEX(ROW)
// C's own, where it has them (an implementation may say that it has none).
#ifndef __STDC_NO_COMPLEX__
#define HD__COMPLEX(ROW) ROW(float _Complex, HD_C64) ROW(double _Complex, HD_C128)
#else
#define HD__COMPLEX(ROW)
#endif
#define HD__POINTER_ROW(T, id) T * : id, const T * : id,
#define HD__VALUE_ROW(T, id)                                                                       \
    T:                                                                                             \
    id,
// A pointer of any other type has no row: name the type with HD_VIEW_OF.
#define HD_VIEW(p, n)                                                                              \
    hd__view_of(                                                                                   \
        _Generic((p), HD__NUMBERS(HD__POINTER_ROW) struct hd__name_the_type_with_HD_VIEW_OF *      \
                 : HD_NONE),                                                                       \
        HD__UNREAD(p), (n), HD__IS_CONST(p))
// A pointer and a void pointer, which is no null constant, give a void pointer that is const where
// the first was.
#define HD__IS_CONST(p) _Generic(1 ? (p) : (void *)1, const void * : 1, default : 0)

#define HD_TYPE(T) ((hd_type) _Generic(*(T *)0, HD__NUMBERS(HD__VALUE_ROW) default : HD_STRUCT(T)))
#define hd_constant(x, n)                                                                          \
    hd_constant_of((hd_type) _Generic((x), HD__NUMBERS(HD__VALUE_ROW) struct hd__not_a_number *    \
                                      : HD_NONE),                                                  \
                   &(const HD__TYPEOF(x)){x}, (n))
struct hd__name_the_type_with_HD_VIEW_OF;
struct hd__not_a_number;
#define HD_VIEWS(...)                                                                              \
    ((hd_views){(const hd_view[]){__VA_ARGS__},                                                    \
                (int64_t)(sizeof((const hd_view[]){__VA_ARGS__}) / sizeof(hd_view))})
#define HD_OPERATORS(...)                                                                          \
    ((hd_operators){(const hd_operator *const[]){__VA_ARGS__},                                     \
                    (int64_t)(sizeof((const hd_operator *const[]){__VA_ARGS__}) /                  \
                              sizeof(const hd_operator *))})
#define HD_FUNCTIONS(...)                                                                          \
    ((hd_functions){(const hd_function *const[]){__VA_ARGS__},                                     \
                    (int64_t)(sizeof((const hd_function *const[]){__VA_ARGS__}) /                  \
                              sizeof(const hd_function *))})
#endif

// ---- Operators ------------------------------------------------------------------------------

#define HD__TEXT(...)          #__VA_ARGS__
#define HD__EXPANDED_TEXT(...) HD__TEXT(__VA_ARGS__)

// HD_SOURCE(name, declarations and static inline functions)
#define HD_SOURCE(name, ...)                                                                       \
    HD__EXACT_BEGIN __VA_ARGS__ HD__EXACT_END static const hd_source name[1] = {                   \
        {#name, #__VA_ARGS__}};
#define HD_NO_SOURCE HD__CAST(const hd_source *, 0)

// An identity that is a structure: HD_BRACES(1.0f, 0.0f).
#define HD_BRACES(...)                                                                             \
    {                                                                                              \
        __VA_ARGS__                                                                                \
    }

// HD_OPERATOR(name, type, source, flags, { body returning a op b }): without an identity.
// HD_MONOID(name, type, source, flags, identity, { body }): with one, an initialiser.
// Both define name as a value that goes where HD_SUM goes.
#define HD_OPERATOR(name, T, source, flags, ...)                                                   \
    HD__NOTHING_LOOSE                                                                              \
    HD__OPERATOR_LOOPS(name, T, HD__STATELESS, __VA_ARGS__)                                        \
    static const hd_operator name[1] = {                                                           \
        HD__OPERATOR_ROW(name, T, source, flags, 0, 0, HD__NO_STATE, __VA_ARGS__)};
#define HD_MONOID(name, T, source, flags, identity, ...)                                           \
    HD__NOTHING_LOOSE                                                                              \
    HD__OPERATOR_LOOPS(name, T, HD__STATELESS, __VA_ARGS__)                                        \
    static const T name##__identity = identity;                                                    \
    static const hd_operator name[1] = {                                                           \
        HD__OPERATOR_ROW(name, T, source, flags, &name##__identity, HD__EXPANDED_TEXT(identity),   \
                         HD__NO_STATE, __VA_ARGS__)};

// Texts with a state (heddle_state.h) and those without are compiled by the same macros: `with` is
// HD__STATELESS or HD__STATEFUL(S), neither of them a macro. What it comes to is a parameter of the
// text's function, and the first lines of each loop, which make hd__state from what the library
// gives the loop.
#define HD__STATE_PARAMETER(with)     HD__PARAMETER_##with
#define HD__PARAMETER_HD__STATELESS   const void *hd__none HD__UNUSED
#define HD__PARAMETER_HD__STATEFUL(S) const S *state HD__UNUSED
#define HD__LOAD_STATE(with)          HD__LOAD_##with
#define HD__LOAD_HD__STATELESS        const void *const hd__state = hd__given;
// A small state is copied: no store of the loop can change it then, so it stays in registers.
#define HD__LOAD_HD__STATEFUL(S)                                                                   \
    S hd__copy;                                                                                    \
    if (sizeof(S) <= HD__STATE_COPIED)                                                             \
        HD__MEMCPY(HD__CAST(void *, &hd__copy), hd__given, sizeof(S));                             \
    const S *const hd__state =                                                                     \
        sizeof(S) <= HD__STATE_COPIED ? &hd__copy : HD__CAST(const S *, hd__given);
#define HD__STATE_COPIED 64
#define HD__GIVEN        const void *hd__given HD__UNUSED
#define HD__NO_STATE                                                                               \
    {                                                                                              \
        0, 0, 0, 0                                                                                 \
    }

// (clang-format takes #name for a directive.)
// clang-format off
#define HD__OPERATOR_ROW(name, T, source, flags, identity, identity_text, state, ...)              \
    {                                                                                              \
        HD__ABI, 0, (flags), HD_TYPE(T), #name, identity, HD__LOOP_OF(T, name##__combine),         \
        HD__LOOP_OF(T, name##__up), HD__LOOP_OF(T, name##__down), #T, identity_text,               \
        #__VA_ARGS__, source, HD__PROBE, state, {0, 0, 0}                                          \
    }
// clang-format on

#define HD__OPERATOR_LOOPS(name, T, with, ...)                                                     \
    HD__EXACT_BEGIN                                                                                \
    HD__INLINE T name##__one(T a HD__UNUSED, T b HD__UNUSED,                                       \
                             HD__STATE_PARAMETER(with)) __VA_ARGS__                                \
    HD__LOOPS_OVER(T, with, name##__one, name##__combine, name##__up, name##__down) HD__EXACT_END  \
    HD__OF_NUMBERS(                                                                                \
        HD__INLINE T name##__number(T a HD__UNUSED, T b HD__UNUSED, HD__STATE_PARAMETER(with))     \
            __VA_ARGS__ HD__LOOPS_OVER(T, with, name##__number, name##__combine_of_numbers,        \
                                       name##__up_of_numbers, name##__down_of_numbers))

// The loops over blocks: thin, so that the compiler sees the user's text eight times over.
#define HD__LOOPS_OVER(T, with, one, combine, up, down)                                            \
    HD__INLINE void combine(void *out, const void *in0, const void *in1, int64_t n, HD__GIVEN)     \
    {                                                                                              \
        HD__LOAD_STATE(with)                                                                       \
        T *o = HD__CAST(T *, out);                                                                 \
        const T *x = HD__CAST(const T *, in0), *y = HD__CAST(const T *, in1);                      \
        for (int64_t i = 0; i < n; i++) o[i] = one(x[i], y[i], hd__state);                         \
    }                                                                                              \
    HD__INLINE void up(void *out, const void *in, int64_t n, HD__GIVEN)                            \
    {                                                                                              \
        HD__LOAD_STATE(with)                                                                       \
        T *o = HD__CAST(T *, out);                                                                 \
        const T *x = HD__CAST(const T *, in);                                                      \
        for (int64_t j = 0; j < n; j++, x += 8) {                                                  \
            const T left = one(one(x[0], x[1], hd__state), one(x[2], x[3], hd__state), hd__state); \
            const T right =                                                                        \
                one(one(x[4], x[5], hd__state), one(x[6], x[7], hd__state), hd__state);            \
            o[j] = one(left, right, hd__state);                                                    \
        }                                                                                          \
    }                                                                                              \
    HD__INLINE void down(void *out, const void *in, const void *base, int64_t n, HD__GIVEN)        \
    {                                                                                              \
        HD__LOAD_STATE(with)                                                                       \
        T *o = HD__CAST(T *, out);                                                                 \
        const T *x = HD__CAST(const T *, in), *b = HD__CAST(const T *, base);                      \
        for (int64_t j = 0; j < n; j++, x += 8, o += 8) {                                          \
            const T x01 = one(x[0], x[1], hd__state), x23 = one(x[2], x[3], hd__state);            \
            const T x45 = one(x[4], x[5], hd__state), x2 = x[2], x4 = x[4], x6 = x[6];             \
            const T p2 = one(b[j], x01, hd__state),                                                \
                    p4 = one(b[j], one(x01, x23, hd__state), hd__state);                           \
            const T p6 = one(p4, x45, hd__state);                                                  \
            o[0] = one(b[j], x[0], hd__state), o[1] = p2;                                          \
            o[2] = one(p2, x2, hd__state), o[3] = p4;                                              \
            o[4] = one(p4, x4, hd__state), o[5] = p6;                                              \
            o[6] = one(p6, x6, hd__state), o[7] = b[j + 1];                                        \
        }                                                                                          \
    }

// ---- Functions ------------------------------------------------------------------------------

// HD_FUNCTION(name, result type, source, (type, x, type, y, ...), { body }): one to eight inputs.
#define HD_FUNCTION(name, R, source, inputs, ...)                                                  \
    HD__NOTHING_LOOSE                                                                              \
    HD__FUNCTION_LOOPS(name, R, inputs, HD__STATELESS, __VA_ARGS__)                                \
    static const hd_function name[1] = {                                                           \
        HD__FUNCTION_ROW(name, R, source, inputs, #R, #inputs, HD__NO_STATE, #__VA_ARGS__)};

#define HD__FUNCTION_LOOPS(name, R, inputs, with, ...)                                             \
    HD__EXACT_BEGIN                                                                                \
    HD__INLINE R name##__one(HD__PICK inputs(PARAMETERS, inputs),                                  \
                             HD__STATE_PARAMETER(with)) __VA_ARGS__                                \
    HD__APPLY_OVER(R, with, name##__one, name##__apply,                                            \
                   inputs) HD__SUM_OVER(R, with, name##__one, name##__sum, inputs) HD__EXACT_END   \
    HD__OF_NUMBERS(                                                                                \
        HD__INLINE R name##__number(HD__PICK inputs(PARAMETERS, inputs),                           \
                                    HD__STATE_PARAMETER(with))                                     \
            __VA_ARGS__ HD__APPLY_OVER(R, with, name##__number, name##__apply_of_numbers, inputs)  \
                HD__SUM_OVER(R, with, name##__number, name##__sum_of_numbers, inputs))

// (The texts are those that the user wrote: macros in them stay as they are.)
// clang-format off
#define HD__FUNCTION_ROW(name, R, source, inputs, R_text, inputs_text, state, body_text)           \
    {                                                                                              \
        HD__ABI, HD__COUNT inputs, HD_TYPE(R), {HD__PICK inputs(TYPES, inputs)}, #name,            \
        HD__LOOP_OF(R, name##__apply), R_text, inputs_text, body_text, source, HD__PROBE, state,   \
        HD__SUM_OF(R, HD__LOOP_OF(R, name##__sum)), {0, 0}                                         \
    }
// clang-format on

// The inputs' addresses are copied first: elements of char types might be stored over them. out is
// one of the inputs or apart from all of them, so the elements can be taken in any order.
#define HD__APPLY_OVER(R, with, one, apply, inputs)                                                \
    HD__INLINE void apply(void *out, const void *const *from, int64_t n, HD__GIVEN)                \
    {                                                                                              \
        HD__LOAD_STATE(with)                                                                       \
        R *o = HD__CAST(R *, out);                                                                 \
        const void *const in[8] = HD__POINTERS(HD__COUNT inputs);                                  \
        HD__NO_ORDER                                                                               \
        for (int64_t i = 0; i < n; i++) o[i] = one(HD__PICK inputs(ARGUMENTS, inputs), hd__state); \
    }

// Predicates that are counted: results stay in registers. Blocks of a constant size are vectorised
// at -O2 too.
#define HD__SUM_OVER(R, with, one, sum, inputs)                                                    \
    HD__INLINE int32_t sum(const void *const *from, int64_t n, HD__GIVEN)                          \
    {                                                                                              \
        HD__LOAD_STATE(with)                                                                       \
        const void *const in[8] = HD__POINTERS(HD__COUNT inputs);                                  \
        int32_t total = 0;                                                                         \
        for (int64_t block = 0; block < n; block += HD__SUM_BLOCK)                                 \
            for (int64_t i = block; i < block + HD__SUM_BLOCK; i++) {                              \
                R hd__result = one(HD__PICK inputs(ARGUMENTS, inputs), hd__state);                 \
                total += HD__BYTE(hd__result);                                                     \
            }                                                                                      \
        return total;                                                                              \
    }
// A result of any other type is 0, in a loop that nobody takes.
#ifdef __cplusplus
#define HD__BYTE(x)         hd__byte(x)
#define HD__SUM_OF(R, loop) (hd__is_byte<R>::value ? loop : 0)
#else
#define HD__BYTE(x) _Generic((x), _Bool : (x), unsigned char : (x), default : 0)
#define HD__SUM_OF(R, loop)                                                                        \
    (_Generic(*(R *)0, _Bool : 1, unsigned char : 1, default : 0) ? loop : 0)
#endif

#define HD__POINTERS(m)                                                                            \
    {                                                                                              \
        from[0], from[(m) > 1 ? 1 : 0], from[(m) > 2 ? 2 : 0], from[(m) > 3 ? 3 : 0],              \
            from[(m) > 4 ? 4 : 0], from[(m) > 5 ? 5 : 0], from[(m) > 6 ? 6 : 0],                   \
            from[(m) > 7 ? 7 : 0]                                                                  \
    }
// clang looks at run time whether arrays overlap; its pragma warns of loops that stay as they are.
#if defined(__GNUC__) && !defined(__clang__) && !defined(__CUDACC__)
#define HD__NO_ORDER _Pragma("GCC ivdep")
#else
#define HD__NO_ORDER
#endif

#define HD__COUNT(...) HD__SELECT(__VA_ARGS__, 8, 8, 7, 7, 6, 6, 5, 5, 4, 4, 3, 3, 2, 2, 1, 1, 0)

#define HD__SELECT(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, count, ...) count
#define HD__PICK(...)                                                                              \
    HD__SELECT(__VA_ARGS__, HD__8, HD__8, HD__7, HD__7, HD__6, HD__6, HD__5, HD__5, HD__4, HD__4,  \
               HD__3, HD__3, HD__2, HD__2, HD__1, HD__1, 0)
#define HD__AT(T, k) HD__CAST(const T *, in[k])[i]

#define HD__1(what, inputs)    HD__1_##what inputs
#define HD__1_PARAMETERS(A, a) A a
#define HD__1_ARGUMENTS(A, a)  HD__AT(A, 0)
#define HD__1_TYPES(A, a)      HD_TYPE(A)

#define HD__2(what, inputs)          HD__2_##what inputs
#define HD__2_PARAMETERS(A, a, B, b) A a, B b
#define HD__2_ARGUMENTS(A, a, B, b)  HD__AT(A, 0), HD__AT(B, 1)
#define HD__2_TYPES(A, a, B, b)      HD_TYPE(A), HD_TYPE(B)

#define HD__3(what, inputs)                HD__3_##what inputs
#define HD__3_PARAMETERS(A, a, B, b, C, c) A a, B b, C c
#define HD__3_ARGUMENTS(A, a, B, b, C, c)  HD__AT(A, 0), HD__AT(B, 1), HD__AT(C, 2)
#define HD__3_TYPES(A, a, B, b, C, c)      HD_TYPE(A), HD_TYPE(B), HD_TYPE(C)

#define HD__4(what, inputs)                      HD__4_##what inputs
#define HD__4_PARAMETERS(A, a, B, b, C, c, D, d) A a, B b, C c, D d
#define HD__4_ARGUMENTS(A, a, B, b, C, c, D, d)                                                    \
    HD__AT(A, 0), HD__AT(B, 1), HD__AT(C, 2), HD__AT(D, 3)
#define HD__4_TYPES(A, a, B, b, C, c, D, d) HD__2_TYPES(A, a, B, b), HD__2_TYPES(C, c, D, d)

#define HD__5(what, inputs)                            HD__5_##what inputs
#define HD__5_PARAMETERS(A, a, B, b, C, c, D, d, E, e) A a, B b, C c, D d, E e
#define HD__5_ARGUMENTS(A, a, B, b, C, c, D, d, E, e)                                              \
    HD__AT(A, 0), HD__AT(B, 1), HD__AT(C, 2), HD__AT(D, 3), HD__AT(E, 4)
#define HD__5_TYPES(A, a, B, b, C, c, D, d, E, e) HD__4_TYPES(A, a, B, b, C, c, D, d), HD_TYPE(E)

#define HD__6(what, inputs)                                  HD__6_##what inputs
#define HD__6_PARAMETERS(A, a, B, b, C, c, D, d, E, e, F, f) A a, B b, C c, D d, E e, F f
#define HD__6_ARGUMENTS(A, a, B, b, C, c, D, d, E, e, F, f)                                        \
    HD__AT(A, 0), HD__AT(B, 1), HD__AT(C, 2), HD__AT(D, 3), HD__AT(E, 4), HD__AT(F, 5)
#define HD__6_TYPES(A, a, B, b, C, c, D, d, E, e, F, f)                                            \
    HD__4_TYPES(A, a, B, b, C, c, D, d), HD__2_TYPES(E, e, F, f)

#define HD__7(what, inputs)                                        HD__7_##what inputs
#define HD__7_PARAMETERS(A, a, B, b, C, c, D, d, E, e, F, f, G, g) A a, B b, C c, D d, E e, F f, G g
#define HD__7_ARGUMENTS(A, a, B, b, C, c, D, d, E, e, F, f, G, g)                                  \
    HD__AT(A, 0), HD__AT(B, 1), HD__AT(C, 2), HD__AT(D, 3), HD__AT(E, 4), HD__AT(F, 5), HD__AT(G, 6)
#define HD__7_TYPES(A, a, B, b, C, c, D, d, E, e, F, f, G, g)                                      \
    HD__4_TYPES(A, a, B, b, C, c, D, d), HD__3_TYPES(E, e, F, f, G, g)

#define HD__8(what, inputs) HD__8_##what inputs
#define HD__8_PARAMETERS(A, a, B, b, C, c, D, d, E, e, F, f, G, g, H, h)                           \
    A a, B b, C c, D d, E e, F f, G g, H h
#define HD__8_ARGUMENTS(A, a, B, b, C, c, D, d, E, e, F, f, G, g, H, h)                            \
    HD__AT(A, 0), HD__AT(B, 1), HD__AT(C, 2), HD__AT(D, 3), HD__AT(E, 4), HD__AT(F, 5),            \
        HD__AT(G, 6), HD__AT(H, 7)
#define HD__8_TYPES(A, a, B, b, C, c, D, d, E, e, F, f, G, g, H, h)                                \
    HD__4_TYPES(A, a, B, b, C, c, D, d), HD__4_TYPES(E, e, F, f, G, g, H, h)

#include "heddle_probe.h"

#endif
