// SPDX-License-Identifier: Apache-2.0
// Rates as text, where they are kept, and what they predict. Numbers are whole ones, so that a
// locale changes nothing.
#include "rates.h"
#include "core/system/cache_folder.h"
#include "core/system/environment.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

#define FIRST_LINE   "heddle rates 1"
#define NUMBER_LIMIT ((int64_t)1 << 50) // nanoseconds: 13 days
#define LEAST_LAUNCH 1000.0             // nanoseconds that no launch takes less than

static const char *const class_names[HD__WORK_CLASSES] = {
#define WORK(name, NAME, cores, call, each) #name,
#include "work_classes.def"
#undef WORK
};

hd__work_class hd__work_class_named(const char *name)
{
    int k = 0;
    while (k < HD__WORK_CLASSES && strcmp(class_names[k], name) != 0) k++;
    return (hd__work_class)k;
}

hd__rates hd__usual_rates(int32_t threads)
{
    static const int64_t usual[HD__WORK_CLASSES][3] = {
#define WORK(name, NAME, cores, call, each) {cores, call, each},
#include "work_classes.def"
#undef WORK
    };
    // A device on PCIe, whose copies are by pageable memory while they are small.
    hd__rates rates = {.start = 400000000,
                       .kernel = 300000000,
                       .launch = 40000,
                       .to_device = {200000, 50000},
                       .to_host = {200000, 50000}};
    for (int k = 0; k < HD__WORK_CLASSES; k++) {
        const int64_t cores = usual[k][0] / threads + 1;
        rates.cores[k] = (hd__rate){cores, cores};
        rates.device[k] = (hd__device_rate){usual[k][1], usual[k][2]};
    }
    return rates;
}

// ---- Text ---------------------------------------------------------------------------------------

// A line of a text: a name and where its one, two or four numbers go.
typedef struct row {
    const char *name;
    int64_t *number[4];
    int count;
} row;

enum { FIXED_ROWS = 5, ROWS = FIXED_ROWS + HD__WORK_CLASSES };

static void rows_of(hd__rates *r, row rows[ROWS])
{
    rows[0] = (row){"start", {&r->start}, 1};
    rows[1] = (row){"kernel", {&r->kernel}, 1};
    rows[2] = (row){"launch", {&r->launch}, 1};
    rows[3] = (row){"to_device", {&r->to_device.small, &r->to_device.large}, 2};
    rows[4] = (row){"to_host", {&r->to_host.small, &r->to_host.large}, 2};
    for (int k = 0; k < HD__WORK_CLASSES; k++)
        rows[FIXED_ROWS + k] =
            (row){class_names[k],
                  {&r->cores[k].small, &r->cores[k].large, &r->device[k].call, &r->device[k].each},
                  4};
}

void hd__write_rates(const hd__rates *rates, char text[HD__RATES_TEXT])
{
    hd__rates copy = *rates;
    row rows[ROWS];
    rows_of(&copy, rows);
    int at = snprintf(text, HD__RATES_TEXT, FIRST_LINE "\n");
    if (rates->name[0] != 0)
        at += snprintf(text + at, HD__RATES_TEXT - (size_t)at, "device %s\n", rates->name);
    for (int k = 0; k < ROWS; k++) {
        at += snprintf(text + at, HD__RATES_TEXT - (size_t)at, "%s", rows[k].name);
        for (int j = 0; j < rows[k].count; j++)
            at += snprintf(text + at, HD__RATES_TEXT - (size_t)at, " %lld",
                           (long long)*rows[k].number[j]);
        at += snprintf(text + at, HD__RATES_TEXT - (size_t)at, "\n");
    }
}

// Reads the numbers of a row behind its name, and nothing else, up to the end of the line.
static bool read_numbers(const char *at, const char *end, const row *r)
{
    for (int j = 0; j < r->count; j++) {
        char *behind;
        if (*at != ' ') return false;
        errno = 0;
        const long long number = strtoll(at, &behind, 10);
        if (behind == at || behind > end || errno != 0 || number < 0 || number > NUMBER_LIMIT)
            return false;
        *r->number[j] = number;
        at = behind;
    }
    return at == end;
}

static bool read_name(const char *at, const char *end, hd__rates *rates)
{
    const size_t length = (size_t)(end - at);
    if (length >= sizeof rates->name) return false;
    for (const char *p = at; p < end; p++)
        if (*p < ' ' || *p > '~') return false;
    memcpy(rates->name, at, length);
    rates->name[length] = 0;
    return true;
}

static bool read_line(const char *at, const char *end, hd__rates *rates)
{
    const size_t length = strcspn(at, " \n");
    row rows[ROWS];
    if (at == end || *at == '#') return true;
    if (strncmp(at, "device ", 7) == 0) return read_name(at + 7, end, rates);
    rows_of(rates, rows);
    for (int k = 0; k < ROWS; k++)
        if (strlen(rows[k].name) == length && memcmp(rows[k].name, at, length) == 0)
            return read_numbers(at + length, end, &rows[k]);
    return false;
}

bool hd__read_rates(const char *text, hd__rates *rates)
{
    hd__rates got = *rates;
    const size_t head = strlen(FIRST_LINE);
    if (strncmp(text, FIRST_LINE "\n", head + 1) != 0) return false;
    for (const char *at = text + head + 1; *at != 0;) {
        const char *end = at + strcspn(at, "\n");
        if (*end == 0 || !read_line(at, end, &got)) return false;
        at = end + 1;
    }
    *rates = got;
    return true;
}

// ---- Where they are -----------------------------------------------------------------------------

// A file of at most so many bytes, from which a text is read; it may be of anybody's. A pipe would
// be waited for.
static bool read_file(const char *path, char text[HD__RATES_TEXT])
{
    struct stat s;
    const int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0) return false;
    ssize_t got = -1;
    if (fstat(file, &s) == 0 && S_ISREG(s.st_mode) && s.st_size < HD__RATES_TEXT)
        got = read(file, text, HD__RATES_TEXT - 1);
    close(file);
    if (got < 0) return false;
    text[got] = 0;
    return strlen(text) == (size_t)got;
}

// What tells one kind of processor from another. /proc/cpuinfo would say more, but some kernels
// ask every processor for its frequency before it can be read.
#if defined(__x86_64__)
static void read_processor(char *name, size_t room)
{
    unsigned part[12] = {0};
    for (unsigned k = 0; k < 3; k++) {
        unsigned *p = &part[4 * k];
        if (!__get_cpuid(0x80000002u + k, &p[0], &p[1], &p[2], &p[3])) break;
    }
    snprintf(name, room, "%.48s", (const char *)part);
}
#else
static void read_processor(char *name, size_t room)
{
    FILE *file = fopen("/sys/devices/system/cpu/cpu0/regs/identification/midr_el1", "re");
    if (file == NULL || fgets(name, (int)room, file) == NULL) name[0] = 0;
    if (file != NULL) fclose(file);
}
#endif

// What stands for a machine, as the compiler and the text do for a kernel.
static hd__digest machine_of(const hd_context *ctx)
{
    char processor[64], text[200];
    read_processor(processor, sizeof processor);
    const int length = snprintf(text, sizeof text, "rates of %s, %d threads, %s, device %d",
                                processor, (int)ctx->threads, hd_isa(ctx), (int)ctx->device);
    return hd__digest_of(hd_version(), text, (size_t)length);
}

bool hd__find_rates(const hd_context *ctx, hd__rates *rates, const char **trouble)
{
    char text[HD__RATES_TEXT];
    const char *given = hd__trusted_env("HEDDLE_RATES");
    *rates = hd__usual_rates(ctx->threads);
    *trouble = "";
    if (given != NULL && strcmp(given, "none") == 0) return false;
    if (given != NULL && given[0] != 0) {
        if (!read_file(given, text) || !hd__read_rates(text, rates))
            *trouble = "it is no file of rates";
        rates->is_given = true;
        return true;
    }
    const hd__digest machine = machine_of(ctx);
    void *kept = NULL;
    size_t bytes = 0;
    if (!hd__kept_image(&machine, &kept, &bytes)) return true;
    if (bytes < sizeof text && memchr(kept, 0, bytes) == NULL) {
        memcpy(text, kept, bytes);
        text[bytes] = 0;
        (void)hd__read_rates(text, rates); // else they stay the usual ones
    }
    free(kept);
    return true;
}

const char *hd__keep_rates(const hd_context *ctx, const hd__rates *rates)
{
    char text[HD__RATES_TEXT];
    const hd__digest machine = machine_of(ctx);
    hd__write_rates(rates, text);
    return hd__keep_image(&machine, text, strlen(text));
}

// ---- What they predict --------------------------------------------------------------------------

// How far a number of bytes is from HD__RATE_SMALL (0) to HD__RATE_LARGE (1), by its logarithm.
static double largeness(double bytes)
{
    enum { OCTAVES = 8 };
    _Static_assert(HD__RATE_LARGE >> OCTAVES == HD__RATE_SMALL, "octaves between the two");
    double octaves = 0, at = HD__RATE_SMALL;
    for (; octaves < OCTAVES && 2 * at <= bytes; octaves++) at *= 2;
    if (octaves < OCTAVES && bytes > at) octaves += bytes / at - 1; // linear within an octave
    return octaves / OCTAVES;
}

// The rate goes geometrically from one to the other: that of few bytes has what a call costs that
// does next to nothing, which falls with each octave.
static double time_of(const hd__rate *rate, double units, double bytes)
{
    const double large = largeness(bytes), from = (double)rate->small, to = (double)rate->large;
    const double each =
        from > 0 && to > 0 ? from * pow(to / from, large) : from + large * (to - from);
    return units * each / (1 << 20);
}

double hd__predict_cores(const hd__rates *rates, const hd__cost *cost)
{
    return time_of(&rates->cores[cost->work_class], cost->work, cost->in + cost->out);
}

double hd__predict_device(const hd__rates *rates, const hd__cost *cost)
{
    const hd__device_rate *rate = &rates->device[cost->work_class];
    const double in = time_of(&rates->to_device, cost->in, cost->in),
                 out = time_of(&rates->to_host, cost->out, cost->out);
    const double work = (double)rate->call + cost->work * (double)rate->each / (1 << 20);
    // The copies of both directions, and the work, of one chunk beside those of others.
    const bool overlaps = cost->overlaps && cost->in + cost->out > HD__RATE_LARGE;
    const double copies = overlaps ? (in > out ? in : out) : in + out;
    const double time = (double)rates->launch + copies + work;
    return time > LEAST_LAUNCH ? time : LEAST_LAUNCH;
}
