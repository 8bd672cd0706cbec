// SPDX-License-Identifier: Apache-2.0
//
// Source files in memory.
#include "model_source.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MAX_BYTES ((size_t)64 << 20) // of a source file

static char *read_all(const char *path, size_t *length)
{
    FILE *f = fopen(path, "rb");
    char *text = NULL;
    size_t room = 0, used = 0, got = 1;
    if (f == NULL) return NULL;
    while (got > 0) {
        if (used == room) {
            room = room > 0 ? 2 * room : 1 << 14;
            char *larger = room <= MAX_BYTES ? realloc(text, room + 1) : NULL;
            if (larger == NULL) break;
            text = larger;
        }
        got = fread(text + used, 1, room - used, f);
        used += got;
    }
    const bool failed = ferror(f) != 0 || got > 0;
    if (failed && errno == 0) errno = EFBIG;
    fclose(f);
    if (failed) {
        free(text);
        return NULL;
    }
    text[used] = '\0';
    *length = used;
    return text;
}

static bool find_lines(model_text *t)
{
    int32_t lines = 1;
    for (size_t k = 0; k < t->length; k++) lines += t->text[k] == '\n';
    t->line = calloc((size_t)lines, sizeof *t->line);
    if (t->line == NULL) return false;
    const char *at = t->text;
    for (int32_t k = 0; k < lines; k++) {
        t->line[k] = at;
        at += strcspn(at, "\n");
        if (*at == '\n') at++;
    }
    // What follows the last new line is no line if it is empty.
    t->lines = lines > 1 && *t->line[lines - 1] == '\0' ? lines - 1 : lines;
    return true;
}

static model_text *add(model_sources *s, const char *name, char *text, size_t length)
{
    if (s->count == MODEL_MAX_TEXTS) {
        free(text);
        return NULL;
    }
    model_text *t = &s->at[s->count];
    *t = (model_text){.name = malloc(strlen(name) + 1), .text = text, .length = length};
    if (t->name == NULL || (text != NULL && !find_lines(t))) {
        free(t->name), free(text);
        return NULL;
    }
    strcpy(t->name, name);
    s->count++;
    return t;
}

const model_text *model_sources_open(model_sources *s, const char *file, const char *const *folders)
{
    size_t length = 0;
    *s = (model_sources){.main = file};
    if (!hd__model_include_roots_open(&s->own, file, folders)) return NULL;
    char *text = read_all(file, &length);
    return text != NULL ? add(s, file, text, length) : NULL;
}

void model_sources_close(model_sources *s)
{
    for (int k = 0; k < s->count; k++) {
        free(s->at[k].name), free(s->at[k].text);
        free((void *)s->at[k].line);
    }
    s->count = 0;
    hd__model_include_roots_close(&s->own);
}

// A kernel's text may name any file, by #line or in PTX: only those of the user's folders are
// shown.
static char *read_own(const model_sources *s, const char *path, size_t *length)
{
    char *text = NULL;
    int64_t bytes = 0;
    if (hd__model_include_read(&s->own, path, &text, &bytes) != INCLUDED_READ) return NULL;
    *length = (size_t)bytes;
    return text;
}

// The file as named; else one of its last name in the folder of the main file.
static char *read_near(const model_sources *s, const char *file, size_t *length)
{
    char path[4096];
    char *text = read_own(s, file, length);
    if (text != NULL) return text;
    const char *slash = strrchr(s->main, '/'), *last = strrchr(file, '/');
    snprintf(path, sizeof path, "%.*s%s", slash != NULL ? (int)(slash - s->main) + 1 : 0, s->main,
             last != NULL ? last + 1 : file);
    return read_own(s, path, length);
}

const model_text *model_sources_find(model_sources *s, const char *file)
{
    if (file == NULL) return NULL;
    for (int k = 0; k < s->count; k++)
        if (strcmp(s->at[k].name, file) == 0) return s->at[k].text != NULL ? &s->at[k] : NULL;
    size_t length = 0;
    char *text = read_near(s, file, &length);
    const model_text *t = add(s, file, text, length);
    return t != NULL && t->text != NULL ? t : NULL;
}

const char *model_shown_file(const model_sources *s, const char *file)
{
    char folder[4096];
    if (file == NULL) return NULL;
    const size_t n = strlen(file), m = strlen(s->main);
    if (n > m && file[n - m - 1] == '/' && strcmp(file + n - m, s->main) == 0) return s->main;
    if (getcwd(folder, sizeof folder) == NULL) return file;
    const size_t k = strlen(folder);
    return strncmp(file, folder, k) == 0 && file[k] == '/' ? file + k + 1 : file;
}

// Bytes of the character that begins here, or 0: it is no UTF-8.
static size_t character(const char *text)
{
    const unsigned char c = (unsigned char)*text;
    const size_t n = c < 0x80 ? 1 : c >= 0xc2 && c < 0xe0 ? 2 : c >= 0xe0 && c < 0xf0 ? 3 : 4;
    if (c >= 0xf5 || (c >= 0x80 && c < 0xc2)) return 0;
    for (size_t k = 1; k < n; k++)
        if (((unsigned char)text[k] & 0xc0) != 0x80) return 0;
    return n;
}

void model_clean(char *text)
{
    while (*text) {
        const size_t n = character(text);
        if (n == 0 || (n == 1 && (unsigned char)*text < 0x20)) *text = n == 0 ? '?' : ' ';
        text += n > 0 ? n : 1;
    }
}

const char *model_line_text(model_sources *s, const char *file, int32_t line, char *text,
                            size_t room)
{
    const model_text *t = model_sources_find(s, file);
    text[0] = '\0';
    if (t == NULL || line < 1 || line > t->lines) return text;
    const char *at = t->line[line - 1];
    size_t n = strcspn(at, "\n");
    while (n > 0 && isspace((unsigned char)*at)) at++, n--;
    while (n > 0 && isspace((unsigned char)at[n - 1])) n--;
    if (n >= room) n = room - 1;
    memcpy(text, at, n);
    text[n] = '\0';
    model_clean(text);
    return text;
}

bool model_is_ptx(const model_sources *s)
{
    const size_t n = strlen(s->main);
    return n > 4 && strcmp(s->main + n - 4, ".ptx") == 0;
}

const char *model_site_line(model_sources *s, const char *file, int32_t line, int32_t ptx_line,
                            char *text, size_t room)
{
    text[0] = '\0';
    if (file != NULL) return model_line_text(s, file, line, text, room);
    return model_is_ptx(s) ? model_line_text(s, s->main, ptx_line, text, room) : text;
}
