// SPDX-License-Identifier: Apache-2.0
//
// heddle_model.h: machines, memory, modules, launches.
#include "core/options.h"
#include "model/counters/hardware.h"
#include "model.h"
#include "model/counters/source_sites.h"
#include "model/exec/heap.h"
#include "model/source/compile.h"
#include "model/detect/warnings.h"
#include "model/source/cuda_source.h"
#include "model/detect/races.h"

#include <errno.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static HD__LAYOUT(hd_model) = {
    HD__LAYOUT_SIZES(hd_model), {0}, {HD__LAYOUT_RESERVED(hd_model, reserved_number)}};
static HD__LAYOUT(hd_model_load) = {
    HD__LAYOUT_SIZES(hd_model_load), {0}, {HD__LAYOUT_RESERVED(hd_model_load, reserved_flags)}};

static hd_status begin(hd_model *model)
{
    if (model == NULL || !model->usable) return HD_ERROR_ARGUMENT;
    model->error[0] = 0;
    return HD_OK;
}

#define MODEL_TRY(step)                                                                            \
    do {                                                                                           \
        const hd_status tried = (step);                                                            \
        if (tried != HD_OK) return tried;                                                          \
    } while (0)

// ---- Machines -----------------------------------------------------------------------------------

static int32_t or_else(int32_t value, int32_t otherwise)
{
    return value != 0 ? value : otherwise;
}

static bool is_power(int32_t n)
{
    return n > 0 && (n & (n - 1)) == 0;
}

static hd_status check_settings(hd_model *model)
{
    const machine_settings *s = &model->settings;
    if (s->arch < 50 || s->arch > 130)
        return hd__model_fail(model, HD_ERROR_ARGUMENT, "arch %d; expected 70 to 120",
                              (int)s->arch);
    if (!is_power(s->sector_bytes) || !is_power(s->line_bytes) || !is_power(s->banks) ||
        !is_power(s->bank_bytes) || s->sector_bytes > 4096 || s->line_bytes > 4096 ||
        s->banks > 64 || s->bank_bytes > 16)
        return hd__model_fail(model, HD_ERROR_ARGUMENT,
                              "sectors, lines and banks must be powers of two: at most 4096 bytes, "
                              "64 banks of 16 bytes");
    if (!is_power(s->warp_lanes) || s->warp_lanes > WARP)
        return hd__model_fail(model, HD_ERROR_ARGUMENT,
                              "%d lanes a request; expected a power of two up to 32",
                              (int)s->warp_lanes);
    if (s->rule < 0 || s->rule > 5)
        return hd__model_fail(model, HD_ERROR_ARGUMENT, "rule %d; expected 0 to 5", (int)s->rule);
    if (model->options.threads < 1 || model->options.threads > 1024 ||
        model->options.resident < 0 || model->options.resident > 65536)
        return hd__model_fail(model, HD_ERROR_ARGUMENT, "threads or resident blocks out of range");
    return HD_OK;
}

static hd_status take_options(hd_model *model, const hd__options_layout *layout,
                              const void *options, void *taken)
{
    char why[160];
    if (hd__read_options(layout, options, taken, why, sizeof why)) return HD_OK;
    return hd__model_fail(model, HD_ERROR_ARGUMENT, "%s", why);
}

static int32_t default_threads(void)
{
    const char *text = getenv("HEDDLE_THREADS");
    const int named = text != NULL ? atoi(text) : 0;
    return named > 0 && named <= 1024 ? named : omp_get_max_threads();
}

// Kernels that wait for what never comes must end somewhere, also where nobody could say how.
static uint64_t default_steps(void)
{
    const char *text = getenv("HEDDLE_MODEL_STEPS");
    const long long named = text != NULL ? atoll(text) : 0;
    return named > 0 ? (uint64_t)named : 0;
}

hd_status hd_model_open(hd_model **model, const hd_model_options *options)
{
    if (model == NULL) return HD_ERROR_ARGUMENT;
    hd_model *m = *model = calloc(1, sizeof *m);
    if (m == NULL) return HD_ERROR_MEMORY;
    hd_model_options *o = &m->options;
    MODEL_TRY(take_options(m, &hd__layout_hd_model_options, options, o));
    if (o->compiler != NULL) {
        snprintf(m->compiler, sizeof m->compiler, "%s", o->compiler);
        o->compiler = m->compiler;
    }
    o->threads = or_else(o->threads, default_threads());
    if (o->max_steps == 0) o->max_steps = default_steps();
    if (o->checks == 0) o->checks = HD_MODEL_ALL;
    m->settings = (machine_settings){or_else(o->arch, 90),
                                     or_else(o->sector_bytes, 32),
                                     or_else(o->line_bytes, 128),
                                     or_else(o->banks, 32),
                                     or_else(o->bank_bytes, 4),
                                     or_else(o->warp_lanes, WARP),
                                     o->rule};
    MODEL_TRY(check_settings(m));
    m->usable = true;
    return HD_OK;
}

static void free_module(hd_model_module *module)
{
    hd__model_module_free(&module->loaded);
    hd__model_ptx_module_free(&module->text);
    free(module->registers);
    free(module->ptx);
    free(module);
}

void hd_model_close(hd_model *model)
{
    if (model == NULL) return;
    hd__model_report_free(&model->report);
    for (hd_model_module *m = model->modules, *next; m != NULL; m = next) {
        next = m->next;
        free_module(m);
    }
    hd__model_races_close(&model->memory);
    hd__model_heap_close(&model->memory);
    hd__model_device_memory_close(&model->memory);
    free(model);
}

void hd__model_own_texts(hd_model *model)
{
    model->own_texts = true;
}

const char *hd_model_error(const hd_model *model)
{
    return model != NULL ? model->error : "no model";
}

// ---- Memory -------------------------------------------------------------------------------------

hd_status hd_model_alloc(hd_model *model, int64_t bytes, uint64_t *address)
{
    MODEL_TRY(begin(model));
    if (address == NULL || bytes < 0)
        return hd__model_fail(model, HD_ERROR_ARGUMENT, "hd_model_alloc: %lld bytes",
                              (long long)bytes);
    allocation *a = hd__model_device_allocate(&model->memory, bytes, NULL);
    if (a != NULL && model->options.checks & HD_MODEL_INITIAL && !hd__model_memory_track(a)) {
        hd__model_device_free(&model->memory, a->address);
        a = NULL;
    }
    if (a == NULL)
        return hd__model_fail(model, HD_ERROR_MEMORY, "hd_model_alloc: no memory for %lld bytes",
                              (long long)bytes);
    *address = a->address;
    return HD_OK;
}

hd_status hd_model_free(hd_model *model, uint64_t address)
{
    MODEL_TRY(begin(model));
    allocation *a = address != 0 ? hd__model_device_find(&model->memory, address) : NULL;
    if (address == 0) return HD_OK;
    if (hd__model_device_free(&model->memory, address)) {
        hd__model_races_forget(a);
        return HD_OK;
    }
    return hd__model_fail(model, HD_ERROR_ARGUMENT,
                          "hd_model_free: no allocation begins at 0x%llx, or it was freed before",
                          (unsigned long long)address);
}

// The bytes of a range, which must lie in one allocation; `data` is the host's side.
static hd_status range(hd_model *model, const char *call, uint64_t address, const void *data,
                       int64_t bytes, uint8_t **host)
{
    MODEL_TRY(begin(model));
    if (data == NULL && bytes > 0)
        return hd__model_fail(model, HD_ERROR_ARGUMENT, "%s: the host's data is NULL", call);
    allocation *a = hd__model_device_find(&model->memory, address);
    if (bytes < 0 || !allocation_holds(a, address, bytes))
        return hd__model_fail(model, HD_ERROR_ARGUMENT,
                              "%s: %lld bytes at 0x%llx are not in one allocation", call,
                              (long long)bytes, (unsigned long long)address);
    *host = a->data + (address - a->address);
    return HD_OK;
}

hd_status hd_model_write(hd_model *model, uint64_t address, const void *data, int64_t bytes)
{
    uint8_t *host = NULL;
    MODEL_TRY(range(model, "hd_model_write", address, data, bytes, &host));
    if (bytes > 0) memcpy(host, data, (size_t)bytes);
    hd__model_memory_validate(&model->memory, address, bytes);
    return HD_OK;
}

hd_status hd_model_read(hd_model *model, uint64_t address, void *data, int64_t bytes)
{
    uint8_t *host = NULL;
    MODEL_TRY(range(model, "hd_model_read", address, data, bytes, &host));
    allocation *a = hd__model_device_find(&model->memory, address);
    if (bytes > 0) memcpy(data, host, (size_t)bytes);
    hd__model_host_reads(a, address - a->address, bytes);
    return HD_OK;
}

hd_status hd_model_fill(hd_model *model, uint64_t address, int value, int64_t bytes)
{
    uint8_t *host = NULL;
    MODEL_TRY(range(model, "hd_model_fill", address, model, bytes, &host));
    if (bytes > 0) memset(host, value, (size_t)bytes);
    hd__model_memory_validate(&model->memory, address, bytes);
    return HD_OK;
}

hd_status hd_model_name(hd_model *model, uint64_t address, const char *name)
{
    MODEL_TRY(begin(model));
    allocation *a = hd__model_device_find(&model->memory, address);
    if (a == NULL || a->address != address)
        return hd__model_fail(model, HD_ERROR_ARGUMENT,
                              "hd_model_name: no allocation begins at 0x%llx",
                              (unsigned long long)address);
    a->name = name;
    return HD_OK;
}

// ---- Modules ------------------------------------------------------------------------------------

static hd_status make_module(hd_model *model, const module_source *t, char *ptx,
                             hd_model_module **module)
{
    const char *name = t->name;
    hd_model_module *m = calloc(1, sizeof *m);
    if (m == NULL) {
        free(ptx);
        return hd__model_fail(model, HD_ERROR_MEMORY, "%s: no memory for the module", name);
    }
    m->model = model, m->ptx = ptx;
    hd_status status = HD_OK;
    if (!hd__model_ptx_parse(&m->text, ptx, strlen(ptx)))
        status = hd__model_fail(model, HD_ERROR_COMPILE, "%s: PTX %s", name, m->text.error);
    else if (!hd__model_module_load(&m->loaded, &m->text, &model->memory))
        status = hd__model_fail(model, HD_ERROR_COMPILE, "%s: PTX of %s", name, m->loaded.error);
    else if (!hd__model_module_describe(m, t))
        status = hd__model_fail(model, HD_ERROR_MEMORY, "%s: no memory for the module", name);
    if (status != HD_OK) {
        free_module(m);
        return status;
    }
    m->next = model->modules;
    model->modules = m;
    *module = m;
    return HD_OK;
}

hd_status hd_model_load_text(hd_model *model, const char *text, int64_t length,
                             const hd_model_load_options *options, hd_model_module **module)
{
    MODEL_TRY(begin(model));
    if (text == NULL || length < 0 || module == NULL)
        return hd__model_fail(model, HD_ERROR_ARGUMENT, "hd_model_load_text: no text");
    hd_model_load_options o[1];
    MODEL_TRY(take_options(model, &hd__layout_hd_model_load_options, options, o));
    const char *name = o->name != NULL ? o->name : "kernel.cu";
    char *ptx = NULL;
    if (!o->ptx) {
        MODEL_TRY(hd__model_compile(model, text, length, o, &ptx));
    } else {
        ptx = malloc((size_t)length + 1);
        if (ptx == NULL)
            return hd__model_fail(model, HD_ERROR_MEMORY, "%s: no memory for its text", name);
        memcpy(ptx, text, (size_t)length);
        ptx[length] = 0;
    }
    const module_source t = {name, o->ptx ? NULL : text, length, o->include};
    return make_module(model, &t, ptx, module);
}

hd_status hd_model_load(hd_model *model, const char *file, const hd_model_load_options *options,
                        hd_model_module **module)
{
    MODEL_TRY(begin(model));
    if (file == NULL || module == NULL)
        return hd__model_fail(model, HD_ERROR_ARGUMENT, "hd_model_load: no file, or no module");
    hd_model_load_options o;
    int64_t length;
    MODEL_TRY(take_options(model, &hd__layout_hd_model_load_options, options, &o));
    char *text = hd__model_cuda_read(file, &length);
    if (text == NULL)
        return hd__model_fail(model, HD_ERROR_ARGUMENT, "%s: cannot be read: %s", file,
                              strerror(errno));
    const size_t n = strlen(file);
    if (o.name == NULL) o.name = file;
    if (n > 4 && strcmp(file + n - 4, ".ptx") == 0) o.ptx = true;
    const hd_status status = hd_model_load_text(model, text, length, &o, module);
    free(text);
    return status;
}

const char *hd_model_kernel(const hd_model_module *module, int32_t k)
{
    for (int32_t f = 0; module != NULL && k >= 0 && f < module->text.function_count; f++)
        if (module->text.functions[f].entry && module->text.functions[f].defined && k-- == 0)
            return module->names[f];
    return NULL;
}

int32_t hd_model_parameters(const hd_model_module *module, const char *kernel)
{
    const int32_t k =
        module != NULL && kernel != NULL ? hd__model_module_find_kernel(module, kernel) : -1;
    return k >= 0 ? module->text.functions[k].param_count : -1;
}

int64_t hd_model_parameter_bytes(const hd_model_module *module, const char *kernel, int32_t p)
{
    const int32_t k =
        module != NULL && kernel != NULL ? hd__model_module_find_kernel(module, kernel) : -1;
    if (k < 0 || p < 0 || p >= module->text.functions[k].param_count) return -1;
    return module->text.variables[module->text.functions[k].params[p]].bytes;
}

hd_status hd_model_variable(hd_model *model, const hd_model_module *module, const char *name,
                            uint64_t *address, int64_t *bytes)
{
    MODEL_TRY(begin(model));
    const int32_t k =
        module != NULL && name != NULL ? hd__model_module_find_variable(module, name) : -1;
    if (k < 0)
        return hd__model_fail(model, HD_ERROR_ARGUMENT, "no variable '%s'",
                              name != NULL ? name : "");
    if (address != NULL) *address = (uint64_t)module->text.variables[k].address;
    if (bytes != NULL) *bytes = module->text.variables[k].bytes;
    return HD_OK;
}

const char *hd_model_variable_name(const hd_model_module *module, int32_t k)
{
    if (module == NULL || module->variables == NULL || k < 0) return NULL;
    for (int32_t before = 0; before < k; before++)
        if (module->variables[before] == NULL) return NULL;
    return module->variables[k];
}

const char *hd_model_ptx(const hd_model_module *module)
{
    return module != NULL ? module->ptx : NULL;
}

// ---- Launching ----------------------------------------------------------------------------------

#define MAX_OBSERVERS 16

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void select_observers(const hd_model *model, const observer **list)
{
    const uint32_t checks = model->options.checks;
    int n = 0;
    list[n++] = &hd__model_instruction_counts;
    list[n++] = &hd__model_coalescing;
    list[n++] = &hd__model_bank_conflicts;
    list[n++] = &hd__model_atomic_chains;
    if (checks & HD_MODEL_MEMORY) list[n++] = &hd__model_memory_check;
    if (checks & HD_MODEL_CACHES) list[n++] = &hd__model_caches_observer;
    if (checks & HD_MODEL_INITIAL) list[n++] = &hd__model_uninitialised;
    if (checks & HD_MODEL_RACES) list[n++] = &hd__model_races;
    if (checks & HD_MODEL_BARRIERS) list[n++] = &hd__model_barriers;
    if (checks & HD_MODEL_BARRIERS) list[n++] = &hd__model_early_exits;
    if (checks & HD_MODEL_INITIAL && hd__model_has_unset(&model->memory))
        list[n++] = &hd__model_unset_variables;
    if (checks & HD_MODEL_PRAM) list[n++] = &hd__model_pram;
    if (checks & HD_MODEL_SAMPLES) list[n++] = &hd__model_samples;
    if (model->options.max_events > 0) list[n++] = &hd__model_trace;
    list[n] = NULL;
}

static hd_status run(hd_model *model, const hd_model_module *module, int32_t k,
                     const hd_model_shape *shape, const void *params)
{
    const observer *list[MAX_OBSERVERS + 1];
    void *states[MAX_OBSERVERS + 1] = {0};
    const ptx_function *f = &module->text.functions[k];
    select_observers(model, list);
    // A trace is in order, and the PRAM steps all blocks together: both need one host thread.
    const bool alone =
        model->options.max_events > 0 || (model->options.checks & HD_MODEL_PRAM) != 0;
    launch l = {.dynamic_bytes = shape->shared,
                .params = params,
                .param_bytes = f->param_bytes,
                .threads = alone ? 1 : model->options.threads,
                .trace = model->options.max_events,
                .resident = model->options.resident,
                .seed = model->options.seed,
                .max_steps = model->options.max_steps,
                .settings = &model->settings,
                .observers = list,
                .states = states,
                .print = model->options.print,
                .print_user = model->options.print_user};
    memcpy(l.grid, shape->grid, sizeof l.grid);
    memcpy(l.block, shape->block, sizeof l.block);
    memcpy(l.cluster, model->cluster, sizeof l.cluster);
    hardware h = {0};
    hd_model_module *of = (hd_model_module *)(uintptr_t)module; // it keeps what ptxas said
    if (!hd__model_hardware_begin(&h, model, of, k, &l)) {
        hd__model_hardware_close(&h, of);
        return hd__model_fail(model, HD_ERROR_MEMORY, "%s: no memory for the caches", f->name);
    }
    const bool races = (model->options.checks & HD_MODEL_RACES) != 0;
    if (races && !hd__model_races_begin(&model->memory, module->loaded.sites)) {
        hd__model_races_end(&model->memory);
        hd__model_hardware_close(&h, of);
        return hd__model_fail(model, HD_ERROR_MEMORY, "%s: no memory to watch for races", f->name);
    }
    const double start = now();
    loaded_module *loaded = (loaded_module *)(uintptr_t)&module->loaded;
    const bool done = hd__model_launch_run(&l, loaded, k);
    const launch_states s = {list, states, loaded, &l, now() - start, module};
    hd_status status = HD_OK;
    if (states[0] != NULL) status = hd__model_report_make(model, &s, module->names[k]);
    if (status == HD_OK && done && !hd__model_hardware_end(&h, model, of, k, &s))
        status = hd__model_fail(model, HD_ERROR_MEMORY, "%s: no memory for the caches", f->name);
    hd__model_hardware_close(&h, of);
    hd__model_launch_close(&l);
    hd__model_races_end(&model->memory);
    if (!done)
        return hd__model_fail(model, l.refused ? HD_ERROR_ARGUMENT : HD_ERROR_DEVICE, "%s: %s",
                              f->name, l.error);
    return status;
}

hd_status hd_model_cluster(hd_model *model, int32_t x, int32_t y, int32_t z)
{
    MODEL_TRY(begin(model));
    if (x < 0 || y < 0 || z < 0 || x > MAX_CLUSTER || y > MAX_CLUSTER || z > MAX_CLUSTER)
        return hd__model_fail(model, HD_ERROR_ARGUMENT,
                              "hd_model_cluster: %d x %d x %d blocks; expected at most %d in all",
                              (int)x, (int)y, (int)z, MAX_CLUSTER);
    model->cluster[0] = x, model->cluster[1] = y, model->cluster[2] = z;
    return HD_OK;
}

hd_status hd_model_launch(hd_model *model, const hd_model_module *module, const char *kernel,
                          hd_model_shape shape, const void *const *arguments, int32_t count,
                          const hd_model_report **report)
{
    MODEL_TRY(begin(model));
    if (report != NULL) *report = &model->report;
    hd__model_report_free(&model->report);
    if (module == NULL || kernel == NULL)
        return hd__model_fail(model, HD_ERROR_ARGUMENT, "hd_model_launch: no kernel");
    const int32_t k = hd__model_module_find_kernel(module, kernel);
    if (k < 0) return hd__model_fail(model, HD_ERROR_ARGUMENT, "no kernel '%s'", kernel);
    const ptx_function *f = &module->text.functions[k];
    if (count != f->param_count)
        return hd__model_fail(model, HD_ERROR_ARGUMENT, "%s takes %d arguments, got %d", kernel,
                              (int)f->param_count, (int)count);
    for (int32_t p = 0; p < count; p++)
        if (arguments == NULL || arguments[p] == NULL)
            return hd__model_fail(model, HD_ERROR_ARGUMENT, "%s: argument %d is NULL", kernel,
                                  (int)p);
    uint8_t *params = calloc(1, (size_t)f->param_bytes + 16);
    if (params == NULL) return hd__model_fail(model, HD_ERROR_MEMORY, "no memory for arguments");
    for (int32_t p = 0; p < count; p++) {
        const ptx_variable *v = &module->text.variables[f->params[p]];
        memcpy(params + v->address, arguments[p], (size_t)v->bytes);
    }
    const hd_status status = run(model, module, k, &shape, params);
    free(params);
    return status;
}
