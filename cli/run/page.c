// SPDX-License-Identifier: Apache-2.0
// Pages on their way to a file.
#include "page.h"

#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/support/exit.h"
#include "io/stream/temporary_file.h"
#include "cli/args/options.h"

int page_can_be(const char *command, const char *file)
{
    io_temporary_file temporary;
    io_error error;
    struct stat there;
    // What is no plain file is written directly: it is not touched before its time.
    if (strcmp(file, "-") == 0 || (stat(file, &there) == 0 && !S_ISREG(there.st_mode)))
        return EXIT_DONE;
    if (io_temporary_file_open(&temporary, file, &error) != IO_OK)
        return io_failed(command, &error);
    io_temporary_file_abandon(&temporary);
    return EXIT_DONE;
}

int page_write(const char *command, const char *file, void (*write)(FILE *out, const void *what),
               const void *what)
{
    io_temporary_file temporary;
    io_error error;
    if (io_temporary_file_open(&temporary, file, &error) != IO_OK)
        return io_failed(command, &error);
    const int copy = dup(temporary.fd);
    FILE *out = copy >= 0 ? fdopen(copy, "w") : NULL;
    if (out != NULL) write(out, what);
    const bool bad = out == NULL || ferror(out);
    if ((out != NULL && fclose(out) != 0) || bad) {
        io_temporary_file_abandon(&temporary);
        return fail(EXIT_IO, command, "%s: could not be written", file);
    }
    return io_temporary_file_commit(&temporary, &error) == IO_OK ? EXIT_DONE
                                                                 : io_failed(command, &error);
}
