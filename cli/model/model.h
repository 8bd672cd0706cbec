// SPDX-License-Identifier: Apache-2.0
//
// heddle model, from inside: what its files share. model.c has the options and the order of steps;
// functions that can fail return an exit code, having printed what went wrong.
#ifndef HEDDLE_CLI_MODEL_MODEL_H
#define HEDDLE_CLI_MODEL_MODEL_H

#include "cli/args/args.h"
#include "io/json.h"
#include "model_signature.h"
#include "model_source.h"
#include "model_value.h"
#include "program.h"
#include "sandbox.h"

typedef struct model_args {
    arg_texts arg, set, out, compare, define, include;
    const char *grid, *block, *tolerance, *compiler, *checks, *rule, *banks, *html;
    arg_int shared, arch, threads, resident, seed, sectors, lines, lanes, top, explore, steps;
    arg_int print_bytes;
    bool ptx, json, debug, fmad;
    sandbox_args sandbox;
} model_args;

// ---- Arguments ----------------------------------------------------------------------------------

// One argument as it goes to the kernel.
typedef struct model_argument {
    const model_parameter *parameter;
    model_value value;
    bool given;
    hd_type type; // of a buffer's elements, or of a number
    int32_t ndim; // of a buffer
    int64_t shape[HD_MAX_DIMS];
    int64_t count, bytes;
    void *initial;    // what it holds at first; NULL of a buffer: nothing is written
    int32_t same;     // the argument whose buffer this is, or -1
    uint64_t address; // of a buffer, in the machine it was last placed in
} model_argument;

typedef struct model_arguments {
    const model_signature *signature;
    model_argument at[MODEL_MAX_PARAMETERS];
} model_arguments;

// Reads the --arg options against the kernel's parameters and makes their contents.
int model_arguments_read(model_arguments *a, const model_signature *signature,
                         const arg_texts *texts);
void model_arguments_close(model_arguments *a);

bool model_is_buffer(const model_argument *a);
// The buffer's own argument where it is another's.
const model_argument *model_owner(const model_arguments *a, const model_argument *of);
// The buffer that NAME of an option means, or NULL with *code set.
const model_argument *model_buffer_named(const model_arguments *a, const char *option,
                                         const char *name, size_t length, int *code);

// What a buffer holds now in the machine it was placed in: the caller's to free.
int model_buffer_get(hd_model *model, const model_argument *a, void **bytes);

// The name of an argument, for people: its parameter's, or "argument 2".
const char *model_argument_name(const model_arguments *a, const model_argument *of, char *text,
                                size_t room);

// ---- Variables ----------------------------------------------------------------------------------

// A __constant__ or __device__ variable that --set gives a value.
typedef struct model_variable {
    char name[MODEL_NAME_ROOM];
    hd_type type; // HD_NONE: bytes
    void *data;
    int64_t bytes;
} model_variable;

typedef struct model_variables {
    model_variable at[ARG_MAX_TEXTS];
    int count;
} model_variables;

// ---- A launch -----------------------------------------------------------------------------------

// What kernels print, up to a limit.
typedef struct model_printing {
    FILE *out;
    int64_t most, bytes, dropped; // bytes: written
} model_printing;

typedef struct model_run {
    const model_args *args;
    model_printing printing;
    const char *file;
    char kernel[512]; // as the module names it
    hd_model_options options;
    hd_model_shape shape;
    double tolerance;
    hd_model *model;
    hd_model_module *module;
    model_signature signature;
    model_arguments arguments;
    model_variables variables;
    model_sources sources;
    kernel_templates templates; // of the file
    const hd_model_report *report;
    hd_status status;   // of the launch
    char failure[2048]; // why it failed
} model_run;

// Allocates and writes the buffers in a machine and launches there; the status is the launch's.
// An exit code other than 0: it was not launched.
int model_launch(model_run *r, hd_model *model, const hd_model_module *module, hd_status *status,
                 const hd_model_report **report);

// Reads the --set options against the module, and writes their values in a machine.
int model_variables_read(model_run *r, const arg_texts *texts);
int model_variables_place(const model_variables *v, hd_model *model, const hd_model_module *module);
void model_variables_close(model_variables *v);

// Prints the model's error and returns the exit code that goes with the status.
int model_failed(const hd_model *model, hd_status status);

// ---- Templates ----------------------------------------------------------------------------------

// The instance to make for a kernel that is asked for: of a template whose parameters all have
// defaults "k<>" where "k" was said.
const char *model_instance(const model_run *r, const char *kernel, char *text, size_t room);
void model_list_templates(const model_run *r);
void model_list_templates_json(json *j, const model_run *r);
// "k<float>" did not compile: says so, with the template's parameters.
int model_template_failed(const model_run *r, const char *kernel, int code);
// The one kernel that was made of the template that is named, into r->kernel: "k<2 * 4>" is k<8>.
bool model_find_instance(model_run *r, const char *wanted);
// Where no kernel but a template is called so: says that, and how to name an instance.
int model_is_template(const model_run *r, const char *wanted);

// ---- What came out ------------------------------------------------------------------------------

typedef struct model_difference {
    const model_argument *buffer;
    char name[MODEL_NAME_ROOM];
    const char *expected;    // as the option has it
    int64_t count, first;    // elements that differ; the first of them
    char want[48], have[48]; // of the first
} model_difference;

typedef struct model_differences {
    model_difference at[ARG_MAX_TEXTS];
    int count;
    bool any;
} model_differences;

// An expectation of --compare, of the buffer's type.
typedef struct model_expectation {
    const model_argument *buffer;
    const char *text;
    void *elements;
} model_expectation;
typedef struct model_expectations {
    model_expectation at[ARG_MAX_TEXTS];
    int count;
} model_expectations;

int model_expectations_read(model_run *r, model_expectations *e);
void model_expectations_close(model_expectations *e);
// How many of n elements differ beyond the tolerance, and the first that does (-1: none).
int64_t model_differs(hd_type type, const void *a, const void *b, int64_t n, double tolerance,
                      int64_t *first);
int model_compare(model_run *r, hd_model *model, const model_expectations *e, model_differences *d);
int model_write_outputs(model_run *r);
// --out, checked before anything runs.
int model_check_outputs(model_run *r);

// ---- Reports ------------------------------------------------------------------------------------

// The places that cost most beyond their need, the worst first; the array has room for `most`.
int32_t model_worst_sites(const hd_model_report *report, const hd_model_site **worst, int32_t most);
// Sectors, wavefronts and atomic steps beyond what the bytes need.
int64_t model_excess(const hd_model_counts *c);
// A sentence about them: "1,024 wavefronts for 32 requests".
const char *model_site_text(const hd_model_counts *c, char *text, size_t room);
// A sentence about the addresses of a request: "lanes 128 bytes apart".
const char *model_sample_text(const hd_model_sample *s, const hd_model_options *o, char *text,
                              size_t room);
// 1,048,576
const char *model_number(int64_t n, char text[32]);
// "file.cu:12", or "PTX line 40".
const char *model_place(const char *file, int32_t line, int32_t ptx_line, char *text, size_t room);

// The rows of the table of counts, for the text and the page.
typedef struct model_row {
    const char *name;
    int64_t actual, ideal; // ideal -1: there is none
    char note[160];
} model_row;
#define MODEL_MAX_ROWS 24
int model_rows(const hd_model_report *r, model_row rows[MODEL_MAX_ROWS]);
#define MODEL_MAX_NOTES 12
// Sentences about caches, occupancy, predicted time and PRAM, where the report has them.
int model_notes(const hd_model_report *r, char notes[MODEL_MAX_NOTES][256]);

// Findings that follow from none other; what follows from finding k is behind it, up to this place.
int32_t model_causes(const hd_model_report *report);
int32_t model_effects_end(const hd_model_report *report, int32_t k);
// "race, 12 times at file.cu:9 and file.cu:8", for what follows from another finding.
const char *model_effect_text(model_run *r, const hd_model_finding *f, char *text, size_t room);

void model_print(model_run *r, const model_differences *d);
void model_print_hazards(model_run *r);
void model_json_hazards(json *j, model_run *r);
// model_warnings.c. The verdict is that of a report without hazards.
const char *model_verdict(const hd_model_report *report, char *text, size_t room);
void model_print_warnings(model_run *r);
void model_json_warnings(json *j, model_run *r);
void model_write_warnings(FILE *out, model_run *r);
void model_print_json(model_run *r, const model_differences *d);
int model_write_html(model_run *r, const model_differences *d);
void model_write_source(FILE *out, model_run *r); // model_listing.c: of the page

int model_explore(model_run *r, const model_expectations *e);

#endif
