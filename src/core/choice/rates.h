// SPDX-License-Identifier: Apache-2.0
// Rates: how fast the cores of this machine, a device and the link between them are. Measured once
// a machine and kept beside the kernels; HEDDLE_RATES names a file of them instead.
#ifndef HEDDLE_CORE_CHOICE_RATES_H
#define HEDDLE_CORE_CHOICE_RATES_H

#include "cost.h"

// Nanoseconds for 2^20 units, of jobs that read and write so many bytes: up to HD__RATE_SMALL, and
// HD__RATE_LARGE or more. In between they change with the logarithm of the bytes.
enum { HD__RATE_SMALL = 1 << 18, HD__RATE_LARGE = 1 << 26 };
typedef struct hd__rate {
    int64_t small, large;
} hd__rate;

// Nanoseconds of a call with next to no work on a device, and for 2^20 units.
typedef struct hd__device_rate {
    int64_t call, each;
} hd__device_rate;

typedef struct hd__rates {
    int64_t start;  // nanoseconds until a device is open,
    int64_t kernel; // until the kernels of a call that it has not run before are there,
    int64_t launch; // and of a few bytes there and back
    hd__rate to_device, to_host; // units are bytes
    hd__rate cores[HD__WORK_CLASSES];
    hd__device_rate device[HD__WORK_CLASSES];
    char name[128]; // of the device and its driver; "": the rates of no device in particular
    bool is_given;  // by HEDDLE_RATES: for whichever device there is
} hd__rates;

// Rates of a machine that was not measured.
hd__rates hd__usual_rates(int32_t threads);

// The class of a name, or HD__WORK_CLASSES.
hd__work_class hd__work_class_named(const char *name);

// As text, and from it: a line "NAME NUMBER ..."; of what is not named *rates stays as it is.
// False, and *rates unchanged: the text is none, or a number is out of range.
enum { HD__RATES_TEXT = 4096 };
void hd__write_rates(const hd__rates *rates, char text[HD__RATES_TEXT]);
bool hd__read_rates(const char *text, hd__rates *rates);

// The rates for a context: those of HEDDLE_RATES, the ones that were kept, or the usual ones.
// False: HEDDLE_RATES is "none", nothing is to be chosen by rates. *trouble: "", or what is wrong
// with the file that HEDDLE_RATES names.
bool hd__find_rates(const hd_context *ctx, hd__rates *rates, const char **trouble);

// Keeps them for contexts like this one: of the same processor, number of threads, instruction set,
// device number and version of the library. Returns "" or why they are not kept.
const char *hd__keep_rates(const hd_context *ctx, const hd__rates *rates);

// Nanoseconds of a job on the cores, and on an open device that has its kernels.
double hd__predict_cores(const hd__rates *rates, const hd__cost *cost);
double hd__predict_device(const hd__rates *rates, const hd__cost *cost);

#endif
