// SPDX-License-Identifier: Apache-2.0
// The methods that can be drawn. Each begins with a copy of the last step and changes it as its
// threads would, all at once.
#include "drawing.h"

#include <stdio.h>
#include <string.h>

// The next step: the values of the last one, nobody at work.
static drawing_step *next_step(drawing *d)
{
    drawing_step *s = &d->step[d->steps];
    *s = d->step[d->steps - 1];
    d->steps++;
    for (int32_t i = 0; i < d->count; i++) s->active[i] = false, s->from[i] = s->thread[i] = -1;
    return s;
}

// In step s: value `at` += value `from` of before, by thread t.
static void add(drawing *d, drawing_step *s, int32_t at, int32_t from, int32_t thread)
{
    s->value[at] = d->step[d->steps - 2].value[at] + d->step[d->steps - 2].value[from];
    s->active[at] = true;
    s->from[at] = from;
    s->thread[at] = thread;
    d->additions++;
}

static void caption(drawing *d, drawing_step *s, const char *what, int32_t stride, int32_t active)
{
    snprintf(s->caption, sizeof s->caption, "step %d: %s, stride %d, %d thread%s",
             (int)d->steps - 1, what, (int)stride, (int)active, active == 1 ? "" : "s");
}

static bool draw_interleaved(drawing *d, bool strided)
{
    for (int32_t stride = 1; stride < d->count; stride *= 2) {
        drawing_step *s = next_step(d);
        int32_t active = 0;
        for (int32_t at = 0; at + stride < d->count; at += 2 * stride, active++)
            add(d, s, at, at + stride, strided ? active : at);
        caption(d, s, "add", stride, active);
    }
    return true;
}

static bool draw_modulo(drawing *d)
{
    return draw_interleaved(d, false);
}

static bool draw_strided(drawing *d)
{
    return draw_interleaved(d, true);
}

static bool draw_sequential(drawing *d)
{
    for (int32_t stride = d->count / 2; stride > 0; stride /= 2) {
        drawing_step *s = next_step(d);
        for (int32_t t = 0; t < stride; t++) add(d, s, t, t + stride, t);
        caption(d, s, "add", stride, stride);
    }
    return true;
}

static bool draw_kogge_stone(drawing *d)
{
    for (int32_t stride = 1; stride < d->count; stride *= 2) {
        drawing_step *s = next_step(d);
        for (int32_t t = stride; t < d->count; t++) add(d, s, t, t - stride, t);
        caption(d, s, "add the left", stride, d->count - stride);
    }
    return true;
}

static void up_sweep(drawing *d)
{
    for (int32_t stride = 1; stride < d->count; stride *= 2) {
        drawing_step *s = next_step(d);
        int32_t t = 0;
        for (; (t + 1) * 2 * stride - 1 < d->count; t++)
            add(d, s, (t + 1) * 2 * stride - 1, (t + 1) * 2 * stride - 1 - stride, t);
        caption(d, s, "up", stride, t);
    }
}

static bool draw_brent_kung(drawing *d)
{
    up_sweep(d);
    for (int32_t stride = d->count / 4; stride > 0; stride /= 2) {
        drawing_step *s = next_step(d);
        int32_t t = 0;
        for (; (t + 1) * 2 * stride - 1 + stride < d->count; t++)
            add(d, s, (t + 1) * 2 * stride - 1 + stride, (t + 1) * 2 * stride - 1, t);
        caption(d, s, "down", stride, t);
    }
    return true;
}

static bool draw_blelloch(drawing *d)
{
    up_sweep(d);
    drawing_step *clear = next_step(d);
    clear->value[d->count - 1] = 0;
    clear->active[d->count - 1] = true;
    clear->thread[d->count - 1] = 0;
    snprintf(clear->caption, sizeof clear->caption, "step %d: 0 at the root", (int)d->steps - 1);
    for (int32_t stride = d->count / 2; stride > 0; stride /= 2) {
        drawing_step *s = next_step(d);
        int32_t t = 0;
        for (; (t + 1) * 2 * stride - 1 < d->count; t++) {
            const int32_t at = (t + 1) * 2 * stride - 1;
            add(d, s, at, at - stride, t);
            s->value[at - stride] = d->step[d->steps - 2].value[at];
            s->active[at - stride] = true;
            s->from[at - stride] = at;
            s->thread[at - stride] = t;
        }
        caption(d, s, "down", stride, t);
    }
    return true;
}

#define SECTION 4 // of the hierarchy

// Sections are scanned, then their sums, then what lies before a section is added to it.
static bool draw_hierarchy(drawing *d)
{
    if (d->count % SECTION != 0) return false;
    for (int32_t stride = 1; stride < SECTION; stride *= 2) {
        drawing_step *s = next_step(d);
        int32_t active = 0;
        for (int32_t t = 0; t < d->count; t++)
            if (t % SECTION >= stride) add(d, s, t, t - stride, t), active++;
        caption(d, s, "scan sections of 4", stride, active);
    }
    for (int32_t stride = SECTION; stride < d->count; stride *= 2) {
        drawing_step *s = next_step(d);
        int32_t active = 0;
        for (int32_t t = SECTION - 1 + stride; t < d->count; t += SECTION, active++)
            add(d, s, t, t - stride, t / SECTION);
        caption(d, s, "scan their sums", stride, active);
    }
    if (d->count == SECTION) return true;
    drawing_step *s = next_step(d);
    for (int32_t t = SECTION; t < d->count; t++)
        if (t % SECTION != SECTION - 1) add(d, s, t, t / SECTION * SECTION - 1, t);
    snprintf(s->caption, sizeof s->caption, "step %d: add what lies before the section",
             (int)d->steps - 1);
    return true;
}

// Groups of 2, 2, 4, 16, ... candidates, each by all its pairs at once.
static bool draw_doubly_log(drawing *d)
{
    int32_t apart = 1;
    for (int32_t group = 2, processors = 2; apart < d->count;) {
        drawing_step *s = next_step(d);
        int32_t groups = 0;
        for (int32_t at = 0; at < d->count; at += group * apart, groups++) {
            int32_t best = at;
            for (int32_t k = 1; k < group && at + k * apart < d->count; k++) {
                d->additions += k; // with every one before it
                if (s->value[at + k * apart] > s->value[best]) best = at + k * apart;
            }
            s->value[at] = s->value[best];
            s->active[at] = true;
            s->from[at] = best;
            s->thread[at] = groups;
        }
        snprintf(s->caption, sizeof s->caption, "step %d: %d group%s of %d, all pairs at once",
                 (int)d->steps - 1, (int)groups, groups == 1 ? "" : "s", (int)group);
        apart *= group;
        group = processors;
        processors *= processors;
    }
    return true;
}

// The values are successors; the last node points to itself. Drawn are the ranks, after each jump.
static bool draw_jumping(drawing *d)
{
    int32_t to[DRAWING_MAX_VALUES], last = 0;
    for (int32_t i = 0; i < d->count; i++) {
        if (d->step[0].value[i] < 0 || d->step[0].value[i] >= d->count) return false;
        to[i] = (int32_t)d->step[0].value[i];
        last += to[i] == i;
    }
    if (last != 1) return false;
    drawing_step *begin = next_step(d);
    for (int32_t i = 0; i < d->count; i++) {
        begin->value[i] = to[i] != i;
        begin->from[i] = to[i];
        begin->thread[i] = i;
        begin->active[i] = true;
    }
    snprintf(begin->caption, sizeof begin->caption, "step 1: a rank of 1, 0 at the end");
    for (int32_t jump = 1; jump < d->count; jump *= 2) {
        int32_t on[DRAWING_MAX_VALUES], moved = 0;
        drawing_step *s = next_step(d);
        for (int32_t i = 0; i < d->count; i++) {
            on[i] = to[to[i]];
            if (to[i] == i) continue;
            add(d, s, i, to[i], i);
            s->from[i] = on[i];
            moved += on[i] != to[i];
        }
        memcpy(to, on, sizeof to);
        snprintf(s->caption, sizeof s->caption, "step %d: jump, %d pointer%s moved",
                 (int)d->steps - 1, (int)moved, moved == 1 ? "" : "s");
    }
    return true;
}

static bool draw_tournament(drawing *d)
{
    for (int32_t stride = 1; stride < d->count; stride *= 2) {
        drawing_step *s = next_step(d);
        int32_t active = 0;
        for (int32_t at = 0; at + stride < d->count; at += 2 * stride, active++) {
            const int64_t a = s->value[at], b = s->value[at + stride];
            add(d, s, at, at + stride, active);
            s->value[at] = a > b ? a : b;
        }
        caption(d, s, "the greater goes on", stride, active);
    }
    return true;
}

// ---- The list -----------------------------------------------------------------------------------

static const int64_t tree_values[] = {10, 1, 8, -1, 0, -2, 3, 5, -2, -3, 2, 7, 0, 11, 0, 2};
static const int64_t scan_values[] = {3, 1, 7, 0, 4, 1, 6, 3};
static const int64_t list_values[] = {3, 5, 1, 4, 2, 6, 7, 7};

#define VALUES(x)  x, sizeof(x) / sizeof *(x)
#define NUMBERS    "whole numbers"
#define SUCCESSORS "for each node the number of the next, the last one's its own"

const drawing_method drawing_methods[] = {
    {"modulo", "reduce", "interleaved reduction", VALUES(tree_values), true, draw_modulo, NUMBERS},
    {"strided", "reduce", "interleaved reduction by the first threads", VALUES(tree_values), true,
     draw_strided, NUMBERS},
    {"sequential", "reduce", "reduction with sequential addressing", VALUES(tree_values), true,
     draw_sequential, NUMBERS},
    {"kogge-stone", "scan", "Kogge-Stone's scan", VALUES(scan_values), false, draw_kogge_stone,
     NUMBERS},
    {"brent-kung", "scan", "Brent-Kung's scan", VALUES(scan_values), true, draw_brent_kung,
     NUMBERS},
    {"blelloch", "scan", "Blelloch's exclusive scan", VALUES(scan_values), true, draw_blelloch,
     NUMBERS},
    {"hierarchy", "scan", "a scan of sections", VALUES(tree_values), false, draw_hierarchy,
     "takes a multiple of 4 values"},
    {"doubly-log", "maximum", "a doubly logarithmic tree", VALUES(tree_values), false,
     draw_doubly_log, NUMBERS},
    {"tournament", "maximum", "a tournament", VALUES(tree_values), false, draw_tournament, NUMBERS},
    {"jumping", "list", "pointer jumping", VALUES(list_values), false, draw_jumping, SUCCESSORS},
    {0},
};

const drawing_method *drawing_named(const char *ladder, const char *name)
{
    for (const drawing_method *m = drawing_methods; m->name != NULL; m++)
        if (strcmp(m->ladder, ladder) == 0 && strcmp(m->name, name) == 0) return m;
    return NULL;
}

const char *drawing_make(const drawing_method *m, const int64_t *values, int32_t count, drawing *d)
{
    if (values == NULL) values = m->usual, count = m->usual_count;
    if (count < 2 || count > DRAWING_MAX_VALUES) return "takes 2 to 32 values";
    if (m->power_of_two && (count & (count - 1)) != 0) return "takes a power of two values";
    memset(d, 0, sizeof *d);
    d->method = m->name;
    d->title = m->title;
    d->count = count;
    d->steps = 1;
    d->pointers = m->draw == draw_jumping;
    d->work =
        m->draw == draw_tournament || m->draw == draw_doubly_log ? "comparisons" : "additions";
    snprintf(d->step[0].caption, sizeof d->step[0].caption, "what goes in");
    for (int32_t i = 0; i < count; i++) {
        d->step[0].value[i] = values[i];
        d->step[0].from[i] = d->step[0].thread[i] = -1;
    }
    return m->draw(d) ? NULL : m->takes;
}
