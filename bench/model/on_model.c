// SPDX-License-Identifier: Apache-2.0
//
// Runs the launches of a table on the model and prints what it counted:
//     on_model TABLE FOLDER [NAME]      rows of name,what,value
#include "launches.h"

#include <heddle_model.h>
#include <stdio.h>
#include <stdlib.h>

static hd_model *model;

static bool fail(const launch_row *r)
{
    fprintf(stderr, "%s: %s\n", r->name, hd_model_error(model));
    return false;
}

static bool fill(const launch_argument *a, uint64_t to)
{
    void *data = malloc((size_t)(a->count * a->bytes));
    if (data == NULL) return false;
    argument_fill(a, data);
    const hd_status status = hd_model_write(model, to, data, a->count * a->bytes);
    free(data);
    return status == HD_OK;
}

static void print_counts(const char *name, const hd_model_report *r)
{
    const hd_model_counts *c = &r->total;
    const struct {
        const char *what;
        int64_t value;
    } rows[] = {
        {"warp_instructions", c->warp_instructions},
        {"thread_instructions", c->thread_instructions},
        {"branches", c->branches},
        {"divergent_branches", c->divergent_branches},
        {"global_loads", c->global_loads},
        {"global_stores", c->global_stores},
        {"global_atomics", c->global_atomics},
        {"sectors", c->sectors},
        {"shared_loads", c->shared_loads},
        {"shared_stores", c->shared_stores},
        {"shared_atomics", c->shared_atomics},
        {"wavefronts", c->wavefronts},
        {"conflicts", c->conflicts},
        {"local_requests", c->local_requests},
        {"constant_requests", c->constant_requests},
        {"atomic_steps", c->atomic_steps},
        {"l1_hits", r->l1_hits},
        {"l1_misses", r->l1_misses},
        {"l2_hits", r->l2_hits},
        {"l2_misses", r->l2_misses},
        {"constant_hits", r->constant_hits},
        {"constant_misses", r->constant_misses},
        {"dram_read", r->dram_read},
        {"dram_written", r->dram_written},
        {"l2_bytes", r->l2_bytes},
        {"machine_instructions", r->machine_instructions},
        {"registers", r->registers},
        {"resident_blocks", r->resident_blocks},
        {"resident_warps", r->resident_warps},
        {"findings", r->finding_count},
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
        printf("%s,%s,%lld\n", name, rows[k].what, (long long)rows[k].value);
    const struct {
        const char *what;
        double value;
    } seconds[] = {
        {"predicted_seconds", r->predicted_seconds},
        {"memory_seconds", r->memory_seconds},
        {"l2_seconds", r->l2_seconds},
        {"l1_seconds", r->l1_seconds},
        {"issue_seconds", r->issue_seconds},
        {"latency_seconds", r->latency_seconds},
        {"atomic_seconds", r->atomic_seconds},
        {"block_seconds", r->block_seconds},
        {"host_seconds", r->seconds},
    };
    for (size_t k = 0; k < sizeof seconds / sizeof *seconds; k++)
        printf("%s,%s,%.9f\n", name, seconds[k].what, seconds[k].value);
    if (r->bound != NULL) printf("%s,bound,%s\n", name, r->bound);
    if (r->occupancy_limit != NULL) printf("%s,limit,%s\n", name, r->occupancy_limit);
    for (int32_t k = 0; k < r->finding_count; k++)
        printf("%s,finding,%s: %s\n", name, hd_model_hazard_name(r->findings[k].hazard),
               r->findings[k].text);
}

static bool print_sums(const launch_row *row, const uint64_t *at)
{
    printf("%s,sums", row->name);
    for (int k = 0; k < row->argument_count; k++) {
        const launch_argument *a = &row->arguments[k];
        if (a->number || a->variable[0] != 0) continue;
        void *data = malloc((size_t)(a->count * a->bytes));
        if (data == NULL) return false;
        if (hd_model_read(model, at[k], data, a->count * a->bytes) != HD_OK) return fail(row);
        printf(",%016llx", (unsigned long long)bytes_sum(data, a->count * a->bytes));
        free(data);
    }
    printf("\n");
    return true;
}

static bool run_row(const launch_row *row, const char *folder)
{
    char path[4096];
    hd_model_module *module;
    const hd_model_report *report;
    uint64_t at[MAX_ARGUMENTS];
    const void *values[MAX_ARGUMENTS];
    int32_t count = 0;
    snprintf(path, sizeof path, "%s/%s.ptx", folder, row->file);
    if (hd_model_load(model, path, NULL, &module) != HD_OK) return fail(row);
    for (int k = 0; k < row->argument_count; k++) {
        const launch_argument *a = &row->arguments[k];
        at[k] = a->bits;
        if (a->variable[0] != 0) {
            if (hd_model_variable(model, module, a->variable, &at[k], NULL) != HD_OK)
                return fail(row);
        } else if (!a->number && hd_model_alloc(model, a->count * a->bytes, &at[k]) != HD_OK) {
            return fail(row);
        }
        if (!a->number && argument_is_written(a) && !fill(a, at[k])) return fail(row);
        if (a->variable[0] == 0) values[count++] = &at[k];
    }
    const hd_model_shape shape = {{row->grid[0], row->grid[1], row->grid[2]},
                                  {row->block[0], row->block[1], row->block[2]},
                                  row->shared};
    if (hd_model_launch(model, module, row->kernel, shape, values, count, &report) != HD_OK)
        return fail(row);
    print_counts(row->name, report);
    if (!print_sums(row, at)) return false;
    for (int k = 0; k < row->argument_count; k++)
        if (!row->arguments[k].number && row->arguments[k].variable[0] == 0)
            hd_model_free(model, at[k]);
    fflush(stdout);
    return true;
}

int main(int count, char **words)
{
    launch_row *rows;
    if (count < 3) {
        fprintf(stderr, "on_model TABLE FOLDER [NAME]\n");
        return 2;
    }
    const int n = launches_read(words[1], count > 3 ? words[3] : NULL, &rows);
    int failed = n < 0;
    for (int k = 0; k < n; k++) {
        if (hd_model_open(&model, NULL) != HD_OK) return 1;
        if (!run_row(&rows[k], words[2])) failed = 1;
        hd_model_close(model);
    }
    free(rows);
    return failed;
}
