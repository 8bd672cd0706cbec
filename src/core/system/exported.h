// SPDX-License-Identifier: Apache-2.0
// Names of libheddle that libheddle_model needs: the shared library exports them beside the public
// ones, under a version of their own (cmake/heddle.map.in), for no other program.
#ifndef HEDDLE_CORE_SYSTEM_EXPORTED_H
#define HEDDLE_CORE_SYSTEM_EXPORTED_H

#define HD__EXPORTED __attribute__((visibility("default")))

#endif
