// SPDX-License-Identifier: Apache-2.0
// Environment variables that name files, folders, libraries and programs.
#ifndef HEDDLE_CORE_SYSTEM_ENVIRONMENT_H
#define HEDDLE_CORE_SYSTEM_ENVIRONMENT_H

#include "exported.h"

// The value of a variable, or NULL where it is not set, and in a process that runs with more rights
// than its caller has (set-user-ID, file capabilities): there the caller may not say what is
// loaded, run, read or written.
HD__EXPORTED const char *hd__trusted_env(const char *name);

#endif
