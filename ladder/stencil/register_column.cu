// The block climbs through the planes of a slab; each thread keeps its column of 2 R + 1 points in registers.
// Costs: one load a point, and the tile's halo: each plane is read once, those between slabs twice.
extern "C" __global__ void laplacian(const float *in, float *out, int n)
{
    __shared__ float tile[8 + 2 * R][32 + 2 * R];
    const int tx = threadIdx.x, ty = threadIdx.y, row = n, plane = n * n;
    const int left = blockIdx.x * 32, top = blockIdx.y * 8;
    const int x = left + tx + R, y = top + ty + R;
    const bool there = x < n && y < n, mine = x < n - R && y < n - R;
    const float weight[R + 1] = {WEIGHTS};
    const int first = R + blockIdx.z * SLAB, end = first + SLAB < n - R ? first + SLAB : n - R;
    float column[2 * R + 1];
#pragma unroll
    for (int k = 0; k < 2 * R; k++)
        column[k + 1] = there ? in[(first - R + k) * plane + y * row + x] : 0;
    for (int z = first; z < end; z++) {
#pragma unroll
        for (int k = 0; k < 2 * R; k++) column[k] = column[k + 1];
        if (there) column[2 * R] = in[(z + R) * plane + y * row + x];
        __syncthreads(); // the last plane's tile has been read
        for (int j = ty; j < 8 + 2 * R; j += 8)
            for (int i = tx; i < 32 + 2 * R; i += 32) {
                const bool centre = j == ty + R && i == tx + R;
                if (!centre && top + j < n && left + i < n)
                    tile[j][i] = in[z * plane + (top + j) * row + left + i];
            }
        tile[ty + R][tx + R] = column[R];
        __syncthreads();
        if (!mine) continue;
        float sum = 3 * weight[0] * column[R];
#pragma unroll
        for (int k = 1; k <= R; k++)
            sum += weight[k] * (tile[ty + R][tx + R - k] + tile[ty + R][tx + R + k] +
                                tile[ty + R - k][tx + R] + tile[ty + R + k][tx + R] +
                                column[R - k] + column[R + k]);
        out[z * plane + y * row + x] = sum;
    }
}
