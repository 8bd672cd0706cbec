// SPDX-License-Identifier: Apache-2.0
//
// Two blocks of one thread add 1 to a counter: once by a load and a store, with which one of the
// two may be lost, and once by an atomic.
//
//     heddle model increment.cu racy --grid 2 --block 1 --arg counter=zeros:1 --explore 100

__global__ void racy(int *counter)
{
    const int old = *counter;
    *counter = old + 1;
}

__global__ void repaired(int *counter)
{
    atomicAdd(counter, 1);
}
