// SPDX-License-Identifier: Apache-2.0
//
// heddle doctor: the processor, its caches and memory, and what the library makes of them.
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "bench/machine/machine.h"
#include "doctor.h"

static void add_caches(doctor_findings *f)
{
    machine_cache cache[8];
    const int count = machine_caches(cache, 8);
    for (int k = 0; k < count; k++) {
        char name[40];
        snprintf(name, sizeof name, "cache, level %d", cache[k].level);
        find_add(f, "machine", name, true, NULL, "%lld KiB, %s, shared by %d",
                 (long long)(cache[k].bytes >> 10), cache[k].type, cache[k].sharing);
    }
}

// "always [madvise] never": the word in brackets is what holds.
static void add_huge_pages(doctor_findings *f)
{
    static const char path[] = "/sys/kernel/mm/transparent_hugepage/enabled";
    char line[80] = "";
    FILE *file = fopen(path, "r");
    const bool read = file != NULL && fgets(line, sizeof line, file) != NULL;
    if (file != NULL) fclose(file);
    char *word = strchr(line, '['), *end = word != NULL ? strchr(word, ']') : NULL;
    if (!read || end == NULL) {
        find_add(f, "machine", "huge pages", false, NULL, "%s tells nothing", path);
        return;
    }
    *end = '\0';
    find_add(f, "machine", "huge pages", strcmp(word + 1, "never") != 0, NULL, "transparent: %s",
             word + 1);
}

void find_machine(doctor_findings *f, const hd_context *ctx)
{
    char cpu[96];
    machine_cpu_name(cpu, sizeof cpu);
    const double page = (double)sysconf(_SC_PAGESIZE), gib = 1 << 30;
    find_add(f, "machine", "processor", true, NULL, "%s", cpu);
    find_add(f, "machine", "cores", true, NULL, "%ld", sysconf(_SC_NPROCESSORS_ONLN));
    find_add(f, "machine", "threads", true, NULL, "%d used by the cpu backend (HEDDLE_THREADS)",
             (int)hd_threads(ctx));
    find_add(f, "machine", "memory", true, NULL, "%.1f GiB, %.1f GiB free",
             (double)sysconf(_SC_PHYS_PAGES) * page / gib, (double)machine_free_memory() / gib);
    add_caches(f);
    add_huge_pages(f);
#ifdef _OPENMP
    find_add(f, "machine", "OpenMP", true, NULL, "specification of %d", _OPENMP);
#else
    find_add(f, "machine", "OpenMP", false, NULL, "the program was built without it");
#endif
}

void find_library(doctor_findings *f, const hd_context *ctx)
{
    for (int k = HD_AUTO + 1; k < HD_BACKEND_COUNT; k++) {
        const char *why = "";
        const bool here = hd_backend_available((hd_backend)k, &why);
        find_add(f, "backends", hd_backend_name((hd_backend)k), here, NULL, "%s",
                 here ? "available" : why);
    }
    for (int32_t k = 0; hd_isa_name(k) != NULL; k++) {
        const bool used = strcmp(hd_isa_name(k), hd_isa(ctx)) == 0;
        find_add(f, "instruction sets", hd_isa_name(k), hd_isa_runs(k), NULL, "%s",
                 used             ? "used (HEDDLE_ISA)"
                 : hd_isa_runs(k) ? "available"
                                  : "not of this machine");
    }
}
