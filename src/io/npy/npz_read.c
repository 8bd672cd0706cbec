// SPDX-License-Identifier: Apache-2.0
//
// Reading zip files: the directory at their end, zip64 or not, and one member.
#include "npz.h"

#ifdef HEDDLE_HAVE_ZLIB

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "io/support/limit.h"
#include "io/support/memory.h"

// What deflate can make of a byte at most (zlib's documentation: 1032 to 1).
#define MAX_PER_BYTE 1032

enum { STORED = 0, DEFLATED = 8 };

typedef struct zip_entry {
    const char *name;
    size_t name_length;
    uint64_t packed, size, offset; // of the local header
    uint32_t crc;
    unsigned method, flags;
} zip_entry;

typedef struct zip_directory {
    const io_bytes *file;
    uint64_t at, end; // what is left of it
    uint64_t left;    // entries
} zip_directory;

const char *io_zlib_version(void)
{
    return zlibVersion();
}

static unsigned get2(const unsigned char *p)
{
    return (unsigned)p[0] | (unsigned)p[1] << 8;
}

static uint32_t get4(const unsigned char *p)
{
    return get2(p) | (uint32_t)get2(p + 2) << 16;
}

static uint64_t get8(const unsigned char *p)
{
    return get4(p) | (uint64_t)get4(p + 4) << 32;
}

// n bytes at a place, or NULL if they are not all there.
static const unsigned char *span(const io_bytes *file, uint64_t at, uint64_t n)
{
    return at <= file->size && n <= file->size - at ? file->data + at : NULL;
}

static io_status damaged(const io_bytes *file, uint64_t at, const char *what, io_error *error)
{
    return io_fail(error, IO_FORMAT, "%s: byte %llu: damaged .npz archive: %s", file->name,
                   (unsigned long long)at, what);
}

// The record at the very end, before which a comment of 64 KiB may stand.
static const unsigned char *find_end(const io_bytes *file)
{
    const size_t record = 22, most = record + 65535;
    for (size_t back = record; back <= file->size && back <= most; back++) {
        const unsigned char *p = file->data + file->size - back;
        if (memcmp(p, "PK\5\6", 4) == 0 && get2(p + 20) == back - record) return p;
    }
    return NULL;
}

static io_status find_end64(const io_bytes *file, uint64_t end, zip_directory *d, io_error *error)
{
    const unsigned char *locator = end < 20 ? NULL : span(file, end - 20, 20);
    if (locator == NULL || memcmp(locator, "PK\6\7", 4) != 0)
        return damaged(file, end, "no zip64 record", error);
    const uint64_t at = get8(locator + 8);
    const unsigned char *p = span(file, at, 56);
    if (p == NULL || memcmp(p, "PK\6\6", 4) != 0)
        return damaged(file, end - 20, "the zip64 record is not where it should be", error);
    d->left = get8(p + 32);
    d->at = get8(p + 48);
    d->end = get8(p + 40);
    return IO_OK;
}

static io_status open_directory(const io_bytes *file, zip_directory *d, io_error *error)
{
    const unsigned char *p = find_end(file);
    if (p == NULL)
        return damaged(file, file->size, "no directory at its end: the file may be cut off", error);
    const uint64_t at = (uint64_t)(p - file->data);
    *d = (zip_directory){file, get4(p + 16), get4(p + 12), get2(p + 10)};
    if (d->at == UINT32_MAX || d->end == UINT32_MAX || d->left == 0xffff)
        IO_TRY(find_end64(file, at, d, error));
    if (d->at > at || d->end > at - d->at)
        return damaged(file, at, "the directory is not where it should be", error);
    d->end += d->at;
    return IO_OK;
}

// Sizes and places past 32 bits are in an extra field, in this order.
static bool take_extra(const unsigned char *p, size_t n, zip_entry *e)
{
    uint64_t *const wide[3] = {&e->size, &e->packed, &e->offset};
    while (n >= 4) {
        const size_t length = get2(p + 2);
        if (length > n - 4) return false;
        if (get2(p) == 1) {
            size_t at = 0;
            for (int k = 0; k < 3; k++) {
                if (*wide[k] != UINT32_MAX) continue;
                if (at + 8 > length) return false;
                *wide[k] = get8(p + 4 + at);
                at += 8;
            }
        }
        p += 4 + length, n -= 4 + length;
    }
    return true;
}

static io_status next_entry(zip_directory *d, zip_entry *e, bool *some, io_error *error)
{
    *some = d->left > 0;
    if (!*some) return IO_OK;
    const unsigned char *p = d->end - d->at < 46 ? NULL : span(d->file, d->at, 46);
    if (p == NULL || memcmp(p, "PK\1\2", 4) != 0)
        return damaged(d->file, d->at, "expected an entry of the directory", error);
    const size_t name = get2(p + 28), extra = get2(p + 30), comment = get2(p + 32);
    if (d->end - d->at - 46 < name + extra + comment)
        return damaged(d->file, d->at, "an entry runs past the directory", error);
    *e = (zip_entry){.name = (const char *)p + 46, .name_length = name};
    e->flags = get2(p + 8), e->method = get2(p + 10), e->crc = get4(p + 16);
    e->packed = get4(p + 20), e->size = get4(p + 24), e->offset = get4(p + 42);
    if (!take_extra(p + 46 + name, extra, e))
        return damaged(d->file, d->at, "bad zip64 sizes", error);
    d->at += 46 + name + extra + comment;
    d->left--;
    return IO_OK;
}

static size_t bare_length(const zip_entry *e)
{
    const bool npy = e->name_length > 4 && memcmp(e->name + e->name_length - 4, ".npy", 4) == 0;
    return e->name_length - (npy ? 4 : 0);
}

io_status io_npz_list(const io_bytes *file,
                      bool (*each)(const char *name, size_t length, void *user), void *user,
                      io_error *error)
{
    zip_directory d;
    zip_entry e;
    bool some;
    IO_TRY(open_directory(file, &d, error));
    while (true) {
        IO_TRY(next_entry(&d, &e, &some, error));
        if (!some || !each(e.name, bare_length(&e), user)) return IO_OK;
    }
}

// The search for one member; on the way the names are gathered for the error.
typedef struct npz_search {
    const char *wanted;
    zip_entry found;
    int64_t matches, members;
    char names[160];
} npz_search;

static bool is_wanted(const npz_search *s, const zip_entry *e)
{
    const size_t n = strlen(s->wanted);
    return (n == e->name_length || n == bare_length(e)) && memcmp(e->name, s->wanted, n) == 0;
}

static void note_name(npz_search *s, const zip_entry *e)
{
    const size_t used = strlen(s->names), n = bare_length(e);
    if (used + n + 6 >= sizeof s->names) {
        if (used + 5 < sizeof s->names && (used < 3 || strcmp(s->names + used - 3, "...") != 0))
            strcat(s->names, used > 0 ? ", ..." : "...");
        return;
    }
    if (used > 0) strcat(s->names, ", ");
    strncat(s->names, e->name, n);
}

static io_status find(const io_bytes *file, npz_search *s, io_error *error)
{
    zip_directory d;
    zip_entry e;
    bool some;
    IO_TRY(open_directory(file, &d, error));
    while (true) {
        IO_TRY(next_entry(&d, &e, &some, error));
        if (!some) break;
        s->members++;
        note_name(s, &e);
        if (s->wanted != NULL && !is_wanted(s, &e)) continue;
        if (s->matches++ == 0) s->found = e;
    }
    if (s->matches == 1) return IO_OK;
    if (s->members == 0) return io_fail(error, IO_FORMAT, "%s: an empty archive", file->name);
    if (s->wanted == NULL)
        return io_fail(error, IO_ARGUMENT,
                       "%s: expected one array, got %lld (%s): choose one as in %s:NAME",
                       file->name, (long long)s->members, s->names, file->name);
    return io_fail(error, IO_ARGUMENT,
                   "%s: expected one array of that name, got %lld (there are %s)", file->name,
                   (long long)s->matches, s->names);
}

static io_status no_such_size(const io_bytes *file, const zip_entry *e, io_error *error)
{
    return io_fail(
        error, IO_FORMAT,
        "%s: byte %llu: damaged .npz archive: %llu bytes cannot become the %llu that the "
        "directory promises",
        file->name, (unsigned long long)e->offset, (unsigned long long)e->packed,
        (unsigned long long)e->size);
}

// Where the packed bytes are; what the directory says about them must be possible.
static io_status locate(const io_bytes *file, const zip_entry *e, const unsigned char **packed,
                        io_error *error)
{
    const unsigned char *p = span(file, e->offset, 30);
    if (p == NULL || memcmp(p, "PK\3\4", 4) != 0)
        return damaged(file, e->offset, "a member is not where the directory says", error);
    if (e->flags & 1) return io_fail(error, IO_FORMAT, "%s: the array is encrypted", file->name);
    if (e->method != STORED && e->method != DEFLATED)
        return io_fail(error, IO_FORMAT,
                       "%s: expected a stored or deflated array, got compression method %u",
                       file->name, e->method);
    *packed = span(file, e->offset + 30 + get2(p + 26) + get2(p + 28), e->packed);
    if (*packed == NULL) return damaged(file, e->offset, "the file ends within a member", error);
    if (e->method == STORED ? e->size != e->packed : e->size / MAX_PER_BYTE > e->packed)
        return no_such_size(file, e, error);
    return IO_OK;
}

// zlib counts in 32 bits: both sides come in chunks.
static bool inflate_all(const zip_entry *e, const unsigned char *packed, unsigned char *to)
{
    z_stream z = {.next_in = NULL};
    uint64_t in = 0, out = 0;
    int code = Z_OK;
    if (inflateInit2(&z, -MAX_WBITS) != Z_OK) return false;
    while (code == Z_OK && out <= e->size) {
        const uint64_t more_in = e->packed - in, more_out = e->size - out;
        unsigned char beyond; // one byte more than promised shows here
        z.next_in = (unsigned char *)(uintptr_t)(packed + in);
        z.avail_in = more_in < UINT_MAX ? (uInt)more_in : UINT_MAX;
        z.next_out = more_out > 0 ? to + out : &beyond;
        z.avail_out = more_out == 0 ? 1 : more_out < UINT_MAX ? (uInt)more_out : UINT_MAX;
        const uInt had_in = z.avail_in, had_out = z.avail_out;
        code = inflate(&z, Z_NO_FLUSH);
        in += had_in - z.avail_in, out += had_out - z.avail_out;
        if (had_in == z.avail_in && had_out == z.avail_out) break;
    }
    inflateEnd(&z);
    return code == Z_STREAM_END && out == e->size && in == e->packed;
}

static uint32_t checksum(const unsigned char *p, uint64_t n)
{
    return (uint32_t)crc32_z(crc32_z(0, NULL, 0), p, n);
}

static io_status extract(const io_bytes *file, const zip_entry *e, const unsigned char *packed,
                         unsigned char *to, io_error *error)
{
    if (e->method == STORED)
        memcpy(to, packed, e->size);
    else if (!inflate_all(e, packed, to))
        return damaged(file, e->offset, "the compressed data are wrong", error);
    const uint32_t got = checksum(to, e->size);
    if (got == e->crc) return IO_OK;
    return io_fail(error, IO_FORMAT,
                   "%s: byte %llu: damaged .npz archive: checksum: expected %08x, got %08x",
                   file->name, (unsigned long long)e->offset, e->crc, got);
}

io_status io_npz_member(const io_bytes *file, const char *member, void **memory, size_t *size,
                        io_error *error)
{
    npz_search s = {.wanted = member};
    const unsigned char *packed = NULL;
    IO_TRY(find(file, &s, error));
    IO_TRY(locate(file, &s.found, &packed, error));
    const int64_t bytes = s.found.size > INT64_MAX ? INT64_MAX : (int64_t)s.found.size;
    IO_TRY(io_limit_check(file->name, "the array", bytes, (int64_t)file->size, error));
    *size = s.found.size;
    *memory = io_allocate(*size);
    if (*memory == NULL)
        return io_fail(error, IO_MEMORY, "%s: no memory for %zu bytes", file->name, *size);
    const io_status status = extract(file, &s.found, packed, *memory, error);
    if (status != IO_OK) free(*memory);
    return status;
}

#else

const char *io_zlib_version(void)
{
    return NULL;
}

static io_status without(const io_bytes *file, io_error *error)
{
    return io_fail(error, IO_ARGUMENT,
                   "%s: an .npz archive, but this program was built without zlib: install "
                   "zlib1g-dev and build again, or use .npy files",
                   file->name);
}

io_status io_npz_member(const io_bytes *file, const char *member, void **memory, size_t *size,
                        io_error *error)
{
    (void)member, (void)memory, (void)size;
    return without(file, error);
}

io_status io_npz_list(const io_bytes *file,
                      bool (*each)(const char *name, size_t length, void *user), void *user,
                      io_error *error)
{
    (void)each, (void)user;
    return without(file, error);
}

#endif
