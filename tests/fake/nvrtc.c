// SPDX-License-Identifier: Apache-2.0
// NVRTCs for tests. One is too old: it has its version and nothing else. With PLAIN defined it has
// the rest, but does not know the option --minimal; its PTX says with how many options it was made,
// and of what.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FAKE __attribute__((visibility("default")))

FAKE int nvrtcVersion(int *major, int *minor);

int nvrtcVersion(int *major, int *minor)
{
    *major = 10, *minor = 1;
    return 0;
}

#ifdef PLAIN
enum { INVALID_OPTION = 5, INTERNAL_ERROR = 11 };

typedef struct program {
    char text[64], ptx[128];
    int compilations;
} program;

FAKE int nvrtcCreateProgram(program **p, const char *text, const char *name, int headers,
                            const char *const *texts, const char *const *names);
FAKE int nvrtcCompileProgram(program *p, int count, const char *const *options);
FAKE int nvrtcGetPTXSize(program *p, size_t *size);
FAKE int nvrtcGetPTX(program *p, char *ptx);
FAKE int nvrtcGetProgramLogSize(program *p, size_t *size);
FAKE int nvrtcGetProgramLog(program *p, char *log);
FAKE int nvrtcGetCUBINSize(program *p, size_t *size);
FAKE int nvrtcGetCUBIN(program *p, char *image);
FAKE int nvrtcDestroyProgram(program **p);
FAKE int nvrtcGetNumSupportedArchs(int *count);
FAKE int nvrtcGetSupportedArchs(int *list);

int nvrtcCreateProgram(program **p, const char *text, const char *name, int headers,
                       const char *const *texts, const char *const *names)
{
    (void)name, (void)headers, (void)texts, (void)names;
    *p = calloc(1, sizeof **p);
    if (*p != NULL) snprintf((*p)->text, sizeof(*p)->text, "%s", text);
    return *p != NULL ? 0 : INTERNAL_ERROR;
}

// Once a program: that it may be done again is nowhere promised.
int nvrtcCompileProgram(program *p, int count, const char *const *options)
{
    if (p->compilations++ > 0) return INTERNAL_ERROR;
    for (int k = 0; k < count; k++)
        if (strcmp(options[k], "--minimal") == 0) return INVALID_OPTION;
    snprintf(p->ptx, sizeof p->ptx, "%d options: %s", count, p->text);
    return 0;
}

int nvrtcGetPTXSize(program *p, size_t *size)
{
    *size = strlen(p->ptx) + 1;
    return 0;
}

int nvrtcGetPTX(program *p, char *ptx)
{
    strcpy(ptx, p->ptx);
    return 0;
}

int nvrtcGetProgramLogSize(program *p, size_t *size)
{
    (void)p;
    *size = 1;
    return 0;
}

int nvrtcGetProgramLog(program *p, char *log)
{
    (void)p;
    *log = 0;
    return 0;
}

int nvrtcGetCUBINSize(program *p, size_t *size)
{
    (void)p;
    *size = 0;
    return 0;
}

int nvrtcGetCUBIN(program *p, char *image)
{
    (void)p, (void)image;
    return INTERNAL_ERROR;
}

int nvrtcDestroyProgram(program **p)
{
    free(*p);
    *p = NULL;
    return 0;
}

int nvrtcGetNumSupportedArchs(int *count)
{
    *count = 1;
    return 0;
}

int nvrtcGetSupportedArchs(int *list)
{
    *list = 80;
    return 0;
}
#endif
