// SPDX-License-Identifier: Apache-2.0
// The archive as text: reading, looking up, writing. A line is
//
//     name of the case: size=result size=result ...
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "bits.h"
#include "core/system/embedded.h"

extern const hd__embedded bits_texts[]; // made by cmake/embed.cmake of archive.txt

typedef struct bits_line {
    const char *name, *results; // the results begin with a blank, and end with the line
    size_t bytes;               // of the name
    bool known;                 // a case of the list has it
} bits_line;

// ---- Reading ------------------------------------------------------------------------------------

static int by_name(const void *a, const void *b)
{
    const bits_line *x = a, *y = b;
    const size_t common = x->bytes < y->bytes ? x->bytes : y->bytes;
    const int order = memcmp(x->name, y->name, common);
    return order != 0 ? order : (x->bytes > y->bytes) - (x->bytes < y->bytes);
}

static size_t line_bytes(const char *text)
{
    return strcspn(text, "\n");
}

static const char *next_line(const char *text)
{
    text += line_bytes(text);
    return *text == 0 ? text : text + 1;
}

// Comments and what has no colon are no lines of the archive.
static bool parse(const char *text, bits_line *line)
{
    const char *colon = memchr(text, ':', line_bytes(text));
    if (*text == '#' || colon == NULL) return false;
    *line = (bits_line){.name = text, .results = colon + 1, .bytes = (size_t)(colon - text)};
    return true;
}

bool bits_read(bits_archive *archive, const char *text)
{
    bits_line line;
    int64_t lines = 0;
    memset(archive, 0, sizeof *archive);
    if (text == NULL) text = bits_texts[0].text;
    for (const char *at = text; *at != 0; at = next_line(at)) lines += parse(at, &line);
    archive->line = malloc(((size_t)lines + 1) * sizeof line);
    if (archive->line == NULL) return false;
    for (const char *at = text; *at != 0; at = next_line(at))
        if (parse(at, &line)) archive->line[archive->count++] = line;
    qsort(archive->line, (size_t)lines, sizeof line, by_name);
    return true;
}

void bits_close(bits_archive *archive)
{
    free(archive->line);
    memset(archive, 0, sizeof *archive);
}

static bits_line *line_of(const bits_archive *archive, const char *name)
{
    const bits_line wanted = {.name = name, .bytes = strlen(name)};
    return bsearch(&wanted, archive->line, (size_t)archive->count, sizeof wanted, by_name);
}

bool bits_expected(const bits_archive *archive, const char *name, int64_t n,
                   char result[BITS_RESULT])
{
    char size[32];
    const bits_line *line = line_of(archive, name);
    if (line == NULL) return false;
    const int digits = snprintf(size, sizeof size, " %" PRId64 "=", n);
    const char *end = line->results + line_bytes(line->results);
    const char *at = strstr(line->results, size);
    if (at == NULL || at >= end) return false;
    at += digits;
    snprintf(result, BITS_RESULT, "%.*s", (int)strcspn(at, " \n"), at);
    return true;
}

const char *bits_stale(const bits_archive *archive, const bits_list *list, int64_t k,
                       char name[BITS_NAME])
{
    for (int64_t i = 0; k == 0 && i < list->count; i++) {
        bits_line *line = line_of(archive, list->at[i].name);
        if (line != NULL) line->known = true;
    }
    for (int64_t l = 0; l < archive->count; l++) {
        const bits_line *line = &archive->line[l];
        if (line->known || k-- > 0) continue;
        snprintf(name, BITS_NAME, "%.*s", (int)line->bytes, line->name);
        return name;
    }
    return NULL;
}

// ---- Writing ------------------------------------------------------------------------------------

static const char head[] =
    "# SPDX-License-Identifier: Apache-2.0\n"
    "# What Heddle gives, bit for bit: on every backend, instruction set, machine and number of "
    "threads.\n"
    "# Checked by `heddle doctor --bits` and by the tests; written by scripts/bits.sh accept when "
    "bits\n"
    "# change on purpose, so that the change is a diff of this file.\n"
    "#\n"
    "#     name of the case: size=result size=result ...\n"
    "#\n"
    "# A result of up to three elements is their bits, the highest digit first, elements apart by "
    "commas;\n"
    "# a longer one is ~ and its digest: FNV-1a, 64 bits, over the bytes of all elements, the "
    "lowest first.\n"
    "# Every NaN counts as all ones, since neither its payload nor its sign is promised. Outputs "
    "of a call\n"
    "# follow each other as its case in src/bits/ names them, numbers given through pointers as "
    "i64.\n"
    "#\n"
    "# Inputs. Array a of a call (1, 2, ...) has for element i the numbers\n"
    "#\n"
    "#     r = mix(mix(a) + (i + 1) * 0x9e3779b97f4a7c15), s = mix(r)         mix as in "
    "heddle/shuffle.h\n"
    "#\n"
    "# Floats have the sign r >> 63, the lowest bits of r as mantissa, and the exponent field (E "
    "bits,\n"
    "# bias b, S = 2^E):   ordinary b - 1 - s % 8   wide s % (3/4 S)   cancel b - S/4 + s % (S/2)\n"
    "# units b - s % 2   tiny 0, mantissa 0 where s % 4 is 0   offset b + S/4, mantissa r % 32, no "
    "sign\n"
    "# positive as ordinary, no sign   special as ordinary, but where s >> 59 is 0 by s % 8: NaN, "
    "inf, -inf,\n"
    "# -0, 0, the least subnormal, -(the greatest subnormal), -(the greatest number)   ties by s % "
    "7: 0, -0, 1,\n"
    "# -1, 2, 1/2, -1/2. cancel takes r and s of element i & ~8, and where i & 8 is set turns the "
    "sign\n"
    "# round and changes the mantissa by s >> 61. Integers are the lowest bits of r; units r | 1, "
    "ties s % 7\n"
    "# (signed: less 3), positive s % 100, offset 100 + s % 27, tiny s % 2; bools r % 2. "
    "src/bits/values.c,\n"
    "# call.c (offsets, keys, indices) and the cases' files are this text as code.\n";

hd_status bits_write(const bits_list *list, FILE *out, const char **failed)
{
    char result[BITS_RESULT];
    fputs(head, out);
    for (int64_t k = 0; k < list->count; k++) {
        const bits_case *c = &list->at[k];
        fprintf(out, "%s:", c->name);
        for (const int64_t *n = c->sizes; *n >= 0; n++) {
            const hd_status status = bits_run(list->serial, c, *n, result);
            *failed = c->name;
            if (status != HD_OK) return status;
            fprintf(out, " %" PRId64 "=%s", *n, result);
        }
        fputc('\n', out);
    }
    return HD_OK;
}
