// SPDX-License-Identifier: Apache-2.0
//
// Reads /proc and /sys. Everything has an answer for when they are not there.
#include "machine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// The first line of a file, without its end; false if there is none.
static int first_line(const char *path, char *line, size_t size)
{
    FILE *f = fopen(path, "r");
    if (!f) return 0;
    const int got = fgets(line, (int)size, f) != NULL;
    fclose(f);
    if (got) line[strcspn(line, "\n")] = 0;
    return got;
}

// The text after the colon of the first line of a file that begins with a key.
static int value_of(const char *path, const char *key, char *value, size_t size)
{
    char line[512];
    FILE *f = fopen(path, "r");
    if (!f) return 0;
    int found = 0;
    while (!found && fgets(line, sizeof line, f)) {
        const char *colon = strchr(line, ':');
        if (!colon || strncmp(line, key, strlen(key)) != 0) continue;
        snprintf(value, size, "%s", colon + 1 + strspn(colon + 1, " \t"));
        value[strcspn(value, "\n")] = 0;
        found = 1;
    }
    fclose(f);
    return found;
}

int64_t machine_free_memory(void)
{
    char text[64];
    if (value_of("/proc/meminfo", "MemAvailable", text, sizeof text)) return atoll(text) * 1024;
    return (int64_t)sysconf(_SC_PHYS_PAGES) * sysconf(_SC_PAGESIZE) / 2;
}

#if defined(__aarch64__)
// Arm gives numbers; these are the ones of Arm's own cores (implementer 0x41).
static const char *arm_part(const char *part)
{
    static const char *const names[][2] = {{"0xd0c", "Neoverse-N1"}, {"0xd40", "Neoverse-V1"},
                                           {"0xd49", "Neoverse-N2"}, {"0xd4f", "Neoverse-V2"},
                                           {"0xd8e", "Neoverse-N3"}, {"0xd84", "Neoverse-V3"},
                                           {"0xd08", "Cortex-A72"},  {"0xd0b", "Cortex-A76"}};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        if (strcmp(names[k][0], part) == 0) return names[k][1];
    return NULL;
}
#endif

void machine_cpu_name(char *name, size_t size)
{
    if (value_of("/proc/cpuinfo", "model name", name, size)) return;
#if defined(__aarch64__)
    char part[32];
    if (value_of("/proc/cpuinfo", "CPU part", part, sizeof part)) {
        const char *known = arm_part(part);
        snprintf(name, size, "%s%s", known ? known : "Arm part ", known ? "" : part);
        return;
    }
#endif
    snprintf(name, size, "unknown processor");
}

static int64_t read_size(const char *text)
{
    char *unit;
    const long long n = strtoll(text, &unit, 10);
    return *unit == 'K' ? n << 10 : *unit == 'M' ? n << 20 : n;
}

// "0-3,8" has 5 members.
static int count_list(const char *text)
{
    int count = 0;
    for (char *end; *text >= '0' && *text <= '9'; text = *end == ',' ? end + 1 : end) {
        const long first = strtol(text, &end, 10);
        const long last = *end == '-' ? strtol(end + 1, &end, 10) : first;
        count += (int)(last - first + 1);
    }
    return count;
}

int machine_caches(machine_cache *caches, int most)
{
    int count = 0;
    for (; count < most; count++) {
        static const char *const files[] = {"type", "level", "size", "shared_cpu_list"};
        char text[4][128], path[128];
        for (int k = 0; k < 4; k++) {
            snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu0/cache/index%d/%s", count,
                     files[k]);
            if (!first_line(path, text[k], sizeof text[k])) return count;
        }
        machine_cache *c = &caches[count];
        snprintf(c->type, sizeof c->type, "%.15s", text[0]);
        c->level = atoi(text[1]), c->bytes = read_size(text[2]), c->sharing = count_list(text[3]);
    }
    return count;
}

double machine_mhz(void)
{
    char text[64];
    const char *frequency = "/sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq"; // kHz
    if (first_line(frequency, text, sizeof text)) return atof(text) / 1000;
    return value_of("/proc/cpuinfo", "cpu MHz", text, sizeof text) ? atof(text) : 0;
}
