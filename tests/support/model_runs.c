// SPDX-License-Identifier: Apache-2.0
//
// Kernels that say how they are run.
#include "model_runs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

model_source model_read_source(const char *name)
{
    char path[600];
    model_source s = {0};
    model_kernel_path(name, path, sizeof path);
    FILE *f = fopen(path, "rb");
    s.text = calloc(1, 1 << 20);
    CHECK(f != NULL && s.text != NULL && fread(s.text, 1, (1 << 20) - 1, f) > 0, "%s", path);
    if (f != NULL) fclose(f);
    for (char *at = s.text; at != NULL && s.count < MODEL_MOST_LINES;) {
        s.line[s.count++] = at;
        at = strchr(at, '\n');
        if (at != NULL) *at++ = 0;
    }
    return s;
}

void model_free_source(model_source *source)
{
    free(source->text);
    source->text = NULL;
}

// "2 64", "2 64 yd" or "2 16x16 xyn", then ": race".
static bool read_run(const char *line, model_run_line *run)
{
    int used = 0;
    memset(run, 0, sizeof *run);
    if (strncmp(line, "// run ", 7) != 0) return false;
    line += 7;
    if ((*line < '0' || *line > '9') && sscanf(line, "%63[a-z_0-9] %n", run->kernel, &used) == 1)
        line += used;
    if (sscanf(line, "%d %d%n", &run->blocks, &run->threads[0], &used) != 2) return false;
    line += used;
    run->threads[1] = 1;
    if (*line == 'x' && sscanf(line, "x%d%n", &run->threads[1], &used) == 1) line += used;
    strcpy(run->arguments, "xy");
    if (sscanf(line, " %7[a-z]: %39[a-z ]", run->arguments, run->what) == 2) return true;
    strcpy(run->arguments, "xy");
    return sscanf(line, ": %39[a-z ]", run->what) == 1;
}

int model_runs(const model_source *source, model_run_line runs[MODEL_MAX_RUNS])
{
    model_run_line next = {0}, read;
    int count = 0;
    bool unwritten = false;
    for (int k = 0; k < source->count; k++)
        unwritten |= strstr(source->line[k], "1024 numbers of its 4096") != NULL;
    for (int k = 0; k < source->count && count < MODEL_MAX_RUNS; k++) {
        const char *at = strstr(source->line[k], "__global__ void ");
        if (read_run(source->line[k], &read)) next = read;
        if (next.blocks > 0 && next.kernel[0] != 0) {
            runs[count++] = next;
            next.blocks = 0;
        }
        if (at == NULL || next.blocks == 0) continue;
        if (sscanf(at, "__global__ void %63[A-Za-z0-9_](", next.kernel) != 1) continue;
        next.unwritten = unwritten;
        runs[count++] = next;
        next.blocks = 0;
    }
    return count;
}

const hd_model_report *model_run_by_line(hd_model *model, const hd_model_module *module,
                                         const model_run_line *run)
{
    static int x[MODEL_WORDS];
    static const int n = 64, m = 512, few = 9;
    const size_t bytes = sizeof x / (run->unwritten ? 4 : 1);
    uint64_t at[3];
    const void *arguments[8];
    int count = 0, dynamic = 0;
    for (int k = 0; k < MODEL_WORDS; k++) x[k] = (k * 7 + 3) % 1000;
    for (int k = 0; k < 3; k++) {
        MODEL_OK(model, hd_model_alloc(model, sizeof x, &at[k]));
        if (k == 0)
            MODEL_OK(model, hd_model_write(model, at[k], x, (int64_t)bytes));
        else if (!run->unwritten)
            MODEL_OK(model, hd_model_fill(model, at[k], 0, sizeof x));
    }
    for (const char *letter = run->arguments; *letter != 0; letter++) {
        if (*letter == 'd')
            dynamic = 4096;
        else if (*letter == 'c')
            MODEL_OK(model, hd_model_cluster(model, run->blocks, 1, 1));
        else
            arguments[count++] = *letter == 'n'   ? (const void *)&n
                                 : *letter == 'm' ? (const void *)&m
                                 : *letter == 'r' ? (const void *)&few
                                                  : &at[*letter - 'x'];
    }
    const hd_model_report *r = NULL;
    const hd_model_shape shape = {{run->blocks}, {run->threads[0], run->threads[1]}, dynamic};
    const hd_status status =
        hd_model_launch(model, module, run->kernel, shape, arguments, count, &r);
    CHECK(status == HD_OK || status == HD_ERROR_DEVICE, "%s: %s", run->kernel,
          hd_model_error(model));
    MODEL_OK(model, hd_model_cluster(model, 0, 0, 0));
    for (int k = 0; k < 3; k++) MODEL_OK(model, hd_model_free(model, at[k]));
    return r;
}
