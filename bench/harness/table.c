// SPDX-License-Identifier: Apache-2.0
//
// Prints the peak bandwidths and the rows.
#include "table.h"

#include <stdio.h>
#include <string.h>

#define TEXT 24

void table_time(char *text, double ns)
{
    static const struct {
        double ns;
        const char *name;
    } units[] = {{1, "ns"}, {1e3, "us"}, {1e6, "ms"}, {1e9, "s"}};
    int k = 0;
    while (k < 3 && ns >= 1000 * units[k].ns) k++;
    const double value = ns / units[k].ns;
    snprintf(text, TEXT, "%.*f %s", value < 10 ? 2 : value < 100 ? 1 : 0, value, units[k].name);
}

void table_size(char *text, int64_t n)
{
    int k = 0;
    while (k < 62 && (int64_t)1 << k < n) k++;
    if (k >= 10 && (int64_t)1 << k == n)
        snprintf(text, TEXT, "2^%d", k);
    else
        snprintf(text, TEXT, "%lld", (long long)n);
}

// ---- Peaks ---------------------------------------------------------------------------------

static void measure_peak(table_peaks *l, peak_kind kind, int64_t bytes, int threads, double seconds,
                         FILE *out)
{
    if (l->count == TABLE_PEAKS_MAX) return;
    const peak got = peak_measure(kind, bytes, threads, seconds);
    l->row[l->count].peak = got;
    l->row[l->count].threads = threads;
    l->row[l->count++].bytes = bytes;
    if (got.bytes_per_second == 0)
        fprintf(out, "  %7s", "-");
    else
        fprintf(out, "  %7.1f", got.bytes_per_second / 1e9);
    fflush(out);
}

void table_peaks_measure(table_peaks *l, int threads, bool quick, FILE *out)
{
    static const struct {
        int64_t bytes;
        const char *name;
    } sizes[] = {{1 << 15, "32 KiB"},
                 {1 << 19, "512 KiB"},
                 {1 << 22, "4 MiB"},
                 {1 << 26, "64 MiB"},
                 {1 << 29, "512 MiB"}};
    const int count = quick ? 4 : 5;
    memset(l, 0, sizeof *l);
    l->fork_join_ns = peak_fork_join(threads);
    fprintf(out, "Peaks, GB/s (an OpenMP fork and join on %d thread%s: %.0f ns)\n", threads,
            threads == 1 ? "" : "s", l->fork_join_ns);
    fprintf(out, "  %-8s %-9s", "array", "threads");
    for (int kind = 0; kind < PEAK_KINDS; kind++) fprintf(out, "  %7s", peak_name(kind));
    fprintf(out, "\n");
    for (int all = 0; all < (threads > 1 ? 2 : 1); all++) {
        for (int k = 0; k < count; k++) {
            const int t = all ? threads : 1;
            fprintf(out, "  %-8s %-9d", sizes[k].name, t);
            for (int kind = 0; kind < PEAK_KINDS; kind++)
                measure_peak(l, kind, sizes[k].bytes, t, quick ? 0.02 : 0.1, out);
            fprintf(out, "\n");
        }
    }
}

// ---- Rows -----------------------------------------------------------------------------------

void table_head(FILE *out, const bench_pattern *pattern, bool peers)
{
    fprintf(out, "\n%s (GB/s: %s)\n", pattern->name, pattern->formula);
    fprintf(out, "  %-8s %-26s %8s  %9s %7s %7s %6s", "type", "operator", "n", "time", "spread",
            "GB/s", "peak");
    if (peers) fprintf(out, "  %-14s %9s %7s", "best peer", "its time", "ratio");
    fprintf(out, "\n");
    fflush(out);
}

static double gigabytes(const bench_result *r, const contestant *c)
{
    return c->count > 0 ? (double)r->bytes / result_time(r, c) : 0;
}

static void contestant_columns(FILE *out, const bench_result *r, const contestant *c)
{
    char time[TEXT];
    const contestant *peak = result_peak(r);
    table_time(time, result_time(r, c));
    fprintf(out, "%9s %6.1f%% %7.1f", time, 100 * statistics_spread(&c->time), gigabytes(r, c));
    if (peak && c->count > 0)
        fprintf(out, " %5.0f%%", 100 * result_time(r, peak) / result_time(r, c));
    else
        fprintf(out, " %6s", "-");
}

static void peer_columns(FILE *out, const bench_result *r)
{
    char time[TEXT];
    const contestant *best = result_best_peer(r), *heddle = &r->who[0];
    if (!best || heddle->count == 0) {
        fprintf(out, "  %-14s %9s %7s", "-", "-", "-");
        return;
    }
    table_time(time, result_time(r, best));
    const char *mark = statistics_compare(&heddle->time, &best->time, 0.02) < 0 ? " !" : "";
    fprintf(out, "  %-14s %9s %6.2fx%s", best->name, time,
            result_time(r, best) / result_time(r, heddle), mark);
}

void table_row(FILE *out, const bench_result *r, bool peers, bool each)
{
    char size[TEXT], name[64];
    table_size(size, r->n);
    snprintf(name, sizeof name, "%s%s%s", r->op, *r->variant ? ", " : "", r->variant);
    fprintf(out, "  %-8s %-26s %8s  ", r->type, name, size);
    if (r->state == ROW_WRONG)
        fprintf(out, "WRONG RESULT");
    else if (r->state == ROW_FAILED)
        fprintf(out, "failed: %s", r->error);
    else if (r->state == ROW_LEFT_OUT)
        fprintf(out, "left out: %s", r->error);
    else {
        contestant_columns(out, r, &r->who[0]);
        if (peers) peer_columns(out, r);
    }
    fprintf(out, "\n");
    for (int k = 1; each && k < r->count; k++) {
        fprintf(out, "  %-8s   %-33s  ", "", r->who[k].name);
        contestant_columns(out, r, &r->who[k]);
        const char *how = r->who[k].role == ROLE_PEAK ? r->peak.how : NULL; // a device's has none
        fprintf(out, "%s%s\n", how ? "  " : "", how ? how : "");
    }
    fflush(out);
}
