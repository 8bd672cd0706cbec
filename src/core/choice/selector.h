// SPDX-License-Identifier: Apache-2.0
// The choice of HD_AUTO for views of the host: the cores, or the device, by predicted times. What a
// context has seen corrects them: each kind of call (pattern, operator, type) keeps its last times
// in both places, by the size of calls, and the slower one is tried again now and then.
//
// A device costs time before its first result: it has to be opened, and kernels be compiled. Such a
// cost is paid as one buys skis that one could go on renting (Karlin and others 1988): once calls
// on the cores have taken so much longer than they would have on the device. As far as predictions
// are right, a context takes at most twice the time of the best choice made beforehand.
#ifndef HEDDLE_CORE_CHOICE_SELECTOR_H
#define HEDDLE_CORE_CHOICE_SELECTOR_H

#include "rates.h"

// Calls on fewer elements, and those that cores are predicted to end in so many nanoseconds, are
// not looked at: no device gives an answer so soon.
enum { HD__CHOICE_ELEMENTS = 1 << 13, HD__CHOICE_TIME = 10000 };

// Times of calls over what was predicted. The least of the last few counts: what else a machine
// does, and the page faults of first calls, only add.
enum { HD__SEEN_MAX = 5 };
typedef struct hd__seen {
    double last[HD__SEEN_MAX];
    int32_t count; // so far
} hd__seen;

// What was seen of calls on so many bytes, of four times as many, and so on: what rates get wrong
// for few bytes they may get right for many.
enum { HD__SEEN_SIZES = 10, HD__SEEN_BYTES = 1 << 15 };
typedef struct hd__seen_size {
    hd__seen cores, device;
    double since;         // nanoseconds of calls since a trial,
    double trial_ns;      // which took so long,
    int32_t trial;        // and calls of one under way that are to come
    bool trial_on_device; // where
} hd__seen_size;

// One kind of call.
typedef struct hd__call_kind {
    uint64_t what; // a hash of it
    hd__pattern pattern;
    hd_type type;
    hd__seen_size seen[HD__SEEN_SIZES];
    bool has_kernels;             // a call has run on the device
    bool refused;                 // the device has no kernel for it
    double forgone;               // nanoseconds that the device would have saved so far
    double first_rated, first_ns; // the first call on the device: by the rates, and as it was
} hd__call_kind;

enum { HD__KINDS_MAX = 64 };
typedef struct hd__selector {
    bool off;     // there is no device, or it failed
    bool written; // the device has copied results into host memory since the call began
    hd__rates rates;
    hd__seen
        kernels;    // nanoseconds that first calls of kinds took longer than others; first a guess
    double forgone; // of all kinds, until the device is open
    int32_t kinds, next;
    hd__call_kind kind[HD__KINDS_MAX]; // the oldest goes first
} hd__selector;

typedef struct hd__choice {
    const hd__backend *device; // to be asked first; NULL: the cores are
    hd__call_kind *kind;       // NULL: nothing was chosen
    hd__seen_size *seen;       // its calls of this size
    bool is_trial;             // of the place that is thought to be slower
    double cores, on_device;   // nanoseconds, predicted and corrected by what was seen
    double rated[2];           // by the rates alone: of the cores, of the device
    double first;              // beside them: of opening the device and of kernels
    double forgone;            // so far
} hd__choice;

// Chooses for a call whose views are all in host memory. Opens the device, and measures its link
// where nobody has, once that pays.
hd__choice hd__select_backend(hd_context *ctx, hd__pattern pattern, const void *job,
                              const hd__subject *subject);

// A call begins on the device that was chosen; and results of one come back into host memory, which
// a backend says.
static inline hd__selector *hd__selector_of(const hd_context *ctx)
{
    return ctx->state[HD_AUTO]; // or NULL: nothing was chosen yet
}
static inline void hd__set_written(const hd_context *ctx, bool written)
{
    if (hd__selector_of(ctx) != NULL) hd__selector_of(ctx)->written = written;
}

// What became of it: the call took so long on the device, or on the cores.
void hd__learn(hd_context *ctx, const hd__choice *choice, bool on_device, double ns);

// Whether a call that failed on the device runs on the cores, as if it had begun there: nothing has
// come back yet. The error is forgotten then, so that all errors are those of the cores.
bool hd__falls_back(hd_context *ctx, const hd__choice *choice, hd_status status);

// The reason in words, for the trace: "3.1 ms predicted; cpu 20.4".
enum { HD__REASON_TEXT = 160 };
void hd__reason(const hd__choice *choice, char text[HD__REASON_TEXT]);

void hd__selector_close(hd_context *ctx);

// Nanoseconds since some time.
double hd__clock(void);

#endif
