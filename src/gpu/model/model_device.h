// SPDX-License-Identifier: Apache-2.0
// What only the model machine can tell of itself as a device: the report of every launch.
#ifndef HEDDLE_GPU_MODEL_MODEL_DEVICE_H
#define HEDDLE_GPU_MODEL_MODEL_DEVICE_H

#include "gpu/device_driver.h"
#include "heddle_model.h"

// The driver: libheddle looks it up by this name (gpu/model_driver.c).
HD__EXPORTED const hd__gpu_driver *hd__gpu_driver_model(void);

typedef void hd__gpu_model_watcher(void *user, const hd_model_report *report);

// From now on the watcher (NULL: nobody) is shown every report. `d` was opened by
// the driver of the model machine.
void hd__gpu_model_watch(hd__gpu_device *d, hd__gpu_model_watcher *watcher, void *user);

// From now on the device says that it has so many multiprocessors: it is given what a chip of that
// size would be given.
void hd__gpu_model_pretend(hd__gpu_device *d, int32_t multiprocessors);

#endif
