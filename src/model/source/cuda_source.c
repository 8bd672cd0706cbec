// SPDX-License-Identifier: Apache-2.0
//
// What of a user's CUDA C the device needs: everything that says so (__global__, __device__), and
// the classes, types, constants and constexpr functions that it mentions, by name. The rest is
// blanked. Kernels that are templates are made for what host code launches and what is asked for.
#include "cuda_source.h"

#include <stdio.h>
#include <string.h>

// ---- Words that say "device" --------------------------------------------------------------------

static bool is_name(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

static bool same(const char *a, int32_t n, const char *b, int32_t m)
{
    return n == m && memcmp(a, b, (size_t)n) == 0;
}

static bool annotates(const cuda_source *s, const char *word, int32_t n)
{
    static const char *const words[] = {"__global__", "__device__", "__shared__", "__constant__",
                                        "__managed__"};
    for (size_t k = 0; k < sizeof words / sizeof *words; k++)
        if (same(word, n, words[k], (int32_t)strlen(words[k]))) return true;
    for (int32_t k = 0; k < s->macro_count; k++)
        if (s->macros[k].annotates && same(word, n, s->macros[k].name, s->macros[k].length))
            return true;
    return false;
}

bool hd__model_cuda_is_annotation(const cuda_source *s, const cuda_file *f, const cuda_token *t)
{
    return annotates(s, f->text + t->begin, t->end - t->begin);
}

// The next word of a text from *at on; its length, or 0 at the end.
static int32_t next_word(const char **at, const char *end)
{
    while (*at < end && !is_name(**at)) ++*at;
    int32_t n = 0;
    while (*at + n < end && is_name((*at)[n])) n++;
    return n;
}

// Macros with __device__ in them, and macros with those in them.
static void find_annotations(cuda_source *s)
{
    for (bool found = true; found;) {
        found = false;
        for (int32_t k = 0; k < s->macro_count; k++) {
            cuda_macro *m = &s->macros[k];
            if (m->annotates) continue;
            const char *at = m->body;
            for (int32_t n; (n = next_word(&at, m->end)) > 0; at += n)
                if (annotates(s, at, n)) found = m->annotates = true;
        }
    }
}

// ---- Words that what is kept mentions -----------------------------------------------------------

#define BUCKETS 4096

typedef struct mention {
    const char *word;
    int32_t length;
    struct mention *next;
} mention;

typedef struct mentions {
    cuda_source *s;
    mention *bucket[BUCKETS];
} mentions;

static uint32_t bucket_of(const char *word, int32_t n)
{
    uint32_t h = 2166136261u;
    for (int32_t k = 0; k < n; k++) h = (h ^ (uint8_t)word[k]) * 16777619u;
    return h % BUCKETS;
}

static bool is_mentioned(const mentions *m, const char *word, int32_t n)
{
    for (const mention *e = m->bucket[bucket_of(word, n)]; e != NULL; e = e->next)
        if (same(e->word, e->length, word, n)) return true;
    return false;
}

static bool add_mention(mentions *m, const char *word, int32_t n)
{
    if (is_mentioned(m, word, n)) return true;
    mention *e = hd__model_ptx_arena_take(m->s->arena, sizeof *e);
    if (e == NULL) return false;
    mention **bucket = &m->bucket[bucket_of(word, n)];
    *e = (mention){word, n, *bucket};
    *bucket = e;
    return true;
}

static bool add_words(mentions *m, const char *at, const char *end)
{
    for (int32_t n; (n = next_word(&at, end)) > 0; at += n)
        if (!add_mention(m, at, n)) return false;
    return true;
}

static bool add_declaration(mentions *m, const cuda_declaration *d)
{
    const cuda_file *f = &m->s->files[d->file];
    for (int32_t k = d->begin; k < d->end && k < f->token_count; k++) {
        const cuda_token *t = &f->tokens[k];
        const bool has_words = t->kind == CUDA_WORD || t->kind == CUDA_DIRECTIVE;
        if (has_words && !f->holes[k] && !add_words(m, f->text + t->begin, f->text + t->end))
            return false;
    }
    return true;
}

static bool is_named(const mentions *m, const cuda_declaration *d, int32_t begin, int32_t end)
{
    const cuda_file *f = &m->s->files[d->file];
    for (int32_t k = begin; k < end && k < f->token_count; k++) {
        const cuda_token *t = &f->tokens[k];
        if (t->kind != CUDA_WORD) continue;
        const char behind = k + 1 < f->token_count ? f->text[f->tokens[k + 1].begin] : ';';
        if (d->one_of && strchr("=,;[{(", behind) == NULL) continue;
        if (is_mentioned(m, f->text + t->begin, t->end - t->begin)) return true;
    }
    return false;
}

static bool names_mentioned(const mentions *m, const cuda_declaration *d)
{
    return is_named(m, d, d->names, d->names_end) || is_named(m, d, d->more, d->end);
}

static bool mention_macros(mentions *m, bool *changed)
{
    for (int32_t k = 0; k < m->s->macro_count; k++) {
        cuda_macro *macro = &m->s->macros[k];
        if (macro->mentioned || !is_mentioned(m, macro->name, macro->length)) continue;
        macro->mentioned = *changed = true;
        if (!add_words(m, macro->body, macro->end)) return false;
    }
    return true;
}

static bool mark_kept(cuda_source *s)
{
    mentions *m = hd__model_ptx_arena_take(s->arena, sizeof *m);
    if (m == NULL) return false;
    m->s = s;
    for (int32_t k = 0; k < s->instance_count; k++)
        if (!add_words(m, s->instances[k], s->instances[k] + strlen(s->instances[k]))) return false;
    for (int32_t k = 0; k < s->declaration_count; k++) {
        const cuda_declaration *d = &s->declarations[k];
        if (!d->inner && d->fate == CUDA_KEPT && !add_declaration(m, d)) return false;
    }
    for (bool changed = true; changed;) {
        changed = false;
        if (!mention_macros(m, &changed)) return false;
        for (int32_t k = 0; k < s->declaration_count; k++) {
            cuda_declaration *d = &s->declarations[k];
            if (d->inner || d->fate != CUDA_WANTED || !names_mentioned(m, d)) continue;
            d->fate = CUDA_KEPT, changed = true;
            if (!add_declaration(m, d)) return false;
        }
    }
    return true;
}

// ---- Instances of templates ---------------------------------------------------------------------

static bool add_instance(cuda_source *s, const char *text, int32_t length)
{
    for (int32_t k = 0; k < s->instance_count; k++)
        if (same(s->instances[k], (int32_t)strlen(s->instances[k]), text, length)) return true;
    char *copy = hd__model_ptx_arena_take(s->arena, (size_t)length + 1);
    if (copy == NULL || !hd__model_cuda_grow(s, &s->instances, s->instance_count, &s->instance_room,
                                             sizeof *s->instances))
        return false;
    for (int32_t k = 0; k < length; k++) copy[k] = text[k] == '\n' ? ' ' : text[k];
    s->instances[s->instance_count++] = copy;
    return true;
}

static bool mark_at(const cuda_file *f, int32_t k, char mark)
{
    return k >= 0 && k < f->token_count && f->tokens[k].kind == CUDA_MARK &&
           f->text[f->tokens[k].begin] == mark;
}

// "name<...>" in front of the <<< at token k: where it begins, or -1.
static int32_t instance_begin(const cuda_file *f, int32_t k, int32_t least)
{
    int32_t depth = 0, at = k - 1;
    if (!mark_at(f, at, '>')) return -1;
    for (; at > least; at--) {
        if (mark_at(f, at, '>')) depth++;
        if (mark_at(f, at, '<') && --depth == 0) break;
        if (mark_at(f, at, ';') || mark_at(f, at, '{')) return -1;
    }
    at--;
    if (at < least || f->tokens[at].kind != CUDA_WORD) return -1;
    while (at - 3 >= least && mark_at(f, at - 1, ':') && mark_at(f, at - 2, ':') &&
           f->tokens[at - 3].kind == CUDA_WORD)
        at -= 3;
    return at;
}

static bool find_launches(cuda_source *s, const cuda_declaration *d)
{
    const cuda_file *f = &s->files[d->file];
    for (int32_t k = d->begin; k + 2 < d->end; k++) {
        const bool launch = mark_at(f, k, '<') && mark_at(f, k + 1, '<') && mark_at(f, k + 2, '<');
        const int32_t begin = launch ? instance_begin(f, k, d->begin) : -1;
        if (begin < 0) continue;
        const int32_t from = f->tokens[begin].begin, to = f->tokens[k - 1].end;
        if (to - from < 1000 && !add_instance(s, f->text + from, to - from)) return false;
    }
    return true;
}

// ---- Blanking -----------------------------------------------------------------------------------

static bool is_pragma(const cuda_file *f, const cuda_token *t)
{
    const char *at = f->text + t->begin + 1;
    while (*at == ' ' || *at == '\t') at++;
    return strncmp(at, "pragma", 6) == 0;
}

static void blank(cuda_file *f, int32_t begin, int32_t end)
{
    for (int32_t k = begin; k < end; k++)
        if (f->text[k] != '\n') f->text[k] = ' ';
}

// Directives stay, so that every #if has its #endif.
static void blank_declaration(cuda_file *f, const cuda_declaration *d)
{
    int32_t at = f->tokens[d->begin].begin;
    for (int32_t k = d->begin; k < d->end && k < f->token_count; k++) {
        const cuda_token *t = &f->tokens[k];
        if (t->kind == CUDA_DIRECTIVE && !is_pragma(f, t)) {
            blank(f, at, t->begin);
            at = t->end;
        }
    }
    blank(f, at, f->tokens[(d->end < f->token_count ? d->end : f->token_count) - 1].end);
}

static void mark_holes(cuda_source *s)
{
    for (int32_t k = 0; k < s->declaration_count; k++) {
        const cuda_declaration *d = &s->declarations[k];
        cuda_file *f = &s->files[d->file];
        if (!d->inner || d->fate != CUDA_DROPPED) continue;
        for (int32_t t = d->begin; t < d->end && t < f->token_count; t++) f->holes[t] = true;
    }
}

static void blank_all(cuda_source *s)
{
    for (int32_t k = 0; k < s->declaration_count; k++) {
        const cuda_declaration *d = &s->declarations[k];
        cuda_file *f = &s->files[d->file];
        if (d->annotate) f->edits[d->begin] = "__host__ __device__ ";
        if (d->inner ? d->fate == CUDA_DROPPED : d->fate != CUDA_KEPT) blank_declaration(f, d);
    }
}

// ---- Whole sources ------------------------------------------------------------------------------

static bool prepare(cuda_source *s, const char *const *instances)
{
    for (int32_t k = 0; k < s->file_count; k++)
        if (!hd__model_cuda_directives(s, k)) return false; // more files may come
    find_annotations(s);
    for (int32_t k = 0; k < s->file_count; k++)
        if (!hd__model_cuda_declarations(s, k)) return false;
    for (int32_t k = 0; instances != NULL && instances[k] != NULL; k++)
        if (strchr(instances[k], '<') != NULL &&
            !add_instance(s, instances[k], (int32_t)strlen(instances[k])))
            return false;
    s->asked = s->instance_count;
    for (int32_t k = 0; k < s->declaration_count; k++)
        if (s->declarations[k].fate == CUDA_DROPPED && !find_launches(s, &s->declarations[k]))
            return false;
    mark_holes(s);
    if (!mark_kept(s)) return false;
    blank_all(s);
    return true;
}

bool hd__model_cuda_source_open(cuda_source *s, const char *text, int64_t length, const char *path,
                                const cuda_wishes *wishes)
{
    *s = (cuda_source){.arena = hd__model_ptx_arena_open()};
    if (s->arena == NULL) return false;
    s->folders = wishes->folders, s->toolkit = wishes->toolkit;
    if (!hd__model_include_roots_open(&s->own, path, wishes->folders)) return false;
    if (hd__model_cuda_add_file(s, path, text, length) != 0) return false;
    for (int32_t k = 0; wishes->defines != NULL && wishes->defines[k] != NULL; k++) {
        const char *value = strchr(wishes->defines[k], '=');
        if (value != NULL && !hd__model_cuda_alias(s, path, value + 1, value + strlen(value)))
            return false;
    }
    return prepare(s, wishes->instances);
}

void hd__model_cuda_source_close(cuda_source *s)
{
    hd__model_ptx_arena_close(s->arena);
    hd__model_include_roots_close(&s->own);
    *s = (cuda_source){.arena = NULL};
}

// ---- Text ---------------------------------------------------------------------------------------

typedef struct source_writer {
    cuda_source *s;
    char *text;
    size_t used, room;
    bool lost;
} source_writer;

static void put(source_writer *w, const char *text, size_t n)
{
    if (w->room - w->used <= n) {
        const size_t room = 2 * w->room + n + 1024;
        char *larger = hd__model_ptx_arena_take(w->s->arena, room);
        if (larger == NULL) {
            w->lost = true;
            return;
        }
        if (w->used > 0) memcpy(larger, w->text, w->used);
        w->text = larger, w->room = room;
    }
    memcpy(w->text + w->used, text, n);
    w->used += n;
    w->text[w->used] = 0;
}

static void put_text(source_writer *w, const char *text)
{
    put(w, text, strlen(text));
}

static void put_line_number(source_writer *w, const char *path)
{
    put_text(w, "#line 1 \"");
    for (; *path != 0; path++) {
        if (*path == '"' || *path == '\\') put(w, "\\", 1);
        put(w, path, 1);
    }
    put_text(w, "\"\n");
}

// A directive that took several lines still does.
static void put_edit(source_writer *w, const cuda_file *f, const cuda_token *t, const char *edit)
{
    put_text(w, edit);
    for (int32_t k = t->begin; k < t->end; k++)
        if (f->text[k] == '\n') put(w, "\n", 1);
}

static void put_file(source_writer *w, const cuda_file *f)
{
    int32_t at = 0;
    put_line_number(w, f->path);
    for (int32_t k = 0; k < f->token_count; k++) {
        const cuda_token *t = &f->tokens[k];
        if (f->edits[k] == NULL) continue;
        put(w, f->text + at, (size_t)(t->begin - at));
        at = t->begin;
        if (t->kind == CUDA_DIRECTIVE) {
            put_edit(w, f, t, f->edits[k]);
            at = t->end;
        } else if (f->text[t->begin] != ' ') {
            put_text(w, f->edits[k]);
        }
    }
    put(w, f->text + at, (size_t)(f->length - at));
    put_text(w, "\n");
}

// using namespace x: x may be one that only host headers have.
static void put_namespaces(source_writer *w)
{
    const cuda_source *s = w->s;
    for (int32_t k = 0; k < s->declaration_count; k++) {
        const cuda_declaration *d = &s->declarations[k];
        const cuda_file *f = &s->files[d->file];
        int32_t at = d->begin + 2, depth = 0;
        if (d->inner || d->fate != CUDA_KEPT || d->end - d->begin < 4 ||
            !cuda_is(f, &f->tokens[d->begin], "using") ||
            !cuda_is(f, &f->tokens[d->begin + 1], "namespace"))
            continue;
        for (; at < d->end; at++)
            if (f->tokens[at].kind == CUDA_WORD) {
                put_text(w, "namespace ");
                put(w, f->text + f->tokens[at].begin,
                    (size_t)(f->tokens[at].end - f->tokens[at].begin));
                put_text(w, " {");
                depth++;
            }
        for (; depth > 0; depth--) put_text(w, "}");
        put_text(w, "\n");
    }
}

static void put_instances(source_writer *w, const bool *without)
{
    put_line_number(w, HD_INSTANCES);
    for (int32_t k = 0; k < w->s->instance_count; k++) {
        if (without == NULL || !without[k]) {
            put_text(w, "template __global__ decltype(");
            put_text(w, w->s->instances[k]);
            put_text(w, ") ");
            put_text(w, w->s->instances[k]);
            put_text(w, ";");
        }
        put_text(w, "\n");
    }
}

const char *hd__model_cuda_source_text(cuda_source *s, const bool *without)
{
    source_writer w = {.s = s};
    if (s->uses_toolkit) put_text(&w, "#define HD_TOOLKIT 1\n");
    put_text(&w, "#include <heddle/hd_prelude.cuh>\n");
    put_namespaces(&w);
    put_file(&w, &s->files[0]);
    if (s->instance_count > 0) put_instances(&w, without);
    return w.lost ? NULL : w.text;
}

const char *hd__model_cuda_file_text(cuda_source *s, int32_t file)
{
    source_writer w = {.s = s};
    put_file(&w, &s->files[file]);
    return w.lost ? NULL : w.text;
}

const hd__embedded *hd__model_cuda_header(const char *name)
{
    for (const hd__embedded *h = hd__model_cuda_headers; h->name != NULL; h++) {
        const size_t stem = strlen(h->name) - 4; // without .cuh
        if (strcmp(h->name, name) == 0 ||
            (strncmp(h->name, name, stem) == 0 && strcmp(name + stem, ".h") == 0))
            return h;
    }
    return NULL;
}
