// SPDX-License-Identifier: Apache-2.0
//
// Runs the launches of a table on a GPU through CUDA's driver, from one cubin a file:
//     on_gpu TABLE FOLDER once [NAME]     each once: for ncu and compute-sanitizer
//     on_gpu TABLE FOLDER time [NAME]     each 9 times with cold caches: name, median seconds, sums
#include "launches.h"

#include <cuda.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define REPEATS 9
#define FLUSH   ((size_t)512 << 20) // bytes written between repeats: many times the L2

#define TRY(call)                                                                                  \
    do {                                                                                           \
        const CUresult result = (call);                                                            \
        if (result != CUDA_SUCCESS) {                                                              \
            const char *why = "?";                                                                 \
            cuGetErrorString(result, &why);                                                        \
            fprintf(stderr, "%s: %s\n", #call, why);                                               \
            return false;                                                                          \
        }                                                                                          \
    } while (0)

typedef struct job {
    const launch_row *row;
    CUmodule module;
    CUfunction function;
    CUdeviceptr memory[MAX_ARGUMENTS];
    void *values[MAX_ARGUMENTS];
    uint64_t numbers[MAX_ARGUMENTS];
} job;

static bool fill(const launch_argument *a, CUdeviceptr to)
{
    void *data = malloc((size_t)(a->count * a->bytes));
    if (data == NULL) return false;
    argument_fill(a, data);
    TRY(cuMemcpyHtoD(to, data, (size_t)(a->count * a->bytes)));
    free(data);
    return true;
}

static bool prepare(job *j, const char *folder)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s.cubin", folder, j->row->file);
    TRY(cuModuleLoad(&j->module, path));
    TRY(cuModuleGetFunction(&j->function, j->module, j->row->kernel));
    int p = 0;
    for (int k = 0; k < j->row->argument_count; k++) {
        const launch_argument *a = &j->row->arguments[k];
        if (a->variable[0] != 0) {
            size_t bytes;
            TRY(cuModuleGetGlobal(&j->memory[k], &bytes, j->module, a->variable));
            if (!fill(a, j->memory[k])) return false;
            continue;
        }
        if (a->number) {
            j->numbers[k] = a->bits;
        } else {
            TRY(cuMemAlloc(&j->memory[k], (size_t)(a->count * a->bytes)));
            if (argument_is_written(a) && !fill(a, j->memory[k])) return false;
            j->numbers[k] = j->memory[k];
        }
        j->values[p++] = &j->numbers[k];
    }
    return true;
}

static bool run(job *j)
{
    const launch_row *r = j->row;
    TRY(cuLaunchKernel(j->function, (unsigned)r->grid[0], (unsigned)r->grid[1],
                       (unsigned)r->grid[2], (unsigned)r->block[0], (unsigned)r->block[1],
                       (unsigned)r->block[2], (unsigned)r->shared, NULL, j->values, NULL));
    return true;
}

static bool print_sums(const job *j)
{
    for (int k = 0; k < j->row->argument_count; k++) {
        const launch_argument *a = &j->row->arguments[k];
        if (a->number || a->variable[0] != 0) continue;
        const size_t bytes = (size_t)(a->count * a->bytes);
        void *data = malloc(bytes);
        if (data == NULL) return false;
        TRY(cuMemcpyDtoH(data, j->memory[k], bytes));
        printf(",%016llx", (unsigned long long)bytes_sum(data, (int64_t)bytes));
        free(data);
    }
    return true;
}

static int compare(const void *a, const void *b)
{
    const float x = *(const float *)a, y = *(const float *)b;
    return x < y ? -1 : x > y;
}

// The first run's results are what is summed; the others repeat it on what it left.
static bool time_it(job *j, CUdeviceptr flush)
{
    float all[REPEATS];
    CUevent from, to;
    TRY(cuEventCreate(&from, CU_EVENT_DEFAULT));
    TRY(cuEventCreate(&to, CU_EVENT_DEFAULT));
    if (!run(j)) return false;
    TRY(cuCtxSynchronize());
    printf("%s,sums", j->row->name);
    if (!print_sums(j)) return false;
    printf("\n");
    for (int k = 0; k < REPEATS; k++) {
        TRY(cuMemsetD32Async(flush, (unsigned)k, FLUSH / 4, NULL));
        TRY(cuEventRecord(from, NULL));
        if (!run(j)) return false;
        TRY(cuEventRecord(to, NULL));
        TRY(cuEventSynchronize(to));
        TRY(cuEventElapsedTime(&all[k], from, to));
    }
    qsort(all, REPEATS, sizeof *all, compare);
    printf("%s,seconds,%.9f,%.9f,%.9f\n", j->row->name, all[REPEATS / 2] / 1e3, all[0] / 1e3,
           all[REPEATS - 1] / 1e3);
    fflush(stdout);
    TRY(cuEventDestroy(from));
    TRY(cuEventDestroy(to));
    return true;
}

static bool run_row(const launch_row *row, const char *folder, bool timed, CUdeviceptr flush)
{
    job j = {.row = row};
    if (!prepare(&j, folder)) return false;
    if (timed ? !time_it(&j, flush) : !run(&j)) return false;
    TRY(cuCtxSynchronize());
    for (int k = 0; k < row->argument_count; k++)
        if (j.memory[k] != 0 && row->arguments[k].variable[0] == 0) TRY(cuMemFree(j.memory[k]));
    TRY(cuModuleUnload(j.module));
    return true;
}

static bool run_all(const launch_row *rows, int count, const char *folder, bool timed)
{
    CUdevice device;
    CUcontext context;
    CUdeviceptr flush = 0;
    TRY(cuInit(0));
    TRY(cuDeviceGet(&device, 0));
    TRY(cuDevicePrimaryCtxRetain(&context, device));
    TRY(cuCtxSetCurrent(context));
    if (timed) TRY(cuMemAlloc(&flush, FLUSH));
    for (int k = 0; k < count; k++)
        if (!run_row(&rows[k], folder, timed, flush)) {
            fprintf(stderr, "%s failed\n", rows[k].name);
            return false;
        }
    if (timed) TRY(cuMemFree(flush));
    return true;
}

int main(int count, char **words)
{
    launch_row *rows;
    if (count < 4) {
        fprintf(stderr, "on_gpu TABLE FOLDER once|time [NAME]\n");
        return 2;
    }
    const int n = launches_read(words[1], count > 4 ? words[4] : NULL, &rows);
    const bool done = n >= 0 && run_all(rows, n, words[2], strcmp(words[3], "time") == 0);
    free(rows);
    return done ? 0 : 1;
}
