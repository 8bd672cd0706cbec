// SPDX-License-Identifier: Apache-2.0
// An NVRTC for tests that is too old: it has its version and nothing else.
__attribute__((visibility("default"))) int nvrtcVersion(int *major, int *minor);

int nvrtcVersion(int *major, int *minor)
{
    *major = 10, *minor = 1;
    return 0;
}
