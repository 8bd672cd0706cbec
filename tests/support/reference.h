// SPDX-License-Identifier: Apache-2.0
//
// What the answers are, written a second time and as plainly as possible: the one tree as the
// recursion of numerics.md, every built-in operator over it, and the 16-bit floats. It
// shares nothing with the library; the tests compare bits with it.
#ifndef HEDDLE_TESTS_SUPPORT_REFERENCE_H
#define HEDDLE_TESTS_SUPPORT_REFERENCE_H

#include <heddle.h>

// ---- The tree, over cells of any kind -------------------------------------------------------

enum { REF_MAX_CELL = 1024 };

typedef struct ref_monoid {
    size_t size; // of a cell
    void (*combine)(const void *self, void *out, const void *a, const void *b);
    const void *self;
} ref_monoid;

// R(n) of n >= 1 cells, and R(1), R(2), ..., R(n). heads (may be NULL) marks, with anything but
// 0, the cells where a segment begins: then it is the tree over (head, value) pairs.
void ref_tree_reduce(const ref_monoid *monoid, const void *cells, int64_t n, void *out);
void ref_tree_scan(const ref_monoid *monoid, const void *cells, int64_t n,
                   const unsigned char *heads, void *out);

// ---- The built-in operators -----------------------------------------------------------------

typedef struct ref_how {
    bool exclusive, backward;
    int32_t ddof;
    const void *init;           // one element of the output's type, or NULL
    const unsigned char *heads; // scans: where segments begin, in the order of the input
    hd_type accumulate;         // HD_F64, or 0
} ref_how;

// One reduction and one scan of n contiguous elements. values, or NULL, is for argmin and argmax,
// and for the residuals of compensated sums.
void ref_reduce(const hd_operator *op, hd_type type, const void *in, int64_t n, hd_type out_type,
                void *out, void *values, const ref_how *how);
void ref_scan(const hd_operator *op, hd_type type, const void *in, int64_t n, hd_type out_type,
              void *out, void *values, const ref_how *how);

// The same of HD_SUM_EXACT, which the two above call.
void ref_exact_sum(hd_type type, const void *in, int64_t n, hd_type out_type, void *out,
                   const void *init);
void ref_exact_scan(hd_type type, const void *in, int64_t n, hd_type out_type, void *out,
                    const ref_how *how);

// Whether the operator takes elements of this type into outputs of that one, and the output that is
// the default, or HD_NONE.
bool ref_accepts(const hd_operator *op, hd_type type, hd_type out_type);
hd_type ref_default(const hd_operator *op, hd_type type);

// heads[i] = 1 where an offset says so, or where key i differs from key i - 1 (and for i = 0).
void ref_heads_of_offsets(const int64_t *offsets, int64_t count, unsigned char *heads, int64_t n);
void ref_heads_of_keys(hd_type type, const void *keys, unsigned char *heads, int64_t n);

// ---- Numbers --------------------------------------------------------------------------------

double ref_to_double(hd_type type, const void *element);  // a float type, exact
uint64_t ref_to_whole(hd_type type, const void *element); // an integer or bool, sign extended
uint16_t ref_narrow(hd_type type, double x); // to HD_F16 or HD_BF16, to nearest, ties to even

#endif
