// SPDX-License-Identifier: Apache-2.0
//
// heddle model: the report as one JSON document. Counts that are 0 are left out of lines, not of
// the total.
#include <string.h>

#include "cli/command.h"
#include "model.h"
#include "cli/support/print.h"

#define SAMPLES_MAX 16 // the worst ones

static void write_counts(json *j, const hd_model_counts *c, bool all)
{
    const struct {
        const char *name;
        int64_t value;
    } members[] = {{"warp_instructions", c->warp_instructions},
                   {"thread_instructions", c->thread_instructions},
                   {"branches", c->branches},
                   {"divergent_branches", c->divergent_branches},
                   {"barriers", c->barriers},
                   {"global_loads", c->global_loads},
                   {"global_stores", c->global_stores},
                   {"global_atomics", c->global_atomics},
                   {"sectors", c->sectors},
                   {"ideal_sectors", c->ideal_sectors},
                   {"lines", c->lines},
                   {"shared_loads", c->shared_loads},
                   {"shared_stores", c->shared_stores},
                   {"shared_atomics", c->shared_atomics},
                   {"wavefronts", c->wavefronts},
                   {"conflicts", c->conflicts},
                   {"local_requests", c->local_requests},
                   {"constant_requests", c->constant_requests},
                   {"atomic_steps", c->atomic_steps},
                   {"bytes_read", c->bytes_read},
                   {"bytes_written", c->bytes_written},
                   {"polls", c->polls}};
    json_object(j, "counts");
    for (size_t k = 0; k < sizeof members / sizeof *members; k++)
        if (all || members[k].value != 0) json_int(j, members[k].name, members[k].value);
    json_close(j);
}

static void write_axes(json *j, const char *key, const int32_t axes[3])
{
    json_array(j, key);
    for (int k = 0; k < 3; k++) json_int(j, NULL, axes[k]);
    json_close(j);
}

static void write_place(json *j, model_run *r, const char *file, int32_t line, const char *names[3])
{
    char text[512];
    if (file == NULL) return;
    json_text(j, names[0], model_shown_file(&r->sources, file));
    json_int(j, names[1], line);
    json_text(j, names[2], model_line_text(&r->sources, file, line, text, sizeof text));
}

static const char *here[] = {"file", "line", "source"};
static const char *there[] = {"other_file", "other_line", "other_source"};

static void write_arguments(json *j, const model_run *r)
{
    const model_signature *s = &r->signature;
    char text[PRINT_ROOM];
    json_list(j, "arguments");
    for (int32_t k = 0; k < s->count; k++) {
        const model_argument *a = &r->arguments.at[k];
        json_object(j, NULL);
        json_text(j, "name", s->at[k].name);
        json_text(j, "declared", s->at[k].declared);
        json_int(j, "parameter_bytes", s->at[k].bytes);
        if (a->type != HD_NONE) json_text(j, "type", hd_type_name(a->type));
        if (model_is_buffer(a))
            json_int(j, "elements", a->count);
        else if (a->value.fill == MODEL_NUMBER)
            json_number(j, "value", print_value(a->type, a->initial, text));
        json_close(j);
    }
    json_close(j);
}

static void write_more(json *j, const hd_model_report *r)
{
    if (r->l1_hits + r->l1_misses + r->l2_hits + r->l2_misses + r->dram_bytes > 0) {
        json_object(j, "caches");
        json_int(j, "l1_hits", r->l1_hits);
        json_int(j, "l1_misses", r->l1_misses);
        json_int(j, "l2_hits", r->l2_hits);
        json_int(j, "l2_misses", r->l2_misses);
        json_int(j, "constant_hits", r->constant_hits);
        json_int(j, "constant_misses", r->constant_misses);
        json_int(j, "dram_bytes", r->dram_bytes);
        json_close(j);
    }
    if (r->resident_warps > 0) {
        json_object(j, "occupancy");
        json_real(j, "fraction", r->occupancy);
        json_int(j, "blocks", r->resident_blocks);
        json_int(j, "warps", r->resident_warps);
        json_text(j, "limit", r->occupancy_limit);
        json_int(j, "registers", r->registers < 0 ? -r->registers : r->registers);
        json_bool(j, "registers_estimated", r->registers < 0);
        json_close(j);
    }
    if (r->intensity > 0) json_real(j, "intensity", r->intensity);
    if (r->predicted_seconds > 0) {
        json_real(j, "predicted_seconds", r->predicted_seconds);
        json_text(j, "bound", r->bound);
    }
    if (r->work > 0) {
        json_object(j, "pram");
        json_int(j, "work", r->work);
        json_int(j, "time", r->steps);
        json_int(j, "rule", r->rule);
        json_close(j);
    }
}

static void write_lines(json *j, model_run *r)
{
    json_list(j, "lines");
    for (int32_t k = 0; k < r->report->site_count; k++) {
        const hd_model_site *s = &r->report->sites[k];
        json_object(j, NULL);
        write_place(j, r, s->file, s->line, here);
        if (s->file == NULL) json_int(j, "ptx_line", s->ptx_line);
        write_counts(j, &s->counts, false);
        json_close(j);
    }
    json_close(j);
}

static void write_samples(json *j, model_run *r)
{
    static const char *const kinds[] = {"load", "store", "atomic"};
    const hd_model_report *report = r->report;
    json_list(j, "worst_requests");
    for (int32_t k = 0; k < report->sample_count && k < SAMPLES_MAX; k++) {
        const hd_model_sample *s = &report->samples[k];
        if (s->sectors - s->ideal_sectors + s->conflicts <= 0) break;
        json_object(j, NULL);
        write_place(j, r, s->file, s->line, here);
        json_int(j, "ptx_line", s->ptx_line);
        json_text(j, "access", kinds[s->access]);
        json_text(j, "space", s->shared ? "shared" : "global");
        write_axes(j, "block", s->block);
        json_int(j, "warp", s->warp);
        json_int(j, "bytes", s->bytes);
        json_int(j, "sectors", s->sectors);
        json_int(j, "ideal_sectors", s->ideal_sectors);
        json_int(j, "wavefronts", s->wavefronts);
        json_array(j, "addresses"); // of lanes; -1: does not ask
        for (int l = 0; l < 32; l++)
            json_int(j, NULL, s->mask >> l & 1 ? (int64_t)s->address[l] : -1);
        json_close(j);
        json_close(j);
    }
    json_close(j);
}

void model_json_hazards(json *j, model_run *r)
{
    json_list(j, "hazards");
    for (int32_t k = 0; k < r->report->finding_count; k++) {
        const hd_model_finding *f = &r->report->findings[k];
        json_object(j, NULL);
        json_text(j, "hazard", hd_model_hazard_name(f->hazard));
        json_int(j, "times", f->times);
        json_text(j, "text", f->text);
        if (f->follows >= 0) {
            json_int(j, "follows", f->follows); // the number in this list of what it follows from
            json_text(j, "because", f->because);
        }
        write_place(j, r, f->file, f->line, here);
        write_place(j, r, f->other_file, f->other_line, there);
        json_close(j);
    }
    json_close(j);
}

static void write_differences(json *j, const model_differences *d)
{
    json_list(j, "compared");
    for (int k = 0; k < d->count; k++) {
        const model_difference *of = &d->at[k];
        json_object(j, NULL);
        json_text(j, "name", of->name);
        json_text(j, "expected", of->expected);
        json_bool(j, "equal", of->count == 0);
        json_int(j, "different", of->count);
        if (of->count > 0) {
            json_int(j, "first", of->first);
            json_text(j, "first_got", of->have);
            json_text(j, "first_expected", of->want);
        }
        json_close(j);
    }
    json_close(j);
}

void model_print_json(model_run *r, const model_differences *d)
{
    json j = json_begin(stdout);
    json_text(&j, "command", "model");
    json_text(&j, "file", r->file);
    json_text(&j, "kernel", r->signature.kernel);
    write_axes(&j, "grid", r->report->shape.grid);
    write_axes(&j, "block", r->report->shape.block);
    json_int(&j, "shared", r->report->shape.shared);
    json_uint(&j, "seed", r->options.seed);
    json_real(&j, "seconds", r->report->seconds);
    json_text(&j, "failed", r->status == HD_OK ? NULL : r->failure);
    write_arguments(&j, r);
    write_counts(&j, &r->report->total, true);
    write_more(&j, r->report);
    write_lines(&j, r);
    write_samples(&j, r);
    model_json_hazards(&j, r);
    model_json_warnings(&j, r);
    write_differences(&j, d);
    json_end(&j);
}
