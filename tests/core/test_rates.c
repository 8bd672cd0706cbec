// SPDX-License-Identifier: Apache-2.0
//
// Rates: their text, files that are none, where they are kept, and the times that they predict.
#define _GNU_SOURCE
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/support/check.h"
#include "core/choice/rates.h"

static const char *const names[HD__WORK_CLASSES] = {
#define WORK(name, NAME, cores, call, each) #name,
#include "core/choice/work_classes.def"
#undef WORK
};

static hd__rates made_up(void)
{
    hd__rates r = hd__usual_rates(3);
    r.start = 1, r.kernel = 2, r.launch = 3;
    r.to_device = (hd__rate){4, 5}, r.to_host = (hd__rate){6, 7};
    for (int k = 0; k < HD__WORK_CLASSES; k++)
        r.cores[k] = (hd__rate){100 + k, 200 + k},
        r.device[k] = (hd__device_rate){300 + k, 400 + k};
    strcpy(r.name, "a card, driver 1");
    return r;
}

// ---- Text ---------------------------------------------------------------------------------------

static void test_round_trip(void)
{
    char text[HD__RATES_TEXT], line[100];
    const hd__rates r = made_up();
    hd__rates got = hd__usual_rates(1);
    hd__write_rates(&r, text);
    CHECK(strlen(text) < HD__RATES_TEXT - 1000, "%zu of %d bytes", strlen(text), HD__RATES_TEXT);
    CHECK(hd__read_rates(text, &got), "%s", text);
    CHECK(memcmp(&got, &r, sizeof r) == 0, "%s", text);
    for (int k = 0; k < HD__WORK_CLASSES; k++) {
        snprintf(line, sizeof line, "\n%s %d %d %d %d\n", names[k], 100 + k, 200 + k, 300 + k,
                 400 + k);
        CHECK(strstr(text, line) != NULL, "no line %s in %s", line, text);
    }
    CHECK(hd__read_rates("heddle rates 1\n# a word\n\nlaunch 17\n", &got), "a few lines");
    CHECK(got.launch == 17 && got.start == 1 && got.cores[3].large == 203, "the others stay");
}

static void test_corrupt(void)
{
    static const char *const wrong[] = {
        "",
        "heddle rates 2\n",
        "heddle rates 1",
        "heddle rates 1 \n",
        "heddle rates 1\nlaunch 5",     // cut short
        "heddle rates 1\nlaunch\n",     //
        "heddle rates 1\nlaunch x\n",   //
        "heddle rates 1\nlaunch 5 6\n", //
        "heddle rates 1\nlaunch 5 \n",  //
        "heddle rates 1\nlaunch -5\n",  //
        "heddle rates 1\nlaunch 1.5\n", //
        "heddle rates 1\nlaunch 1e5\n", //
        "heddle rates 1\nlaunch 9999999999999999999999\n",
        "heddle rates 1\nlaunch 9000000000000000000\n",
        "heddle rates 1\nto_host 5\n6\n",      // a number of the next line is none of this one
        "heddle rates 1\nstream 1 2 3\n",      //
        "heddle rates 1\nbogus 1\n",           //
        "heddle rates 1\ndevice a\tb\n",       //
        "heddle rates 1\ndevice \x1b[2J\n",    //
        "heddle rates 1\nlaunch 7\nbogus 1\n", // nothing of it counts
    };
    const hd__rates before = made_up();
    char longest[400] = "heddle rates 1\ndevice ";
    hd__rates r = before;
    memset(longest + strlen(longest), 'x', 200);
    strcat(longest, "\n");
    CHECK(!hd__read_rates(longest, &r), "a long name");
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        CHECK(!hd__read_rates(wrong[k], &r), "it is read: %s", wrong[k]);
        CHECK(memcmp(&r, &before, sizeof r) == 0, "it changes rates: %s", wrong[k]);
    }
}

// Any byte of a text changed: rates are read or not, and stay within their range.
static void test_mutations(void)
{
    char text[HD__RATES_TEXT], other[HD__RATES_TEXT];
    const hd__rates r = made_up();
    uint64_t state = check_seed();
    hd__write_rates(&r, text);
    for (int k = 0; k < 20000; k++) {
        hd__rates got = r;
        strcpy(other, text);
        other[check_below(&state, (int64_t)strlen(text))] = (char)check_below(&state, 256);
        if (!hd__read_rates(other, &got)) CHECK(memcmp(&got, &r, sizeof r) == 0, "%s", other);
        CHECK(got.launch >= 0 && got.launch <= (int64_t)1 << 50, "%lld", (long long)got.launch);
    }
}

// ---- Where they are -----------------------------------------------------------------------------

static char folder[] = "/tmp/heddle_rates_XXXXXX", path[100];

static void write_file(const char *name, const char *text)
{
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *f = fopen(path, "w");
    CHECK(f != NULL && fputs(text, f) >= 0 && fclose(f) == 0, "%s", path);
}

static void test_variable(void)
{
    const char *trouble;
    hd__rates r;
    hd_context *ctx = check_open(HD_AUTO, 2, NULL);
    const hd__rates usual = hd__usual_rates(2);
    setenv("HEDDLE_RATES", "none", 1);
    CHECK(!hd__find_rates(ctx, &r, &trouble), "none");
    write_file("good", "heddle rates 1\nlaunch 17\n");
    setenv("HEDDLE_RATES", path, 1);
    CHECK(hd__find_rates(ctx, &r, &trouble) && trouble[0] == 0, "%s", trouble);
    CHECK(r.launch == 17 && r.is_given && r.start == usual.start, "%lld", (long long)r.launch);
    write_file("bad", "heddle rates 1\nlaunch x\n");
    setenv("HEDDLE_RATES", path, 1);
    CHECK(hd__find_rates(ctx, &r, &trouble) && trouble[0] != 0, "bad rates are told of");
    CHECK(r.launch == usual.launch, "%lld", (long long)r.launch);
    static char large[3 * HD__RATES_TEXT] = "heddle rates 1\n";
    memset(large + strlen(large), '\n', sizeof large - strlen(large) - 1);
    write_file("large", large);
    setenv("HEDDLE_RATES", path, 1);
    CHECK(hd__find_rates(ctx, &r, &trouble) && trouble[0] != 0, "a large file");
    snprintf(path, sizeof path, "%s/pipe", folder);
    CHECK(mkfifo(path, 0600) == 0, "%s", path);
    const char *const others[] = {path, folder, "/dev/zero", "/nowhere"};
    for (int k = 0; k < 4; k++) {
        setenv("HEDDLE_RATES", others[k], 1);
        CHECK(hd__find_rates(ctx, &r, &trouble) && trouble[0] != 0, "%s", others[k]);
    }
    unsetenv("HEDDLE_RATES");
    hd_close(ctx);
}

// Every file of the folder, made a byte longer or with another byte.
static void spoil(bool longer)
{
    char command[200];
    snprintf(command, sizeof command,
             longer ? "for f in %s/*.kernel; do echo >> $f; done"
                    : "for f in %s/*.kernel; do printf x | dd of=$f bs=1 seek=80 conv=notrunc "
                      "2> /dev/null; done",
             folder);
    CHECK(system(command) == 0, "%s", command);
}

static void test_kept(void)
{
    const char *trouble;
    const hd__rates r = made_up(), usual = hd__usual_rates(2);
    hd_context *two = check_open(HD_AUTO, 2, NULL), *three = check_open(HD_AUTO, 3, NULL);
    hd__rates got;
    snprintf(path, sizeof path, "%s/none", folder);
    setenv("HEDDLE_CACHE_DIR", path, 1);
    CHECK(hd__find_rates(two, &got, &trouble) && access(path, F_OK) != 0, "a folder is made");
    setenv("HEDDLE_CACHE_DIR", folder, 1);
    CHECK(hd__find_rates(two, &got, &trouble) && got.launch == usual.launch, "nothing is kept yet");
    for (int k = 0; k < 3; k++) {
        trouble = hd__keep_rates(two, &r);
        CHECK(trouble[0] == 0, "%s", trouble);
        CHECK(hd__find_rates(two, &got, &trouble) && memcmp(&got, &r, sizeof r) == 0, "as kept");
        CHECK(hd__find_rates(three, &got, &trouble) && got.launch != r.launch, "of two threads");
        if (k == 2) break;
        spoil(k == 1);
        CHECK(hd__find_rates(two, &got, &trouble) && got.launch == usual.launch, "spoilt, %d", k);
    }
    setenv("HEDDLE_CACHE_DIR", "none", 1);
    CHECK(hd__find_rates(two, &got, &trouble) && got.launch == usual.launch, "no folder");
    CHECK(hd__keep_rates(two, &r)[0] != 0, "no folder to keep them in");
    unsetenv("HEDDLE_CACHE_DIR");
    hd_close(two);
    hd_close(three);
}

// ---- Predictions --------------------------------------------------------------------------------

static bool near(double a, double b)
{
    return a > b * (1 - 1e-9) && a < b * (1 + 1e-9);
}

static void test_predictions(void)
{
    const double mega = 1 << 20;
    hd__rates r = hd__usual_rates(1);
    r.launch = 10000;
    r.to_device = (hd__rate){100000, 50000}, r.to_host = (hd__rate){200000, 20000};
    r.cores[HD__SORT_WORK] = (hd__rate){1000000, 3000000};
    r.device[HD__SORT_WORK] = (hd__device_rate){500, 4000};
    hd__cost c = {.work_class = HD__SORT_WORK, .work = 2 * mega, .in = 100, .out = 28};
    CHECK(near(hd__predict_cores(&r, &c), 2e6), "small: %g", hd__predict_cores(&r, &c));
    c.in = c.out = 32 * mega;
    CHECK(near(hd__predict_cores(&r, &c), 6e6), "large: %g", hd__predict_cores(&r, &c));
    c.in = c.out = 512 * mega;
    CHECK(near(hd__predict_cores(&r, &c), 6e6), "larger: %g", hd__predict_cores(&r, &c));
    c.in = c.out = 2 * mega; // 2^22: half way
    CHECK(near(hd__predict_cores(&r, &c), 2e6 * sqrt(3)), "between: %g", hd__predict_cores(&r, &c));
    c.in = c.out = 64 * mega;
    const double in = 64 * 50000, out = 64 * 20000;
    CHECK(near(hd__predict_device(&r, &c), 10500 + in + out + 8000), "%g",
          hd__predict_device(&r, &c));
    c.overlaps = true;
    CHECK(near(hd__predict_device(&r, &c), 10500 + in + 8000), "%g", hd__predict_device(&r, &c));
    c.in = c.out = 0, c.work = 0;
    CHECK(near(hd__predict_device(&r, &c), 10500), "a launch: %g", hd__predict_device(&r, &c));
    for (double bytes = 1, last = 0; bytes < 1e12; bytes *= 1.1) { // without jumps
        c.in = c.out = bytes, c.work = bytes;
        const double now = hd__predict_cores(&r, &c);
        CHECK(now > last && (last == 0 || now < 1.3 * last), "%g after %g", now, last);
        last = now;
    }
}

static void test_costs(void)
{
    for (int k = 0; k < HD__PATTERN_COUNT; k++) CHECK(hd__costs[k] != NULL, "pattern %d", k);
    for (int threads = 1; threads <= 1024; threads *= 4) {
        const hd__rates r = hd__usual_rates(threads);
        for (int k = 0; k < HD__WORK_CLASSES; k++)
            CHECK(r.cores[k].small > 0 && r.device[k].each > 0, "%s, %d threads", names[k],
                  threads);
    }
}

int main(void)
{
    unsetenv("HEDDLE_RATES");
    CHECK(mkdtemp(folder) != NULL, "%s", folder);
    test_round_trip();
    test_corrupt();
    test_mutations();
    test_variable();
    test_kept();
    test_predictions();
    test_costs();
    char command[200];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    CHECK(system(command) == 0, "%s", command);
    return check_finish();
}
