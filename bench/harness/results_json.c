// SPDX-License-Identifier: Apache-2.0
//
// Writes the results. Names are PATTERN/TYPE/OPERATOR[-VARIANT]/N for Heddle and the same with
// /CONTESTANT for the others.
#include "results_json.h"

#include "io/json.h"
#include "bench/machine/machine.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define CACHES_MAX 16

#ifndef HEDDLE_COMMIT
#define HEDDLE_COMMIT ""
#endif

static void write_date(json *j)
{
    char text[64];
    const time_t now = time(NULL);
    struct tm local;
    if (localtime_r(&now, &local) && strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S%z", &local))
        json_text(j, "date", text);
}

static void write_caches(json *j)
{
    machine_cache caches[CACHES_MAX];
    const int count = machine_caches(caches, CACHES_MAX);
    json_list(j, "caches");
    for (int k = 0; k < count; k++) {
        json_object(j, NULL);
        json_text(j, "type", caches[k].type);
        json_int(j, "level", caches[k].level);
        json_int(j, "size", caches[k].bytes);
        json_int(j, "num_sharing", caches[k].sharing);
        json_close(j);
    }
    json_close(j);
}

static void write_load(json *j)
{
    double load[3];
    const int count = getloadavg(load, 3);
    json_array(j, "load_avg");
    for (int k = 0; k < count; k++) json_real(j, NULL, load[k]);
    json_close(j);
}

static void write_peaks(json *j, const table_peaks *l)
{
    json_real(j, "fork_join_ns", l->fork_join_ns);
    json_list(j, "peak_bandwidth");
    for (int k = 0; k < l->count; k++) {
        json_object(j, NULL);
        json_text(j, "kind", peak_name(l->row[k].peak.way.kind));
        json_int(j, "array_bytes", l->row[k].bytes);
        json_int(j, "threads", l->row[k].threads);
        json_real(j, "bytes_per_second", l->row[k].peak.bytes_per_second);
        json_text(j, "how", l->row[k].peak.way.how);
        json_close(j);
    }
    json_close(j);
}

static void write_context(json *j, const bench_run *run, const table_peaks *l, const char *program,
                          const char *device)
{
    char host[256] = "", cpu[256];
    gethostname(host, sizeof host - 1);
    machine_cpu_name(cpu, sizeof cpu);
    json_object(j, "context");
    write_date(j);
    json_text(j, "host_name", host);
    json_text(j, "executable", program);
    json_int(j, "num_cpus", sysconf(_SC_NPROCESSORS_ONLN));
    json_real(j, "mhz_per_cpu", machine_mhz());
    json_bool(j, "cpu_scaling_enabled", false);
    write_caches(j);
    write_load(j);
#ifdef NDEBUG
    json_text(j, "library_build_type", "release");
#else
    json_text(j, "library_build_type", "debug");
#endif
    json_text(j, "cpu_name", cpu);
    if (device != NULL) json_text(j, "gpu_name", device);
    json_text(j, "heddle_version", hd_version());
    if (HEDDLE_COMMIT[0] != 0) json_text(j, "commit", HEDDLE_COMMIT);
    json_text(j, "heddle_backend", hd_backend_name(hd_last_backend(run->ctx)));
    json_text(j, "heddle_isa", hd_isa(run->ctx));
    json_int(j, "heddle_threads", hd_threads(run->ctx));
    write_peaks(j, l);
    json_close(j);
}

// "power law 16" -> "power-law-16": names have no spaces.
static void row_name(char *name, size_t size, const bench_result *r)
{
    snprintf(name, size, "%s/%s/%s%s%s/%lld", r->pattern, r->type, r->op, *r->variant ? "-" : "",
             r->variant, (long long)r->n);
    for (char *p = name; *p; p++)
        if (*p == ' ') *p = '-';
}

static void write_contestant(json *j, const bench_result *r, const contestant *c, int threads)
{
    char row[128], name[192];
    row_name(row, sizeof row, r);
    const bool heddle = c->role == ROLE_HEDDLE;
    snprintf(name, sizeof name, "%s%s%s", row, heddle ? "" : "/", heddle ? "" : c->name);
    json_object(j, NULL);
    json_text(j, "name", name);
    json_text(j, "run_name", name);
    json_text(j, "run_type", "iteration");
    json_int(j, "repetitions", 1);
    json_int(j, "repetition_index", 0);
    json_int(j, "threads", threads);
    json_int(j, "iterations", c->calls);
    json_real(j, "real_time", c->time.median);
    json_real(j, "cpu_time", c->cpu_ns);
    json_text(j, "time_unit", "ns");
    json_real(j, "bytes_per_second",
              c->time.median > 0 ? (double)r->bytes * 1e9 / c->time.median : 0);
    json_text(j, "label", c->role == ROLE_PEAK ? r->peak.how : c->name);
    json_real(j, "p10", c->time.p10);
    json_real(j, "p90", c->time.p90);
    json_array(j, "samples");
    for (int64_t i = 0; i < c->count; i++) json_real(j, NULL, c->samples[i]);
    json_close(j);
    json_close(j);
}

static void write_failure(json *j, const bench_result *r)
{
    char name[128];
    row_name(name, sizeof name, r);
    json_object(j, NULL);
    json_text(j, "name", name);
    json_text(j, "run_name", name);
    json_text(j, "run_type", "iteration");
    json_bool(j, "error_occurred", true);
    json_text(j, "error_message", r->state == ROW_WRONG ? "wrong result" : r->error);
    json_close(j);
}

void results_write_json(FILE *out, const bench_run *run, const table_peaks *peaks,
                        const char *program, const char *device)
{
    json j = json_begin(out);
    write_context(&j, run, peaks, program, device);
    json_list(&j, "benchmarks");
    for (int64_t i = 0; i < run->count; i++) {
        const bench_result *r = &run->results[i];
        if (r->state == ROW_WRONG || r->state == ROW_FAILED) write_failure(&j, r);
        for (int k = 0; r->state == ROW_DONE && k < r->count; k++)
            if (r->who[k].count) write_contestant(&j, r, &r->who[k], hd_threads(run->ctx));
    }
    json_close(&j);
    json_end(&j);
}
