// SPDX-License-Identifier: Apache-2.0
//
// heddle doctor: other software the program makes use of where it is found: peers of heddle bench,
// NumPy, the CUDA driver and its run-time compiler, clang.
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/peer/peer_loader.h"
#include "doctor.h"
#include "program.h"
#include "io/npy/npz.h"
#include "io/images/png_file.h"

// The first line a command prints; false if it fails or prints nothing.
static bool ask(const char *command, char *line, int size)
{
    FILE *pipe = popen(command, "r");
    if (pipe == NULL) return false;
    const bool got = fgets(line, size, pipe) != NULL;
    while (got && fgetc(pipe) != EOF) continue;
    const bool well = pclose(pipe) == 0;
    if (got) line[strcspn(line, "\n")] = '\0';
    return got && well && *line != '\0';
}

static void add_numpy(doctor_findings *f)
{
    static const char *const python[] = {"python3", "/usr/bin/python3"};
    char command[160], line[80];
    for (size_t k = 0; k < sizeof python / sizeof *python; k++) {
        snprintf(command, sizeof command,
                 "%s -c 'import numpy; print(numpy.__version__)' 2>/dev/null", python[k]);
        if (!ask(command, line, sizeof line)) continue;
        find_add(f, "software", "NumPy", true, NULL, "%s, of %s", line, python[k]);
        return;
    }
    find_add(f, "software", "NumPy", false, "python3-numpy",
             "no python3 that imports numpy: a peer of heddle bench");
}

// Libraries the program is built with, or without.
static void add_formats(doctor_findings *f)
{
    static const char section[] = "files";
    const char *png = io_png_version(), *zlib = io_zlib_version();
    find_add(f, section, "libpng", png != NULL, "libpng-dev", "%s%s",
             png != NULL ? png : "this program was built without it",
             png != NULL ? ": PNG images" : ": no PNG images");
    find_add(f, section, "zlib", zlib != NULL, "zlib1g-dev", "%s%s",
             zlib != NULL ? zlib : "this program was built without it",
             zlib != NULL ? ": .npz archives" : ": no .npz archives");
}

static void add_clang(doctor_findings *f)
{
    char line[120];
    if (ask("clang --version 2>/dev/null", line, sizeof line))
        find_add(f, "software", "clang", true, NULL, "%s", line);
    else
        find_add(f, "software", "clang", false, "clang", "not found in PATH");
}

// Libraries of this kind are not made to be unloaded: what is opened here stays open.
//
// ISO C has no cast from a pointer to data to one to a function.
typedef union symbol {
    void *data;
    int (*version)(int *);
    int (*two)(int *, int *);
} symbol;

static void add_driver(doctor_findings *f)
{
    void *driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    int version = 0;
    const symbol ask_version = {driver != NULL ? dlsym(driver, "cuDriverGetVersion") : NULL};
    if (ask_version.data != NULL && ask_version.version(&version) == 0)
        find_add(f, "software", "CUDA driver", true, NULL, "for CUDA %d.%d", version / 1000,
                 version % 1000 / 10);
    else
        find_add(f, "software", "CUDA driver", false, "libcuda1", "libcuda.so.1 not found");
}

static void add_nvrtc(doctor_findings *f)
{
    static const char *const names[] = {"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so.11.2",
                                        "libnvrtc.so"};
    void *library = NULL;
    for (size_t k = 0; k < sizeof names / sizeof *names && library == NULL; k++)
        library = dlopen(names[k], RTLD_NOW | RTLD_LOCAL);
    int major = 0, minor = 0;
    const symbol ask_version = {library != NULL ? dlsym(library, "nvrtcVersion") : NULL};
    if (ask_version.data != NULL && ask_version.two(&major, &minor) == 0)
        find_add(f, "software", "NVRTC", true, NULL, "CUDA %d.%d", major, minor);
    else
        find_add(f, "software", "NVRTC", false, "nvidia-cuda-toolkit",
                 "libnvrtc.so not found: CUDA's run-time compiler");
}

// A GPU without NVRTC has those that are PTX; the others make the first call of their kind quick.
static void add_precompiled(doctor_findings *f)
{
    const hd__gpu_precompiled_file *file = hd__gpu_precompiled_kernels();
    const int32_t ptx = file->head->ptx, code = file->head->count - ptx;
    if (ptx > 0)
        find_add(f, "software", "precompiled kernels", true, NULL,
                 "%d as PTX, %d as machine code, compiled by %s, in %s", (int)ptx, (int)code,
                 file->head->by, file->path);
    else if (file->why[0] == 0)
        find_add(f, "software", "precompiled kernels", false, NULL,
                 "none in %s: the build found no compiler", file->path);
    else
        find_add(f, "software", "precompiled kernels", false, NULL, "%s: %s", file->path,
                 file->why);
}

// Peers by the file of their plug-in, what they are, and the package they are built from.
static const struct {
    const char *file, *name, *package;
} plug_ins[] = {
    {"tbb", "TBB", "libtbb-dev"},          {"pstl", "libstdc++ parallel", "libtbb-dev"},
    {"gnu", "GNU parallel mode", "g++"},   {"openblas", "OpenBLAS", "libopenblas-dev"},
    {"opencv", "OpenCV", "libopencv-dev"}, {"numpy", "NumPy's plug-in", "python3-numpy"},
};

static void add_peers(doctor_findings *f, const hd_context *ctx)
{
    static const char section[] = "peers of heddle bench";
    FILE *log = fopen("/dev/null", "w");
    if (log == NULL) return;
    peer_set set = {.count = 0};
    peers_open(&set, "none", false, hd_threads(ctx), log); // finds their folder, keeps none of them
    if (*set.folder == '\0')
        find_add(f, section, "plug-ins", false, NULL,
                 "none beside the program, nor in HEDDLE_PEERS_DIR");
    for (size_t k = 0; *set.folder && k < sizeof plug_ins / sizeof *plug_ins; k++) {
        char path[sizeof set.folder + 64];
        snprintf(path, sizeof path, "%s/heddle-peer-%s.so", set.folder, plug_ins[k].file);
        const bool here = access(path, R_OK) == 0;
        find_add(f, section, plug_ins[k].name, here, plug_ins[k].package, "%s",
                 here ? "plug-in found" : "no plug-in: built where its package is installed");
    }
    peers_close(&set);
    fclose(log);
}

void find_software(doctor_findings *f, const hd_context *ctx)
{
    add_formats(f);
    add_numpy(f);
    add_clang(f);
    add_driver(f);
    add_nvrtc(f);
    add_precompiled(f);
    add_peers(f, ctx);
}
