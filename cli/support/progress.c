// SPDX-License-Identifier: Apache-2.0
//
// The progress bar.
#include "progress.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { BAR = 40 };
static const double PATIENCE = 0.5; // seconds before the bar appears
static const double PERIOD = 0.1;   // seconds between two drawings

double seconds_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

progress progress_begin(const char *label, int64_t total)
{
    const char *terminal = getenv("TERM");
    progress p = {.label = label, .total = total, .started = seconds_now()};
    p.wanted = isatty(STDERR_FILENO) && (terminal == NULL || strcmp(terminal, "dumb") != 0);
    return p;
}

void progress_step(progress *p, int64_t done)
{
    if (!p->wanted) return;
    const double now = seconds_now();
    if (now - p->started < PATIENCE || now - p->shown < PERIOD) return;
    p->shown = now;
    p->visible = true;
    const double rate = 1e-6 * (double)done / (now - p->started);
    if (p->total <= 0) {
        fprintf(stderr, "\r%s %lld elements, %.0f M/s \033[K", p->label, (long long)done, rate);
        return;
    }
    char bar[BAR + 1];
    const double share = (double)done / (double)p->total;
    const int full = (int)(share * BAR);
    memset(bar, '.', BAR);
    memset(bar, '#', (size_t)(full < BAR ? full : BAR));
    bar[BAR] = '\0';
    if (p->steps)
        fprintf(stderr, "\r%s [%s] %3.0f %% \033[K", p->label, bar, 100 * share);
    else
        fprintf(stderr, "\r%s [%s] %3.0f %%, %.0f M elements/s \033[K", p->label, bar, 100 * share,
                rate);
}

void progress_end(progress *p)
{
    if (p->visible) fputs("\r\033[K", stderr);
    p->visible = false;
}
