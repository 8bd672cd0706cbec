// SPDX-License-Identifier: Apache-2.0
#include <iostream>

int main()
{
    std::cout << "host";
}

__global__ void wrong(int *x)
{
    x[0] = undefined_name; // line 11
}
