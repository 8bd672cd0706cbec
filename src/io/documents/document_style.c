// SPDX-License-Identifier: Apache-2.0
#include "document_style.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#include "io/numbers/number.h"

enum { MAX_PIXELS = 1 << 24 };         // 2^30 units
enum { MAX_PERCENT = 1 << 20 };        // percent
enum { TOP, RIGHT, BOTTOM, LEFT };     // sides
enum { ALL_SIDES = 4, MAX_WORDS = 4 }; // sides of "margin"; words of a value

io_status io_markup_fail(const io_markup *m, const char *at, io_error *error, const char *format,
                         ...)
{
    long long line = 1;
    const char *begin = m->begin;
    char text[400];
    va_list arguments;
    for (const char *c = m->begin; c < at; c++)
        if (*c == '\n') line++, begin = c + 1;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return io_fail(error, IO_FORMAT, "%s: line %lld, column %lld: %s", m->name, line,
                   (long long)(at - begin) + 1, text);
}

// ---- Values -------------------------------------------------------------------------------------

typedef enum unit { PIXELS, FONTS, PERCENT, NUMBER } unit;

// A number and its unit.
static bool take_number(io_span w, double *number, unit *of)
{
    static const char *const suffix[] = {"px", "em", "%"};
    size_t length = w.length;
    int64_t integer;
    *of = NUMBER;
    for (int k = 0; k < 3; k++) {
        const size_t n = strlen(suffix[k]);
        if (w.length <= n || strncasecmp(w.text + w.length - n, suffix[k], n) != 0) continue;
        *of = (unit)k, length -= n;
    }
    return io_number_parse(w.text, length, &integer, number) != IO_NO_NUMBER && isfinite(*number);
}

// A length in pixels or fonts; 0 needs no unit.
static io_status take_length(const io_markup *m, io_span w, int32_t font, bool negative,
                             int32_t *length, io_error *error)
{
    double number;
    unit of;
    if (!take_number(w, &number, &of) || of == PERCENT || (of == NUMBER && number != 0))
        return io_markup_fail(m, w.text, error,
                              "expected a length such as 12px or 1.5em, got '%.*s'", io_shown(w),
                              w.text);
    const double pixels = of == FONTS ? number * font / IO_DOCUMENT_UNITS : number;
    if (fabs(pixels) > MAX_PIXELS || (number < 0 && !negative))
        return io_markup_fail(m, w.text, error, "'%.*s' is %s; expected %s .. %dpx", io_shown(w),
                              w.text, number < 0 ? "too small" : "too large",
                              negative ? "-16777216px" : "0", (int)MAX_PIXELS);
    *length = (int32_t)rint(pixels * IO_DOCUMENT_UNITS);
    return IO_OK;
}

static io_status take_percent(const io_markup *m, io_span w, int32_t *percent, io_error *error)
{
    double number;
    unit of;
    if (!take_number(w, &number, &of) || number < 0 || number > MAX_PERCENT)
        return io_markup_fail(m, w.text, error, "'%.*s': expected 0%% .. %d%%", io_shown(w), w.text,
                              (int)MAX_PERCENT);
    *percent = (int32_t)rint(number * 100);
    return IO_OK;
}

static bool is_percent(io_span w)
{
    return w.length > 0 && w.text[w.length - 1] == '%';
}

// ---- Properties ---------------------------------------------------------------------------------

typedef struct declaration {
    const io_markup *m;
    io_span property, value[MAX_WORDS];
    int values;
    int32_t font; // the size of the font that is the unit
    io_box_style *style;
    io_error *error;
} declaration;

static io_status length_of(const declaration *d, io_span w, bool negative, int32_t *length)
{
    return take_length(d->m, w, d->font, negative, length, d->error);
}

static io_status set_width(const declaration *d)
{
    hd_layout_style *box = &d->style->box;
    box->given &= ~(uint32_t)HD_LAYOUT_WIDTH;
    box->width = box->percent = 0;
    if (io_span_is(d->value[0], "auto")) return IO_OK;
    box->given |= HD_LAYOUT_WIDTH;
    if (is_percent(d->value[0])) return take_percent(d->m, d->value[0], &box->percent, d->error);
    return length_of(d, d->value[0], false, &box->width);
}

static io_status set_min_width(const declaration *d)
{
    return length_of(d, d->value[0], false, &d->style->box.min_width);
}

static io_status set_max_width(const declaration *d)
{
    hd_layout_style *box = &d->style->box;
    box->given &= ~(uint32_t)HD_LAYOUT_MAX_WIDTH;
    if (io_span_is(d->value[0], "none")) return IO_OK;
    box->given |= HD_LAYOUT_MAX_WIDTH;
    return length_of(d, d->value[0], false, &box->max_width);
}

static io_status set_height(const declaration *d)
{
    hd_layout_style *box = &d->style->box;
    box->given &= ~(uint32_t)HD_LAYOUT_HEIGHT;
    if (io_span_is(d->value[0], "auto")) return IO_OK;
    box->given |= HD_LAYOUT_HEIGHT;
    return length_of(d, d->value[0], false, &box->height);
}

// One margin, or one padding.
static io_status set_side(const declaration *d, bool margin, int side, io_span w)
{
    hd_layout_style *box = &d->style->box;
    if (!margin) return length_of(d, w, false, &box->padding[side]);
    const bool by_itself = io_span_is(w, "auto");
    if (side == LEFT) d->style->auto_left = by_itself;
    if (side == RIGHT) d->style->auto_right = by_itself;
    box->margin[side] = 0;
    return by_itself ? IO_OK : length_of(d, w, true, &box->margin[side]);
}

// One to four values, as CSS has them: all; vertical, horizontal; top, horizontal, bottom; each.
static io_status set_sides(const declaration *d, bool margin)
{
    static const int from[MAX_WORDS][ALL_SIDES] = {
        {0, 0, 0, 0}, {0, 1, 0, 1}, {0, 1, 2, 1}, {0, 1, 2, 3}};
    for (int side = 0; side < ALL_SIDES; side++)
        IO_TRY(set_side(d, margin, side, d->value[from[d->values - 1][side]]));
    return IO_OK;
}

static io_status set_margin(const declaration *d)
{
    return set_sides(d, true);
}

static io_status set_padding(const declaration *d)
{
    return set_sides(d, false);
}

static io_status set_one_side(const declaration *d)
{
    static const char *const names[] = {"-top", "-right", "-bottom", "-left"};
    const bool margin = strncasecmp(d->property.text, "margin", 6) == 0;
    const size_t skip = strlen(margin ? "margin" : "padding");
    const io_span side = {d->property.text + skip, d->property.length - skip};
    int k = 0;
    while (k < LEFT && !io_span_is(side, names[k])) k++;
    return set_side(d, margin, k, d->value[0]);
}

static io_status set_text_align(const declaration *d)
{
    static const char *const names[] = {"left", "right", "center", "justify"};
    int k = 0;
    while (k < HD_LAYOUT_ALIGNS && !io_span_is(d->value[0], names[k])) k++;
    d->style->letters.text_align = k;
    if (k < HD_LAYOUT_ALIGNS) return IO_OK;
    return io_markup_fail(d->m, d->value[0].text, d->error,
                          "expected left, right, center or justify, got '%.*s'",
                          io_shown(d->value[0]), d->value[0].text);
}

static io_status set_line_height(const declaration *d)
{
    io_letters *letters = &d->style->letters;
    double number;
    unit of;
    letters->line_height = letters->line_factor = 0;
    if (io_span_is(d->value[0], "normal")) return IO_OK;
    if (!take_number(d->value[0], &number, &of) || of != NUMBER)
        return length_of(d, d->value[0], false, &letters->line_height);
    if (number < 0 || number > 1000)
        return io_markup_fail(d->m, d->value[0].text, d->error,
                              "'%.*s': expected a line-height of 0 .. 1000", io_shown(d->value[0]),
                              d->value[0].text);
    letters->line_factor = (int32_t)rint(number * 1000);
    return IO_OK;
}

static io_status set_font_size(const declaration *d)
{
    int32_t size = 0;
    double number;
    unit of;
    if (is_percent(d->value[0]) && take_number(d->value[0], &number, &of) && number >= 0 &&
        number <= MAX_PERCENT)
        size = (int32_t)fmin(rint(d->font * number / 100), 1e9);
    else
        IO_TRY(length_of(d, d->value[0], false, &size));
    if (size > IO_FONT_MAX * IO_DOCUMENT_UNITS)
        return io_markup_fail(d->m, d->value[0].text, d->error,
                              "'%.*s' is too large; expected at most %dpx", io_shown(d->value[0]),
                              d->value[0].text, (int)IO_FONT_MAX);
    d->style->letters.size = size;
    return IO_OK;
}

typedef struct property {
    const char *name;
    io_status (*set)(const declaration *d);
    int values; // at most
} property;

static const property properties[] = {
    {"font-size", set_font_size, 1},     {"width", set_width, 1},
    {"min-width", set_min_width, 1},     {"max-width", set_max_width, 1},
    {"height", set_height, 1},           {"margin", set_margin, 4},
    {"margin-top", set_one_side, 1},     {"margin-right", set_one_side, 1},
    {"margin-bottom", set_one_side, 1},  {"margin-left", set_one_side, 1},
    {"padding", set_padding, 4},         {"padding-top", set_one_side, 1},
    {"padding-right", set_one_side, 1},  {"padding-bottom", set_one_side, 1},
    {"padding-left", set_one_side, 1},   {"text-align", set_text_align, 1},
    {"line-height", set_line_height, 1},
};
enum { PROPERTIES = sizeof properties / sizeof *properties };

// ---- Declarations -------------------------------------------------------------------------------

static io_span trimmed(const char *begin, const char *end)
{
    while (begin < end && io_is_space(*begin)) begin++;
    while (end > begin && io_is_space(end[-1])) end--;
    return (io_span){begin, (size_t)(end - begin)};
}

// The words of a value; more than there is room for count too.
static int split(io_span value, io_span words[MAX_WORDS])
{
    const char *at = value.text, *end = value.text + value.length;
    int count = 0;
    while (at < end) {
        const char *begin = at;
        while (at < end && !io_is_space(*at)) at++;
        if (count < MAX_WORDS) words[count] = (io_span){begin, (size_t)(at - begin)};
        count++;
        while (at < end && io_is_space(*at)) at++;
    }
    return count;
}

static io_status refuse_property(const declaration *d, bool is_inline)
{
    if (is_inline)
        return io_markup_fail(d->m, d->property.text, d->error,
                              "'%.*s' of an inline element; expected font-size alone",
                              io_shown(d->property), d->property.text);
    return io_markup_fail(d->m, d->property.text, d->error,
                          "'%.*s' is no property; expected width, min-width, max-width, height, "
                          "margin, padding, text-align, line-height or font-size",
                          io_shown(d->property), d->property.text);
}

// One declaration, of the font's size or of another property.
static io_status declare(declaration *d, io_span text, bool is_inline, bool fonts)
{
    const char *end = text.text + text.length, *colon = memchr(text.text, ':', text.length);
    if (colon == NULL)
        return io_markup_fail(d->m, text.text, d->error, "expected 'property: value', got '%.*s'",
                              io_shown(text), text.text);
    d->property = trimmed(text.text, colon);
    const io_span value = trimmed(colon + 1, end);
    int k = 0;
    while (k < PROPERTIES && !io_span_is(d->property, properties[k].name)) k++;
    if (k == PROPERTIES || (is_inline && k > 0)) return refuse_property(d, is_inline);
    if ((k == 0) != fonts) return IO_OK;
    d->values = split(value, d->value);
    if (d->values < 1 || d->values > properties[k].values)
        return io_markup_fail(d->m, colon, d->error, "%d values of %s; expected 1%s", d->values,
                              properties[k].name, properties[k].values > 1 ? " to 4" : "");
    return properties[k].set(d);
}

static io_status declare_all(declaration *d, const char *text, size_t length, bool is_inline,
                             bool fonts)
{
    const char *end = text + length;
    while (text < end) {
        const char *stop = memchr(text, ';', (size_t)(end - text));
        if (stop == NULL) stop = end;
        const io_span one = trimmed(text, stop);
        if (one.length > 0) IO_TRY(declare(d, one, is_inline, fonts));
        text = stop < end ? stop + 1 : end;
    }
    return IO_OK;
}

io_status io_style_declare_font(const io_markup *m, const char *text, size_t length, int32_t parent,
                                io_box_style *style, io_error *error)
{
    declaration d = {.m = m, .font = parent, .style = style, .error = error};
    return declare_all(&d, text, length, false, true);
}

io_status io_style_declare_box(const io_markup *m, const char *text, size_t length, bool is_inline,
                               io_box_style *style, io_error *error)
{
    declaration d = {.m = m, .font = style->letters.size, .style = style, .error = error};
    return declare_all(&d, text, length, is_inline, false);
}

hd_layout_style io_style_of(const io_box_style *style)
{
    hd_layout_style box = style->box;
    const io_letters *letters = &style->letters;
    box.align = !style->auto_left   ? HD_LAYOUT_LEFT
                : style->auto_right ? HD_LAYOUT_CENTER
                                    : HD_LAYOUT_RIGHT;
    box.text_align = letters->text_align;
    box.line_height = letters->line_height;
    if (letters->line_factor > 0)
        box.line_height = (int32_t)((int64_t)letters->line_factor * letters->size / 1000);
    return box;
}
