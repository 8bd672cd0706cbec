// SPDX-License-Identifier: Apache-2.0
//
// PGM and PPM images: their headers, and pixels in digits.
#include "pnm.h"

#include <stdio.h>
#include <stdlib.h>

#include "pnm_header.h"

io_status io_pnm_header(io_source *source, io_pnm *image, io_error *error)
{
    char kind = 0;
    int64_t w, h, greatest;
    IO_TRY(io_header_kind(source, &kind, error));
    if (kind != '2' && kind != '3' && kind != '5' && kind != '6')
        return io_fail(error, IO_FORMAT,
                       "%s: byte 1: expected a PGM or PPM image (P2, P3, P5 or P6), got P%c, %s",
                       source->name, kind, kind == '7' ? "a PAM image" : "a bitmap");
    IO_TRY(io_header_count(source, "the width", true, IO_MAX_SIDE, &w, error));
    IO_TRY(io_header_count(source, "the height", true, IO_MAX_SIDE, &h, error));
    IO_TRY(io_header_count(source, "the greatest value", true, 65535, &greatest, error));
    const int64_t channels = kind == '3' || kind == '6' ? 3 : 1;
    const hd_type type = greatest > 255 ? HD_U16 : HD_U8;
    *image = (io_pnm){.greatest = greatest, .digits = kind == '2' || kind == '3'};
    image->header = io_image_form(type, h, w, channels);
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    image->header.dtype.swap = type == HD_U16 && !image->digits;
#endif
    return io_header_fits(source, h, w,
                          channels * (image->digits ? 1 : (int64_t)hd_type_size(type)), error);
}

// ---- In digits -----------------------------------------------------------------------------

typedef struct pnm_digits {
    const io_bytes *bytes;
    size_t at;
} pnm_digits;

static io_status bad_sample(const pnm_digits *d, int64_t k, int64_t count, int64_t greatest,
                            io_error *error)
{
    if (d->at >= d->bytes->size)
        return io_fail(error, IO_FORMAT,
                       "%s: byte %lld: the file ends too early: expected %lld values, got %lld",
                       d->bytes->name, (long long)(d->bytes->base + (int64_t)d->at),
                       (long long)count, (long long)k);
    return io_fail(error, IO_FORMAT, "%s: byte %lld: expected a value from 0 to %lld, got '%.1s'",
                   d->bytes->name, (long long)(d->bytes->base + (int64_t)d->at),
                   (long long)greatest, (const char *)d->bytes->data + d->at);
}

static void skip_blanks(pnm_digits *d)
{
    const unsigned char *text = d->bytes->data;
    while (d->at < d->bytes->size && (io_header_blank(text[d->at]) || text[d->at] == '#')) {
        if (text[d->at] == '#')
            while (d->at < d->bytes->size && text[d->at] != '\n') d->at++;
        else
            d->at++;
    }
}

// The next number, or -1 if there is none or it is too large.
static int64_t take(pnm_digits *d, int64_t greatest)
{
    const unsigned char *text = d->bytes->data;
    skip_blanks(d);
    const size_t first = d->at;
    int64_t n = 0;
    while (d->at < d->bytes->size && text[d->at] >= '0' && text[d->at] <= '9') {
        n = 10 * n + (text[d->at] - '0');
        if (n > greatest) return d->at = first, -1;
        d->at++;
    }
    const bool ends = d->at == d->bytes->size || io_header_blank(text[d->at]) || text[d->at] == '#';
    return d->at > first && ends ? n : -1;
}

static io_status take_all(pnm_digits *d, const io_pnm *image, io_decoded *out, io_error *error)
{
    const int64_t count = io_array_header_count(&image->header);
    for (int64_t k = 0; k < count; k++) {
        const int64_t n = take(d, image->greatest);
        if (n < 0) return bad_sample(d, k, count, image->greatest, error);
        if (image->header.dtype.type == HD_U8)
            ((uint8_t *)out->data)[k] = (uint8_t)n;
        else
            ((uint16_t *)out->data)[k] = (uint16_t)n;
    }
    skip_blanks(d);
    if (d->at == d->bytes->size) return IO_OK;
    return io_fail(error, IO_FORMAT,
                   "%s: byte %lld: expected the end after %lld values, got '%.1s'", d->bytes->name,
                   (long long)(d->bytes->base + (int64_t)d->at), (long long)count,
                   (const char *)d->bytes->data + d->at);
}

static io_status decode_digits(const io_bytes *bytes, const io_pnm *image, io_decoded *out,
                               io_error *error)
{
    pnm_digits d = {bytes, 0};
    // A value takes a digit, and all but the last a blank: what a pipe cannot hold is refused here.
    const int64_t count = io_array_header_count(&image->header);
    if (count < 0 || count > (int64_t)(bytes->size / 2 + 1))
        return io_fail(
            error, IO_FORMAT,
            "%s: byte %lld: the file ends too early: expected %lld values, got %zu bytes",
            bytes->name, (long long)bytes->base, (long long)count, bytes->size);
    out->header = image->header;
    IO_TRY(io_decoded_room(out, bytes->name, bytes->size, error));
    const io_status status = take_all(&d, image, out, error);
    if (status == IO_OK) return IO_OK;
    free(out->data);
    out->data = NULL;
    return status;
}

io_status io_pnm_decode(io_source *source, const io_pnm *image, io_decoded *out, io_error *error)
{
    io_bytes bytes;
    IO_TRY(io_bytes_read(&bytes, source, error));
    const io_status status = decode_digits(&bytes, image, out, error);
    io_bytes_release(&bytes);
    return status;
}

// ---- Writing -------------------------------------------------------------------------------

size_t io_pnm_write_header(char *buffer, bool color, int64_t h, int64_t w, int greatest)
{
    return (size_t)snprintf(buffer, IO_PNM_HEADER_ROOM, "P%c\n%lld %lld\n%d\n", color ? '6' : '5',
                            (long long)w, (long long)h, greatest);
}
