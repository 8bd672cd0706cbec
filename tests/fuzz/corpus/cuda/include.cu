#include "fuzz.cu"
#include "../fuzz.cu"
#include <heddle/none.h>
#include "/dev/null"
__global__ void k() {}
