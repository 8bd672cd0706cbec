// SPDX-License-Identifier: Apache-2.0
//
// Heddle: data-parallel patterns for C, with the same bits on every backend.
//
//     #include <heddle.h>
//
//     hd_context *ctx;
//     hd_status status = hd_open(&ctx, NULL);
//     float x[1000], total;
//     ...
//     if (!status) status = hd_reduce(ctx, HD_VIEW(x, 1000), HD_SUM, HD_VIEW(&total, 1), NULL);
//     if (!status) status = hd_scan(ctx, HD_VIEW(x, 1000), HD_SUM, HD_VIEW(x, 1000), NULL);
//     if (status) puts(hd_error(ctx));
//     hd_close(ctx);
//
// This header is the manual of the library. It reads from top to bottom: statuses, types,
// views, contexts, operators, functions; then one call a pattern, a chapter each in the headers
// heddle/*.h, which this one includes. The macros of users' operators are in heddle_operator.h,
// also included. The headers name pages of the documentation: numerics.md (what a float result
// is, bit by bit) and model-semantics.md are in docs/reference/, move.md is in docs/internals/,
// untrusted-kernels.md in docs/howto/.
//
// Rules that hold everywhere:
//  - Every call returns an hd_status; HD_OK is 0, and compilers warn if a status is ignored (the
//    examples of the chapters ignore it for brevity). Every call first clears the context's error
//    text and, if it fails, writes there what failed, where, what was expected and what was given.
//  - The library never prints, exits or aborts. A call that fails before its work begins writes
//    nothing; one that fails during it (HD_ERROR_MEMORY, and HD_ERROR_VALUE for invalid data, such
//    as decreasing offsets) leaves its outputs unspecified, and so does one that was cancelled.
//  - Counts, indices and strides are int64_t; strides count elements, not bytes.
//  - Options are one trailing pointer. NULL means defaults, and so does every field left zero.
//    Their first field is their size, since later versions may add fields: 0 is the size they had
//    in version 0.1. Fields called reserved, and bytes beyond the fields that the library knows,
//    must be zero: anything else is HD_ERROR_ARGUMENT.
//  - Views in options are passed by pointer: NULL, or a pointer to an empty view, means that there
//    is none. The call reads the view and does not keep the pointer.
//  - Numbers that a call returns (count, .bad, .steps, ...) are views of one i64, HD_VIEW(&n, 1).
//    They are outputs: they may overlap neither a view of the call nor each other
//    (HD_ERROR_ALIAS). Unless a call says otherwise they are in host memory; calls that take views
//    of a device also accept them there, and then do not wait for them.
//  - A context is used by one thread at a time; different contexts are independent. If another
//    thread is in a call on the same context, a call returns HD_ERROR_BUSY and changes nothing, not
//    even the error text. Two calls that begin at the same moment may not be detected.
//  - Results do not depend on the floating-point state of the calling thread (rounding, flush to
//    zero) nor on that of OpenMP's threads: calls compute to nearest with subnormal numbers, and
//    every thread's state is restored afterwards.
//  - After fork() the child may use contexts (and model machines) of the parent that no thread was
//    using at that moment, and open new ones. Its larger calls on cores run on a thread that lasts
//    as long as the call, since OpenMP's team does not survive a fork; the bits are the same. Calls
//    on cuda fail: CUDA works only in the process that initialized it.
#ifndef HEDDLE_H
#define HEDDLE_H

// The functions in these headers are C: C++ compilers shall not look for its casts in them.
#if defined(__cplusplus) && defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wold-style-cast"
#endif

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define HD_API __attribute__((visibility("default")))
#else
#define HD_API
#endif

// A call whose status is not looked at is a warning: it may have done nothing.
#if defined(__GNUC__)
#define HD__CHECKED __attribute__((warn_unused_result))
#elif (defined(__cplusplus) && __cplusplus >= 201703L) ||                                          \
    (defined(__STDC_VERSION__) && __STDC_VERSION__ >= 202311L)
#define HD__CHECKED [[nodiscard]]
#else
#define HD__CHECKED
#endif

// A cast that C++ compilers do not call old-style.
#ifdef __cplusplus
#define HD__CAST(T, x) (static_cast<T>(x))
#else
#define HD__CAST(T, x) ((T)(x))
#endif

// A pointer that is stored and not looked at.
#if defined(__GNUC__) && !defined(__clang__) && __GNUC__ >= 11
#define HD__ADDRESS_ONLY(k) __attribute__((access(none, k)))
#else
#define HD__ADDRESS_ONLY(k)
#endif

#ifdef __cplusplus
extern "C" {
#endif

#define HD_VERSION_MAJOR 0
#define HD_VERSION_MINOR 1
#define HD_VERSION_PATCH 0

// The version as one number, 10000 a major and 100 a minor version: #if HD_VERSION >= 200 is 0.2.
#define HD_VERSION (HD_VERSION_MAJOR * 10000 + HD_VERSION_MINOR * 100 + HD_VERSION_PATCH)

// The version of the library that is loaded, "0.1.0", and as such a number.
HD_API const char *hd_version(void);
HD_API int32_t hd_version_number(void);

// ---- Status ---------------------------------------------------------------------------------

// One map makes the enumeration and its texts.
#define HD_STATUS_MAP(ROW)                                                                         \
    ROW(HD_OK, 0, "done")                                                                          \
    ROW(HD_ERROR_ARGUMENT, 1, "an argument is null, negative or out of range")                     \
    ROW(HD_ERROR_TYPE, 2, "types, operator and function do not fit each other")                    \
    ROW(HD_ERROR_SHAPE, 3, "the sizes of the views do not fit each other")                         \
    ROW(HD_ERROR_ALIAS, 4, "views overlap in a way the call does not allow")                       \
    ROW(HD_ERROR_VALUE, 5, "the data break a rule of the call")                                    \
    ROW(HD_ERROR_OPERATOR, 6, "the operator is not what it claims to be")                          \
    ROW(HD_ERROR_MEMORY, 7, "memory could not be allocated")                                       \
    ROW(HD_ERROR_BACKEND, 8, "the backend is not available or declined the call")                  \
    ROW(HD_ERROR_COMPILE, 9, "a kernel did not compile")                                           \
    ROW(HD_ERROR_DEVICE, 10, "the device reported a fault")                                        \
    ROW(HD_ERROR_BUSY, 11, "another thread is in a call on the context")                           \
    ROW(HD_ERROR_CANCELLED, 12, "the progress function ended the call")

#define HD_STATUS_ENUM(name, value, text) name = value,
typedef enum hd_status { HD_STATUS_MAP(HD_STATUS_ENUM) HD_STATUS_COUNT } hd_status;
#undef HD_STATUS_ENUM

// "HD_ERROR_TYPE", and its meaning in a few words. Any value is accepted.
HD_API const char *hd_status_name(hd_status status);
HD_API const char *hd_status_text(hd_status status);

// ---- Types ----------------------------------------------------------------------------------

// An element type: a kind in the low 8 bits and, for structures, above them the size (11 bits), the
// logarithm of the alignment (4 bits), and a tag made of the structure's name (9 bits). Structures
// are of one type if they have the same size and tag; a tag of 0 goes with any.
typedef uint32_t hd_type;

enum {
    HD_NONE = 0, // no type: what an empty view has
    HD_I8 = 1,
    HD_I16,
    HD_I32,
    HD_I64,
    HD_U8,
    HD_U16,
    HD_U32,
    HD_U64,
    HD_F16,  // IEEE binary16, as 16 bits of memory
    HD_BF16, // the upper half of an f32
    HD_F32,
    HD_F64,
    HD_BOOL,      // one byte, 0 or 1 (any other byte reads as 1)
    HD_STRUCTURE, // a structure of the user's: never used bare, see HD_STRUCT
    HD_TYPE_KINDS
};

// The type of a structure T of the user's; at most HD_MAX_ELEMENT bytes. Its tag is made of the
// name as it is written, without a leading "struct": a structure of two floats and one of two ints
// are different types, but so are two typedefs of one structure. HD_STRUCT_OF(size) has no name.
#define HD_STRUCT(T)                                                                               \
    HD__CAST(hd_type,                                                                              \
             HD_STRUCT_OF(sizeof(T)) | HD__ALIGNED(HD__ALIGNOF(T)) | HD__TAG(HD__EXPANDED(T)))
#define HD_STRUCT_OF(size)                                                                         \
    HD__CAST(hd_type, HD_STRUCTURE | ((size) > HD_MAX_ELEMENT ? 0x7ffu : HD__CAST(uint32_t, size)) \
                                         << 8)
#define HD_MAX_ELEMENT 1024

#ifdef __cplusplus
#define HD__ALIGNOF(T) alignof(T)
#else
#define HD__ALIGNOF(T) _Alignof(T)
#endif
#define HD__ALIGNED(a)                                                                             \
    (HD__CAST(uint32_t, ((a) > 1) + ((a) > 2) + ((a) > 4) + ((a) > 8) + ((a) > 16) + ((a) > 32) +  \
                            ((a) > 64) + ((a) > 128))                                              \
     << 19)

// The tag of a name, 1 to 511, which compilers compute: of its length and its first twelve letters.
#define HD__EXPANDED(...) HD__LITERAL(__VA_ARGS__)
#define HD__LITERAL(...)  #__VA_ARGS__
#define HD__TAG(s)        ((HD__IS_STRUCT(s) ? HD__TAG_AT(s, 7) : HD__TAG_AT(s, 0)) << 23)
#define HD__LETTER(s, i)  HD__CAST(uint32_t, (s "                   ")[i])
#define HD__IS_STRUCT(s)                                                                           \
    (HD__LETTER(s, 0) == 's' && HD__LETTER(s, 5) == 't' && HD__LETTER(s, 6) == ' ')
#define HD__TAG_AT(s, at)                                                                          \
    (((HD__LETTER(s, at) * 3u + HD__LETTER(s, at + 1) * 5u + HD__LETTER(s, at + 2) * 7u +          \
       HD__LETTER(s, at + 3) * 11u + HD__LETTER(s, at + 4) * 13u + HD__LETTER(s, at + 5) * 17u +   \
       HD__LETTER(s, at + 6) * 19u + HD__LETTER(s, at + 7) * 23u + HD__LETTER(s, at + 8) * 29u +   \
       HD__LETTER(s, at + 9) * 31u + HD__LETTER(s, at + 10) * 37u + HD__LETTER(s, at + 11) * 41u + \
       HD__CAST(uint32_t, sizeof(s) - at) * 43u) *                                                 \
          2654435761u >>                                                                           \
      16) %                                                                                        \
         511u +                                                                                    \
     1u)

// Complex numbers, the real part first: what C's float complex and double complex, std::complex
// (heddle_complex.h) and NumPy's complex64 and complex128 are in memory. They are structures with
// names of their own: HD_SUM and HD_PRODUCT take them, and what takes structures. A sum has the
// bits of the sums of its parts; a product is (re re - im im, re im + im re), each operation
// rounded, without what C's Annex G does for infinities.
typedef struct hd_c64 {
    float re, im;
} hd_c64;
typedef struct hd_c128 {
    double re, im;
} hd_c128;
// HD_STRUCT of them, written out: HD_VIEW has them in its rows.
#define HD_C64  0xd390080eu
#define HD_C128 0xf818100eu

// Size in bytes of an element, or 0 if the type is not one; its name ("f32", "structure of 12
// bytes"); and the type a name stands for, or HD_NONE.
HD_API size_t hd_type_size(hd_type type);
HD_API const char *hd_type_name(hd_type type);
HD_API hd_type hd_type_named(const char *name);

// ---- Views ----------------------------------------------------------------------------------

#define HD_MAX_DIMS 8

// Where the elements live. An empty (all zero) view is host memory of no type.
typedef enum hd_memory_space {
    HD_HOST = 0,
    HD_DEVICE = 1,
    HD_IMPLICIT = 2, // nowhere: element i is scalar.start + i * scalar.step, see hd_iota
    HD_INDEXED = 3   // where an index says: see hd_indexed
} hd_memory_space;

// A view says where elements are, what they are and how they are laid out; it owns nothing and
// is passed by value. Element (i0, i1, ...) is at data + (i0 * stride[0] + i1 * stride[1] + ...)
// elements. Strides may be negative or zero (an output may not visit an address twice).
// "Row-major order" of a view is the order of its indices with the last one fastest, whatever
// the strides. A view without elements may have a null pointer. One without dimensions (ndim 0, and
// a type) is one element, and goes wherever a row of one does.
//
// data of numbers is a multiple of their size (4 for f32), on the device too: a call refuses any
// other address of elements (HD_ERROR_ARGUMENT). Structures may lie anywhere; an operator or a
// function of the user's gets them at an address that suits its C type only if they were put at
// one.
typedef struct hd_view {
    void *data;
    hd_type type;
    int32_t ndim;
    int16_t space;      // hd_memory_space
    int16_t device;     // of HD_DEVICE: the number of the GPU
    uint32_t read_only; // 1: a call refuses to write its elements; else 0
    int64_t shape[HD_MAX_DIMS];
    int64_t stride[HD_MAX_DIMS];
    union {
        struct {
            int64_t start, step;
        } i;
        unsigned char bytes[16];
        struct {
            void *data;
            hd_type type;
            int32_t fault;
        } index;
    } scalar; // of an implicit view: an i64 progression, or the bytes of a constant (step == 0); of
              // an indexed one its index, which hd_indexed sets
} hd_view;

// n elements one after another. They may be written, whatever the pointer says: HD_VIEW_OF knows.
static inline hd_view hd_view_of(hd_type type, const void *data, int64_t n)
{
    hd_view v;
    v.data = (void *)(uintptr_t)data;
    v.type = type;
    v.ndim = 1;
    v.space = HD_HOST;
    v.device = 0;
    v.read_only = 0;
    v.shape[0] = n;
    v.stride[0] = 1;
    v.scalar.i.start = v.scalar.i.step = 0;
    return v;
}

// ndim dimensions, 0 to HD_MAX_DIMS; stride may be NULL: then row-major without gaps. A bad ndim
// gives a view that every call refuses. Like hd_view_of it does not see a const: HD_VIEW_ND does,
// and hd_read_only says that the elements may not be written.
HD_API hd_view hd_view_nd(hd_type type, const void *data, int32_t ndim, const int64_t *shape,
                          const int64_t *stride) HD__ADDRESS_ONLY(2);

// The elements begin, begin + step, ... (count of them) of one axis of v; a negative step runs
// backwards. The range is checked when the view is used, not here.
HD_API hd_view hd_slice(hd_view v, int32_t axis, int64_t begin, int64_t count, int64_t step);

// Number of elements, or -1 if the shape is not valid or has more than 2^62.
HD_API int64_t hd_count(hd_view v);

// Implicit views, which live nowhere: 0, 1, ..., n - 1 as i64; start + i * step as i64; and one
// element n times (copied into the view: at most 16 bytes).
HD_API hd_view hd_iota(int64_t n);
HD_API hd_view hd_progression(int64_t start, int64_t step, int64_t n);
HD_API hd_view hd_constant_of(hd_type type, const void *element, int64_t n);

// Elements by index, without a copy of them: element i is base[index[i]]. Base is memory in one
// dimension (or one that can be read as such, whatever its shape), numbered 0, 1, ...; index is one
// dimension of the same memory, the host's or a device's, of any integer type. Inputs of hd_reduce,
// hd_reduce_many, hd_scan, hd_map and hd_map_many may be such views, also in .with; other arguments
// refuse them (HD_ERROR_ARGUMENT): hd_gather makes a copy. A sparse matrix times a vector is
//
//     hd_reduce(ctx, HD_VIEW(value, n), HD_DOT, HD_VIEW(y, rows),
//               &(hd_reduce_options){.segments = HD_REF(HD_VIEW(offset, rows + 1)),
//                                    .with = HD_VIEWS(hd_indexed(HD_VIEW(x, columns),
//                                                                HD_VIEW(column, n)))});
//
// The bits are those of hd_gather followed by the call. An index out of range is never used: the
// call returns HD_ERROR_VALUE, and the text names the first one as that of hd_gather does; of an
// index on a device the error of a call that does not wait is hd_sync's. hd_slice cuts the index.
HD_API hd_view hd_indexed(hd_view base, hd_view index);

// The same elements, which no call may write.
static inline hd_view hd_read_only(hd_view v)
{
    v.read_only = 1;
    return v;
}

// The same, on the device of a number: what its pointer points to is memory of a GPU.
static inline hd_view hd_on_device(hd_view v, int32_t device)
{
    v.space = HD_DEVICE;
    v.device = HD__CAST(int16_t, device);
    return v;
}

// A row of a device's memory, whose type the pointer says as HD_VIEW's does: HD_DEVICE_VIEW(p, n)
// of device 0, HD_DEVICE_VIEW(p, n, device) of another. The context's device must be the same one
// (hd_context_options.device). Managed memory is both: a view of the host for every backend, and
// one of a device for cuda. Device memory in a view of the host is refused (HD_ERROR_ARGUMENT),
// where the CUDA driver was in the process when the context was opened.
#define HD_DEVICE_VIEW(p, ...)             HD__DEVICE_VIEW(p, __VA_ARGS__, 0, 0)
#define HD__DEVICE_VIEW(p, n, device, ...) hd_on_device(HD_VIEW(p, n), device)

// HD_VIEW(p, n) infers the type from the pointer; HD_VIEW_OF(type, p, n) names it (structures,
// f16, bf16); HD_VIEW_ND(type, p, ndim, shape, stride) is hd_view_nd. Of a pointer to const all
// three are read-only; of a const array of arrays pass the first element's address. HD_TYPE(T) is
// the type of a C type's name; hd_constant(x, n) repeats a number.
#define HD_VIEW_OF(type, p, n) hd__view_of((type), HD__UNREAD(p), (n), HD__IS_CONST(p))
#define HD_VIEW_ND(type, p, ...)                                                                   \
    hd__read_only_if(HD__IS_CONST(p), hd_view_nd((type), HD__UNREAD(p), __VA_ARGS__))
static inline hd_view hd__view_of(hd_type type, const void *data, int64_t n, int read_only)
{
    hd_view v = hd_view_of(type, data, n);
    v.read_only = (uint32_t)read_only;
    return v;
}
static inline hd_view hd__read_only_if(int read_only, hd_view v)
{
    v.read_only = (uint32_t)read_only;
    return v;
}
// The address alone: compilers then do not take the const of an input for a promise that what an
// output points to was set before.
#ifdef __cplusplus
#define HD__UNREAD(p) hd__unread(p)
static inline const void *hd__unread(const volatile void *p)
{
    return reinterpret_cast<const void *>(reinterpret_cast<uintptr_t>(p) + 0);
}
#else
#define HD__UNREAD(p) ((const void *)((uintptr_t)(p) + 0))
#endif

// No view: an output that is not wanted, where a call allows that.
#ifdef __cplusplus
#define HD_EMPTY (hd_view())
#else
#define HD_EMPTY ((hd_view){0})
#endif

// Several views, where a call or an option takes a list: HD_VIEWS(b, c). In C it lasts as long as
// the block it stands in; in C++ as long as the call that it is an argument of, so that an option
// is options.with = hd_views_of(array), with an array of views that the caller keeps.
// heddle_operator.h defines them.
typedef struct hd_views {
    const hd_view *view;
    int64_t count;
} hd_views;

// A view where an option takes a pointer to one: in C .segments = HD_REF(HD_VIEW(offsets, m + 1)),
// which lasts as long as the block it stands in; in C++ the address of a view that the caller
// keeps.
#ifndef __cplusplus
#define HD_REF(...) ((const hd_view[1]){__VA_ARGS__})
#endif

// A pointer to options with their size, in C: HD_OPTIONS(hd_reduce_options, .axis = HD_AXIS(0)),
// which lasts as long as the block it stands in. Programs that are run with later versions of the
// library than they were compiled with are well advised to set the size; 0 stands for the size that
// the structure had in version 0.1.
#ifndef __cplusplus
#define HD_OPTIONS(type, ...) (&(const type){.size = sizeof(type), __VA_ARGS__})
#endif

// ---- Contexts -------------------------------------------------------------------------------

// A context is what calls run on: hd_open, hd_close, errors, memory.
#include "heddle/context.h"

// ---- Operators ------------------------------------------------------------------------------

// An operator is a monoid with its source. Built-in ones are below; heddle_operator.h has the
// macros that write one of the user's. Its members are read by the library alone, and a built-in
// one has none: hd_operator_name gives its name.
typedef struct hd_operator hd_operator;

// Built-in operators: element types, and the output types each accepts. Integers wrap in the
// output's type. Floats: see numerics.md.
//
//   operator          elements            output
//   SUM PRODUCT       integers, bool      an integer at least as wide, or f32, f64
//                     floats              the same, or a wider float
//   MIN MAX           all numbers, bool   the same, or wider of the same kind (signedness)
//   AND OR XOR        integers, bool      the same, or wider of the same kind
//   ALL ANY           all numbers, bool   bool (true: not zero; NaN is true)
//   ARGMIN ARGMAX     all numbers, bool   i64: the index; option .values receives the value
//   MEAN VARIANCE     all numbers, bool   f32 or f64 (f16 and bf16 also give themselves);
//                                         integers accumulate in f64
//   SUM_COMPENSATED   integers, bool      f32 or f64
//                     floats              the same, or a wider float
//   SUM_EXACT         floats              the same, or a wider float
//                     integers, bool      f32 or f64
//   DOT               as SUM: the sum of in[i] * with[0][i]; .with is one view of in's type, and
//                     there is no .map
//   NORM2             all numbers, bool   f32 or f64 (f16 and bf16 also give themselves)
//   GCD               unsigned integers   the same, or wider: the greatest common divisor
//
// SUM_EXACT is the sum without any rounding but the last, to nearest even: the same whatever the
// order and the grouping. Nothing overflows on the way. An init takes part as one more element. A
// reduction reads at a good part of the speed of memory, half of it where exponents are of all
// kinds; scans, whose nodes have 56 bytes (f64: 280), take a hundred times as long as those of SUM.
// DOT rounds each product once to the type of the tree, then sums. NORM2 is the square root of the
// sum of squares, which neither overflow nor underflow; an init takes part as one more element.
//
// f16 and bf16 accumulate in f32 and are rounded at the output. Where that is not enough, option
// .accumulate = HD_F64 has SUM, PRODUCT, MEAN, DOT and SUM_COMPENSATED of anything narrower compute
// in f64, whatever the type of the output. SUM_COMPENSATED carries along what each addition of the
// tree rounded off, and adds it at the end: about one rounding of the result, where SUM has one an
// addition.
//
// An empty SUM of any kind, DOT and NORM2 are +0, PRODUCT 1, MIN the greatest and MAX the least
// value of the type, ARGMIN and ARGMAX index -1 (value 0), AND all ones, OR, XOR and GCD 0, ALL
// true, ANY false, MEAN and VARIANCE NaN.
//
// They are numbers, not addresses: no program has a copy of them.
#define HD_SUM             HD__BUILT_IN(1)
#define HD_PRODUCT         HD__BUILT_IN(2)
#define HD_MIN             HD__BUILT_IN(3)
#define HD_MAX             HD__BUILT_IN(4)
#define HD_ARGMIN          HD__BUILT_IN(5)
#define HD_ARGMAX          HD__BUILT_IN(6)
#define HD_AND             HD__BUILT_IN(7)
#define HD_OR              HD__BUILT_IN(8)
#define HD_XOR             HD__BUILT_IN(9)
#define HD_ALL             HD__BUILT_IN(10)
#define HD_ANY             HD__BUILT_IN(11)
#define HD_MEAN            HD__BUILT_IN(12)
#define HD_VARIANCE        HD__BUILT_IN(13)
#define HD_SUM_COMPENSATED HD__BUILT_IN(14)
#define HD_SUM_EXACT       HD__BUILT_IN(15)
#define HD_DOT             HD__BUILT_IN(16)
#define HD_NORM2           HD__BUILT_IN(17)
#define HD_GCD             HD__BUILT_IN(18)
#ifdef __cplusplus
#define HD__BUILT_IN(k) (reinterpret_cast<const hd_operator *>(static_cast<uintptr_t>(k)))
#else
#define HD__BUILT_IN(k) ((const hd_operator *)(uintptr_t)(k))
#endif

// Several operators, where a call takes a list: HD_OPERATORS(HD_MIN, HD_MAX). It lasts as long as
// HD_VIEWS does; heddle_operator.h defines it.
typedef struct hd_operators {
    const hd_operator *const *op;
    int64_t count;
} hd_operators;

// An operator's name ("sum"); the built-in of a name, or NULL; the k-th built-in, or NULL.
HD_API const char *hd_operator_name(const hd_operator *op);
HD_API const hd_operator *hd_operator_named(const char *name);
HD_API const hd_operator *hd_operator_at(int32_t k);

// The output type for a caller without a preference: u64 or i64 for sums and
// products of integers (as NumPy's; dot too), i64 for arg, bool for all and any, f64 for mean,
// variance, norm, compensated and exact sums of integers, else the element's own. HD_NONE if the
// operator does not take the type.
HD_API hd_type hd_default_output(const hd_operator *op, hd_type element);

typedef struct hd_check_options {
    size_t size;      // sizeof(hd_check_options), or 0: its size in version 0.1
    int64_t trials;   // 0: 10,000 random triples
    uint64_t seed;    // 0: a fixed one
    hd_type field;    // the structure is an array of this type: used to make and compare elements
    double tolerance; // allowed difference over the largest magnitude met; 0: 16 roundings of
                      // a float type, exact for everything else; negative: exact
    bool (*equal)(const void *a, const void *b); // replaces the comparison
} hd_check_options;

// Hunts for counterexamples: associativity of op, its commutativity and identity where it claims
// them. Elements are drawn from samples, a view of op's elements (for a built-in, it names the
// type); where it has none, they are made at random (numbers, or .field). Returns HD_OK if none
// was found, HD_ERROR_OPERATOR with the counterexample as the error text.
HD_API HD__CHECKED hd_status hd_check_operator(hd_context *ctx, const hd_operator *op,
                                               hd_view samples, const hd_check_options *options);

// A function applied to each element on its way into a pattern; HD_FUNCTION writes one.
typedef struct hd_function hd_function;

// Several functions, where a call takes a list: HD_FUNCTIONS(f, g), as HD_OPERATORS.
typedef struct hd_functions {
    const hd_function *const *function;
    int64_t count;
} hd_functions;

// Whether one element comes before another; HD_COMPARISON (heddle_comparison.h) writes one.
typedef struct hd_comparison hd_comparison;

// ---- Carries --------------------------------------------------------------------------------

// A carry joins calls over consecutive chunks of one long sequence: hd_carry_open, hd_carry_join.
#include "heddle/carry.h"

// An order that a caller leaves open, where the default is the order of the source.
#define HD_ANY_ORDER 1

// The arrays that move along with others: each one's input and its output, HD_VALUES(in, out, ...)
// (hd_merge: both inputs and the output), or none.
#define HD_VALUES(...) HD_VIEWS(__VA_ARGS__)
#define HD_NO_VALUES   hd_no_values()

// The empty list of views, which HD_NO_VALUES stands for.
static inline hd_views hd_no_values(void)
{
    hd_views none;
    none.view = NULL;
    none.count = 0;
    return none;
}

// Axis k of an option, 0 first; negative counts from the last. A bare number is refused, since 0
// stands for an option that is not set.
#define HD_AXIS(k)    (HD__AXIS_ZERO + (k))
#define HD__AXIS_ZERO 0x41580000

#ifdef __cplusplus
}
#endif

// ---- Patterns -------------------------------------------------------------------------------

// One call a pattern; each of these is a chapter of the manual.
#include "heddle/map.h"
#include "heddle/map_many.h"
#include "heddle/gather.h"
#include "heddle/scatter.h"
#include "heddle/find.h"
#include "heddle/difference.h"
#include "heddle/shuffle.h"
#include "heddle/random.h"
#include "heddle/reverse.h"
#include "heddle/stencil.h"
#include "heddle/convolve.h"
#include "heddle/blur.h"
#include "heddle/transpose.h"
#include "heddle/reduce.h"
#include "heddle/reduce_many.h"
#include "heddle/slide.h"
#include "heddle/scan.h"
#include "heddle/select.h"
#include "heddle/runs.h"
#include "heddle/histogram.h"
#include "heddle/sort.h"
#include "heddle/merge.h"
#include "heddle/search.h"
#include "heddle/top_k.h"
#include "heddle/list.h"

// Built on patterns, with nothing but this header.

#include "heddle_operator.h"
#include "heddle_comparison.h"
#include "heddle_state.h"

// exp, sin and their kind, with the same bits everywhere. Not for files with -ffast-math.
#include "heddle/math.h"

#if defined(__cplusplus) && defined(__GNUC__)
#pragma GCC diagnostic pop
#endif

#endif
