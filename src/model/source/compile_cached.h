// SPDX-License-Identifier: Apache-2.0
//
// PTX that was compiled once is cached on disk (core/system/cache_folder.h), by a digest of all
// that went into it.
#ifndef HEDDLE_MODEL_SOURCE_COMPILE_CACHED_H
#define HEDDLE_MODEL_SOURCE_COMPILE_CACHED_H

#include "core/system/cache_folder.h"
#include "compile.h"

// What stands for a job and the compiler that is to do it. false: its PTX is not cached.
bool hd__model_ptx_key(const compile_job *job, bool nvrtc, hd__digest *key);

// The PTX of a key, free()d by the caller, or NULL.
char *hd__model_ptx_cached(const hd__digest *key);
void hd__model_ptx_cache(const hd__digest *key, const char *ptx);

// Takes the folder the process runs in, which NVRTC writes there, from names of files.
void hd__model_ptx_without_folder(const char *name, char *ptx);

#endif
