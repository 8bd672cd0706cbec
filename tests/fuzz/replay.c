// SPDX-License-Identifier: Apache-2.0
//
// Runs a fuzz target over files and folders of inputs, for builds without libFuzzer: replay TARGET
// PATH...
#include "replay.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static replay_target *target;

static int replay_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    struct stat about;
    if (file == NULL || fstat(fileno(file), &about) != 0) {
        fprintf(stderr, "cannot read %s\n", path);
        if (file != NULL) fclose(file);
        return -1;
    }
    const size_t size = (size_t)about.st_size;
    uint8_t *data = malloc(size > 0 ? size : 1); // exact, so that a sanitizer sees every overrun
    const int well = data != NULL && fread(data, 1, size, file) == size;
    fclose(file);
    if (well) target(data, size);
    free(data);
    return well ? 1 : -1;
}

// How many inputs were run, or -1.
static int replay(const char *path)
{
    struct dirent **entries;
    const int found = scandir(path, &entries, NULL, alphasort);
    if (found < 0) return replay_file(path);
    int count = 0;
    for (int k = 0; k < found; k++) {
        char name[4096];
        snprintf(name, sizeof name, "%s/%s", path, entries[k]->d_name);
        if (entries[k]->d_name[0] != '.' && count >= 0) {
            const int ran = replay_file(name);
            count = ran < 0 ? -1 : count + ran;
        }
        free(entries[k]);
    }
    free(entries);
    return count;
}

int main(int argc, char **argv)
{
    int total = 0;
    for (const replay_row *row = replay_rows; argc > 1 && row->name != NULL; row++)
        if (strcmp(row->name, argv[1]) == 0) target = row->target;
    if (target == NULL) return 2;
    for (int k = 2; k < argc; k++) {
        const int count = replay(argv[k]);
        if (count < 0) return 1;
        total += count;
    }
    printf("%d inputs\n", total);
    return total > 0 ? 0 : 1;
}
