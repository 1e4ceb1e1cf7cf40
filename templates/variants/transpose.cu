/* The transposition of paper 4; its constants are the choices of its author's own tuner. The first
 * values of them make it transpose/cuda_padded. Matrices are stored without gaps. */
/*@ tune local = 1 0 */ /* a tile is turned in shared memory; 0: each thread turns its own values */
/*@ tune tile = 32 16 64 */               /* side of a tile; a block turns one */
/*@ tune threads = 256 64 128 512 1024 */ /* threads of a block */
/*@ tune vector = 1 2 4 */                /* values that a thread reads or writes at a time */
/*@ tune pad = 1 0 */ /* a value of padding a row of the tile: its columns have no bank conflicts */
/*@ tune diagonal = 0 1 */ /* blocks that run together lie along diagonals */
/*@ tune along = 0 1 */    /* without a tile: neighbouring threads write neighbours; 0: read them */
/*@ tune cached = 0 1 */   /* reads go through the textures' cache */
/*@ tune not threads * vector > tile * tile */
/*@ tune not local = 0 with pad = 1 */
/*@ tune not local = 1 with along = 1 */
/*@ term bytes = 2 + 8 / tile */
/*@ term fetches = 2 / vector */
/*@ term arithmetic = tile * tile / threads */

#if CACHED
#define ALONE __restrict__
#else
#define ALONE
#endif

enum { PIECES = TILE / VECTOR /* pieces of a row of a tile */ };

/* Neighbours of a row; beyond the matrix there is nothing to read or write. */
struct __align__(4 * VECTOR) piece
{
    float value[VECTOR];
};

static __device__ piece get(const float *ALONE from, int column, int row, int width, int height)
{
    piece p = {};
    from += (size_t)row * width + column;
    if (row < height && column < width && width % VECTOR == 0)
        return *(const piece *)from;
    for (int k = 0; k < VECTOR; k++)
        if (row < height && column + k < width)
            p.value[k] = from[k];
    return p;
}

static __device__ void put(float *ALONE to, int column, int row, int width, int height, piece p)
{
    to += (size_t)row * width + column;
    if (row < height && column < width && width % VECTOR == 0)
        *(piece *)to = p;
    else
        for (int k = 0; k < VECTOR; k++)
            if (row < height && column + k < width)
                to[k] = p.value[k];
}

/* The tile that begins at this column and row of x, by way of shared memory. */
static __device__ void turn_tile(const float *ALONE x, float *ALONE out, int width, int height,
                                 int left, int bottom)
{
    __shared__ float tile[TILE][TILE + PAD];
#pragma unroll
    for (int first = 0; first < TILE * PIECES; first += THREADS) {
        const int i = first + threadIdx.x, column = i % PIECES * VECTOR, row = i / PIECES;
        const piece p = get(x, left + column, bottom + row, width, height);
        for (int k = 0; k < VECTOR; k++)
            tile[row][column + k] = p.value[k];
    }
    __syncthreads();
#pragma unroll
    for (int first = 0; first < TILE * PIECES; first += THREADS) {
        const int i = first + threadIdx.x, column = i / PIECES, row = i % PIECES * VECTOR;
        piece p;
        for (int k = 0; k < VECTOR; k++)
            p.value[k] = tile[row + k][column];
        put(out, bottom + row, left + column, height, width, p);
    }
}

/* The same value by value, with vectors on one side. */
static __device__ void turn_each(const float *ALONE x, float *ALONE out, int width, int height,
                                 int left, int bottom)
{
#pragma unroll
    for (int first = 0; first < TILE * PIECES; first += THREADS) {
        const int i = first + threadIdx.x, near = i % PIECES * VECTOR, far = i / PIECES;
        const int column = left + (ALONG ? far : near), row = bottom + (ALONG ? near : far);
        piece p = {};
        if (!ALONG)
            p = get(x, column, row, width, height);
        for (int k = 0; k < VECTOR; k++) {
            if (ALONG && column < width && row + k < height)
                p.value[k] = x[(size_t)(row + k) * width + column];
            else if (!ALONG && column + k < width && row < height)
                out[(size_t)(column + k) * height + row] = p.value[k];
        }
        if (ALONG)
            put(out, row, column, height, width, p);
    }
}

/* A block turns one tile; x has `across` tiles in a row. */
extern "C" __global__ void __launch_bounds__(THREADS)
    tuned(const float *ALONE x, float *ALONE out, int width, int height, int across)
{
    const int up = gridDim.x / across, block = blockIdx.x;
    const int row = DIAGONAL ? block % up : block / across;
    const int column = DIAGONAL ? (block / up + row) % across : block % across;
    if (LOCAL)
        turn_tile(x, out, width, height, column * TILE, row * TILE);
    else
        turn_each(x, out, width, height, column * TILE, row * TILE);
}
