// Helman and JaJa 2001: a thread walks from each mark to the next. The short list of marks is ranked
// by jumping, and every node adds its mark's rank. Costs: about 2 n work: the marks are few.
extern "C" __global__ void walk(const int *next, const int *mark_of, const int *marks, int *owner,
                                int *place, int *mark_next, int *mark_length, int *tail, int count)
{
    const int k = blockIdx.x * blockDim.x + threadIdx.x;
    if (k >= count) return;
    int at = marks[k], steps = 0;
    for (;;) {
        owner[at] = k;
        place[at] = steps;
        const int on = next[at];
        if (on == at) { // the end of the list
            mark_next[k] = k;
            mark_length[k] = 0;
            *tail = steps; // from the last mark on
            return;
        }
        steps++;
        at = on;
        if (mark_of[at] >= 0) break;
    }
    mark_next[k] = mark_of[at];
    mark_length[k] = steps;
}

extern "C" __global__ void jump(const int *to, const int *ranks, int *new_to, int *new_ranks, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const int on = to[i];
    new_ranks[i] = ranks[i] + ranks[on];
    new_to[i] = to[on];
}

extern "C" __global__ void add(const int *owner, const int *place, const int *mark_ranks,
                               const int *tail, int *ranks, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) ranks[i] = mark_ranks[owner[i]] + *tail - place[i];
}
