// SPDX-License-Identifier: Apache-2.0
//
// The loop over lanes that every arithmetic instruction is. EACH(T, S, expr) computes expr, of the
// sources A, B, C as T, for the lanes of the mask, and stores it as the slot's unsigned type S.
// Lanes that do not run keep what they had, by masks, so that the compiler makes vectors of it.
#ifndef HEDDLE_MODEL_EXEC_LANES_H
#define HEDDLE_MODEL_EXEC_LANES_H

#include "machine.h"

// Before a loop over lanes: a lane's result never is another lane's source, even where the result's
// slot is also a source's.
#if defined __GNUC__ && !defined __clang__ // clang looks at the slots when it runs
#define EACH_LANE _Pragma("GCC ivdep")
#else
#define EACH_LANE
#endif

// D, X, Y, Z: types of the result's slot and of the three sources' slots; T: what the expression
// sees. Vectors of 32 lanes either run all, or are chosen from.
#define EACH_OF(D, X, TX, Y, TY, Z, TZ, expr)                                                      \
    do {                                                                                           \
        D *d_ = SLOT(m, o->d);                                                                     \
        const X *a_ = SLOT(m, o->a);                                                               \
        const Y *b_ = SLOT(m, o->b);                                                               \
        const Z *c_ = SLOT(m, o->c);                                                               \
        if (m->mask == ~0u) {                                                                      \
            EACH_LANE                                                                              \
            for (int l = 0; l < WARP; l++) {                                                       \
                const TX A = (TX)a_[l];                                                            \
                const TY B = (TY)b_[l];                                                            \
                const TZ C = (TZ)c_[l];                                                            \
                (void)A, (void)B, (void)C;                                                         \
                d_[l] = (D)(expr);                                                                 \
            }                                                                                      \
        } else {                                                                                   \
            machine_spread(m);                                                                     \
            const D *live_ = sizeof(D) == 4 ? (const void *)m->lane32 : (const void *)m->lane64;   \
            EACH_LANE                                                                              \
            for (int l = 0; l < WARP; l++) {                                                       \
                const TX A = (TX)a_[l];                                                            \
                const TY B = (TY)b_[l];                                                            \
                const TZ C = (TZ)c_[l];                                                            \
                (void)A, (void)B, (void)C;                                                         \
                const D r_ = (D)(expr);                                                            \
                d_[l] = (d_[l] & ~live_[l]) | (r_ & live_[l]);                                     \
            }                                                                                      \
        }                                                                                          \
    } while (0)

#define EACH(T, S, expr) EACH_OF(S, S, T, S, T, S, T, expr)

#endif
