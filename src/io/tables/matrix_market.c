// SPDX-License-Identifier: Apache-2.0
#include "matrix_market.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "io/numbers/number.h"
#include "io/support/limit.h"
#include "io/support/memory.h"

typedef enum symmetry { GENERAL, SYMMETRIC, SKEW } symmetry;

// The text, and what its first line says.
typedef struct market {
    const char *name, *at, *end;
    int64_t line, bytes;
    bool array, pattern, integers;
    symmetry of;
} market;

typedef struct word {
    const char *text;
    size_t length;
} word;

enum { LINE_WORDS = 5, SHOWN = 40 }; // words of the longest line; characters of one in an error

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

// The words of the line at hand, at most LINE_WORDS + 1 of them; goes to the next line.
static int take_line(market *m, word words[LINE_WORDS + 1])
{
    int count = 0;
    m->line++;
    while (m->at < m->end && *m->at != '\n') {
        while (m->at < m->end && is_blank(*m->at)) m->at++;
        const char *begin = m->at;
        while (m->at < m->end && *m->at != '\n' && !is_blank(*m->at)) m->at++;
        if (m->at > begin && count <= LINE_WORDS)
            words[count++] = (word){begin, (size_t)(m->at - begin)};
    }
    if (m->at < m->end) m->at++;
    return count;
}

// The next line that is neither empty nor a comment; 0: there is none.
static int take_words(market *m, word words[LINE_WORDS + 1])
{
    while (m->at < m->end) {
        const int count = take_line(m, words);
        if (count > 0 && *words[0].text != '%') return count;
    }
    return 0;
}

static bool is(const word *w, const char *name)
{
    return w->length == strlen(name) && strncasecmp(w->text, name, w->length) == 0;
}

static io_status unlike(const market *m, const char *expected, const word *got, io_error *error)
{
    return io_fail(error, IO_FORMAT, "%s: line %lld: expected %s, got '%.*s'", m->name,
                   (long long)m->line, expected,
                   (int)(got->length < SHOWN ? got->length : (size_t)SHOWN), got->text);
}

// Which of the names a word is; a count of names otherwise.
static int which(const word *w, const char *const *names, int count)
{
    int k = 0;
    while (k < count && !is(w, names[k])) k++;
    return k;
}

static io_status read_banner(market *m, io_error *error)
{
    static const char *const forms[] = {"coordinate", "array"};
    static const char *const fields[] = {"real", "integer", "pattern", "double"};
    static const char *const symmetries[] = {"general", "symmetric", "skew-symmetric"};
    word words[LINE_WORDS + 1];
    const int count = take_line(m, words);
    if (count != 5 || !is(&words[0], "%%MatrixMarket") || !is(&words[1], "matrix"))
        return io_fail(error, IO_FORMAT,
                       "%s: line 1: expected '%%%%MatrixMarket matrix FORM FIELD SYMMETRY'",
                       m->name);
    const int form = which(&words[2], forms, 2), field = which(&words[3], fields, 4);
    const int mirrored = which(&words[4], symmetries, 3);
    if (form == 2) return unlike(m, "coordinate or array", &words[2], error);
    if (field == 4) return unlike(m, "real, integer or pattern", &words[3], error);
    if (mirrored == 3) return unlike(m, "general, symmetric or skew-symmetric", &words[4], error);
    m->array = form == 1, m->pattern = field == 2, m->integers = field == 1;
    m->of = (symmetry)mirrored;
    if (m->pattern && (m->array || m->of == SKEW))
        return io_fail(error, IO_FORMAT,
                       "%s: line 1: a pattern is by coordinates, general or symmetric", m->name);
    return IO_OK;
}

static io_status read_count(const market *m, const word *w, int64_t least, int64_t most,
                            const char *what, int64_t *value, io_error *error)
{
    double real;
    if (io_number_parse(w->text, w->length, value, &real) != IO_INTEGER)
        return unlike(m, what, w, error);
    if (*value >= least && *value <= most) return IO_OK;
    return io_fail(error, IO_FORMAT, "%s: line %lld: %s is %lld; expected %lld .. %lld", m->name,
                   (long long)m->line, what, (long long)*value, (long long)least, (long long)most);
}

// How many entries an array has in the file; -1: more than the file has bytes.
static int64_t array_entries(const market *m, const io_matrix *x)
{
    const int64_t n = x->rows;
    if (x->columns == 0 || n == 0) return 0;
    if (m->of == GENERAL) return x->columns > m->bytes / n ? -1 : n * x->columns;
    if (n > INT64_C(1) << 31) return -1;
    return m->of == SYMMETRIC ? n * (n + 1) / 2 : n * (n - 1) / 2;
}

// The line of sizes; *listed: the entries in the file, which it must have room for.
static io_status read_sizes(market *m, io_matrix *x, int64_t *listed, io_error *error)
{
    enum { SHORTEST_ENTRY = 4, SHORTEST_VALUE = 2 }; // "1 1\n", "0\n"
    const int64_t most = INT64_C(1) << 62, shortest = m->array ? SHORTEST_VALUE : SHORTEST_ENTRY;
    word words[LINE_WORDS + 1];
    const int count = take_words(m, words), expected = m->array ? 2 : 3;
    if (count != expected)
        return io_fail(error, IO_FORMAT, "%s: line %lld: expected %s", m->name, (long long)m->line,
                       m->array ? "rows and columns" : "rows, columns and entries");
    IO_TRY(read_count(m, &words[0], 0, most, "the number of rows", &x->rows, error));
    IO_TRY(read_count(m, &words[1], 0, most, "the number of columns", &x->columns, error));
    if (m->of != GENERAL && x->rows != x->columns)
        return io_fail(error, IO_FORMAT,
                       "%s: line %lld: %lld rows and %lld columns; expected a "
                       "square, as it is symmetric",
                       m->name, (long long)m->line, (long long)x->rows, (long long)x->columns);
    if (m->array)
        *listed = array_entries(m, x);
    else
        IO_TRY(read_count(m, &words[2], 0, most, "the number of entries", listed, error));
    if (*listed >= 0 && *listed <= (m->end - m->at + 1) / shortest) return IO_OK;
    return io_fail(error, IO_FORMAT, "%s: line %lld: more entries than the file has room for",
                   m->name, (long long)m->line);
}

// Memory for entries, also of the triangle that is not in the file, and for the vectors that a
// matrix of so many rows and columns goes with.
static io_status make_room(const market *m, io_matrix *x, int64_t listed, io_error *error)
{
    const int64_t most = m->of == GENERAL ? listed : 2 * listed; // each has bytes in the file
    const int64_t each = (int64_t)(2 * sizeof *x->row + sizeof *x->value);
    const int64_t longest = x->rows > x->columns ? x->rows : x->columns;
    IO_TRY(io_limit_check(m->name, "the matrix", most * each, m->bytes, error));
    IO_TRY(io_limit_check(m->name, "a row or a column",
                          longest > INT64_MAX / 16 ? INT64_MAX : longest * 8, m->bytes, error));
    x->row = io_allocate((size_t)most * sizeof *x->row + 1);
    x->column = io_allocate((size_t)most * sizeof *x->column + 1);
    if (!m->pattern) x->value = io_allocate((size_t)most * sizeof *x->value + 1);
    if (x->row != NULL && x->column != NULL && (m->pattern || x->value != NULL)) return IO_OK;
    return io_fail(error, IO_MEMORY, "%s: no memory for %lld entries", m->name, (long long)most);
}

static void put(io_matrix *x, int64_t row, int64_t column, double value)
{
    x->row[x->count] = row, x->column[x->count] = column;
    if (x->value != NULL) x->value[x->count] = value;
    x->count++;
}

// The entry, and the one that it stands for.
static void put_both(const market *m, io_matrix *x, int64_t row, int64_t column, double value)
{
    put(x, row, column, value);
    if (m->of != GENERAL && row != column) put(x, column, row, m->of == SKEW ? -value : value);
}

static io_status read_value(const market *m, const word *w, double *value, io_error *error)
{
    const int64_t exact = INT64_C(1) << 53;
    int64_t integer = 0;
    const io_number_kind kind = io_number_parse(w->text, w->length, &integer, value);
    if (kind == IO_NO_NUMBER || (m->integers && kind != IO_INTEGER))
        return unlike(m, m->integers ? "an integer" : "a number", w, error);
    if (m->integers && (integer > exact || integer < -exact))
        return unlike(m, "an integer of at most 2^53", w, error);
    return IO_OK;
}

static io_status check_triangle(const market *m, int64_t row, int64_t column, io_error *error)
{
    if (m->of == GENERAL || row > column || (row == column && m->of == SYMMETRIC)) return IO_OK;
    return io_fail(error, IO_FORMAT, "%s: line %lld: entry (%lld, %lld) is not below the diagonal",
                   m->name, (long long)m->line, (long long)row + 1, (long long)column + 1);
}

static io_status too_few(const market *m, int64_t k, int64_t listed, io_error *error)
{
    return io_fail(error, IO_FORMAT, "%s: the file ends after %lld of %lld entries", m->name,
                   (long long)k, (long long)listed);
}

static io_status read_coordinates(market *m, io_matrix *x, int64_t listed, io_error *error)
{
    const int expected = m->pattern ? 2 : 3;
    word words[LINE_WORDS + 1];
    for (int64_t k = 0; k < listed; k++) {
        int64_t row, column;
        double value = 1;
        const int count = take_words(m, words);
        if (count == 0) return too_few(m, k, listed, error);
        if (count != expected)
            return io_fail(error, IO_FORMAT, "%s: line %lld: %d words; expected %d", m->name,
                           (long long)m->line, count, expected);
        IO_TRY(read_count(m, &words[0], 1, x->rows, "the row", &row, error));
        IO_TRY(read_count(m, &words[1], 1, x->columns, "the column", &column, error));
        if (!m->pattern) IO_TRY(read_value(m, &words[2], &value, error));
        IO_TRY(check_triangle(m, row - 1, column - 1, error));
        put_both(m, x, row - 1, column - 1, value);
    }
    return IO_OK;
}

static io_status read_columns(market *m, io_matrix *x, int64_t listed, io_error *error)
{
    word words[LINE_WORDS + 1];
    int64_t row = m->of == SKEW, column = 0;
    for (int64_t k = 0; k < listed; k++) {
        double value = 0;
        const int count = take_words(m, words);
        if (count == 0) return too_few(m, k, listed, error);
        if (count != 1)
            return io_fail(error, IO_FORMAT, "%s: line %lld: %d words; expected 1", m->name,
                           (long long)m->line, count);
        IO_TRY(read_value(m, &words[0], &value, error));
        put_both(m, x, row, column, value);
        if (++row < x->rows) continue;
        column++;
        row = m->of == GENERAL ? 0 : column + (m->of == SKEW);
    }
    return IO_OK;
}

static io_status read_matrix(market *m, io_matrix *x, io_error *error)
{
    word words[LINE_WORDS + 1];
    int64_t listed = 0;
    IO_TRY(read_banner(m, error));
    IO_TRY(read_sizes(m, x, &listed, error));
    IO_TRY(make_room(m, x, listed, error));
    IO_TRY(m->array ? read_columns(m, x, listed, error) : read_coordinates(m, x, listed, error));
    x->integers = m->integers || m->pattern;
    if (take_words(m, words) == 0) return IO_OK;
    return io_fail(error, IO_FORMAT, "%s: line %lld: more than %lld entries", m->name,
                   (long long)m->line, (long long)listed);
}

static io_status read_bytes(io_matrix *matrix, const io_bytes *bytes, io_error *error)
{
    const char *text = (const char *)bytes->data;
    market m = {.name = bytes->name, .at = text, .end = text + bytes->size};
    m.bytes = (int64_t)bytes->size;
    const io_status status = read_matrix(&m, matrix, error);
    if (status != IO_OK) io_matrix_release(matrix);
    return status;
}

static io_status read_source(io_matrix *matrix, io_source *source, io_error *error)
{
    io_bytes bytes;
    io_status status = io_bytes_read(&bytes, source, error);
    io_source_close(source);
    if (status != IO_OK) return status;
    status = read_bytes(matrix, &bytes, error);
    io_bytes_release(&bytes);
    return status;
}

io_status io_matrix_load(io_matrix *matrix, const char *name, io_error *error)
{
    io_source source;
    *matrix = (io_matrix){.rows = 0};
    IO_TRY(io_source_open(&source, name, error));
    return read_source(matrix, &source, error);
}

io_status io_matrix_load_memory(io_matrix *matrix, const char *name, const void *memory,
                                size_t length, io_error *error)
{
    io_source source;
    *matrix = (io_matrix){.rows = 0};
    io_source_memory(&source, name, memory, length);
    return read_source(matrix, &source, error);
}

void io_matrix_release(io_matrix *matrix)
{
    free(matrix->row), free(matrix->column), free(matrix->value);
    *matrix = (io_matrix){.rows = 0};
}
