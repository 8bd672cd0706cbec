// SPDX-License-Identifier: Apache-2.0
// Whether the environment can be trusted: environment.h. What secure_getenv does, which not every C
// library has.
#define _DEFAULT_SOURCE
#include "environment.h"

#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

#if defined(__linux__)
#include <sys/auxv.h>

static bool is_privileged(void)
{
    return getauxval(AT_SECURE) != 0;
}
#elif defined(__APPLE__) || defined(__FreeBSD__) || defined(__NetBSD__) || defined(__OpenBSD__)
static bool is_privileged(void)
{
    return issetugid() != 0;
}
#else
static bool is_privileged(void)
{
    return getuid() != geteuid() || getgid() != getegid();
}
#endif

const char *hd__trusted_env(const char *name)
{
    return is_privileged() ? NULL : getenv(name);
}
