/* SPDX-License-Identifier: MIT */
/* The opponent of all eliminations on CUDA: cuSOLVER's sgetrf and sgetrs. */
#include "lab/baseline/cuda.h"

#include <stdlib.h>

#include "lab/baseline/library.h"
#include "lab/ops/gauss_jordan/memory.cuh"

namespace
{

using namespace gauss_jordan;

/* ---- The library, without its header ---- */

typedef int status; /* cusolverStatus_t: 0 is success */
typedef void *handle;

struct functions {
    status (*create)(handle *);
    status (*destroy)(handle);
    status (*set_stream)(handle, cudaStream_t);
    status (*buffer_size)(handle, int m, int n, float *a, int lda, int *values);
    status (*factor)(handle, int m, int n, float *a, int lda, float *buffer, int *order, int *info);
    status (*solve)(handle, int transposed, int n, int sides, const float *a, int lda,
                    const int *order, float *b, int ldb, int *info);
};

struct solver {
    functions calls;
    handle self;
    float *buffer;
};

/* CUDA 13's, then that of 12 and 11: these functions are the same in all of them. */
const char *const files[] = {"libcusolver.so.12", "libcusolver.so.11", "libcusolver.so", NULL};

const baseline_function names[] = {
    {"cusolverDnCreate", offsetof(functions, create)},
    {"cusolverDnDestroy", offsetof(functions, destroy)},
    {"cusolverDnSetStream", offsetof(functions, set_stream)},
    {"cusolverDnSgetrf_bufferSize", offsetof(functions, buffer_size)},
    {"cusolverDnSgetrf", offsetof(functions, factor)},
    {"cusolverDnSgetrs", offsetof(functions, solve)},
    {NULL, 0},
};

const baseline_library library = {.title = "cuSOLVER", .files = files, .functions = names};

enum qp_status check(status code, const char *doing)
{
    if (code == 0)
        return QP_OK;
    return qp_fail(QP_DEVICE, "cuSOLVER could not %s: status %d", doing, code);
}

/* ---- Rows become columns, and columns rows ---- */

constexpr int SIDE = 32, UP = 8; /* side of a tile, and rows of threads */

struct memory {
    begin b;
    float *columns; /* A's, then b's */
    int *order, *info;
};

memory cut(const struct qp_launch *l, cutter &c)
{
    memory m;
    m.b = cut_begin(l, c);
    m.columns = c.take<float>(cells_of(l));
    m.order = c.take<int>((size_t)unknowns(l));
    m.info = c.take<int>(1);
    return m;
}

/* A tile at a time goes through shared memory, so that both sides are read and written along
 * lines. */
__global__ void transpose(const float *from, float *to, int width, int height)
{
    __shared__ float tile[SIDE][SIDE + 1];
    const int x = blockIdx.x * SIDE, y = blockIdx.y * SIDE, i = threadIdx.x;
    for (int j = threadIdx.y; j < SIDE; j += UP) {
        if (x + i < width && y + j < height)
            tile[j][i] = from[(size_t)(y + j) * width + x + i];
    }
    __syncthreads();
    for (int j = threadIdx.y; j < SIDE; j += UP) {
        if (x + j < width && y + i < height)
            to[(size_t)(x + j) * height + y + i] = tile[i][j];
    }
}

/* Logs the pivots and replaces the factors, no longer needed, by the identity that elimination
 * would leave. */
__global__ void log_factors(float *columns, const int *order, int n, float4 *log)
{
    const int i = blockIdx.x * SIDE + threadIdx.x, j = blockIdx.y * UP + threadIdx.y;
    if (i >= n || j >= n)
        return;
    float *element = columns + (size_t)j * n + i;
    if (i == j)
        log[i] = make_float4(*element, 0, (float)(order[i] - 1 - i), 0);
    *element = i == j ? 1.0f : 0.0f;
}

dim3 blocks_of(int across, int down, int up)
{
    return dim3(blocks_in(across, SIDE), blocks_in(down, up));
}

/* ---- A kernel like any other ---- */

double scratch(const struct qp_launch *l)
{
    cutter c(nullptr);
    cut(l, c);
    return c.bytes();
}

enum qp_status make_buffer(struct qp_launch *l, solver *s)
{
    cutter c(l->scratch);
    int values = 0;
    const int n = unknowns(l);
    enum qp_status result =
        check(s->calls.buffer_size(s->self, n, n, cut(l, c).columns, n, &values), "plan");
    if (result != QP_OK)
        return result;
    return qp_cuda_check(cudaMalloc(&s->buffer, (size_t)values * sizeof(float)),
                         "allocate cuSOLVER's buffer");
}

enum qp_status prepare(struct qp_launch *l)
{
    solver *s = (solver *)qp_alloc_zero(1, sizeof *s, "a solver");
    l->own = s;
    enum qp_status result = s != NULL ? baseline_load(&library, &s->calls) : QP_NO_MEMORY;
    if (result == QP_OK)
        result = check(s->calls.create(&s->self), "start");
    if (result == QP_OK)
        result = check(s->calls.set_stream(s->self, stream_of(l)), "take a stream");
    if (result == QP_OK)
        result = make_buffer(l, s);
    return result;
}

enum qp_status launch(struct qp_launch *l)
{
    const solver *s = (const solver *)l->own;
    cutter c(l->scratch);
    const memory m = cut(l, c);
    const int n = unknowns(l), width = l->width;
    const dim3 threads(SIDE, UP);
    transpose<<<blocks_of(width, n, SIDE), threads, 0, stream_of(l)>>>(m.b.start, m.columns, width,
                                                                       n);
    enum qp_status result =
        check(s->calls.factor(s->self, n, n, m.columns, n, s->buffer, m.order, m.info), "factor A");
    if (result == QP_OK)
        result = check(s->calls.solve(s->self, 0, n, sides(l), m.columns, n, m.order,
                                      m.columns + (size_t)n * n, n, m.info),
                       "solve for b");
    if (result != QP_OK)
        return result;
    log_factors<<<blocks_of(n, n, UP), threads, 0, stream_of(l)>>>(m.columns, m.order, n, m.b.log);
    transpose<<<blocks_of(n, width, SIDE), threads, 0, stream_of(l)>>>(m.columns, l->out, n, width);
    return qp_cuda_check_launch("the answer's transposition");
}

void release(struct qp_launch *l)
{
    solver *s = (solver *)l->own;
    if (s == NULL)
        return;
    cudaFree(s->buffer);
    if (s->self != NULL)
        s->calls.destroy(s->self);
    free(s);
}

} // namespace

const struct qp_cuda_kernel baseline_kernel_cusolver = {.launch = launch,
                                                        .scratch = scratch,
                                                        .prepare = prepare,
                                                        .start = keep_start,
                                                        .release = release,
                                                        .log_bytes = log_bytes};
