// SPDX-License-Identifier: Apache-2.0
//
// Names of kernels: from what compilers make of them to what users write.
#ifndef HEDDLE_MODEL_SOURCE_KERNEL_NAMES_H
#define HEDDLE_MODEL_SOURCE_KERNEL_NAMES_H

#include <stdbool.h>
#include <stddef.h>

// "inner::sum<float, 128>" of "_ZN5inner3sumIfLi128EEEvPKT_PS1_": without parameters. false: it is
// not mangled, or in a way that is not known here.
bool hd__model_demangle(const char *mangled, char *text, size_t room);

// Whether a name as demangled is the one asked for: spaces do not matter, nor "unsigned int" for
// "unsigned"; namespaces may be left out, and with them all arguments of a template.
bool hd__model_name_matches(const char *name, const char *wanted);

#endif
