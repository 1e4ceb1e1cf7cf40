/* SPDX-License-Identifier: MIT */
/* Small grids in global memory, a thread an unknown: all grids in one launch a step; and the
 * opponent, a graph of launches for each grid.
 *
 * A graph is made once: `count` launches on one grid, and before them one that says which grid.
 * Each stream has such a graph, with a ticket that begins at the stream's number and goes on by the
 * number of streams; so a graph is launched as it is, again and again, for a grid each time.
 * Between the steps a grid is in turn in `out` and in the stream's own scratch memory, and after
 * the last one in `out`. */
#include <stdlib.h>

#include "lab/engines/launch.cuh"
#include "lab/ops/poisson5_batch/kernels.h"

namespace
{

constexpr int THREADS = 256;
constexpr int MOST_STREAMS = 128;

/* The cell's step; n x n cells are one grid. */
__device__ void relax(const float *x, float *out, const float *rhs, int n, size_t i, int column,
                      int row)
{
    const float left = column > 0 ? x[i - 1] : 0.0f, right = column < n - 1 ? x[i + 1] : 0.0f;
    const float below = row > 0 ? x[i - n] : 0.0f, above = row < n - 1 ? x[i + n] : 0.0f;
    out[i] = ((left + right) + (below + above) + rhs[i]) * 0.25f;
}

/* ---- All grids in one launch ---- */

__global__ void relax_all(const float *x, float *out, const float *rhs, int n, unsigned cells)
{
    const unsigned i = blockIdx.x * THREADS + threadIdx.x, row = i / n;
    if (i < cells)
        relax(x, out, rhs, n, i, i - row * n, row % n);
}

enum qp_status launch_all(struct qp_launch *l)
{
    relax_all<<<blocks_in(cells_of(l), THREADS), THREADS, 0, stream_of(l)>>>(
        l->x, l->out, l->input[0], l->width, (unsigned)cells_of(l));
    return qp_cuda_check_launch("relax_all");
}

/* ---- A graph for each grid ---- */

/* Draws a stream's next ticket: the number of a grid. */
__global__ void draw_ticket(unsigned *ticket, unsigned streams)
{
    *ticket += streams;
}

/* Tickets before the first draw. */
__global__ void set_tickets(unsigned *tickets, unsigned streams)
{
    if (threadIdx.x < streams)
        tickets[threadIdx.x] = threadIdx.x - streams;
}

/* A grid's step; x and out are the grid's own where they are scratch memory, and else those of all
 * grids. */
struct task {
    const float *x;
    float *out;
    const float *rhs;
    const unsigned *ticket;
    int n;
    bool x_is_own, out_is_own;
};

__global__ void relax_one(const task t)
{
    const int cells = t.n * t.n, i = blockIdx.x * THREADS + threadIdx.x, row = i / t.n;
    const size_t first = (size_t)*t.ticket * cells;
    if (i < cells)
        relax(t.x + (t.x_is_own ? 0 : first), t.out + (t.out_is_own ? 0 : first), t.rhs + first,
              t.n, i, i - row * t.n, row);
}

/* Streams, graphs and events that prepare makes. */
struct graphs {
    int streams; /* no more than grids */
    cudaStream_t stream[MOST_STREAMS];
    cudaGraphExec_t graph[MOST_STREAMS];
    cudaEvent_t begun, ended; /* the plan's stream has come so far; one of the others has */
};

/* Scratch memory: a ticket for each stream, and a grid for each. */
unsigned *tickets_of(const struct qp_launch *l)
{
    return (unsigned *)l->scratch;
}

float *grid_of(const struct qp_launch *l, int stream)
{
    return (float *)(tickets_of(l) + MOST_STREAMS) + (size_t)stream * l->width * l->width;
}

double scratch_of(const struct qp_launch *l)
{
    return MOST_STREAMS * sizeof(unsigned) + (double)l->block * l->width * l->width * sizeof(float);
}

/* Asks for `count` steps of a grid, on a stream that captures them. */
void capture_steps(const struct qp_launch *l, const struct graphs *g, int stream, int count)
{
    float *const own = grid_of(l, stream);
    const int blocks = blocks_in((size_t)l->width * l->width, THREADS);
    draw_ticket<<<1, 1, 0, g->stream[stream]>>>(tickets_of(l) + stream, g->streams);
    for (int left = count; left > 0; left--) {
        const bool to_all = left % 2 == 1; /* so the last one is */
        const bool first = left == count;
        const task t = {.x = first    ? l->x
                             : to_all ? own
                                      : l->out,
                        .out = to_all ? l->out : own,
                        .rhs = l->input[0],
                        .ticket = tickets_of(l) + stream,
                        .n = l->width,
                        .x_is_own = !first && to_all,
                        .out_is_own = !to_all};
        relax_one<<<blocks, THREADS, 0, g->stream[stream]>>>(t);
    }
}

cudaError_t make_graph(const struct qp_launch *l, struct graphs *g, int stream, int count)
{
    cudaGraph_t graph = nullptr;
    cudaError_t error = cudaStreamBeginCapture(g->stream[stream], cudaStreamCaptureModeThreadLocal);
    if (error == cudaSuccess) {
        capture_steps(l, g, stream, count);
        error = cudaStreamEndCapture(g->stream[stream], &graph);
    }
    if (error == cudaSuccess)
        error = cudaGraphInstantiateWithFlags(&g->graph[stream], graph, 0);
    if (graph != nullptr)
        cudaGraphDestroy(graph);
    return error;
}

void destroy_graphs(struct graphs *g)
{
    for (int k = 0; k < g->streams; k++) {
        if (g->graph[k] != nullptr)
            cudaGraphExecDestroy(g->graph[k]);
        g->graph[k] = nullptr;
    }
}

/* A graph holds pointers, so for another number of steps, or x and out in other roles, it is
 * another one. */
cudaError_t make_graphs(const struct qp_launch *l, struct graphs *g, int count)
{
    cudaError_t error = cudaStreamSynchronize(stream_of(l)); /* the last ones may still run */
    destroy_graphs(g);
    for (int k = 0; k < g->streams && error == cudaSuccess; k++)
        error = make_graph(l, g, k, count);
    return error;
}

/* Streams begin after all earlier requests, and later requests begin after all of them. */
cudaError_t run_graphs(const struct qp_launch *l, struct graphs *g)
{
    const int count = l->height / l->width;
    set_tickets<<<1, MOST_STREAMS, 0, stream_of(l)>>>(tickets_of(l), g->streams);
    cudaError_t error = cudaEventRecord(g->begun, stream_of(l));
    for (int k = 0; k < g->streams && error == cudaSuccess; k++)
        error = cudaStreamWaitEvent(g->stream[k], g->begun, 0);
    for (int k = 0; k < count && error == cudaSuccess; k++)
        error = cudaGraphLaunch(g->graph[k % g->streams], g->stream[k % g->streams]);
    for (int k = 0; k < g->streams && error == cudaSuccess; k++) {
        error = cudaEventRecord(g->ended, g->stream[k]);
        if (error == cudaSuccess)
            error = cudaStreamWaitEvent(stream_of(l), g->ended, 0);
    }
    return error;
}

enum qp_status take_steps(struct qp_launch *l, int count)
{
    struct graphs *g = (struct graphs *)l->own;
    cudaError_t error = make_graphs(l, g, count);
    if (error == cudaSuccess)
        error = run_graphs(l, g);
    return qp_cuda_check(error, "launch graphs");
}

enum qp_status launch_graphs(struct qp_launch *l)
{
    return take_steps(l, 1);
}

/* CUDA loads a kernel when it is first asked for, which must not be while a stream captures. */
cudaError_t load_kernels(void)
{
    struct cudaFuncAttributes unused;
    const cudaError_t error = cudaFuncGetAttributes(&unused, (const void *)draw_ticket);
    return error == cudaSuccess ? cudaFuncGetAttributes(&unused, (const void *)relax_one) : error;
}

enum qp_status prepare(struct qp_launch *l)
{
    struct graphs *g = (struct graphs *)calloc(1, sizeof *g);
    const int count = l->height / l->width;
    l->own = g;
    if (g == nullptr)
        return qp_fail(QP_NO_MEMORY, "a plan's graphs: out of memory");
    cudaError_t error = load_kernels();
    if (error == cudaSuccess)
        error = cudaEventCreateWithFlags(&g->begun, cudaEventDisableTiming);
    if (error == cudaSuccess)
        error = cudaEventCreateWithFlags(&g->ended, cudaEventDisableTiming);
    while (error == cudaSuccess && g->streams < l->block && g->streams < count) {
        error = cudaStreamCreateWithFlags(&g->stream[g->streams], cudaStreamNonBlocking);
        g->streams += error == cudaSuccess;
    }
    return qp_cuda_check(error, "make streams for graphs");
}

void release(struct qp_launch *l)
{
    struct graphs *g = (struct graphs *)l->own;
    if (g == nullptr)
        return;
    destroy_graphs(g);
    for (int k = 0; k < g->streams; k++)
        cudaStreamDestroy(g->stream[k]);
    if (g->begun != nullptr)
        cudaEventDestroy(g->begun);
    if (g->ended != nullptr)
        cudaEventDestroy(g->ended);
    free(g);
}

} // namespace

const struct qp_cuda_kernel qp_kernel_poisson5_batch_naive = {.launch = launch_all};
const struct qp_cuda_kernel qp_kernel_poisson5_batch_graphs = {.launch = launch_graphs,
                                                               .scratch = scratch_of,
                                                               .prepare = prepare,
                                                               .release = release,
                                                               .steps = take_steps};
