// SPDX-License-Identifier: Apache-2.0
//
// Names in scope, newest first, and the names of types, opcodes and modifiers.
#include "ptx_parse.h"

#include <string.h>

static const struct {
    const char *name;
    int bytes;
    ptx_kind kind;
} types[PTX_TYPES] = {
    [PTX_NO_TYPE] = {"", 0, PTX_NO_KIND},
#define TYPE(name, NAME, bytes, kind) [PTX_##NAME] = {#name, bytes, PTX_##kind},
#include "ptx_types.def"
#undef TYPE
};

static const char *const opcodes[PTX_OPS] = {
    [PTX_NO_OP] = "",
#define OP(name) [PTX_OP_##name] = #name,
#include "ptx_opcodes.def"
#undef OP
};

static const char *const modifiers[PTX_MODS] = {
    [PTX_NO_MOD] = "",
#define MOD(text, NAME) [PTX_MOD_##NAME] = text,
#include "ptx_modifiers.def"
#undef MOD
};

static const char *const specials[PTX_SPECIALS] = {
#define SPECIAL(name, NAME) [PTX_SR_##NAME] = name,
#include "ptx_specials.def"
#undef SPECIAL
};

const char *hd__model_ptx_type_name(ptx_type type)
{
    return types[type].name;
}

int hd__model_ptx_type_bytes(ptx_type type)
{
    return types[type].bytes;
}

ptx_kind hd__model_ptx_type_kind(ptx_type type)
{
    return types[type].kind;
}

const char *hd__model_ptx_opcode_name(ptx_opcode op)
{
    return opcodes[op];
}

const char *hd__model_ptx_modifier_name(ptx_modifier mod)
{
    return modifiers[mod];
}

const char *hd__model_ptx_special_name(ptx_special special)
{
    return specials[special];
}

ptx_type hd__model_ptx_type_named(const char *text, size_t length)
{
    for (int k = 1; k < PTX_TYPES; k++)
        if (strlen(types[k].name) == length && memcmp(types[k].name, text, length) == 0)
            return (ptx_type)k;
    return PTX_NO_TYPE;
}

static uint32_t hash(const char *text, size_t length)
{
    uint32_t h = 2166136261u;
    for (size_t i = 0; i < length; i++) h = (h ^ (unsigned char)text[i]) * 16777619u;
    return h % PTX_BUCKETS;
}

const ptx_name *hd__model_ptx_lookup(const ptx_parser *p, const char *text, size_t length)
{
    for (const ptx_name *n = p->names.bucket[hash(text, length)]; n != NULL; n = n->next)
        if (strlen(n->text) == length && memcmp(n->text, text, length) == 0) return n;
    return NULL;
}

bool hd__model_ptx_define(ptx_parser *p, const char *text, ptx_meaning meaning, int32_t number)
{
    ptx_name *n = hd__model_ptx_arena_take(p->module->arena, sizeof *n);
    if (n == NULL) return hd__model_ptx_no_memory(p);
    ptx_name **bucket = &p->names.bucket[hash(text, strlen(text))];
    *n = (ptx_name){text, meaning, number, p->names.depth, *bucket, p->names.newest};
    *bucket = p->names.newest = n;
    return true;
}

void hd__model_ptx_open_scope(ptx_parser *p)
{
    p->names.depth++;
}

void hd__model_ptx_close_scope(ptx_parser *p)
{
    ptx_names *names = &p->names;
    ptx_name *outwards = NULL;
    names->depth--;
    while (names->newest != NULL && names->newest->depth > names->depth) {
        ptx_name *n = names->newest;
        names->bucket[hash(n->text, strlen(n->text))] = n->next; // the newest is the first
        names->newest = n->older;
        const bool open = n->meaning == PTX_IS_LABEL && names->depth > 0 && p->function >= 0 &&
                          p->module->functions[p->function].labels[n->number].at < 0;
        if (open) n->older = outwards, outwards = n;
    }
    for (ptx_name *n = outwards, *next; n != NULL; n = next) {
        next = n->older;
        ptx_name **bucket = &names->bucket[hash(n->text, strlen(n->text))];
        n->depth = names->depth, n->next = *bucket, n->older = names->newest;
        *bucket = names->newest = n;
    }
}

const char *hd__model_ptx_source_file(const ptx_module *m, int32_t source)
{
    if (source < 0) return NULL;
    const int32_t file = m->sources[source].file;
    return file >= 0 && file < m->file_count ? m->files[file] : NULL;
}
