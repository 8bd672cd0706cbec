// SPDX-License-Identifier: Apache-2.0
// The shmoo plot of a step.
#include "ladder_shmoo.h"

#include <math.h>
#include <string.h>

#include "chart/html.h"
#include "chart/svg.h"
#include "cli/command.h"
#include "io/json.h"
#include "cli/support/progress.h"

static const char name[] = "ladder";

// ---- Playing ------------------------------------------------------------------------------------

static const ladder_step *choose(const ladder_results *t)
{
    const ladder_step *best = NULL;
    for (int32_t k = 0; k < t->count; k++)
        if (t->count == 1 || (!(t->steps[k]->flags & STEP_WRONG) && t->steps[k]->call == NULL))
            best = t->steps[k];
    return best;
}

// Sizes around the ladder's own, four times as many elements each (of two dimensions twice the
// side); blocks that it can take. The model predicts a launch of 2 us, a card needs as long: small
// sizes show that alone.
static void lay_out(shmoo *s, int64_t most)
{
    static const int32_t blocks[] = {64, 128, 256, 512, 1024};
    const int dims = s->of->dimensions > 0 ? s->of->dimensions : 1;
    const int64_t step = dims == 1 ? 4 : 2;
    int64_t n = most > 0 ? most : s->cuda ? s->of->device_n : s->of->default_n * step * step;
    if (n > s->of->max_n) n = s->of->max_n;
    int64_t all[SHMOO_MAX_SIZES];
    while (s->sizes < SHMOO_MAX_SIZES / 2 && n >= s->of->min_n && n >= 16) {
        all[s->sizes++] = n;
        n /= step;
    }
    for (int32_t k = 0; k < s->sizes; k++) {
        s->n[k] = all[s->sizes - 1 - k];
        s->elements[k] = pow((double)s->n[k], dims);
    }
    s->blocks = s->of->fixed_block ? 1 : SHMOO_MAX_BLOCKS;
    for (int32_t b = 0; b < s->blocks; b++)
        s->block[b] = s->of->fixed_block ? s->of->default_block : blocks[b];
}

int shmoo_play(const ladder_results *t, const stage_options *how, int64_t most, shmoo *s)
{
    stage_options counting = *how;
    memset(s, 0, sizeof *s);
    s->of = t->of;
    s->cuda = t->cuda;
    s->step = choose(t);
    counting.checks = HD_MODEL_CACHES;
    lay_out(s, most);
    progress bar = progress_begin("shmoo", s->sizes * s->blocks);
    bar.steps = true;
    int code = EXIT_DONE;
    for (int32_t k = 0; k < s->sizes && code == EXIT_DONE; k++)
        for (int32_t b = 0; b < s->blocks && code == EXIT_DONE; b++) {
            const ladder_case problem = {.n = s->n[k], .block = s->block[b], .seed = 1};
            ladder_result r;
            ladder_run(s->of, s->step, ladder_source(s->of, s->step), s->step->name, &problem,
                       &counting, &r);
            progress_step(&bar, k * s->blocks + b);
            if (r.status == HD_ERROR_BACKEND || r.status == HD_ERROR_COMPILE)
                code = fail_lines(r.status == HD_ERROR_BACKEND ? EXIT_BACKEND : EXIT_COMPILE, name,
                                  "%s", r.error);
            else if (r.ran && !r.right && !(s->step->flags & STEP_WRONG))
                code = fail_lines(EXIT_CHECK, name, "%s at n = %lld with %d threads a block: %s",
                                  s->step->name, (long long)s->n[k], (int)s->block[b], r.answer);
            else if (r.ran)
                s->seconds[k][b] = s->cuda ? r.totals.device_seconds : r.totals.predicted_seconds;
        }
    progress_end(&bar);
    return code;
}

// ---- Telling ------------------------------------------------------------------------------------

static double nanoseconds(const shmoo *s, int32_t k, int32_t b)
{
    return s->seconds[k][b] * 1e9 / s->elements[k];
}

void shmoo_print(const shmoo *s)
{
    printf("%s of the %s ladder, %s: nanoseconds an element, by threads a block\n\n",
           s->step->title, s->of->title, s->cuda ? "on a card" : "as the model machine predicts");
    printf("%12s", s->of->of_n);
    for (int32_t b = 0; b < s->blocks; b++) printf(" %9d", (int)s->block[b]);
    printf("\n");
    for (int32_t k = 0; k < s->sizes; k++) {
        printf("%12lld", (long long)s->n[k]);
        for (int32_t b = 0; b < s->blocks; b++)
            if (s->seconds[k][b] > 0)
                printf(" %9.4g", nanoseconds(s, k, b));
            else
                printf(" %9s", "-");
        printf("\n");
    }
    printf("\nSmall sizes pay for the launch; large ones show the rate.\n");
}

void shmoo_json(const shmoo *s)
{
    json j = json_begin(stdout);
    json_text(&j, "command", "ladder");
    json_text(&j, "ladder", s->of->name);
    json_text(&j, "step", s->step->name);
    json_text(&j, "backend", s->cuda ? "cuda" : "model");
    json_list(&j, "shmoo");
    for (int32_t k = 0; k < s->sizes; k++)
        for (int32_t b = 0; b < s->blocks; b++) {
            if (!(s->seconds[k][b] > 0)) continue;
            json_object(&j, NULL);
            json_int(&j, "n", s->n[k]);
            json_int(&j, "block", s->block[b]);
            json_real(&j, "seconds", s->seconds[k][b]);
            json_real(&j, "nanoseconds_an_element", nanoseconds(s, k, b));
            json_close(&j);
        }
    json_close(&j);
    json_end(&j);
}

// ---- The picture --------------------------------------------------------------------------------

#define WIDTH  640.0
#define HEIGHT 320.0
#define LEFT   62.0
#define RIGHT  110.0
#define BOTTOM 44.0
#define TOP    12.0

typedef struct plot_frame {
    double x0, x1, y0, y1; // log10 of elements and of nanoseconds
} plot_frame;

static double at_x(const plot_frame *f, double elements)
{
    return LEFT + (WIDTH - LEFT - RIGHT) * (log10(elements) - f->x0) / (f->x1 - f->x0);
}

static double at_y(const plot_frame *f, double value)
{
    return TOP + (HEIGHT - TOP - BOTTOM) * (f->y1 - log10(value)) / (f->y1 - f->y0);
}

static plot_frame frame_of(const shmoo *s)
{
    double least = 1e300, most = 0;
    for (int32_t k = 0; k < s->sizes; k++)
        for (int32_t b = 0; b < s->blocks; b++) {
            if (!(s->seconds[k][b] > 0)) continue;
            least = fmin(least, nanoseconds(s, k, b));
            most = fmax(most, nanoseconds(s, k, b));
        }
    plot_frame f = {log10(s->elements[0]), log10(s->elements[s->sizes - 1]), floor(log10(least)),
                    ceil(log10(most))};
    if (f.x1 <= f.x0) f.x1 = f.x0 + 1;
    if (f.y1 <= f.y0) f.y1 = f.y0 + 1;
    return f;
}

static void draw_axes(FILE *out, const shmoo *s, const plot_frame *f)
{
    char text[32];
    for (double y = f->y0; y <= f->y1; y++) {
        const double at = at_y(f, pow(10, y));
        svg_line(out, LEFT, at, WIDTH - RIGHT, at, "rule");
        snprintf(text, sizeof text, "%g ns", pow(10, y));
        svg_text(out, LEFT - 5, at + 4, SVG_END, text);
    }
    for (int32_t k = 0; k < s->sizes; k++) {
        const double at = at_x(f, s->elements[k]);
        svg_line(out, at, TOP, at, HEIGHT - BOTTOM, "rule");
        if (s->sizes > 8 && k % 2 != (s->sizes - 1) % 2) continue;
        snprintf(text, sizeof text, "%lld", (long long)s->n[k]);
        svg_text(out, at, HEIGHT - BOTTOM + 15, SVG_MIDDLE, text);
    }
    svg_text(out, (LEFT + WIDTH - RIGHT) / 2, HEIGHT - 8, SVG_MIDDLE, s->of->of_n);
}

void picture_shmoo(FILE *out, const shmoo *s)
{
    const plot_frame f = frame_of(s);
    fputs("<figure class=\"wide\">\n", out);
    svg_begin(out, WIDTH, HEIGHT, "time of an element over the size, by block");
    draw_axes(out, s, &f);
    for (int32_t b = 0; b < s->blocks; b++) {
        char style[16], text[32], tip[96];
        snprintf(style, sizeof style, "s%d", (int)b);
        for (int32_t k = 0; k < s->sizes; k++) {
            if (!(s->seconds[k][b] > 0)) continue;
            const double x = at_x(&f, s->elements[k]), y = at_y(&f, nanoseconds(s, k, b));
            snprintf(tip, sizeof tip, "%d threads a block, %lld: %.4g ns", (int)s->block[b],
                     (long long)s->n[k], nanoseconds(s, k, b));
            if (k > 0 && s->seconds[k - 1][b] > 0)
                svg_line(out, at_x(&f, s->elements[k - 1]), at_y(&f, nanoseconds(s, k - 1, b)), x,
                         y, style);
            svg_rectangle(out, x - 2.5, y - 2.5, 5, 5, style, tip);
        }
        const double y = TOP + 10 + 18 * b;
        svg_line(out, WIDTH - RIGHT + 10, y, WIDTH - RIGHT + 28, y, style);
        snprintf(text, sizeof text, "%d threads", (int)s->block[b]);
        svg_text(out, WIDTH - RIGHT + 33, y + 4, SVG_START, text);
    }
    svg_end(out);
    fputs("<figcaption>Shmoo plot of ", out);
    html_text(out, s->step->title);
    fprintf(out,
            ": time of one element over the size, by threads a block, %s</figcaption>\n</figure>\n",
            s->cuda ? "measured" : "predicted");
}

void shmoo_table(FILE *out, const shmoo *s)
{
    char text[32];
    fputs("<div class=\"scroll\"><table>\n<tr>", out);
    html_element(out, "th", "n", s->of->of_n);
    for (int32_t b = 0; b < s->blocks; b++) {
        snprintf(text, sizeof text, "%d threads", (int)s->block[b]);
        html_element(out, "th", "n", text);
    }
    for (int32_t k = 0; k < s->sizes; k++) {
        snprintf(text, sizeof text, "%lld", (long long)s->n[k]);
        fputs("</tr>\n<tr>", out);
        html_element(out, "td", "n", text);
        for (int32_t b = 0; b < s->blocks; b++) {
            snprintf(text, sizeof text, "%.4g", nanoseconds(s, k, b));
            html_element(out, "td", "n", s->seconds[k][b] > 0 ? text : "-");
        }
    }
    fputs("</tr>\n</table></div>\n<p class=\"dim\">Nanoseconds an element.</p>\n", out);
}
