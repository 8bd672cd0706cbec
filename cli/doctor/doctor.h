// SPDX-License-Identifier: Apache-2.0
//
// What heddle doctor finds: one line each, in sections.
#ifndef HEDDLE_CLI_DOCTOR_DOCTOR_H
#define HEDDLE_CLI_DOCTOR_DOCTOR_H

#include "heddle.h"
#include "cli/args/options.h"

typedef struct doctor_finding {
    const char *section; // "backends"
    char name[40];       // "cpu"
    bool here;
    char text[160];      // what it is, or why it is not here
    const char *package; // the Debian package that brings it; NULL: nothing to install
} doctor_finding;

enum { FINDINGS_MAX = 96 };
typedef struct doctor_findings {
    int count;
    doctor_finding list[FINDINGS_MAX];
} doctor_findings;

// Appends a finding.
__attribute__((format(printf, 6, 7))) void find_add(doctor_findings *f, const char *section,
                                                    const char *name, bool here,
                                                    const char *package, const char *format, ...);

void find_machine(doctor_findings *f, const hd_context *ctx);  // processor, caches, memory, threads
void find_library(doctor_findings *f, const hd_context *ctx);  // backends, instruction sets
void find_software(doctor_findings *f, const hd_context *ctx); // what else the program makes use of

// Makes common calls of the context's device, so that their kernels are kept; an exit code.
int doctor_warm(const char *command, hd_context *ctx);

// Measures the rates by which `auto` chooses, and keeps them for contexts like this one; an exit
// code.
int doctor_tune_auto(const char *command, const hd_context *ctx);

// The archive of bits on all backends, or on those that are named; or written anew. An exit code.
typedef struct doctor_bits {
    context_options run;         // a backend, an instruction set, threads: only these
    const char *archive, *write; // files; NULL: the one that is built in, none
    int64_t part, parts;         // of the cases; 0, 0: all
    bool json, declined;
} doctor_bits;
int doctor_check_bits(const doctor_bits *what);

#endif
