// SPDX-License-Identifier: Apache-2.0
//
// Elements and words. The file is gone through once; how much memory its document takes at most is
// counted before, so nothing grows.
#include "document.h"

#include <stdlib.h>

#include "document_reader.h"
#include "io/support/limit.h"
#include "io/support/memory.h"

enum { FONT = 16 * IO_DOCUMENT_UNITS }; // of the page
enum { MAX_BYTES = 1 << 29 };           // of a file: as many nodes hd_layout takes
enum { LONGEST = 1 << 30 };             // of a length

// ---- Elements -----------------------------------------------------------------------------------

typedef enum kind { BLOCK, INLINE, ITEM, LINE_BREAK, WORD_BREAK, IMAGE, RULE } kind;

// What an element begins with: sizes in thousandths of the font, margins above and below, to the
// left and to the right, and padding on the left, in pixels.
typedef struct element {
    const char *name;
    kind kind;
    int font, margin, side, padding;
    bool bold, italic;
} element;

static const element elements[] = {
    {"html", BLOCK, 1000, 0, 0, 0, false, false},
    {"body", BLOCK, 1000, 500, 8, 0, false, false},
    {"div", BLOCK, 1000, 0, 0, 0, false, false},
    {"section", BLOCK, 1000, 0, 0, 0, false, false},
    {"article", BLOCK, 1000, 0, 0, 0, false, false},
    {"header", BLOCK, 1000, 0, 0, 0, false, false},
    {"footer", BLOCK, 1000, 0, 0, 0, false, false},
    {"main", BLOCK, 1000, 0, 0, 0, false, false},
    {"nav", BLOCK, 1000, 0, 0, 0, false, false},
    {"p", BLOCK, 1000, 500, 0, 0, false, false},
    {"h1", BLOCK, 2000, 335, 0, 0, true, false},
    {"h2", BLOCK, 1500, 415, 0, 0, true, false},
    {"h3", BLOCK, 1170, 500, 0, 0, true, false},
    {"h4", BLOCK, 1000, 665, 0, 0, true, false},
    {"h5", BLOCK, 830, 835, 0, 0, true, false},
    {"h6", BLOCK, 670, 1165, 0, 0, true, false},
    {"ul", BLOCK, 1000, 500, 0, 24, false, false},
    {"li", ITEM, 1000, 0, 0, 0, false, false},
    {"blockquote", BLOCK, 1000, 500, 40, 0, false, false},
    {"span", INLINE, 1000, 0, 0, 0, false, false},
    {"b", INLINE, 1000, 0, 0, 0, true, false},
    {"strong", INLINE, 1000, 0, 0, 0, true, false},
    {"i", INLINE, 1000, 0, 0, 0, false, true},
    {"em", INLINE, 1000, 0, 0, 0, false, true},
    {"a", INLINE, 1000, 0, 0, 0, false, false},
    {"small", INLINE, 830, 0, 0, 0, false, false},
    {"br", LINE_BREAK, 1000, 0, 0, 0, false, false},
    {"wbr", WORD_BREAK, 1000, 0, 0, 0, false, false},
    {"img", IMAGE, 1000, 0, 0, 0, false, false},
    {"hr", RULE, 1000, 500, 0, 0, false, false},
};
enum { ELEMENTS = sizeof elements / sizeof *elements };

static bool is_block(kind k)
{
    return k == BLOCK || k == ITEM || k == RULE;
}

static bool has_content(kind k)
{
    return k == BLOCK || k == ITEM || k == INLINE;
}

// ---- The reader ---------------------------------------------------------------------------------

typedef struct tag {
    const char *at; // its "<"
    io_span name, style, width, height;
    bool closes, is_empty; // </p>, <br/>
} tag;

static void add_block(io_reading *r, const io_box_style *style, const char *name)
{
    io_document *d = r->d;
    d->style[d->styles] = io_style_of(style);
    io_document_add(r, (hd_layout_node){.kind = HD_LAYOUT_BLOCK, .style = (int32_t)d->styles++},
                    &style->letters, name);
    r->in_line = r->blank = false;
}

static bool is_name(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '_' || c == ':';
}

static void skip_blanks(io_reading *r)
{
    while (r->at < r->m.end && io_is_space(*r->at)) r->at++;
}

static io_span take_name(io_reading *r)
{
    const char *begin = r->at;
    while (r->at < r->m.end && is_name(*r->at)) r->at++;
    return (io_span){begin, (size_t)(r->at - begin)};
}

static io_status take_value(io_reading *r, io_span *value)
{
    const char quote = r->at < r->m.end ? *r->at : 0;
    const char *begin = r->at;
    if (quote != '"' && quote != '\'') {
        while (r->at < r->m.end && !io_is_space(*r->at) && *r->at != '>' && *r->at != '/') r->at++;
        *value = (io_span){begin, (size_t)(r->at - begin)};
        return IO_OK;
    }
    const char *end = memchr(begin + 1, quote, (size_t)(r->m.end - begin - 1));
    if (end == NULL)
        return io_markup_fail(&r->m, begin, r->error, "expected a %c that ends this value", quote);
    *value = (io_span){begin + 1, (size_t)(end - begin - 1)};
    r->at = end + 1;
    return IO_OK;
}

static io_status take_attribute(io_reading *r, tag *t)
{
    io_span value = {"", 0};
    const char *at = r->at;
    const io_span name = take_name(r);
    if (name.length == 0)
        return io_markup_fail(&r->m, at, r->error,
                              "expected an attribute or the > of <%.*s>, got '%c'",
                              io_shown(t->name), t->name.text, *at);
    skip_blanks(r);
    if (r->at < r->m.end && *r->at == '=') {
        r->at++;
        skip_blanks(r);
        IO_TRY(take_value(r, &value));
    }
    if (io_span_is(name, "style")) t->style = value;
    if (io_span_is(name, "width")) t->width = value;
    if (io_span_is(name, "height")) t->height = value;
    return IO_OK;
}

static io_status unfinished(io_reading *r, const tag *t)
{
    return io_markup_fail(&r->m, t->at, r->error, "the file ends within <%.*s", io_shown(t->name),
                          t->name.text);
}

static io_status take_tag(io_reading *r, tag *t)
{
    *t = (tag){.at = r->at++, .style = {"", 0}};
    if (r->at < r->m.end && *r->at == '/') t->closes = true, r->at++;
    t->name = take_name(r);
    if (t->name.length == 0)
        return io_markup_fail(&r->m, t->at, r->error,
                              "expected the name of an element behind <; a < of the text is &lt;");
    for (skip_blanks(r); r->at < r->m.end; skip_blanks(r)) {
        if (*r->at == '>') {
            r->at++;
            return IO_OK;
        }
        if (r->at + 1 < r->m.end && r->at[0] == '/' && r->at[1] == '>') {
            t->is_empty = true, r->at += 2;
            return IO_OK;
        }
        IO_TRY(take_attribute(r, t));
    }
    return unfinished(r, t);
}

static const element *element_of(io_span name)
{
    for (int k = 0; k < ELEMENTS; k++)
        if (io_span_is(name, elements[k].name)) return &elements[k];
    return NULL;
}

// The size of a font in a tag's style, and all else there.
static io_status begin_style(io_reading *r, const element *e, const tag *t, io_box_style *s)
{
    const io_letters *parent = io_letters_of(r);
    *s = (io_box_style){.letters = *parent};
    s->letters.size = io_part_of(parent->size, e->font);
    if (s->letters.size > IO_FONT_MAX * IO_DOCUMENT_UNITS)
        return io_markup_fail(&r->m, t->at, r->error,
                              "the font of <%s> is larger than %dpx, as it is in others that "
                              "enlarge theirs",
                              e->name, IO_FONT_MAX);
    s->letters.bold |= e->bold, s->letters.italic |= e->italic;
    IO_TRY(io_style_declare_font(&r->m, t->style.text, t->style.length, parent->size, s, r->error));
    const int32_t margin = io_part_of(s->letters.size, e->margin);
    const int32_t side = e->side * IO_DOCUMENT_UNITS;
    s->box.margin[0] = s->box.margin[2] = margin;
    s->box.margin[1] = s->box.margin[3] = side;
    s->box.padding[3] = e->padding * IO_DOCUMENT_UNITS;
    if (e->kind == RULE) s->box.given = HD_LAYOUT_HEIGHT, s->box.height = IO_DOCUMENT_UNITS;
    return io_style_declare_box(&r->m, t->style.text, t->style.length, !is_block(e->kind), s,
                                r->error);
}

static io_status image_side(io_reading *r, const tag *t, io_span text, const char *what,
                            int32_t *length)
{
    int64_t pixels = 0;
    for (size_t k = 0; k < text.length && pixels < LONGEST; k++) {
        if (text.text[k] < '0' || text.text[k] > '9')
            text.length = 0; // ends the loop, too
        else
            pixels = pixels * 10 + (text.text[k] - '0');
    }
    if (text.length == 0 || pixels > LONGEST / IO_DOCUMENT_UNITS)
        return io_markup_fail(&r->m, t->at, r->error,
                              "the %s of <img>: expected 0 .. %d pixels, as %s=\"20\"", what,
                              (int)(LONGEST / IO_DOCUMENT_UNITS), what);
    *length = (int32_t)(pixels * IO_DOCUMENT_UNITS);
    return IO_OK;
}

static io_status add_image(io_reading *r, const tag *t, const io_letters *letters)
{
    hd_layout_node node = {.kind = HD_LAYOUT_INLINE};
    IO_TRY(image_side(r, t, t->width, "width", &node.width));
    IO_TRY(image_side(r, t, t->height, "height", &node.ascent));
    io_document_begin_word(r);
    io_document_add(r, node, letters, "img");
    return IO_OK;
}

static io_status open_element_of(io_reading *r, const element *e, const tag *t)
{
    io_box_style s;
    IO_TRY(begin_style(r, e, t, &s));
    if (is_block(e->kind) && r->open[r->depth].is != NULL && r->open[r->depth].is->kind == INLINE)
        return io_markup_fail(&r->m, t->at, r->error, "a block, <%s>, within <%s>, which is inline",
                              e->name, r->open[r->depth].is->name);
    if (is_block(e->kind)) add_block(r, &s, e->name);
    if (e->kind == IMAGE) IO_TRY(add_image(r, t, &s.letters));
    if (e->kind == LINE_BREAK) {
        io_document_add_letters(r, HD_LAYOUT_BREAK, 0, &s.letters, "br");
        r->in_line = r->blank = false;
    }
    if (e->kind == WORD_BREAK && r->in_line && !r->blank)
        io_document_add_letters(r, HD_LAYOUT_SPACE, 0, &s.letters, "wbr");
    if (!has_content(e->kind) || t->is_empty) {
        if (is_block(e->kind)) r->in_line = r->blank = false;
        return IO_OK;
    }
    r->blocks += is_block(e->kind);
    r->open[++r->depth] = (io_open_element){e, t->at, s.letters};
    if (e->kind == ITEM) io_document_add_bullet(r, &s.letters);
    return IO_OK;
}

static io_status close_element(io_reading *r, const element *e, const tag *t)
{
    const io_open_element *open = &r->open[r->depth];
    if (!has_content(e->kind))
        return io_markup_fail(&r->m, t->at, r->error, "<%s> has no content; expected no </%s>",
                              e->name, e->name);
    if (r->depth == 0)
        return io_markup_fail(&r->m, t->at, r->error, "</%s> closes nothing", e->name);
    if (open->is != e)
        return io_markup_fail(&r->m, t->at, r->error, "expected </%s>, got </%s>", open->is->name,
                              e->name);
    r->blocks -= is_block(e->kind);
    if (is_block(e->kind)) r->in_line = r->blank = false;
    r->depth--;
    return IO_OK;
}

// Behind the next `text`.
static io_status skip_to(io_reading *r, const char *text, const char *what)
{
    const size_t n = strlen(text);
    const char *at = r->at;
    for (; (size_t)(r->m.end - r->at) >= n; r->at++)
        if (strncasecmp(r->at, text, n) == 0) {
            r->at += n;
            return IO_OK;
        }
    return io_markup_fail(&r->m, at, r->error, "expected %s that ends this %s", text, what);
}

static io_status take_element(io_reading *r)
{
    const size_t left = (size_t)(r->m.end - r->at);
    tag t;
    if (left >= 4 && memcmp(r->at, "<!--", 4) == 0) {
        r->at += 4;
        return skip_to(r, "-->", "comment");
    }
    if (left >= 2 && (r->at[1] == '!' || r->at[1] == '?')) return skip_to(r, ">", "declaration");
    IO_TRY(take_tag(r, &t));
    if (io_span_is(t.name, "head") && !t.closes && !t.is_empty)
        return skip_to(r, "</head>", "head");
    const element *e = element_of(t.name);
    if (e == NULL)
        return io_markup_fail(&r->m, t.at, r->error,
                              "<%.*s> is no element of a layout; expected such as div, p, h1, ul, "
                              "span, br, img",
                              io_shown(t.name), t.name.text);
    return t.closes ? close_element(r, e, &t) : open_element_of(r, e, &t);
}

static io_status read_all(io_reading *r)
{
    const io_letters page = {.size = FONT};
    r->open[0] = (io_open_element){.letters = page};
    add_block(r, &(io_box_style){.letters = page}, "page");
    r->blocks = 1;
    while (r->at < r->m.end) {
        if (*r->at == '<')
            IO_TRY(take_element(r));
        else
            IO_TRY(io_document_take_text(r));
    }
    if (r->depth == 0) return IO_OK;
    return io_markup_fail(&r->m, r->open[r->depth].at, r->error, "<%s> is not closed",
                          r->open[r->depth].is->name);
}

// ---- Memory -------------------------------------------------------------------------------------

// What a document has at most: a tag opens a block, a bullet and its space; a word has one, too. A
// word begins the file, or follows a blank or the end of a tag.
static void count(const io_bytes *bytes, int64_t *tags, int64_t *words)
{
    bool may_begin = true;
    *tags = *words = 0;
    for (size_t k = 0; k < bytes->size; k++) {
        const char c = (char)bytes->data[k];
        *tags += c == '<';
        *words += may_begin && c != '<' && !io_is_space(c);
        may_begin = c == '>' || io_is_space(c);
    }
}

static io_status make_room(io_reading *r, const io_bytes *bytes, void **scratch)
{
    io_document *d = r->d;
    int64_t tags, words;
    count(bytes, &tags, &words);
    const size_t nodes = (size_t)(1 + 3 * tags + 2 * words), styles = (size_t)(1 + tags);
    const size_t of_nodes = nodes * (sizeof *d->node + sizeof *d->text);
    const size_t all = of_nodes + styles * sizeof *d->style + bytes->size + 1;
    const size_t open = styles * sizeof *r->open;
    IO_TRY(io_limit_check(bytes->name, "the document", (int64_t)(all + open), (int64_t)bytes->size,
                          r->error));
    d->memory = io_allocate(all);
    *scratch = io_allocate(open);
    if (d->memory == NULL || *scratch == NULL)
        return io_fail(r->error, IO_MEMORY, "%s: no memory for a document of %zu nodes",
                       bytes->name, nodes);
    d->text = d->memory;
    d->node = (hd_layout_node *)(d->text + nodes);
    d->style = (hd_layout_style *)(d->node + nodes);
    d->letters = (char *)(d->style + styles);
    r->open = *scratch;
    return IO_OK;
}

static io_status read_bytes(io_document *d, const io_bytes *bytes, io_error *error)
{
    const char *begin = (const char *)bytes->data;
    io_reading r = {
        .m = {bytes->name, begin, begin + bytes->size}, .at = begin, .d = d, .error = error};
    void *scratch = NULL;
    if (bytes->size > MAX_BYTES)
        return io_fail(error, IO_LIMIT, "%s: a document of %zu bytes; expected %d at most",
                       bytes->name, bytes->size, (int)MAX_BYTES);
    io_status status = make_room(&r, bytes, &scratch);
    if (status == IO_OK) status = read_all(&r);
    if (status != IO_OK) io_document_release(d);
    free(scratch);
    return status;
}

static io_status read_source(io_document *document, io_source *source, io_error *error)
{
    io_bytes bytes;
    io_status status = io_bytes_read(&bytes, source, error);
    io_source_close(source);
    if (status != IO_OK) return status;
    status = read_bytes(document, &bytes, error);
    io_bytes_release(&bytes);
    return status;
}

io_status io_document_load(io_document *document, const char *name, io_error *error)
{
    io_source source;
    *document = (io_document){.count = 0};
    IO_TRY(io_source_open(&source, name, error));
    return read_source(document, &source, error);
}

io_status io_document_load_memory(io_document *document, const char *name, const void *memory,
                                  size_t length, io_error *error)
{
    io_source source;
    *document = (io_document){.count = 0};
    io_source_memory(&source, name, memory, length);
    return read_source(document, &source, error);
}

void io_document_release(io_document *document)
{
    free(document->memory);
    *document = (io_document){.count = 0};
}
