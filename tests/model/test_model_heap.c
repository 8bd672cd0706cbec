// SPDX-License-Identifier: Apache-2.0
// malloc and free of kernels on the model machine.
#include "tests/support/model_check.h"

#include <string.h>

static void fails(const char *kernel, const char *text)
{
    hd_model *model = model_open(&(hd_model_options){.threads = 1});
    const hd_model_module *module = model_load(model, "heap.ptx");
    const uint64_t out = model_new(model, NULL, 256);
    MODEL_FAILS(model, HD_ERROR_DEVICE,
                hd_model_launch(model, module, kernel, (hd_model_shape){{1}, {1}, 0},
                                (const void *[]){&out}, 1, NULL));
    MODEL_SAYS(model, text);
    hd_model_close(model);
}

int main(void)
{
    for (int threads = 1; threads <= 2; threads++) {
        int got[256];
        hd_model *model = model_open(&(hd_model_options){.threads = threads});
        const hd_model_module *module = model_load(model, "heap.ptx");
        const uint64_t out = model_new(model, NULL, sizeof got);
        const hd_model_report *r = model_run(model, module, "own", 4, 64, &out, NULL);
        CHECK(r->finding_count == 0, "%s", r->findings[0].text);
        model_get(model, out, got, sizeof got);
        for (int k = 0; k < 256; k++) CHECK(got[k] == 2 * (4 * (k % 64) + 6), "%d: %d", k, got[k]);
        model_run(model, module, "all", 1, 1, &out, NULL);
        model_get(model, out, got, 8);
        CHECK(got[0] == 7 && got[1] == 1, "%d pieces, %d", got[0], got[1]);
        hd_model_close(model);
    }
    hd_model *model = model_open(&(hd_model_options){.threads = 1});
    const hd_model_module *module = model_load(model, "heap.ptx");
    const uint64_t out = model_new(model, NULL, 256);
    const hd_model_report *r = model_run(model, module, "unwritten", 1, 32, &out, NULL);
    CHECK(r->finding_count > 0 && r->findings[0].hazard == HD_HAZARD_UNINITIALISED &&
              strstr(r->findings[0].text, "the heap of kernels"),
          "%s", r->finding_count > 0 ? r->findings[0].text : "nothing was found");
    hd_model_close(model);
    fails("twice", "which malloc did not give, or which was freed before; block (0,0,0), thread 0");
    fails("never", "which malloc did not give");
    return check_finish();
}
