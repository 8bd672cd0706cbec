// SPDX-License-Identifier: Apache-2.0
// Runs the probe of its own file (heddle_probe.h), which must find what the argument, HD__FOUND_...
// as a number, says; nothing where that is 0. The library is not needed.
#include <heddle.h>

#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    const unsigned expected = argc > 1 ? (unsigned)atoi(argv[1]) : 0, found = hd__probe_run();
    const bool right = expected == 0 ? found == 0 : (found & expected) == expected;
    if (!right) printf("expected %u, found %u\n", expected, found);
    return !right;
}
