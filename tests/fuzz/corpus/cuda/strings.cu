const char *a = "}\"{", *b = R"x(
 } " )y" __global__ )x", c = '\'';
/* __global__ void not_this() { */
// nor this { \
   __global__ void nor_this();
__device__ int f() { return '{' + "}"[0]; }
auto l = [](int x) { return x; };
