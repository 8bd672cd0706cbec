// SPDX-License-Identifier: Apache-2.0
//
// The bound on arrays, and sizes as text.
#include "limit.h"

#include <stdio.h>
#include <string.h>

static int64_t chosen; // 0: not set
static const char letters[] = "KMGTPE";

void io_limit_set(int64_t bytes)
{
    chosen = bytes;
}

int64_t io_limit_of(int64_t file_bytes)
{
    int64_t many;
    if (chosen > 0) return chosen;
    if (__builtin_mul_overflow(file_bytes, IO_LIMIT_PER_BYTE, &many)) return INT64_MAX;
    return many > IO_LIMIT_BYTES ? many : IO_LIMIT_BYTES;
}

io_status io_limit_check(const char *name, const char *what, int64_t bytes, int64_t file_bytes,
                         io_error *error)
{
    const int64_t most = io_limit_of(file_bytes);
    char size[IO_LIMIT_ROOM], bound[IO_LIMIT_ROOM];
    if (bytes <= most) return IO_OK;
    return io_fail(error, IO_LIMIT,
                   "%s: %s would take %lld bytes of memory (%s), more than the bound of %lld (%s): "
                   "--max-bytes %s, or HEDDLE_MAX_BYTES, raises it",
                   name, what, (long long)bytes, io_limit_text(bytes, size), (long long)most,
                   io_limit_text(most, bound), size);
}

io_status io_limit_grow(const char *name, const char *what, int64_t needed, int64_t wanted,
                        int64_t file_bytes, int64_t *bytes, io_error *error)
{
    const int64_t most = io_limit_of(file_bytes);
    char bound[IO_LIMIT_ROOM];
    *bytes = wanted < most ? wanted : most;
    if (needed <= most) return IO_OK;
    return io_fail(error, IO_LIMIT,
                   "%s: %s would take more memory than the bound of %lld bytes (%s): --max-bytes "
                   "SIZE, or HEDDLE_MAX_BYTES, raises it",
                   name, what, (long long)most, io_limit_text(most, bound));
}

bool io_limit_parse(const char *text, int64_t *bytes)
{
    int64_t n = 0;
    if (*text < '0' || *text > '9') return false;
    for (; *text >= '0' && *text <= '9'; text++)
        if (__builtin_mul_overflow(n, 10, &n) || __builtin_add_overflow(n, *text - '0', &n))
            return false;
    const char upper = *text >= 'a' && *text <= 'z' ? (char)(*text - 'a' + 'A') : *text;
    const char *letter = upper != '\0' ? strchr(letters, upper) : NULL;
    const int powers = letter == NULL ? 0 : (int)(letter - letters) + 1;
    for (int k = 0; k < powers; k++)
        if (__builtin_mul_overflow(n, 1024, &n)) return false;
    if (powers > 0) text++;
    if (powers > 0 && strcmp(text, "iB") == 0) text += 2;
    *bytes = n;
    return *text == '\0' && n > 0;
}

const char *io_limit_text(int64_t bytes, char text[IO_LIMIT_ROOM])
{
    int64_t unit = 1;
    int power = 0;
    while (bytes / unit >= 10 * 1024 && power < 6) unit *= 1024, power++;
    const int64_t n = bytes / unit + (bytes % unit != 0);
    snprintf(text, IO_LIMIT_ROOM, "%lld%.1s", (long long)n, power > 0 ? letters + power - 1 : "");
    return text;
}
