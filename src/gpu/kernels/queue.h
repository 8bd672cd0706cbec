// SPDX-License-Identifier: Apache-2.0
//
// Tiles of a scatter that may have nothing to do, and then is to cost little: a block has some tiles one after
// another, so that blocks are few. What blocks that are under way write lies together, as long as these are not many.
struct hd_tiles {
    int64_t tile, end;
};

HD_FN hd_tiles hd_own_tiles(const hd_scatter_how *how)
{
    const int64_t count = (how->n + HD_THREADS * HD_ROWS - 1) / (HD_THREADS * HD_ROWS),
                  end = ((int64_t)blockIdx.x + 1) * how->tiles;
    hd_tiles t = {(int64_t)blockIdx.x * how->tiles, end < count ? end : count};
    if (how->word != 0 && *how->word != how->wanted) t.end = 0;
    return t;
}

HD_FN int64_t hd_first_source(const hd_tiles *t)
{
    return t->tile * (HD_THREADS * HD_ROWS) + threadIdx.x;
}
