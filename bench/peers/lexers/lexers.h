// SPDX-License-Identifier: Apache-2.0
// Scanners that a generator of them makes of the rules of hd_lex_rules("json").
#ifndef HEDDLE_BENCH_PEERS_LEXERS_H
#define HEDDLE_BENCH_PEERS_LEXERS_H

#include "bench/peer/peer_algorithm.h"

// Where tokens go.
typedef struct lexed {
    unsigned char *text; // n bytes, and two bytes 0
    int64_t n;
    int32_t *kind;
    int64_t *begin, *length;
} lexed;

static inline lexed lexed_of(const peer_job *job)
{
    const peer_algorithm *a = (const peer_algorithm *)job->more;
    return (lexed){(unsigned char *)(uintptr_t)a->array[0].data, a->array[0].n, (int32_t *)job->out,
                   (int64_t *)(uintptr_t)a->array[1].data, (int64_t *)(uintptr_t)a->array[2].data};
}

static inline int32_t open_lexer(int32_t threads)
{
    (void)threads;
    return 1;
}

#endif
