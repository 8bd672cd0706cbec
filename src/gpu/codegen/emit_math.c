// SPDX-License-Identifier: Apache-2.0
#include "emit_math.h"

#include "core/system/embedded.h"

#include <ctype.h>
#include <string.h>

// The text of the functions of include/heddle/math.h, which cmake/library.cmake makes.
extern const hd__embedded hd__gpu_math_texts[];

// Behind hd_ and, for floats, before an f.
static const char *const names[] = {"exp",   "exp2", "expm1", "log",  "log2", "log10",
                                    "log1p", "sin",  "cos",   "tan",  "atan", "atan2",
                                    "tanh",  "pow",  "sqrt",  "cbrt", "hypot"};

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

static bool is_name(const char *word, size_t length)
{
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        const size_t n = strlen(names[k]);
        if (strncmp(word, names[k], n) != 0 || n > length) continue;
        if (length == n || (length == n + 1 && word[n] == 'f')) return true;
    }
    return false;
}

bool hd__gpu_calls_math(const char *text)
{
    const char *at = text;
    while (at != NULL && (at = strstr(at, "hd_")) != NULL) {
        const bool begins = at == text || !is_word(at[-1]);
        size_t length = 0;
        at += 3;
        while (is_word(at[length])) length++;
        if (begins && is_name(at, length)) return true;
        at += length;
    }
    return false;
}

static bool source_names(const hd_source *source)
{
    return source != NULL && hd__gpu_calls_math(source->text);
}

void hd__gpu_emit_math(hd__gpu_text *t, const hd_operator *op, const hd_function *map)
{
    const bool in_operator =
        op != NULL && (hd__gpu_calls_math(op->body_text) || hd__gpu_calls_math(op->identity_text) ||
                       source_names(op->source));
    const bool in_map =
        map != NULL && (hd__gpu_calls_math(map->body_text) || source_names(map->source));
    if (!in_operator && !in_map) return;
    hd__gpu_emit_verbatim(t, "#line 1 \"heddle/math.h\"\n");
    hd__gpu_emit_verbatim(t, hd__gpu_math_texts[0].text);
}
