// SPDX-License-Identifier: Apache-2.0
//
// Any bytes as a document: what is refused has words, and a place in the file; what is taken has a
// layout, with a box for each node in which no word is narrower than its letters.
#include "decode.h"

#include <stdio.h>

#include "io/documents/document.h"

enum { MAX_BYTES = 1 << 20 };

static void look_at(const io_document *d)
{
    int64_t letters = 0;
    if (d->count < 1 || d->styles < 1) abort();
    for (int64_t k = 0; k < d->count; k++) {
        const io_document_text *text = &d->text[k];
        if (text->name == NULL || text->length < 0 || text->size < 0) abort();
        if (text->begin < 0) continue;
        if (text->begin < letters || text->length == 0) abort(); // one after another
        letters = text->begin + text->length;
    }
    volatile uint64_t read = fuzz_hash(1, d->letters, (size_t)letters);
    (void)read;
}

static void lay_out(const io_document *d, int64_t width)
{
    static hd_context *ctx;
    const hd_context_options how = {.backend = HD_SERIAL};
    if (ctx == NULL && hd_open(&ctx, &how) != HD_OK) abort();
    hd_layout_box *box = malloc((size_t)d->count * sizeof *box);
    if (box == NULL) abort();
    const hd_status status =
        hd_layout(ctx, HD_VIEW_OF(HD_TYPE(hd_layout_node), d->node, d->count),
                  HD_VIEW_OF(HD_TYPE(hd_layout_style), d->style, d->styles), width,
                  HD_VIEW_OF(HD_TYPE(hd_layout_box), box, d->count), NULL);
    if (status != HD_OK) {
        fprintf(stderr, "%s\n", hd_error(ctx));
        abort();
    }
    for (int64_t k = 0; k < d->count; k++)
        if (box[k].width < 0 || box[k].height < 0 ||
            (d->node[k].kind == HD_LAYOUT_INLINE && box[k].width != d->node[k].width))
            abort();
    free(box);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    io_document d;
    io_error error = {.text = ""};
    io_limit_set(MAX_BYTES);
    const io_status status = io_document_load_memory(&d, "fuzz", data, size, &error);
    if (status != IO_OK) {
        if (d.memory != NULL || error.text[0] == '\0') abort();
        if (status == IO_FORMAT && strncmp(error.text, "fuzz: line ", 11) != 0) abort();
        return 0;
    }
    look_at(&d);
    lay_out(&d, size % 7 * 1000);
    io_document_release(&d);
    return 0;
}
