// SPDX-License-Identifier: Apache-2.0
//
// A user's CUDA C made ready for a compiler that only makes device code: the file and the files it
// includes, split into declarations; what belongs to the host is blanked, line by line, so that
// numbers of lines stay. cuda_tokens.c splits text into tokens, cuda_declarations.c tokens into
// declarations, cuda_source.c follows includes and selects the declarations that stay.
#ifndef HEDDLE_MODEL_SOURCE_CUDA_SOURCE_H
#define HEDDLE_MODEL_SOURCE_CUDA_SOURCE_H

#include "core/system/embedded.h"
#include "include_roots.h"
#include "model/ptx/ptx_parse.h"

// ---- Tokens -------------------------------------------------------------------------------------

typedef enum cuda_token_kind {
    CUDA_WORD,
    CUDA_NUMBER,
    CUDA_TEXT,     // strings and characters
    CUDA_MARK,     // one character
    CUDA_DIRECTIVE // a whole line from '#' on, with those it continues on
} cuda_token_kind;

typedef struct cuda_token {
    cuda_token_kind kind;
    int32_t begin, end; // in the file's text
} cuda_token;

// ---- Declarations -------------------------------------------------------------------------------

typedef enum cuda_fate {
    CUDA_DROPPED, // the host's
    CUDA_WANTED,  // kept if something that is kept mentions one of its names
    CUDA_KEPT
} cuda_fate;

// Tokens [begin, end) of a file. Holes (members of classes that are the host's) are declarations of
// their own inside of others, dropped whatever happens.
typedef struct cuda_declaration {
    int32_t file, begin, end;
    int32_t names, names_end; // tokens that hold the names it declares
    int32_t more;             // and, of a class, those from here to its end
    cuda_fate fate;
    bool inner;    // inside of a class: dropped (a hole in it), or only to be annotated
    bool annotate; // constexpr functions become __host__ __device__
    bool one_of;   // only words before = , ; [ { ( are names
} cuda_declaration;

typedef struct cuda_file {
    const char *path;     // as messages name it
    const char *included; // the name it is included by; NULL: the file itself
    char *text;           // a copy, blanked in place at the end
    int32_t length;
    cuda_token *tokens;
    int32_t token_count;
    const char **edits; // by token: instead of a directive, in front of a word; NULL: none
    bool *holes;        // by token: in a hole of a class
} cuda_file;

// #define NAME ...
typedef struct cuda_macro {
    const char *name, *body, *end; // the name ends where no letter or digit follows
    int32_t length;                // of the name
    bool annotates;                // __device__ or its like are in it
    bool mentioned;
} cuda_macro;

// A header by which a name of the user's leads to one of the files.
typedef struct cuda_alias {
    const char *name, *text;
} cuda_alias;

#define CUDA_MAX_FILES 512 // of the user's, and as many aliases

typedef struct cuda_source {
    ptx_arena *arena;
    cuda_file *files; // the first is the user's
    int32_t file_count, file_room;
    cuda_declaration *declarations;
    int32_t declaration_count, declaration_room;
    cuda_macro *macros;
    int32_t macro_count, macro_room;
    const char **instances; // "reduce<float, 256>": launched by host code, or asked for
    int32_t instance_count, instance_room;
    int32_t asked;        // the first so many were asked for
    const char **missing; // headers that are nowhere
    int32_t missing_count, missing_room;
    cuda_alias *aliases;
    int32_t alias_count, alias_room;
    include_roots own;          // what may be included
    const char *const *folders; // of the user's #include, NULL at the end; or NULL
    const char *toolkit;        // folder of CUDA's headers, or NULL
    bool uses_toolkit;          // one of them is included
} cuda_source;

// Makes room for one more element of an array of the arena. false: no memory.
bool hd__model_cuda_grow(cuda_source *s, void *array, int32_t count, int32_t *room, size_t size);

// Follows #include and reads #define of a file. false: no memory.
bool hd__model_cuda_directives(cuda_source *s, int32_t file);
// The value of a macro, from a file or the command line: if it is a name in quotes, #include of the
// macro finds that file. false: no memory.
bool hd__model_cuda_alias(cuda_source *s, const char *from, const char *at, const char *end);
// Adds a file of the user's; the number it got, or -1: no memory. The text becomes the source's.
int32_t hd__model_cuda_add_file(cuda_source *s, const char *path, const char *text, int64_t length);

// Splits text into tokens of the arena. false: no memory.
bool hd__model_cuda_tokens(cuda_source *s, cuda_file *f);
// Adds the declarations of a file whose tokens are there. false: no memory.
bool hd__model_cuda_declarations(cuda_source *s, int32_t file);
// Whether a word is __device__, __global__ or their like, or a macro that has one in it.
bool hd__model_cuda_is_annotation(const cuda_source *s, const cuda_file *f, const cuda_token *t);

// Reads the text and what it includes, and blanks what is not needed. `toolkit`, `folders` and
// `asked` (NULL at the end; instances to make) may be NULL. false: no memory. It is to be freed in
// any case.
typedef struct cuda_wishes {
    const char *toolkit;
    const char *const *folders;
    const char *const *instances;
    const char *const *defines; // "NAME=value"
} cuda_wishes;
bool hd__model_cuda_source_open(cuda_source *s, const char *text, int64_t length, const char *path,
                                const cuda_wishes *wishes);
void hd__model_cuda_source_close(cuda_source *s);

// The text for the compiler: our header, the file, and its instances, less those whose bit is set
// in `without`. NULL: no memory. It is the source's.
const char *hd__model_cuda_source_text(cuda_source *s, const bool *without);

// A file that is included, by its number from 1 on. NULL: no memory.
const char *hd__model_cuda_file_text(cuda_source *s, int32_t file);

// The name that errors in instances carry; their line is the instance's number from 1 on.
#define HD_INSTANCES "instances of templates"

// Headers of ours that every compiler gets, as <heddle/NAME>: src/model/device. What users know as
// cuda_fp16.h is cuda_fp16.cuh there.
extern const hd__embedded hd__model_cuda_headers[];
const hd__embedded *hd__model_cuda_header(const char *name); // of either name, or NULL

// A whole file, with a zero behind it, for the caller to free; NULL: it cannot be read.
char *hd__model_cuda_read(const char *path, int64_t *length);

static inline bool cuda_is(const cuda_file *f, const cuda_token *t, const char *text)
{
    const char *at = f->text + t->begin;
    const int32_t n = t->end - t->begin;
    for (int32_t k = 0; k < n; k++)
        if (text[k] == 0 || text[k] != at[k]) return false;
    return text[n] == 0;
}

#endif
