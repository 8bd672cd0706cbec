// SPDX-License-Identifier: Apache-2.0
//
// The Itanium C++ ABI's names, as far as names of kernels go: nested names, templates of types and
// numbers, substitutions. Parameters of the function are not read.
#include "kernel_names.h"

#include <stdlib.h>
#include <string.h>

#define ROOM       512
#define MAX_SAVED  64
#define MAX_NESTED 32

typedef struct text {
    char at[ROOM];
    size_t used;
} text;

typedef struct demangler {
    const char *at;
    text saved[MAX_SAVED]; // what S_, S0_, S1_... stand for
    int count, depth;
    bool failed;
} demangler;

static void put(demangler *d, text *t, const char *what, size_t n)
{
    if (t->used + n >= ROOM) {
        d->failed = true;
        return;
    }
    memcpy(t->at + t->used, what, n);
    t->used += n;
    t->at[t->used] = 0;
}

static void say(demangler *d, text *t, const char *what)
{
    put(d, t, what, strlen(what));
}

static void save(demangler *d, const text *t)
{
    if (d->count < MAX_SAVED)
        d->saved[d->count++] = *t;
    else
        d->failed = true;
}

static bool eat(demangler *d, char c)
{
    if (*d->at != c) return false;
    d->at++;
    return true;
}

static void read_type(demangler *d, text *t);

// 5inner
static void read_word(demangler *d, text *t)
{
    char *end;
    const unsigned long n = strtoul(d->at, &end, 10);
    if (end == d->at || n > strlen(end)) {
        d->failed = true;
        return;
    }
    if (n > 10 && strncmp(end, "_GLOBAL__N", 10) == 0)
        say(d, t, "(anonymous namespace)");
    else
        put(d, t, end, n);
    d->at = end + n;
}

// Li128E, Lb1E, Lin2E
static void read_number(demangler *d, text *t)
{
    const char type = *d->at;
    if (strchr("bcahstijlmxy", type) == NULL || type == 0) {
        d->failed = true;
        return;
    }
    d->at++;
    const bool negative = eat(d, 'n');
    const size_t n = strspn(d->at, "0123456789");
    if (type == 'b') {
        say(d, t, n == 1 && *d->at == '1' ? "true" : "false");
    } else {
        if (negative) say(d, t, "-");
        put(d, t, d->at, n);
    }
    d->at += n;
    if (n == 0 || !eat(d, 'E')) d->failed = true;
}

static void read_arguments(demangler *d, text *t)
{
    bool first = true;
    say(d, t, "<");
    while (!d->failed && *d->at != 0 && !eat(d, 'E')) {
        if (eat(d, 'J')) { // a pack: its members follow
            while (!d->failed && *d->at != 0 && !eat(d, 'E')) {
                if (!first) say(d, t, ", ");
                read_type(d, t);
                first = false;
            }
            continue;
        }
        if (!first) say(d, t, ", ");
        if (eat(d, 'L'))
            read_number(d, t);
        else
            read_type(d, t);
        first = false;
    }
    say(d, t, ">");
}

// S_, S0_, ..., St
static void read_substitution(demangler *d, text *t)
{
    unsigned long k = 0;
    if (eat(d, 't')) {
        say(d, t, "std");
        return;
    }
    if (*d->at != '_') {
        char *end;
        k = strtoul(d->at, &end, 36) + 1;
        if (end == d->at) d->failed = true;
        d->at = end;
    }
    if (!eat(d, '_') || k >= (unsigned long)d->count) {
        d->failed = true;
        return;
    }
    say(d, t, d->saved[k].at);
}

// Behind N, to its E.
static void read_nested(demangler *d, text *t)
{
    text name = {.used = 0};
    while (*d->at == 'K' || *d->at == 'V' || *d->at == 'r') d->at++;
    while (!d->failed && *d->at != 0 && !eat(d, 'E')) {
        if (eat(d, 'I')) {
            read_arguments(d, &name);
        } else if (eat(d, 'S')) {
            read_substitution(d, &name);
            continue; // it is in the table
        } else {
            eat(d, 'L');
            if (name.used > 0) say(d, &name, "::");
            read_word(d, &name);
        }
        if (*d->at != 'E') save(d, &name);
    }
    say(d, t, name.at);
}

static const char *builtin(char c)
{
    static const char *const names[] = {['v' - 'a'] = "void",
                                        ['b' - 'a'] = "bool",
                                        ['c' - 'a'] = "char",
                                        ['a' - 'a'] = "signed char",
                                        ['h' - 'a'] = "unsigned char",
                                        ['s' - 'a'] = "short",
                                        ['t' - 'a'] = "unsigned short",
                                        ['i' - 'a'] = "int",
                                        ['j' - 'a'] = "unsigned int",
                                        ['l' - 'a'] = "long",
                                        ['m' - 'a'] = "unsigned long",
                                        ['x' - 'a'] = "long long",
                                        ['y' - 'a'] = "unsigned long long",
                                        ['f' - 'a'] = "float",
                                        ['d' - 'a'] = "double",
                                        ['z' - 'a'] = NULL};
    return c >= 'a' && c <= 'z' ? names[c - 'a'] : NULL;
}

// P, R, K before a type stand behind it in C++.
static void read_compound(demangler *d, text *t, const char *behind)
{
    text inner = {.used = 0};
    read_type(d, &inner);
    say(d, &inner, behind);
    save(d, &inner);
    say(d, t, inner.at);
}

static void read_class(demangler *d, text *t)
{
    text name = {.used = 0};
    if (eat(d, 'N')) {
        read_nested(d, &name);
        save(d, &name);
    } else if (eat(d, 'S')) {
        read_substitution(d, &name);
        if (strcmp(name.at, "std") == 0) {
            say(d, &name, "::");
            read_word(d, &name);
            save(d, &name);
        }
    } else {
        read_word(d, &name);
        save(d, &name);
    }
    if (eat(d, 'I')) {
        read_arguments(d, &name);
        save(d, &name);
    }
    say(d, t, name.at);
}

static void read_type(demangler *d, text *t)
{
    if (d->failed || ++d->depth > MAX_NESTED) {
        d->failed = true;
        return;
    }
    const char *simple = builtin(*d->at);
    if (simple != NULL) {
        d->at++;
        say(d, t, simple);
    } else if (eat(d, 'P')) {
        read_compound(d, t, "*");
    } else if (eat(d, 'R')) {
        read_compound(d, t, "&");
    } else if (eat(d, 'O')) {
        read_compound(d, t, "&&");
    } else if (eat(d, 'K')) {
        read_compound(d, t, " const");
    } else if (eat(d, 'V')) {
        read_compound(d, t, " volatile");
    } else {
        read_class(d, t);
    }
    d->depth--;
}

bool hd__model_demangle(const char *mangled, char *out, size_t room)
{
    demangler *d = calloc(1, sizeof *d);
    text name = {.used = 0};
    bool done = false;
    if (d != NULL && strncmp(mangled, "_Z", 2) == 0) {
        d->at = mangled + 2;
        eat(d, 'L'); // static
        if (eat(d, 'N')) {
            read_nested(d, &name);
        } else {
            read_word(d, &name);
            if (*d->at == 'I') save(d, &name);
            if (eat(d, 'I')) read_arguments(d, &name);
        }
        done = !d->failed && name.used > 0 && name.used < room;
        if (done) strcpy(out, name.at);
    }
    free(d);
    return done;
}

// ---- Comparing ----------------------------------------------------------------------------------

static bool is_name(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

// One way to write a name: no spaces but between words, "unsigned" without "int", numbers without
// suffixes.
static bool tidy(const char *name, char *out, size_t room)
{
    size_t n = 0;
    for (const char *at = name; *at != 0;) {
        if (*at == ' ' || *at == '\t') {
            at++;
            continue;
        }
        if (n + 2 >= room) return false;
        if (!is_name(*at)) {
            out[n++] = *at++;
            continue;
        }
        size_t length = 0;
        while (is_name(at[length])) length++;
        const bool whole = length == 3 && strncmp(at, "int", 3) == 0;
        if (whole && n >= 4 &&
            (strncmp(out + n - 4, "gned", 4) == 0 || strncmp(out + n - 4, "long", 4) == 0)) {
            at += length;
            continue;
        }
        size_t kept = length;
        while (*at >= '0' && *at <= '9' && kept > 1 && strchr("uUlL", at[kept - 1])) kept--;
        if (n + kept + 2 >= room) return false;
        if (n > 0 && is_name(out[n - 1])) out[n++] = ' ';
        memcpy(out + n, at, kept);
        n += kept;
        at += length;
    }
    out[n] = 0;
    return true;
}

// The last part of a::b::c<d::e>.
static const char *unqualified(const char *name)
{
    const char *from = name;
    int depth = 0;
    for (const char *at = name; *at != 0; at++) {
        if (*at == '<') depth++;
        if (*at == '>') depth--;
        if (depth == 0 && at[0] == ':' && at[1] == ':') from = at + 2;
    }
    return from;
}

bool hd__model_name_matches(const char *name, const char *wanted)
{
    char a[ROOM], b[ROOM];
    if (!tidy(name, a, sizeof a) || !tidy(wanted, b, sizeof b)) return false;
    const char *given = strstr(b, "::") == NULL ? unqualified(a) : a;
    if (strcmp(given, b) == 0 || strcmp(a, b) == 0) return true;
    const char *arguments = strchr(given, '<');
    if (arguments == NULL || strchr(b, '<') != NULL) return false;
    return (size_t)(arguments - given) == strlen(b) && strncmp(given, b, strlen(b)) == 0;
}
