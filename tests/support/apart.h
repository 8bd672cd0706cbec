// SPDX-License-Identifier: Apache-2.0
// Cases of a test that need an environment of their own: each runs in a new process of the same
// program, which is given the case's name.
#ifndef HEDDLE_TESTS_SUPPORT_APART_H
#define HEDDLE_TESTS_SUPPORT_APART_H

void apart_set(const char *name, const char *value); // NULL: it is unset

// Runs the program again for a case whose environment `prepare` sets, and checks that it ends well.
void apart_run(char *program, const char *name, void (*prepare)(int number), int number);

#endif
