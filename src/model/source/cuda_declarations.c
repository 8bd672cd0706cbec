// SPDX-License-Identifier: Apache-2.0
//
// Tokens of CUDA C to declarations, and whose they are: the device's, the host's, or of both. It
// knows the shapes of declarations, not what names mean; macros are seen as they are written.
#include "cuda_source.h"

#include <string.h>

typedef struct scanner {
    cuda_source *s;
    const cuda_file *f;
    int32_t file;
    int32_t depth; // of namespaces and classes
} scanner;

#define MAX_DEPTH 200

static bool is(const scanner *c, int32_t k, const char *text)
{
    return k >= 0 && k < c->f->token_count && cuda_is(c->f, &c->f->tokens[k], text);
}

static bool is_mark(const scanner *c, int32_t k, char mark)
{
    return k >= 0 && k < c->f->token_count && c->f->tokens[k].kind == CUDA_MARK &&
           c->f->text[c->f->tokens[k].begin] == mark;
}

static bool is_word(const scanner *c, int32_t k)
{
    return k >= 0 && k < c->f->token_count && c->f->tokens[k].kind == CUDA_WORD;
}

static bool is_one_of(const scanner *c, int32_t k, const char *const *words)
{
    for (; is_word(c, k) && *words != NULL; words++)
        if (is(c, k, *words)) return true;
    return false;
}

// ---- Brackets -----------------------------------------------------------------------------------

#define MAX_BRANCHES 64

// The word of a directive, "ifdef" of "# ifdef X".
static const char *directive_word(const scanner *c, int32_t k)
{
    const char *at = c->f->text + c->f->tokens[k].begin + 1;
    while (*at == ' ' || *at == '\t') at++;
    return at;
}

// Depths of the branches of #if: each begins at the depth of the #if.
typedef struct branches {
    int32_t depth[MAX_BRANCHES];
    int32_t count;
} branches;

static void follow_branch(const scanner *c, int32_t k, branches *b, int32_t *depth)
{
    const char *word = directive_word(c, k);
    if (strncmp(word, "if", 2) == 0) {
        if (b->count < MAX_BRANCHES) b->depth[b->count] = *depth;
        b->count++;
    } else if (strncmp(word, "el", 2) == 0 && b->count > 0 && b->count <= MAX_BRANCHES) {
        *depth = b->depth[b->count - 1];
    } else if (strncmp(word, "endif", 5) == 0 && b->count > 0) {
        b->count--;
    }
}

// Behind the bracket that closes the one at k; `end` where none does.
static int32_t behind(const scanner *c, int32_t k, int32_t end, char open, char close)
{
    branches b = {.count = 0};
    int32_t depth = 0;
    for (; k < end; k++) {
        if (c->f->tokens[k].kind == CUDA_DIRECTIVE) follow_branch(c, k, &b, &depth);
        if (is_mark(c, k, open)) depth++;
        if (is_mark(c, k, close) && --depth <= 0) return k + 1;
    }
    return end;
}

// Behind template <...>, k at '<': brackets inside are skipped whole.
static int32_t behind_angles(const scanner *c, int32_t k, int32_t end)
{
    int32_t depth = 0;
    while (k < end) {
        if (is_mark(c, k, '(')) {
            k = behind(c, k, end, '(', ')');
            continue;
        }
        if (is_mark(c, k, '{') || is_mark(c, k, ';')) return k;
        if (is_mark(c, k, '<')) depth++;
        if (is_mark(c, k, '>') && --depth <= 0) return k + 1;
        k++;
    }
    return end;
}

// ---- Heads: what comes before a body or a semicolon ---------------------------------------------

typedef struct declaration_head {
    int32_t begin, stop;              // stop: at '{' or ';' or '}'
    int32_t call;                     // '(' of a function's parameters, or -1
    int32_t key;                      // class, struct, union, or -1
    int32_t equals;                   // '=' of a value, or -1
    bool annotated, constant, folded; // __device__..; const or constexpr; constexpr
    bool is_enum, is_typedef, is_using, is_template, is_extern, pointer;
} declaration_head;

static const char *const with_brackets[] = {
    "__launch_bounds__", "__align__",        "__attribute__", "alignas",  "__declspec", "decltype",
    "noexcept",          "__cluster_dims__", "explicit",      "requires", NULL};

// "operator()", "operator==": its marks are no brackets.
static int32_t behind_operator(const scanner *c, int32_t k, int32_t end)
{
    if (is_mark(c, k, '(') && is_mark(c, k + 1, ')')) return k + 2;
    while (k < end && c->f->tokens[k].kind == CUDA_MARK && !is_mark(c, k, '(')) k++;
    return k;
}

// Behind ": a(1), b{2}" of a constructor, at its body.
static int32_t behind_initialisers(const scanner *c, int32_t k, int32_t end)
{
    while (k < end && !is_mark(c, k, ';')) {
        if (is_mark(c, k, '(')) {
            k = behind(c, k, end, '(', ')');
        } else if (is_mark(c, k, '{')) {
            if (!is_word(c, k - 1) && !is_mark(c, k - 1, '>')) return k;
            k = behind(c, k, end, '{', '}');
        } else {
            k++;
        }
    }
    return k;
}

static void read_word(const scanner *c, declaration_head *h, int32_t k)
{
    static const char *const classes[] = {"class", "struct", "union", NULL};
    if (hd__model_cuda_is_annotation(c->s, c->f, &c->f->tokens[k])) h->annotated = true;
    if (is_one_of(c, k, classes) && h->key < 0 && !h->is_enum) h->key = k;
    if (is(c, k, "enum")) h->is_enum = true;
    if (is(c, k, "typedef")) h->is_typedef = true;
    if (is(c, k, "using")) h->is_using = true;
    if (is(c, k, "template")) h->is_template = true;
    if (is(c, k, "extern")) h->is_extern = true;
    if (is(c, k, "const")) h->constant = true;
    if (is(c, k, "constexpr") || is(c, k, "consteval")) h->constant = h->folded = true;
}

// A bracket of parameters follows a name; that of a pointer to functions begins with a star.
static void read_bracket(const scanner *c, declaration_head *h, int32_t k)
{
    if (h->call >= 0 || h->equals >= 0 || is_one_of(c, k - 1, with_brackets)) return;
    if (is_mark(c, k + 1, '*') || (is_mark(c, k - 1, ')') && is(c, k - 2, "__attribute__"))) return;
    h->call = k;
}

static declaration_head read_head(const scanner *c, int32_t begin, int32_t end)
{
    declaration_head h = {.begin = begin, .stop = begin, .call = -1, .key = -1, .equals = -1};
    int32_t k = begin;
    while (k < end) {
        if (is_mark(c, k, ';') || is_mark(c, k, '{') || is_mark(c, k, '}')) break;
        if (is_word(c, k)) {
            read_word(c, &h, k);
            if (is(c, k, "operator"))
                k = behind_operator(c, k + 1, end);
            else if (is(c, k, "template") && is_mark(c, k + 1, '<'))
                k = behind_angles(c, k + 1, end);
            else
                k++;
        } else if (is_mark(c, k, '(')) {
            read_bracket(c, &h, k);
            k = behind(c, k, end, '(', ')');
        } else if (is_mark(c, k, '[')) {
            k = behind(c, k, end, '[', ']');
        } else if (is_mark(c, k, ':') && h.call >= 0 && h.equals < 0 && !is_mark(c, k + 1, ':') &&
                   !is_mark(c, k - 1, ':')) {
            k = behind_initialisers(c, k + 1, end);
        } else {
            if (is_mark(c, k, '=') && h.equals < 0) h.equals = k;
            if (is_mark(c, k, '*') && h.equals < 0) h.pointer = true;
            k++;
        }
    }
    h.stop = k;
    return h;
}

// Behind the semicolon that ends a declaration; values in braces are skipped.
static int32_t behind_semicolon(const scanner *c, int32_t k, int32_t end)
{
    while (k < end && !is_mark(c, k, ';') && !is_mark(c, k, '}')) {
        if (is_mark(c, k, '{'))
            k = behind(c, k, end, '{', '}');
        else if (is_mark(c, k, '('))
            k = behind(c, k, end, '(', ')');
        else
            k++;
    }
    return is_mark(c, k, ';') ? k + 1 : k;
}

// ---- Declarations -------------------------------------------------------------------------------

static bool add(scanner *c, cuda_declaration d)
{
    cuda_source *s = c->s;
    if (!hd__model_cuda_grow(s, &s->declarations, s->declaration_count, &s->declaration_room,
                             sizeof d))
        return false;
    d.file = c->file;
    s->declarations[s->declaration_count++] = d;
    return true;
}

// typedef int (*name)(int); typedef int name[4];
static int32_t typedef_name(const scanner *c, int32_t begin, int32_t end)
{
    int32_t found = begin;
    for (int32_t k = begin; k < end; k++) {
        if (is_mark(c, k, '(') && is_mark(c, k + 1, '*')) return k + 2;
        if (is_mark(c, k, '[')) break;
        if (is_word(c, k)) found = k;
    }
    return found;
}

// The tokens that hold the names of a declaration.
static void find_names(const scanner *c, const declaration_head *h, cuda_declaration *d)
{
    const bool braces = is_mark(c, h->stop, '{');
    d->names = h->begin, d->names_end = d->end;
    if (h->is_typedef && !braces) {
        d->names = typedef_name(c, h->begin, h->stop);
        d->names_end = d->names + 1;
    } else if (h->is_enum) {
        return; // everything in it
    } else if (h->is_using) {
        d->names = h->equals >= 0 ? h->begin + 1 : d->end - 2;
        d->names_end = h->equals >= 0 ? h->equals : d->end;
    } else if (is(c, h->begin, "namespace")) {
        d->names = h->begin + 1, d->names_end = h->begin + 2;
    } else if (h->key >= 0 && (h->call < 0 || h->equals >= 0)) {
        d->names = h->key + 1, d->names_end = h->stop;
        for (int32_t k = d->names; k < h->stop; k++) // not the bases
            if (is_mark(c, k, ':') && !is_mark(c, k + 1, ':') && !is_mark(c, k - 1, ':'))
                d->names_end = k < d->names_end ? k : d->names_end;
    } else if (h->call >= 0 && h->equals < 0) {
        d->names = h->call - 1, d->names_end = h->call;
    } else {
        d->one_of = true;
    }
}

// Host functions of a class leave holes in it; what the compiler makes by itself stays.
static bool is_made_by_itself(const scanner *c, const declaration_head *h)
{
    return h->equals >= 0 && (is(c, h->equals + 1, "default") || is(c, h->equals + 1, "delete"));
}

static cuda_fate fate_of(const scanner *c, const declaration_head *h, bool in_class)
{
    const bool function = h->call >= 0 && (h->equals < 0 || h->equals > h->call);
    if (h->annotated || is_made_by_itself(c, h)) return CUDA_KEPT;
    if (h->is_using && is(c, h->begin + 1, "namespace")) return CUDA_KEPT;
    const bool of_enum = h->is_enum && !is_mark(c, h->stop, '{') && !h->is_typedef;
    if (of_enum && !in_class && !h->constant) return CUDA_DROPPED; // extern enum colour chosen;
    if (h->is_using || h->is_typedef || h->is_enum) return in_class ? CUDA_KEPT : CUDA_WANTED;
    if (is(c, h->begin, "namespace")) return CUDA_WANTED;
    if (h->key >= 0 && !function) return in_class ? CUDA_KEPT : CUDA_WANTED;
    if (function) return h->folded ? (in_class ? CUDA_KEPT : CUDA_WANTED) : CUDA_DROPPED;
    if (in_class) return CUDA_KEPT; // members with values
    return h->constant && (h->folded || !h->pointer) ? CUDA_WANTED : CUDA_DROPPED;
}

static int32_t scan(scanner *c, int32_t k, int32_t end, bool in_class);

static int32_t scan_block(scanner *c, int32_t open, int32_t end, bool in_class)
{
    const int32_t close = behind(c, open, end, '{', '}');
    if (c->depth >= MAX_DEPTH) return close;
    c->depth++;
    const int32_t inside = is_mark(c, close - 1, '}') ? close - 1 : close;
    const int32_t at = scan(c, open + 1, inside, in_class);
    c->depth--;
    return at < 0 ? -1 : close;
}

// One declaration from k on; behind it, or -1: no memory.
static int32_t scan_one(scanner *c, int32_t k, int32_t end, bool in_class)
{
    const declaration_head h = read_head(c, k, end);
    const bool braces = is_mark(c, h.stop, '{');
    const bool function = h.call >= 0 && (h.equals < 0 || h.equals > h.call);
    if (h.stop >= end || is_mark(c, h.stop, '}')) return h.stop + 1;
    if (braces && (is(c, k, "namespace") || (is(c, k, "inline") && is(c, k + 1, "namespace"))))
        return scan_block(c, h.stop, end, false);
    if (braces && h.is_extern && h.stop == k + 2) return scan_block(c, h.stop, end, false);
    cuda_declaration d = {.begin = k, .more = INT32_MAX, .fate = fate_of(c, &h, in_class)};
    if (!braces) {
        d.end = h.stop + 1;
    } else if (h.key >= 0 && !function && h.equals < 0) {
        const int32_t closed = scan_block(c, h.stop, end, true);
        if (closed < 0) return -1;
        d.end = behind_semicolon(c, closed, end);
        d.more = closed;
    } else if (function && h.equals < 0) {
        d.end = behind(c, h.stop, end, '{', '}');
    } else {
        d.end = behind_semicolon(c, h.stop, end);
    }
    find_names(c, &h, &d);
    d.inner = in_class;
    d.annotate = function && h.folded && !h.annotated && d.fate != CUDA_DROPPED;
    if (in_class && d.fate != CUDA_DROPPED && !d.annotate) return d.end;
    return add(c, d) ? d.end : -1;
}

static int32_t scan(scanner *c, int32_t k, int32_t end, bool in_class)
{
    static const char *const access[] = {"public", "private", "protected", NULL};
    while (k >= 0 && k < end) {
        if (c->f->tokens[k].kind == CUDA_DIRECTIVE || is_mark(c, k, ';') || is_mark(c, k, '}'))
            k++;
        else if (in_class && is_one_of(c, k, access) && is_mark(c, k + 1, ':'))
            k += 2;
        else
            k = scan_one(c, k, end, in_class);
    }
    return k;
}

bool hd__model_cuda_declarations(cuda_source *s, int32_t file)
{
    scanner c = {.s = s, .f = &s->files[file], .file = file};
    return scan(&c, 0, c.f->token_count, false) >= 0;
}
