// SPDX-License-Identifier: Apache-2.0
//
// The pass of hd_maximum (Valiant 1975; Shiloach and Vishkin 1981): elements become keys, whole
// numbers in their order, and every round is a launch, or two where all of a group meet. Winners go
// from one array of players to another, and each round counts its own work.
#include "patterns/list/maximum.h"
#include "gpu/codegen/emit_convert.h"
#include "gpu/list/list.h"
#include "patterns/move/map.h"

#include <stdio.h>

enum { MEETINGS = 256 }; // of a thread, where all of a group meet

// hk_maximum_round of maximum.cuh.
typedef struct maximum_round {
    hd__gpu_address key, index, key_to, index_to, lost, work;
    int64_t m, group, groups;
} maximum_round;

typedef struct players {
    hd__gpu_address key, index; // 0: a player's position is its index
} players;

typedef struct pass {
    hd_context *ctx;
    hd__gpu *gpu;
    const hd__maximum_job *job;
    hd__gpu_block memory;
    hd__gpu_address work; // of each round
    maximum_round round;
    const char **why;
} pass;

// ---- Keys ---------------------------------------------------------------------------------------

// hd__order_keys as the body of a function of x: floats are read as their bits.
static void key_body(char *body, size_t room, hd_type type)
{
    const int bits = 8 * (int)hd__size_of(type);
    const unsigned long long sign = 1ull << (bits - 1);
    const unsigned long long infinity = type == HD_F16    ? 0x7c00
                                        : type == HD_BF16 ? 0x7f80
                                        : type == HD_F32  ? 0x7f800000
                                                          : 0x7ff0000000000000;
    if (type == HD_BOOL)
        snprintf(body, room, "{ return x != 0; }");
    else if (hd__kind_of(type) == HD__SIGNED)
        snprintf(body, room, "{ return (uint64_t)(int64_t)x ^ 0x8000000000000000ull; }");
    else if (!hd__is_float(type))
        snprintf(body, room, "{ return x; }");
    else // NaN is above everything, -0 becomes +0
        snprintf(body, room,
                 "{ const uint64_t b = x, s = 0x%llxull, a = b & (s - 1); "
                 "return a > 0x%llxull ? ~0ull : a == 0 || (b & s) == 0 ? s | a : s - 1 - a; }",
                 sign, infinity);
}

static hd_type read_as(hd_type type)
{
    static const hd_type of_size[] = {[1] = HD_U8, [2] = HD_U16, [4] = HD_U32, [8] = HD_U64};
    return type == HD_BOOL || hd__is_float(type) ? of_size[hd__size_of(type)] : type;
}

static hd_status write_keys(pass *p, const hd_view *in, hd__gpu_address to)
{
    char inputs[32], body[192];
    const hd_type type = read_as(in->type);
    snprintf(inputs, sizeof inputs, "(%s, x)", hd__gpu_type_text(type));
    key_body(body, sizeof body, in->type);
    const hd_function key = {.inputs = 1,
                             .result = HD_U64,
                             .input = {type},
                             .name = "key_of",
                             .result_text = "uint64_t",
                             .inputs_text = inputs,
                             .body_text = body};
    hd__map_job map = {.in = {.map = &key, .n = p->job->n, .inputs = 1, .view = {*in}},
                       .out = hd__gpu_array(HD_U64, to, p->job->n)};
    map.in.view[0].type = type;
    return hd__gpu_map(p->ctx, &map, p->why);
}

// Numbers that an implicit view stands for have no bits yet: `spare` has room for them.
static hd_status read_keys(pass *p, hd__gpu_address to, hd__gpu_address spare)
{
    hd_view in = p->job->in;
    if (in.space == HD_IMPLICIT && read_as(in.type) != in.type) {
        in = hd__gpu_array(in.type, spare, p->job->n);
        HD_TRY(hd__gpu_copy(p->ctx, p->job->in, in, p->why));
    }
    return write_keys(p, &in, to);
}

// ---- Rounds -------------------------------------------------------------------------------------

static hd_status launch(pass *p, const char *name, int64_t n, int64_t times, const void *more)
{
    hd__gpu_kernel_config config = hd__gpu_list_config(name, NULL);
    const void *arguments[] = {&p->round, more};
    config.items = MEETINGS;
    const int64_t threads = config.threads;
    return hd__gpu_list_launch(p->ctx, p->gpu, &config,
                               (n + threads - 1) / threads * threads * times, arguments,
                               more != NULL ? 2 : 1);
}

// Every player against every other of its group.
static hd_status play_at_once(pass *p)
{
    const maximum_round *r = &p->round;
    const int64_t largest = r->group < r->m ? r->group : r->m;
    const int64_t blocks = (r->m + HD__GPU_LIST_THREADS - 1) / HD__GPU_LIST_THREADS;
    HD_TRY(p->gpu->driver->clear(p->ctx, p->gpu->device, r->lost, (size_t)r->m * 4));
    HD_TRY(launch(p, "maximum_losers", r->m, (largest + MEETINGS - 1) / MEETINGS, &blocks));
    return launch(p, "maximum_winners", r->m, 1, NULL);
}

static hd_status play_rounds(pass *p, players from, players to, players spare)
{
    int64_t m = p->job->n;
    for (int k = 0; k < p->job->rounds; k++) {
        const hd__round *round = &p->job->round[k];
        const int64_t groups = (m + round->group - 1) / round->group;
        p->round = (maximum_round){.key = from.key,
                                   .index = from.index,
                                   .key_to = to.key,
                                   .index_to = to.index,
                                   .lost = p->round.lost,
                                   .work = p->work + 8 * (hd__gpu_address)k,
                                   .m = m,
                                   .group = round->group,
                                   .groups = groups};
        HD_TRY(round->play == HD__ALL_AT_ONCE ? play_at_once(p)
                                              : launch(p, "maximum_groups", groups, 1, NULL));
        const players played = from.index != 0 ? from : spare;
        from = to;
        to = played;
        m = groups;
    }
    if (from.index == 0) return HD_OK; // one player
    return p->gpu->driver->download(p->ctx, p->gpu->device, &p->job->result->index, from.index,
                                    sizeof(int64_t));
}

static hd_status count(const pass *p)
{
    uint64_t work[HD__MAX_ROUNDS];
    int64_t m = p->job->n;
    HD_TRY(p->gpu->driver->download(p->ctx, p->gpu->device, work, p->work, sizeof work));
    for (int k = 0; k < p->job->rounds; k++) {
        const hd__round *round = &p->job->round[k];
        hd__count_round(p->job->result, round->play, round->group, m, (int64_t)work[k]);
        m = (m + round->group - 1) / round->group;
    }
    return HD_OK;
}

static hd_status run(pass *p)
{
    const size_t n = (size_t)p->job->n, half = hd__padded((n / 2 + 1) * 8);
    const size_t works = hd__padded(8 * HD__MAX_ROUNDS);
    p->memory.bytes = works + hd__padded(8 * n) + 4 * half + hd__padded(4 * n);
    HD_TRY(hd__gpu_allocate(p->ctx, p->gpu, p->memory.bytes, &p->memory.at));
    p->work = p->memory.at;
    const players all = {p->work + works, 0};
    const players winners = {all.key + hd__padded(8 * n), all.key + hd__padded(8 * n) + half};
    const players others = {winners.key + 2 * half, winners.key + 3 * half};
    p->round.lost = winners.key + 4 * half;
    HD_TRY(p->gpu->driver->clear(p->ctx, p->gpu->device, p->work, works));
    HD_TRY(read_keys(p, all.key, winners.key)); // twice as large as elements
    p->job->result->index = 0;
    HD_TRY(play_rounds(p, all, winners, others));
    return count(p);
}

hd_status hd__gpu_maximum(hd_context *ctx, const void *any, const char **why)
{
    pass p = {.ctx = ctx, .job = any, .why = why};
    HD_TRY(hd__gpu_of(ctx, &p.gpu));
    const hd_status status = run(&p);
    if (p.memory.at != 0) hd__gpu_release(p.gpu, p.memory.at, p.memory.bytes);
    return status;
}
