/* SPDX-License-Identifier: MIT */
/* Steps of Krylov methods on CUDA: who launches the kernels of steps.cuh, and the loop of a graph.
 *
 * A step of CG is three kernels: x, r and p go on; q = A p; all sums, of which the last thread
 * block to end makes the scalars of the next step. Each thread block adds up the same unknowns on
 * every device, and sums of blocks are added in their order, so that runs are the same bit for bit.
 * In a graph the last kernel of a round says whether there is another one. */
#include "lab/solve/krylov/steps.cuh"

namespace
{

constexpr int ROUND = 4; /* steps of a round of the graph's loop */

/* ---- Launches ---- */

/* Launches of kernels one after the other, until one fails. */
struct sequence {
    struct qp_krylov_steps *of;
    handle loop; /* 0: none */
    enum qp_status status;
};

cudaStream_t stream_of(const sequence &s)
{
    return stream_of(&s.of->product);
}

int blocks_of(const sequence &s)
{
    const int needed = blocks_in(s.of->arrays.fours, THREADS);
    return needed < QP_KRYLOV_GRID ? needed : QP_KRYLOV_GRID;
}

void check(sequence &s)
{
    if (s.status == QP_OK)
        s.status = qp_cuda_check_launch("a step of a Krylov method");
}

void multiply(sequence &s, struct qp_launch &product, int x, int y)
{
    product.input[0] = s.of->arrays.vector[x];
    product.out = s.of->arrays.vector[y];
    if (s.status == QP_OK)
        s.status = s.of->multiply(&product);
}

void multiply(sequence &s, int x, int y)
{
    multiply(s, s.of->product, x, y);
}

template <class STEP> void update(sequence &s)
{
    if (s.status == QP_OK)
        step<STEP><<<blocks_of(s), THREADS, 0, stream_of(s)>>>(s.of->arrays);
    check(s);
}

template <class SUMS, int FROM, bool LOOKS = false> void add(sequence &s, handle decides = 0)
{
    if (s.status == QP_OK)
        sums<SUMS, FROM, LOOKS><<<blocks_of(s), THREADS, 0, stream_of(s)>>>(s.of->arrays, decides);
    check(s);
}

/* A term of Chebyshev's iteration with the vectors x, r, p and q. */
void iterate(sequence &s, const int (&vector)[4], float c1, float c2, bool first)
{
    float *const *v = s.of->arrays.vector;
    const iteration all = {(float4 *)v[vector[0]], (float4 *)v[vector[1]], (float4 *)v[vector[2]],
                           (float4 *)v[vector[3]]};
    if (s.status == QP_OK)
        chebyshev<<<blocks_of(s), THREADS, 0, stream_of(s)>>>(all, s.of->arrays.fours, c1, c2,
                                                              first);
    check(s);
}

/* Adds to = M from, as `precondition` in steps.c. */
void precondition(sequence &s, int from, int to)
{
    if (s.of->blocks) {
        multiply(s, s.of->inverse, from, to);
        return;
    }
    const float(*term)[2] = s.of->term;
    iterate(s, {to, OWN_R, OWN_P, from}, 0.0f, term[0][1], true);
    for (int k = 1; k < QP_KRYLOV_TERMS; k++) {
        multiply(s, OWN_P, OWN_Q);
        iterate(s, {to, OWN_R, OWN_P, OWN_Q}, term[k][0], term[k][1], false);
    }
    iterate(s, {to, OWN_R, OWN_P, OWN_Q}, 0.0f, 0.0f, false);
}

/* Products, sums and scalars from cell FROM before a step; MINRES has them in its step. */
template <int FROM> void begin(sequence &s)
{
    if (s.of->bicgstab) {
        multiply(s, P, V);
        add<alpha, FROM>(s, s.loop);
    } else if (!s.of->minres) {
        multiply(s, P, Q);
        if (s.of->polynomial || s.of->blocks)
            precondition(s, Q, V);
        if (!s.of->host)
            add<cg_sums, FROM>(s, s.loop);
    }
}

void take_step(sequence &s)
{
    if (s.of->minres) {
        multiply(s, P, Q);
        add<minres_alpha, 0>(s);
        add<minres_rotate, 1>(s, s.loop);
        update<minres_step>(s);
    } else if (s.of->bicgstab) {
        update<half_step>(s);
        multiply(s, S, T);
        add<omega, 0>(s);
        update<bicgstab_step>(s);
        begin<1>(s);
    } else {
        s.of->arrays.vector[Z] != nullptr ? update<preconditioned_cg_step>(s) : update<cg_step>(s);
        begin<0>(s);
    }
}

enum qp_status run(struct qp_krylov_steps *steps, enum qp_krylov_part part, int cell)
{
    sequence s = {steps, 0, QP_OK};
    switch (part) {
    case QP_KRYLOV_START:
        if (steps->polynomial || steps->blocks)
            precondition(s, R, Z);
        break;
    case QP_KRYLOV_BEGIN:
        begin<1>(s);
        break;
    case QP_KRYLOV_STEP:
        take_step(s);
        break;
    case QP_KRYLOV_REST:
        cell == 1 ? add<cg_sums, 1>(s) : add<cg_sums, 0>(s);
        break;
    case QP_KRYLOV_TURN:
        multiply(s, P, Q);
        iterate(s, {X, R, P, Q}, steps->c1, steps->c2, false);
        break;
    default:
        add<look, 0, true>(s);
    }
    return s.status;
}

/* Copies a vector, or makes it zero. */
enum qp_status copy(const struct qp_krylov_steps *steps, int from, int to)
{
    const size_t bytes = (size_t)steps->arrays.fours * sizeof(float4);
    float *const target = steps->arrays.vector[to];
    const int error = from < 0
                          ? cudaMemsetAsync(target, 0, bytes, stream_of(&steps->product))
                          : cudaMemcpyAsync(target, steps->arrays.vector[from], bytes,
                                            cudaMemcpyDeviceToDevice, stream_of(&steps->product));
    return qp_cuda_check(error, "copy a vector");
}

/* ---- The graph ---- */

#if CUDART_VERSION >= 12040

__global__ void set_until(struct qp_krylov_cells *cells, float until)
{
    cells->until = until;
}

/* Captures a round of steps as the body of the loop. */
enum qp_status capture_body(struct qp_krylov_steps *steps, cudaGraph_t body, handle loop)
{
    const cudaStream_t stream = stream_of(&steps->product);
    sequence s = {steps, 0, QP_OK};
    enum qp_status status =
        qp_cuda_check(cudaStreamBeginCaptureToGraph(stream, body, nullptr, nullptr, 0,
                                                    cudaStreamCaptureModeThreadLocal),
                      "begin a graph");
    if (status != QP_OK)
        return status;
    for (int k = 1; k <= ROUND; k++) {
        s.loop = k == ROUND ? loop : 0;
        take_step(s);
    }
    status = qp_cuda_check(cudaStreamEndCapture(stream, &body), "end a graph");
    return s.status != QP_OK ? s.status : status;
}

enum qp_status capture_loop(struct qp_krylov_steps *steps, cudaGraph_t graph)
{
    handle loop;
    cudaGraphNode_t node;
    cudaGraphNodeParams node_is = {};
    cudaGraphExec_t ready = nullptr;
    int error = cudaGraphConditionalHandleCreate(&loop, graph, 1, cudaGraphCondAssignDefault);
    node_is.type = cudaGraphNodeTypeConditional;
    node_is.conditional.handle = loop;
    node_is.conditional.type = cudaGraphCondTypeWhile;
    node_is.conditional.size = 1;
    if (error == cudaSuccess)
#if CUDART_VERSION >= 13000
        error = cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &node_is);
#else
        error = cudaGraphAddNode(&node, graph, nullptr, 0, &node_is);
#endif
    enum qp_status status = qp_cuda_check(error, "make a loop in a graph");
    if (status == QP_OK)
        status = capture_body(steps, node_is.conditional.phGraph_out[0], loop);
    if (status == QP_OK)
        status = qp_cuda_check(cudaGraphInstantiate(&ready, graph, 0), "make a graph ready");
    steps->graph = ready;
    return status;
}

enum qp_status capture(struct qp_krylov_steps *steps)
{
    cudaGraph_t graph = nullptr;
    if (steps->product.cuda->driver < 12040 || steps->host)
        return QP_OK;
    enum qp_status status = qp_cuda_check(cudaGraphCreate(&graph, 0), "make a graph");
    if (status == QP_OK)
        status = capture_loop(steps, graph);
    if (graph != nullptr)
        cudaGraphDestroy(graph);
    return status;
}

enum qp_status launch(struct qp_krylov_steps *steps, float until)
{
    const cudaStream_t stream = stream_of(&steps->product);
    set_until<<<1, 1, 0, stream>>>(steps->arrays.cells, until);
    int error = cudaGraphLaunch((cudaGraphExec_t)steps->graph, stream);
    set_until<<<1, 1, 0, stream>>>(steps->arrays.cells, INFINITY);
    if (error == cudaSuccess)
        error = cudaGetLastError();
    return qp_cuda_check(error, "launch a graph");
}

void drop(struct qp_krylov_steps *steps)
{
    if (steps->graph != nullptr)
        cudaGraphExecDestroy((cudaGraphExec_t)steps->graph);
    steps->graph = nullptr;
}

#else

enum qp_status capture(struct qp_krylov_steps *)
{
    return QP_OK;
}

enum qp_status launch(struct qp_krylov_steps *, float)
{
    return QP_OK;
}

void drop(struct qp_krylov_steps *)
{
}

#endif

} // namespace

const struct qp_krylov_kernels qp_kernel_krylov = {run, copy, capture, launch, drop};
