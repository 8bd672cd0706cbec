// SPDX-License-Identifier: Apache-2.0
//
// heddle model: what a report says, as rows and sentences that the text, the document and the page
// share.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model.h"

const char *model_number(int64_t n, char text[32])
{
    char digits[24];
    const int length = snprintf(digits, sizeof digits, "%" PRId64, n);
    int used = 0;
    for (int k = 0; k < length; k++) {
        const bool comma = k > 0 && (length - k) % 3 == 0 && digits[k - 1] != '-';
        if (comma) text[used++] = ',';
        text[used++] = digits[k];
    }
    text[used] = '\0';
    return text;
}

const char *model_place(const char *file, int32_t line, int32_t ptx_line, char *text, size_t room)
{
    if (file != NULL && line > 0)
        snprintf(text, room, "%s:%d", file, (int)line);
    else
        snprintf(text, room, "PTX line %d", (int)ptx_line);
    return text;
}

// ---- Counts -------------------------------------------------------------------------------------

static int64_t global_requests(const hd_model_counts *c)
{
    return c->global_loads + c->global_stores + c->global_atomics;
}

static int64_t shared_requests(const hd_model_counts *c)
{
    return c->shared_loads + c->shared_stores + c->shared_atomics;
}

static double percent(int64_t part, int64_t whole)
{
    return whole > 0 ? 100.0 * (double)part / (double)whole : 0;
}

static model_row *add(model_row *rows, int *count, const char *name, int64_t actual, int64_t ideal)
{
    model_row *row = &rows[(*count)++];
    *row = (model_row){.name = name, .actual = actual, .ideal = ideal};
    return row;
}

static void note_requests(model_row *row, int64_t loads, int64_t stores, int64_t atomics)
{
    char a[32], b[32], c[32];
    snprintf(row->note, sizeof row->note, "%s loads, %s stores, %s atomics", model_number(loads, a),
             model_number(stores, b), model_number(atomics, c));
}

static void add_instructions(const hd_model_counts *c, model_row *rows, int *n)
{
    char text[32];
    model_row *row =
        add(rows, n, "warp instructions", c->warp_instructions, (c->thread_instructions + 31) / 32);
    snprintf(row->note, sizeof row->note, "%s of threads: %.1f %% of the lanes at work",
             model_number(c->thread_instructions, text),
             percent(c->thread_instructions, 32 * c->warp_instructions));
    if (c->branches > 0) {
        row = add(rows, n, "branches", c->branches, -1);
        snprintf(row->note, sizeof row->note, "at %s of them a warp diverged (%.1f %%)",
                 model_number(c->divergent_branches, text),
                 percent(c->divergent_branches, c->branches));
    }
    if (c->barriers > 0) {
        row = add(rows, n, "barriers", c->barriers, -1);
        snprintf(row->note, sizeof row->note, "reached by warps");
    }
}

static void add_global(const hd_model_counts *c, model_row *rows, int *n)
{
    char a[32], b[32];
    const int64_t requests = global_requests(c);
    if (requests == 0) return;
    model_row *row = add(rows, n, "global requests", requests, -1);
    note_requests(row, c->global_loads, c->global_stores, c->global_atomics);
    row = add(rows, n, "sectors", c->sectors, c->ideal_sectors);
    snprintf(row->note, sizeof row->note, "%.2f a request; %s bytes read, %s written",
             (double)c->sectors / (double)requests, model_number(c->bytes_read, a),
             model_number(c->bytes_written, b));
    row = add(rows, n, "lines", c->lines, -1);
    snprintf(row->note, sizeof row->note, "%.2f a request", (double)c->lines / (double)requests);
}

static void add_shared(const hd_model_counts *c, model_row *rows, int *n)
{
    char a[32];
    const int64_t requests = shared_requests(c);
    if (requests == 0) return;
    model_row *row = add(rows, n, "shared requests", requests, -1);
    note_requests(row, c->shared_loads, c->shared_stores, c->shared_atomics);
    row = add(rows, n, "wavefronts", c->wavefronts, c->wavefronts - c->conflicts);
    snprintf(row->note, sizeof row->note, "%.2f a request; %s by bank conflicts",
             (double)c->wavefronts / (double)requests, model_number(c->conflicts, a));
}

int model_rows(const hd_model_report *r, model_row rows[MODEL_MAX_ROWS])
{
    const hd_model_counts *c = &r->total;
    const int64_t atomics = c->global_atomics + c->shared_atomics;
    int n = 0;
    add_instructions(c, rows, &n);
    add_global(c, rows, &n);
    add_shared(c, rows, &n);
    if (atomics > 0) {
        model_row *row = add(rows, &n, "atomic steps", c->atomic_steps, atomics);
        snprintf(row->note, sizeof row->note, "%.2f a request: lanes on one address wait in line",
                 (double)c->atomic_steps / (double)atomics);
    }
    if (c->local_requests > 0) add(rows, &n, "local requests", c->local_requests, -1);
    if (c->constant_requests > 0) add(rows, &n, "constant requests", c->constant_requests, -1);
    if (c->polls > 0) add(rows, &n, "polls", c->polls, -1);
    return n;
}

// ---- Sentences ----------------------------------------------------------------------------------

static void say_cache(char *text, size_t room, const char *which, int64_t hits, int64_t misses)
{
    char a[32], b[32];
    snprintf(text, room, "%s: %s hits, %s misses (%.1f %% hit)", which, model_number(hits, a),
             model_number(misses, b), percent(hits, hits + misses));
}

static void say_time(double seconds, char *text, size_t room)
{
    if (seconds < 1e-3)
        snprintf(text, room, "%.2f microseconds", 1e6 * seconds);
    else if (seconds < 1)
        snprintf(text, room, "%.2f milliseconds", 1e3 * seconds);
    else
        snprintf(text, room, "%.2f seconds", seconds);
}

static int say_caches(const hd_model_report *r, char notes[][256])
{
    int n = 0;
    char a[32];
    if (r->l1_hits + r->l1_misses > 0) say_cache(notes[n++], 256, "L1", r->l1_hits, r->l1_misses);
    if (r->l2_hits + r->l2_misses > 0) say_cache(notes[n++], 256, "L2", r->l2_hits, r->l2_misses);
    if (r->constant_hits + r->constant_misses > 0)
        say_cache(notes[n++], 256, "constant cache", r->constant_hits, r->constant_misses);
    if (r->dram_bytes > 0)
        snprintf(notes[n++], 256, "DRAM: %s bytes", model_number(r->dram_bytes, a));
    return n;
}

int model_notes(const hd_model_report *r, char notes[MODEL_MAX_NOTES][256])
{
    static const char *const rules[] = {"EREW", "CREW", "common CRCW", "arbitrary CRCW",
                                        "priority CRCW"};
    char a[32], b[32], time[40];
    int n = say_caches(r, notes);
    if (r->resident_warps > 0)
        snprintf(notes[n++], 256,
                 "occupancy: %.0f %% (%d blocks, %d warps a multiprocessor), limited by %s; %d "
                 "registers%s",
                 100 * r->occupancy, (int)r->resident_blocks, (int)r->resident_warps,
                 r->occupancy_limit != NULL ? r->occupancy_limit : "nothing", abs(r->registers),
                 r->registers < 0 ? " by an estimate" : "");
    if (r->intensity > 0)
        snprintf(notes[n++], 256, "arithmetic intensity: %.3g operations a byte of DRAM",
                 r->intensity);
    if (r->predicted_seconds > 0) {
        say_time(r->predicted_seconds, time, sizeof time);
        snprintf(notes[n++], 256, "predicted time: %s, bound by %s", time,
                 r->bound != NULL ? r->bound : "nothing");
    }
    if (r->work > 0)
        snprintf(notes[n++], 256, "PRAM: work %s, time %s, %s", model_number(r->work, a),
                 model_number(r->steps, b), rules[r->rule >= 0 && r->rule < 5 ? r->rule : 4]);
    return n;
}

// ---- The worst places ---------------------------------------------------------------------------

int64_t model_excess(const hd_model_counts *c)
{
    const int64_t atomics = c->global_atomics + c->shared_atomics;
    const int64_t waiting = c->atomic_steps > atomics ? c->atomic_steps - atomics : 0;
    return c->sectors - c->ideal_sectors + c->conflicts + waiting;
}

int32_t model_worst_sites(const hd_model_report *r, const hd_model_site **worst, int32_t most)
{
    int32_t count = 0;
    for (int32_t k = 0; k < r->site_count; k++) {
        const int64_t excess = model_excess(&r->sites[k].counts);
        if (excess <= 0) continue;
        int32_t at = count < most ? count++ : most;
        for (; at > 0 && model_excess(&worst[at - 1]->counts) < excess; at--)
            if (at < most) worst[at] = worst[at - 1];
        if (at < most) worst[at] = &r->sites[k];
    }
    return count;
}

static void append(char *text, size_t room, const char *more)
{
    const size_t used = strlen(text);
    if (used + 1 < room) snprintf(text + used, room - used, "%s%s", used > 0 ? "; " : "", more);
}

const char *model_site_text(const hd_model_counts *c, char *text, size_t room)
{
    char one[160], a[32], b[32], d[32];
    const int64_t atomics = c->global_atomics + c->shared_atomics;
    text[0] = '\0';
    if (c->sectors > c->ideal_sectors) {
        snprintf(one, sizeof one, "%s sectors for %s requests, ideal %s",
                 model_number(c->sectors, a), model_number(global_requests(c), b),
                 model_number(c->ideal_sectors, d));
        append(text, room, one);
    }
    if (c->conflicts > 0) {
        snprintf(one, sizeof one, "%s wavefronts for %s requests, %s by bank conflicts",
                 model_number(c->wavefronts, a), model_number(shared_requests(c), b),
                 model_number(c->conflicts, d));
        append(text, room, one);
    }
    if (c->atomic_steps > atomics) {
        snprintf(one, sizeof one, "%s steps for %s atomics", model_number(c->atomic_steps, a),
                 model_number(atomics, b));
        append(text, room, one);
    }
    return text;
}

// The distance from lane to lane where it is always the same; false: it is not.
static bool find_stride(const hd_model_sample *s, int64_t *stride)
{
    int last = -1;
    bool any = false;
    for (int l = 0; l < 32; l++) {
        if (!(s->mask >> l & 1)) continue;
        if (last >= 0) {
            const int64_t gap = (int64_t)(s->address[l] - s->address[last]);
            if (gap % (l - last) != 0) return false;
            if (any && gap / (l - last) != *stride) return false;
            *stride = gap / (l - last), any = true;
        }
        last = l;
    }
    return any;
}

const char *model_sample_text(const hd_model_sample *s, const hd_model_options *o, char *text,
                              size_t room)
{
    static const char *const kinds[] = {"load", "store", "atomic"};
    const int banks = o->banks > 0 ? o->banks : 32, width = o->bank_bytes > 0 ? o->bank_bytes : 4;
    int64_t stride = 0;
    char how[96];
    if (!find_stride(s, &stride))
        snprintf(how, sizeof how, "lanes scattered");
    else if (stride == 0)
        snprintf(how, sizeof how, "all lanes at one address");
    else
        snprintf(how, sizeof how, "lanes %lld bytes apart", (long long)stride);
    if (s->shared && s->conflicts > 0 && stride % (banks * (int64_t)width) == 0 && stride != 0)
        snprintf(how + strlen(how), sizeof how - strlen(how), ", all on bank %d",
                 (int)(s->address[__builtin_ctz(s->mask | 1u << 31)] / (uint64_t)width %
                       (uint64_t)banks));
    if (s->shared)
        snprintf(text, room, "%s of %d bytes a lane, %s: %lld wavefronts", kinds[s->access],
                 (int)s->bytes, how, (long long)s->wavefronts);
    else
        snprintf(text, room, "%s of %d bytes a lane, %s: %lld sectors, ideal %lld",
                 kinds[s->access], (int)s->bytes, how, (long long)s->sectors,
                 (long long)s->ideal_sectors);
    return text;
}
