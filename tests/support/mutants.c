// SPDX-License-Identifier: Apache-2.0
// Barriers and fences of a CUDA text, see mutants.h.
#include "mutants.h"

#include <stdio.h>
#include <string.h>

#include "check.h"

static bool in_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

// After a comment or a string that begins here; else here.
static size_t after_comment(const char *text, size_t at)
{
    if (text[at] == '/' && text[at + 1] == '/') return at + strcspn(text + at, "\n");
    if (text[at] == '/' && text[at + 1] == '*') {
        const char *end = strstr(text + at + 2, "*/");
        return end != NULL ? (size_t)(end - text) + 2 : strlen(text);
    }
    if (text[at] != '"') return at;
    for (at++; text[at] != 0 && text[at] != '"'; at++)
        if (text[at] == '\\' && text[at + 1] != 0) at++;
    return text[at] != 0 ? at + 1 : at;
}

static bool orders(const char *word, size_t length)
{
    char name[64];
    if (length >= sizeof name) return false;
    memcpy(name, word, length);
    name[length] = 0;
    if (strcmp(name, "__syncthreads") == 0 || strcmp(name, "__syncwarp") == 0) return true;
    if (strncmp(name, "__threadfence", 13) == 0) return true;
    return strncmp(name, "hk_", 3) == 0 &&
           (strstr(name, "barrier") != NULL || strstr(name, "fence") != NULL);
}

// The end of a call that is a statement of its own; 0: it is not.
static size_t end_of_call(const char *text, size_t at)
{
    int depth = 0;
    if (text[at] != '(') return 0;
    for (; text[at] != 0; at++) {
        depth += (text[at] == '(') - (text[at] == ')');
        if (depth == 0) break;
    }
    return text[at] == ')' && text[at + 1] == ';' ? at + 1 : 0;
}

static void describe(const char *text, mutant_site *site)
{
    size_t first = site->at, before;
    while (first > 0 && text[first - 1] != '\n') first--;
    for (before = first > 0 ? first - 1 : 0; before > 0 && text[before - 1] != '\n';) before--;
    const size_t end = first + strcspn(text + first, "\n");
    const char *redundant = strstr(text + before, "redundant:");
    const char *unseen = strstr(text + before, "unseen:");
    site->redundant =
        (redundant != NULL && redundant < text + end) || (unseen != NULL && unseen < text + end);
    site->line = 1;
    site->file[0] = 0;
    for (const char *k = text; k < text + first; k += strcspn(k, "\n") + 1) {
        const bool named = sscanf(k, "#line %d \"%31[^\"\n]\"", &site->line, site->file) == 2;
        site->line += !named;
    }
    first += strspn(text + first, " ");
    snprintf(site->text, sizeof site->text, "%.*s", (int)(end - first), text + first);
}

int mutant_sites(const char *text, mutant_site *sites)
{
    int count = 0;
    bool defined = false; // the word before is one that a definition has there
    for (size_t at = 0; text[at] != 0;) {
        const size_t after = after_comment(text, at);
        if (after > at) {
            at = after;
        } else if (in_word(text[at])) {
            size_t end = at;
            while (in_word(text[end])) end++;
            const size_t stop = orders(text + at, end - at) ? end_of_call(text, end) : 0;
            if (stop > 0 && !defined && count < MUTANT_MAX_SITES) {
                sites[count] = (mutant_site){.at = at, .length = stop - at};
                describe(text, &sites[count++]);
            }
            defined = !(end - at == 4 && memcmp(text + at, "else", 4) == 0);
            at = end;
        } else {
            if (strchr(" \t\n", text[at]) == NULL) defined = false;
            at++;
        }
    }
    return count;
}

char *mutant_without(const char *text, const mutant_site *site)
{
    const size_t bytes = strlen(text) + 1;
    char *copy = check_memory(bytes);
    memcpy(copy, text, bytes);
    for (size_t k = 0; k < site->length; k++)
        if (copy[site->at + k] != '\n') copy[site->at + k] = ' ';
    return copy;
}
