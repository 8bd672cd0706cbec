// SPDX-License-Identifier: Apache-2.0
//
// .npz archives: those of NumPy, names of arrays, our own and what is said of damaged and lying
// ones.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "io/npy/npz.h"
#include "io/writer.h"
#include "tests/support/io_memory.h"

static const char *golden(const char *name)
{
    static char path[512];
    snprintf(path, sizeof path, HEDDLE_SOURCE_DIR "/tests/data/%s", name);
    return path;
}

typedef struct archive {
    unsigned char bytes[2048];
    size_t n;
} archive;

static archive slurp(const char *path)
{
    archive a = {.n = 0};
    FILE *f = fopen(path, "rb");
    CHECK(f != NULL, "%s", path);
    if (f != NULL) a.n = fread(a.bytes, 1, sizeof a.bytes, f), fclose(f);
    return a;
}

#define ARCHIVE(a) ((memory_file){(a).bytes, (a).n})

// Where a record begins; the last one of its kind.
static size_t find(const archive *a, const char *mark)
{
    for (size_t k = a->n - 4; k > 0; k--)
        if (memcmp(a->bytes + k, mark, 4) == 0) return k;
    return 0;
}

static void test_numpy(void)
{
    io_array a;
    io_error error = {.text = ""};
    const float six[] = {0, 1, 2, 3, 4, 5};
    const archive deflated = slurp(golden("deflated.npz"));
    CHECK_LOADS(ARCHIVE(deflated), IO_ANY, HD_F32, six, 2, 2, 3);
    const archive zip64 = slurp(golden("zip64.npz"));
    CHECK_LOADS(ARCHIVE(zip64), IO_ANY, HD_U8, "\0\1", 1, 2);
    CHECK(io_array_load(&a, golden("fortran_deflated.npz"), NULL, &error) == IO_OK, "%s",
          error.text);
    CHECK(a.view.type == HD_I32 && a.view.stride[0] == 1 && a.view.stride[1] == 2, "Fortran's");
    CHECK(((int32_t *)a.view.data)[1] == 3, "swapped");
    io_array_release(&a);
}

static void test_names(void)
{
    io_array a;
    io_error error = {.text = ""};
    CHECK(io_array_load(&a, golden("two.npz:a"), NULL, &error) == IO_OK, "%s", error.text);
    CHECK(a.view.type == HD_U8 && hd_count(a.view) == 3, "a");
    io_array_release(&a);
    CHECK(io_array_load(&a, golden("two.npz:b.npy"), NULL, &error) == IO_OK, "%s", error.text);
    CHECK(a.view.type == HD_F64 && ((double *)a.view.data)[2] == 2, "b");
    io_array_release(&a);
    CHECK(io_array_load(&a, golden("two.npz"), NULL, &error) == IO_ARGUMENT, "which");
    CHECK(strstr(error.text, "expected one array, got 2 (a, b): choose one as in") != NULL, "%s",
          error.text);
    CHECK(io_array_load(&a, golden("two.npz:c"), NULL, &error) == IO_ARGUMENT, "none");
    CHECK(strstr(error.text, "expected one array of that name, got 0 (there are a, b)") != NULL,
          "%s", error.text);
    CHECK(io_array_load(&a, golden("none.npz:c"), NULL, &error) == IO_SYSTEM, "no file");
    CHECK(strstr(error.text, "none.npz: cannot open") != NULL, "%s", error.text);
    const io_read_options f64 = {.type = HD_F64};
    CHECK(io_array_load(&a, golden("two.npz:a"), &f64, &error) == IO_ARGUMENT, "a type");
    CHECK(strstr(error.text, "the .npy header says u8") != NULL, "%s", error.text);
}

static bool gather(const char *name, size_t length, void *user)
{
    strncat(user, name, length);
    strcat(user, " ");
    return true;
}

static void test_list(void)
{
    const archive two = slurp(golden("two.npz"));
    const io_bytes file = {.name = "two", .data = two.bytes, .size = two.n};
    io_error error = {.text = ""};
    char names[64] = "";
    CHECK(io_npz_list(&file, gather, names, &error) == IO_OK, "%s", error.text);
    CHECK(strcmp(names, "a b ") == 0, "%s", names);
}

// ---- Damage --------------------------------------------------------------------------------

static archive changed(const archive *a, size_t at, unsigned char byte)
{
    archive b = *a;
    b.bytes[at] = byte;
    return b;
}

static void test_damaged(void)
{
    const archive a = slurp(golden("deflated.npz"));
    const size_t entry = find(&a, "PK\1\2"), end = find(&a, "PK\5\6");
    for (size_t n = 4; n < a.n; n++)
        CHECK_REFUSED(((memory_file){a.bytes, n}), IO_NPZ, IO_FORMAT, "no directory at its end");
    archive b = changed(&a, entry + 16, a.bytes[entry + 16] ^ 1);
    CHECK_REFUSED(ARCHIVE(b), IO_NPZ, IO_FORMAT, "checksum: expected ");
    b = changed(&a, entry + 8, 1);
    CHECK_REFUSED(ARCHIVE(b), IO_NPZ, IO_FORMAT, "the array is encrypted");
    b = changed(&a, entry + 10, 12);
    CHECK_REFUSED(ARCHIVE(b), IO_NPZ, IO_FORMAT, "got compression method 12");
    b = changed(&a, entry + 27, 0x7f);
    CHECK_REFUSED(ARCHIVE(b), IO_NPZ, IO_FORMAT, "cannot become the");
    b = changed(&a, entry + 24, a.bytes[entry + 24] + 1);
    CHECK_REFUSED(ARCHIVE(b), IO_NPZ, IO_FORMAT, "the compressed data are wrong");
    b = changed(&a, entry + 24, a.bytes[entry + 24] - 1);
    CHECK_REFUSED(ARCHIVE(b), IO_NPZ, IO_FORMAT, "the compressed data are wrong");
    b = changed(&a, entry + 20, a.bytes[entry + 20] - 1);
    CHECK_REFUSED(ARCHIVE(b), IO_NPZ, IO_FORMAT, "the compressed data are wrong");
    b = changed(&a, entry + 21, 9);
    CHECK_REFUSED(ARCHIVE(b), IO_NPZ, IO_FORMAT, "the file ends within a member");
    b = changed(&a, entry + 42, 9);
    CHECK_REFUSED(ARCHIVE(b), IO_NPZ, IO_FORMAT, "not where the directory says");
    b = changed(&a, entry + 1, 'X');
    CHECK_REFUSED(ARCHIVE(b), IO_NPZ, IO_FORMAT, "expected an entry of the directory");
    b = changed(&a, entry + 29, 9);
    CHECK_REFUSED(ARCHIVE(b), IO_NPZ, IO_FORMAT, "an entry runs past the directory");
    b = changed(&a, end + 18, 9);
    CHECK_REFUSED(ARCHIVE(b), IO_NPZ, IO_FORMAT, "the directory is not where it should be");
    b = changed(&a, end + 10, 0);
    CHECK_REFUSED(ARCHIVE(b), IO_NPZ, IO_FORMAT, "an empty archive");
    b = a;
    memset(b.bytes + end + 16, 0xff, 4);
    CHECK_REFUSED(ARCHIVE(b), IO_NPZ, IO_FORMAT, "no zip64 record");
    b = slurp(golden("two.npz"));
    CHECK_REFUSED(ARCHIVE(b), IO_NPZ, IO_ARGUMENT, "expected one array, got 2");
}

// A member that is no .npy file, stored.
static void test_not_npy(void)
{
    static const char zip[] =
        "PK\3\4\24\0\0\0\0\0\0\0\41\0\0\0\0\0\0\0\0\0\0\0\0\0\1\0\0\0a"
        "PK\1\2\24\0\24\0\0\0\0\0\0\0\41\0\0\0\0\0\0\0\0\0\0\0\0\0\1\0\0\0\0\0"
        "\0\0\0\0\0\0\0\0\0\0\0\0a"
        "PK\5\6\0\0\0\0\1\0\1\0\57\0\0\0\37\0\0\0\0\0";
    CHECK_REFUSED(TEXT(zip), IO_NPZ, IO_FORMAT, "the file ends within the .npy magic");
}

// ---- Our own -------------------------------------------------------------------------------

static const char scratch[] = "io_npz.npz";

static void test_round_trips(void)
{
    for (int k = 0; check_type(k) != HD_NONE; k++) {
        const hd_type type = check_type(k);
        const int64_t shape[3] = {2, 3, 4};
        unsigned char x[24 * 8];
        io_array a;
        io_error error = {.text = ""};
        check_fill(type, x, 24, CHECK_ORDINARY, check_seed() + (uint64_t)k);
        CHECK(memory_write(scratch, type, 3, shape, x, &error) == IO_OK, "%s", error.text);
        const io_read_options as = {.type = type};
        CHECK(io_array_load(&a, scratch, &as, &error) == IO_OK, "%s", error.text);
        CHECK(a.view.ndim == 3 && a.view.shape[2] == 4, "%s", hd_type_name(type));
        CHECK_SAME(type, a.view.data, x, 24, "%s", hd_type_name(type));
        io_array_release(&a);
        CHECK(io_array_load(&a, "io_npz.npz:arr_0", &as, &error) == IO_OK, "%s", error.text);
        io_array_release(&a);
    }
    unlink(scratch);
}

static void test_odd_lengths(void)
{
    io_writer w;
    io_array a;
    io_error error = {.text = ""};
    const int32_t x[3] = {1, 2, 3};
    const int64_t unknown = -1, none = 0;
    CHECK(io_writer_open(&w, scratch, HD_I32, 1, &unknown, &error) == IO_OK, "%s", error.text);
    CHECK(io_writer_put(&w, x, 3, &error) == IO_OK, "%s", error.text);
    CHECK(io_writer_commit(&w, &error) == IO_OK, "%s", error.text);
    CHECK(io_array_load(&a, scratch, NULL, &error) == IO_OK, "%s", error.text);
    CHECK_SAME(HD_I32, a.view.data, x, 3, "a length that came last");
    io_array_release(&a);
    CHECK(memory_write(scratch, HD_I32, 1, &none, x, &error) == IO_OK, "%s", error.text);
    CHECK(io_array_load(&a, scratch, NULL, &error) == IO_OK && hd_count(a.view) == 0, "%s",
          error.text);
    io_array_release(&a);
    unlink(scratch);
    CHECK(io_writer_open_as(&w, "/dev/null", IO_NPZ, HD_I32, 1, &unknown, &error) == IO_ARGUMENT,
          "a pipe");
    CHECK(strstr(error.text, "an .npz archive begins with its length") != NULL, "%s", error.text);
}

static void test_named_output(void)
{
    io_error error = {.text = ""};
    const int64_t one = 1;
    CHECK(memory_write("io_npz.npz:x", HD_I64, 1, &one, &one, &error) == IO_ARGUMENT, "a name");
    CHECK(strstr(error.text, "expected a name that ends in .npz") != NULL, "%s", error.text);
    CHECK(access("io_npz.npz:x", F_OK) != 0, "nothing was written");
}

int main(void)
{
    if (io_zlib_version() == NULL) {
        io_array a;
        io_error error;
        const int64_t one = 1;
        CHECK(io_array_load(&a, golden("two.npz"), NULL, &error) == IO_ARGUMENT, "there is none");
        CHECK(strstr(error.text, "install zlib1g-dev") != NULL, "%s", error.text);
        CHECK(memory_write(scratch, HD_I64, 1, &one, &one, &error) == IO_ARGUMENT, "none");
        CHECK(strstr(error.text, "install zlib1g-dev") != NULL, "%s", error.text);
        return check_finish() == 0 ? CHECK_SKIP : 1;
    }
    test_numpy();
    test_names();
    test_list();
    test_damaged();
    test_not_npy();
    test_round_trips();
    test_odd_lengths();
    test_named_output();
    const archive deflated = slurp(golden("deflated.npz"));
    check_without_memory(ARCHIVE(deflated), IO_NPZ);
    return check_finish();
}
