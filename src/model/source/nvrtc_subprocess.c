// SPDX-License-Identifier: Apache-2.0
//
// A request to NVRTC as bytes: written by the process that has a text, read by its child. Both
// are the same program, so numbers are as they lie in memory.
#include "model/sandbox/child.h"
#include "nvrtc_subprocess.h"
#include "model/sandbox/confine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static char helper_path[4096];

void hd__model_compile_by_helper(const char *program)
{
    snprintf(helper_path, sizeof helper_path, "%s", program);
}

const char *hd__model_compile_helper(void)
{
    return helper_path[0] != 0 ? helper_path : NULL;
}

// ---- The parent's side --------------------------------------------------------------------------

static bool put(int file, const char *text)
{
    const uint64_t n = strlen(text);
    return hd__model_nameless_write(file, &n, sizeof n) && hd__model_nameless_write(file, text, n);
}

static bool put_request(int file, const nvrtc_request *r)
{
    const int32_t counts[] = {r->flag_count, r->header_count};
    bool done = hd__model_nameless_write(file, counts, sizeof counts) && put(file, r->name) &&
                put(file, r->text) && put(file, r->toolkit != NULL ? r->toolkit : "");
    for (int k = 0; done && k < r->flag_count; k++) done = put(file, r->flags[k]);
    for (int k = 0; done && k < r->header_count; k++)
        done = put(file, r->names[k]) && put(file, r->texts[k]);
    return done && lseek(file, 0, SEEK_SET) == 0;
}

// What the child wrote: a letter and a text.
static nvrtc_answer take_answer(int file, char **text)
{
    size_t bytes = 0;
    char *all = hd__model_nameless_read(file, HD_CHILD_OUTPUT, &bytes);
    const int kind = all != NULL && bytes > 0 ? all[0] - 'a' : NVRTC_LOST;
    *text = NULL;
    if (kind == NVRTC_PTX || kind == NVRTC_LOG) {
        memmove(all, all + 1, bytes); // with the zero behind it
        *text = all;
        return (nvrtc_answer)kind;
    }
    free(all);
    return kind == NVRTC_ABSENT || kind == NVRTC_REFUSES ? (nvrtc_answer)kind : NVRTC_LOST;
}

hd_status hd__model_nvrtc_subprocess(hd_model *model, const char *helper, const nvrtc_request *r,
                                     nvrtc_answer *answer, char **text)
{
    char trouble[160], *arguments[] = {(char *)"heddle", (char *)HD_NVRTC_WORD, NULL};
    int files[] = {hd__model_nameless_file(), hd__model_nameless_file(), hd__model_nameless_file()};
    const child_plan plan = {helper, arguments, files, 3, hd__model_compile_limits()};
    child_result result = {CHILD_LOST, 0};
    *answer = NVRTC_LOST;
    *text = NULL;
    if (files[0] >= 0 && files[1] >= 0 && files[2] >= 0 && put_request(files[0], r)) {
        result = hd__model_child_run(&plan);
        if (result.end == CHILD_EXITED && result.code == 0) *answer = take_answer(files[1], text);
    }
    for (int k = 0; k < 3; k++)
        if (files[k] >= 0) close(files[k]);
    if (*answer != NVRTC_LOST) return HD_OK;
    return hd__model_fail(model, result.end == CHILD_LOST ? HD_ERROR_BACKEND : HD_ERROR_COMPILE,
                          "%s: NVRTC %s", r->name,
                          hd__model_child_trouble(&result, &plan.limits, trouble, sizeof trouble));
}

// ---- The child's side ---------------------------------------------------------------------------

typedef struct reader {
    char *at, *end;
    bool failed;
} reader;

// The next text of the request.
static char *take(reader *r)
{
    uint64_t n;
    if (r->failed || (size_t)(r->end - r->at) < sizeof n) return r->failed = true, NULL;
    memcpy(&n, r->at, sizeof n);
    r->at += sizeof n;
    if (n > (uint64_t)(r->end - r->at)) return r->failed = true, NULL;
    char *text = malloc(n + 1);
    if (text == NULL) return r->failed = true, NULL;
    memcpy(text, r->at, n);
    text[n] = 0;
    r->at += n;
    return text;
}

// All of it lives until the process ends.
static bool take_request(reader *r, nvrtc_request *q)
{
    int32_t counts[2];
    if ((size_t)(r->end - r->at) < sizeof counts) return false;
    memcpy(counts, r->at, sizeof counts);
    r->at += sizeof counts;
    if (counts[0] < 0 || counts[0] > NVRTC_MAX_FLAGS || counts[1] < 0 || counts[1] > 4096)
        return false;
    *q = (nvrtc_request){.header_count = 0};
    q->name = take(r);
    q->text = take(r);
    q->toolkit = take(r);
    q->names = calloc((size_t)counts[1] + 1, sizeof *q->names);
    q->texts = calloc((size_t)counts[1] + 1, sizeof *q->texts);
    if (q->names == NULL || q->texts == NULL) return false;
    for (; q->flag_count < counts[0] && !r->failed; q->flag_count++)
        q->flags[q->flag_count] = take(r);
    for (; q->header_count < counts[1] && !r->failed; q->header_count++) {
        q->names[q->header_count] = take(r);
        q->texts[q->header_count] = take(r);
    }
    return !r->failed;
}

// Headers come in memory. Of files there are CUDA's own headers, or none: without Landlock, a
// process that may have no more descriptors opens none.
static void give_up_files(const char *toolkit)
{
    const char *const folders[] = {toolkit[0] != 0 ? toolkit : NULL, NULL};
    const struct rlimit none = {0, 0};
    const bool confined = hd__model_confine_files(&(confined_files){.read = folders});
    (void)hd__model_confine_calls(true);
    if (!confined && toolkit[0] == 0) (void)setrlimit(RLIMIT_NOFILE, &none);
}

int hd__model_nvrtc_serve(void)
{
    size_t bytes;
    nvrtc_request q;
    char *text, *all = hd__model_nameless_read(0, SIZE_MAX, &bytes);
    if (all == NULL) return 1;
    reader r = {all, all + bytes, false};
    if (!take_request(&r, &q)) return 1;
    hd__model_nvrtc_load();
    give_up_files(q.toolkit);
    const char kind = (char)('a' + (int)hd__model_nvrtc_do(&q, &text));
    if (!hd__model_nameless_write(1, &kind, 1)) return 1;
    return text == NULL || hd__model_nameless_write(1, text, strlen(text)) ? 0 : 1;
}
