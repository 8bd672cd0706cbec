// SPDX-License-Identifier: Apache-2.0
//
// Templates among the declarations of a source: template <...> __global__ void name(...).
#include "kernel_templates.h"
#include "cuda_source.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool mark_at(const cuda_file *f, int32_t k, char mark)
{
    return k < f->token_count && f->tokens[k].kind == CUDA_MARK &&
           f->text[f->tokens[k].begin] == mark;
}

// Whether a word is __global__, or a macro that has it in it.
static bool is_global(const cuda_source *s, const cuda_file *f, const cuda_token *t)
{
    if (cuda_is(f, t, "__global__")) return true;
    for (int32_t k = 0; k < s->macro_count; k++) {
        const cuda_macro *m = &s->macros[k];
        if (m->length != t->end - t->begin ||
            memcmp(m->name, f->text + t->begin, (size_t)m->length) != 0)
            continue;
        for (const char *at = m->body; at + 10 <= m->end; at++)
            if (memcmp(at, "__global__", 10) == 0) return true;
    }
    return false;
}

// Behind the bracket that closes the one at k, of angles or of round ones.
static int32_t behind(const cuda_file *f, int32_t k, int32_t end, char open, char close)
{
    int32_t depth = 0, round = 0;
    for (; k < end; k++) {
        if (open == '<' && mark_at(f, k, '(')) round++;
        if (open == '<' && mark_at(f, k, ')')) round--;
        if (round > 0) continue; // N = (a > b)
        if (mark_at(f, k, open)) depth++;
        if (mark_at(f, k, close) && --depth == 0) return k + 1;
    }
    return end;
}

// Text of tokens [from, to) with single blanks where there were any, and none at its ends.
static void copy(const cuda_file *f, int32_t from, int32_t to, char *text, size_t room)
{
    size_t used = 0;
    for (int32_t k = from; k < to && used + 2 < room; k++) {
        const cuda_token *t = &f->tokens[k];
        if (k > from && t->begin > f->tokens[k - 1].end) text[used++] = ' ';
        for (int32_t c = t->begin; c < t->end && used + 1 < room; c++) text[used++] = f->text[c];
    }
    text[used] = 0;
}

// Every parameter between the angles has an '='.
static bool has_defaults(const cuda_file *f, int32_t open, int32_t end)
{
    int32_t depth = 0, parameters = 1, values = 0;
    for (int32_t k = open; k < end; k++) {
        if (mark_at(f, k, '<') || mark_at(f, k, '(')) depth++;
        if (mark_at(f, k, '>') || mark_at(f, k, ')')) depth--;
        parameters += depth == 1 && mark_at(f, k, ',');
        values += depth == 1 && mark_at(f, k, '=');
    }
    return values == parameters;
}

static void add(const cuda_source *s, const cuda_declaration *d, kernel_templates *to)
{
    const cuda_file *f = &s->files[d->file];
    const int32_t end = d->end < f->token_count ? d->end : f->token_count, open = d->begin + 1;
    bool global = false;
    if (d->inner || d->fate != CUDA_KEPT || d->names_end != d->names + 1 || d->names >= end ||
        !cuda_is(f, &f->tokens[d->begin], "template") || !mark_at(f, open, '<') ||
        mark_at(f, open + 1, '>') || to->count == MAX_TEMPLATES)
        return;
    const int32_t head = behind(f, open, end, '<', '>');
    for (int32_t k = head; k < d->names; k++)
        global |= f->tokens[k].kind == CUDA_WORD && is_global(s, f, &f->tokens[k]);
    if (!global) return;
    kernel_template *t = &to->at[to->count++];
    char called[128], parameters[200], arguments[160];
    copy(f, d->names, d->names + 1, called, sizeof called);
    snprintf(t->name, sizeof t->name, "%s", called);
    copy(f, open, head, parameters, sizeof parameters);
    copy(f, d->names + 1, behind(f, d->names + 1, end, '(', ')'), arguments, sizeof arguments);
    snprintf(t->text, sizeof t->text, "template %s %s%s", parameters, called, arguments);
    t->defaults = has_defaults(f, open, head);
}

void hd__model_kernel_templates(const char *file, const char *const *folders, kernel_templates *to)
{
    const cuda_wishes wishes = {.folders = folders};
    cuda_source s;
    int64_t length;
    to->count = 0;
    char *text = hd__model_cuda_read(file, &length);
    if (text == NULL) return;
    if (hd__model_cuda_source_open(&s, text, length, file, &wishes))
        for (int32_t k = 0; k < s.declaration_count; k++) add(&s, &s.declarations[k], to);
    hd__model_cuda_source_close(&s);
    free(text);
}

const kernel_template *hd__model_template_named(const kernel_templates *in, const char *wanted)
{
    size_t length = strcspn(wanted, "<");
    while (length > 0 && wanted[length - 1] == ' ') length--;
    for (size_t k = length; k > 0; k--)
        if (wanted[k - 1] == ':') {
            wanted += k, length -= k;
            break;
        }
    for (int32_t k = 0; k < in->count; k++)
        if (strlen(in->at[k].name) == length && memcmp(in->at[k].name, wanted, length) == 0)
            return &in->at[k];
    return NULL;
}
