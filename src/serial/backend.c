// SPDX-License-Identifier: Apache-2.0
// What the serial backend supplies.
#include "serial/serial.h"

const hd__backend hd__serial_backend = {
    .name = "serial",
    .id = HD_SERIAL,
    .reduce = hd__serial_reduce,
    .scan = hd__serial_scan,
};
