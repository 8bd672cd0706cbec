// SPDX-License-Identifier: Apache-2.0
//
// The library's internals that the program uses beyond the public headers: cli/ and ladder/ include
// this header and no other one of src/algorithms, src/core, src/patterns, src/gpu and src/model.
// The library itself never includes it.
#ifndef HEDDLE_PROGRAM_H
#define HEDDLE_PROGRAM_H

#include "algorithms/sorts/pivot.h"        // the drawings: pivots of quicksort
#include "algorithms/text/lexer.h"         // the drawings: a compiled automaton
#include "core/choice/rates.h"             // heddle doctor --tune-auto
#include "core/half.h"                     // 16-bit floats as numbers to print and compare
#include "core/reader.h"                   // hd__gather: a strided view into contiguous memory
#include "core/system/cache_folder.h"      // the folder of cached kernels
#include "core/system/embedded.h"          // texts that the build embeds: the kernels of ladder/
#include "gpu/codegen/kernel_sources.h"    // texts of the kernels
#include "gpu/gpu.h"                       // the device of a context; texts of its kernels
#include "gpu/model/model_device.h"        // reports of the model machine as a device
#include "gpu/runtime/precompiled.h"       // heddle doctor: what the build compiled
#include "gpu/runtime/precompiled_calls.h" // heddle doctor --warm
#include "model/counters/occupancy.h"      // heddle calc: architectures and occupancy
#include "model/sandbox/confine.h"         // heddle model and grade: the sandbox of a process
#include "model/source/compile_helper.h"   // the program as NVRTC's helper process
#include "model/source/kernel_names.h"     // names of kernels and templates, as users write them
#include "model/source/kernel_templates.h"
#include "model/source/include_roots.h" // files that a kernel's text may name
#include "patterns/stencil/gaussian.h"  // heddle blur: the weights that it prints

#endif
