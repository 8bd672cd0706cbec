// SPDX-License-Identifier: Apache-2.0
//
// The tests of one process: family.c runs them, the build writes the table.
#ifndef HEDDLE_TESTS_FAMILY_FAMILY_H
#define HEDDLE_TESTS_FAMILY_FAMILY_H

typedef struct family_test {
    const char *folder, *name;
    int (*run)(void); // its main
} family_test;

extern const family_test family[]; // a NULL name ends it

#endif
