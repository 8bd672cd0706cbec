// SPDX-License-Identifier: Apache-2.0
//
// Texts of source files, line by line: what a report shows beside its counts. A file is looked for
// where it is named and beside the one that was compiled.
#ifndef HEDDLE_CLI_MODEL_MODEL_SOURCE_H
#define HEDDLE_CLI_MODEL_MODEL_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "program.h"

typedef struct model_text {
    char *name; // as reports name it
    char *text; // NULL: it could not be read
    size_t length;
    const char **line; // of line k + 1; each ends at '\n' or at the text's end
    int32_t lines;
} model_text;

#define MODEL_MAX_TEXTS 32

typedef struct model_sources {
    const char *main; // the file that was compiled
    model_text at[MODEL_MAX_TEXTS];
    int count;
    include_roots own; // whose files may be shown
} model_sources;

// Reads the main file; `folders` are the user's own, NULL at the end. NULL: errno tells why.
const model_text *model_sources_open(model_sources *s, const char *file,
                                     const char *const *folders);
void model_sources_close(model_sources *s);

// A file that a report names, read when it is first asked for; NULL: it cannot be.
const model_text *model_sources_find(model_sources *s, const char *file);

// A line without the blanks around it, at most room - 1 bytes; "" where there is none.
const char *model_line_text(model_sources *s, const char *file, int32_t line, char *text,
                            size_t room);

// The same of an instruction: without a source line, its own where the main file is PTX.
const char *model_site_line(model_sources *s, const char *file, int32_t line, int32_t ptx_line,
                            char *text, size_t room);
bool model_is_ptx(const model_sources *s);

// The name of a file as the user knows it: without the folder that the program runs in, and of the
// main file as it was given.
const char *model_shown_file(const model_sources *s, const char *file);

// Makes a text fit for a terminal and a document: no control characters, only whole UTF-8.
void model_clean(char *text);

#endif
