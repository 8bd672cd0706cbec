// SPDX-License-Identifier: Apache-2.0
// A method drawn step by step on a terminal.
#include "ladder_draw.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "ladder/draw/drawing.h"
#include "cli/support/color.h"
#include "cli/command.h"
#include "ladder_grids.h"
#include "ladder_html.h"

static const char name[] = "ladder";

// Width of the widest value, with room for what marks it.
static int width_of(const drawing *d)
{
    int most = 2;
    char text[32];
    for (int32_t k = 0; k < d->steps; k++)
        for (int32_t i = 0; i < d->count; i++) {
            const int n = snprintf(text, sizeof text, "%lld", (long long)d->step[k].value[i]);
            if (n > most) most = n;
        }
    return most + 1;
}

static void print_step(const drawing *d, int32_t k, int width)
{
    const drawing_step *s = &d->step[k];
    const bool color = color_wanted(stdout);
    printf("%s\n", s->caption);
    if (k > 0) {
        printf("  %-7s", "thread");
        for (int32_t i = 0; i < d->count; i++)
            if (s->thread[i] >= 0)
                printf("%*d ", width, (int)s->thread[i]);
            else
                printf("%*s ", width, ".");
        printf("\n  %-7s", d->pointers ? "to" : "reads");
        for (int32_t i = 0; i < d->count; i++)
            if (s->from[i] >= 0)
                printf("%*d ", width, (int)s->from[i]);
            else
                printf("%*s ", width, ".");
        printf("\n");
    }
    printf("  %-7s", k == 0 && d->pointers ? "to" : "values");
    for (int32_t i = 0; i < d->count; i++)
        printf("%s%*lld%s ", color && s->active[i] ? COLOR_BOLD : "", width, (long long)s->value[i],
               color && s->active[i] ? COLOR_OFF : "");
    printf("\n\n");
}

static void print_drawing(const drawing *d)
{
    const int width = width_of(d);
    printf("%s of %d values\n\n", d->title, (int)d->count);
    printf("  %-7s", "place");
    for (int32_t i = 0; i < d->count; i++) printf("%*d ", width, (int)i);
    printf("\n\n");
    for (int32_t k = 0; k < d->steps; k++) print_step(d, k, width);
    printf("%lld %s in %d steps\n", (long long)d->additions, d->work, (int)d->steps - 1);
}

static int read_values(const arg_result *operands, int64_t *values, int32_t *count)
{
    *count = 0;
    for (int k = 1; k < operands->count; k++) {
        const char *at = operands->operand[k];
        while (*at != 0) {
            char *end;
            errno = 0;
            const long long value = strtoll(at, &end, 10);
            const bool last = *end == 0;
            if (end == at || errno != 0 || (!last && *end != ',') || value > INT32_MAX ||
                value < INT32_MIN || *count == DRAWING_MAX_VALUES)
                return fail(EXIT_USAGE, name, "%s: expected up to %d whole numbers",
                            operands->operand[k], DRAWING_MAX_VALUES);
            values[(*count)++] = value;
            at = last ? end : end + 1;
        }
    }
    return EXIT_DONE;
}

static int unknown(const char *ladder, const char *method)
{
    char known[256] = "";
    for (const drawing_method *m = drawing_methods; m->name != NULL; m++) {
        const size_t at = strlen(known);
        if (strcmp(m->ladder, ladder) == 0)
            snprintf(known + at, sizeof known - at, "%s%s", at > 0 ? ", " : "", m->name);
    }
    for (const grid_method *m = grid_methods; m->name != NULL; m++) {
        const size_t at = strlen(known);
        if (strcmp(m->ladder, ladder) == 0)
            snprintf(known + at, sizeof known - at, "%s%s", at > 0 ? ", " : "", m->name);
    }
    if (known[0] == 0)
        return fail(EXIT_USAGE, name, "--draw: nothing of the %s ladder can be drawn", ladder);
    return fail(EXIT_USAGE, name, "--draw %s: expected one of %s", method, known);
}

// The operands behind the ladder, with a blank between them; NULL: there are none.
static const char *join_operands(const arg_result *operands, char *text, size_t room)
{
    size_t at = 0;
    text[0] = 0;
    for (int k = 1; k < operands->count && at + 1 < room; k++) {
        const int n =
            snprintf(text + at, room - at, "%s%s", k > 1 ? " " : "", operands->operand[k]);
        at += n > 0 ? (size_t)n : 0;
    }
    return operands->count > 1 ? text : NULL;
}

static const char *make_grid(const grid_method *m, const arg_result *operands, grid_drawing *g,
                             int *code)
{
    int64_t values[DRAWING_MAX_VALUES];
    int32_t count = 0;
    char letters[64]; // more than any text that is drawn
    if (m->draw_text != NULL)
        return grid_make_text(m, join_operands(operands, letters, sizeof letters), g);
    *code = read_values(operands, values, &count);
    return *code != EXIT_DONE ? NULL : grid_make(m, count > 0 ? values : NULL, count, g);
}

static int draw_grid(const grid_method *m, const arg_result *operands, const char *html, bool text)
{
    grid_drawing *g = malloc(sizeof *g);
    if (g == NULL) return fail(EXIT_IO, name, "no memory");
    int code = EXIT_DONE;
    const char *wrong = make_grid(m, operands, g, &code);
    if (code != EXIT_DONE) {
        free(g);
        return code;
    }
    if (wrong != NULL)
        code = fail(EXIT_USAGE, name, "--draw %s %s", m->name, wrong);
    else if (html != NULL)
        code = ladder_grid_html(g, html);
    if (wrong == NULL && (html == NULL || text)) grid_print(g);
    free(g);
    return code;
}

static int draw_steps(const drawing_method *m, const int64_t *values, int32_t count,
                      const char *html, bool text)
{
    drawing *d = malloc(sizeof *d);
    if (d == NULL) return fail(EXIT_IO, name, "no memory");
    const char *wrong = drawing_make(m, count > 0 ? values : NULL, count, d);
    int code = EXIT_DONE;
    if (wrong != NULL)
        code = fail(EXIT_USAGE, name, "--draw %s %s", m->name, wrong);
    else if (html != NULL)
        code = ladder_draw_html(d, html);
    if (wrong == NULL && (html == NULL || text)) print_drawing(d);
    free(d);
    return code;
}

int ladder_draw(const char *method, const arg_result *operands, const char *html, bool text)
{
    int64_t values[DRAWING_MAX_VALUES];
    int32_t count;
    const drawing_method *m = drawing_named(operands->operand[0], method);
    const grid_method *g = grid_named(operands->operand[0], method);
    if (m == NULL && g == NULL) return unknown(operands->operand[0], method);
    if (g != NULL) return draw_grid(g, operands, html, text);
    EXIT_TRY(read_values(operands, values, &count));
    return draw_steps(m, values, count, html, text);
}
