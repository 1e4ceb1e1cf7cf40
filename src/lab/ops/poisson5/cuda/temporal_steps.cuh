/* SPDX-License-Identifier: MIT */
/* Ours: launches of several steps (temporal.cuh), and how a number of steps is made of them. Which
 * launches there are is said for each type and order in a file of its own, for each takes long to
 * compile. */
#ifndef QP_OPS_POISSON5_TEMPORAL_STEPS_CUH
#define QP_OPS_POISSON5_TEMPORAL_STEPS_CUH

#include "lab/ops/poisson5/cuda/temporal.cuh"

#include "lab/engines/launch.cuh"
#include "lab/ops/poisson5/cuda/kernels.h"
#include "lab/ops/poisson5/spike.h"

namespace
{

using namespace poisson5;

/* ---- A launch ---- */

template <typename T, int K> using kernel = void (*)(task<T, K>);

template <typename T, int K, bool RED_BLACK> kernel<T, K> form_of(bool array, bool weighted)
{
    if (array)
        return weighted ? block_in_time<T, K, true, true, RED_BLACK>
                        : block_in_time<T, K, true, false, RED_BLACK>;
    return weighted ? block_in_time<T, K, false, true, RED_BLACK>
                    : block_in_time<T, K, false, false, RED_BLACK>;
}

template <typename T, int K> constexpr int bytes_of(bool array)
{
    return (array ? sizes<T, K, true>::values : sizes<T, K, false>::values) * (int)sizeof(T);
}

/* Rows of a chunk, so that all strips together keep the device busy once: as many blocks as
 * registers hold, and shared memory, with `bytes` a block. */
int rows_of(const struct qp_launch *l, int blocks, int bytes, int strips)
{
    const int fit = attribute_of(l, cudaDevAttrMaxSharedMemoryPerMultiprocessor) /
                    (bytes + attribute_of(l, cudaDevAttrReservedSharedMemoryPerBlock));
    const int chunks = l->cuda->multiprocessors * (fit < blocks ? fit : blocks) / strips;
    return blocks_in(l->height, chunks > 1 ? chunks : 1);
}

/* K steps from x to out, with these weights; in red-black order half steps, two of each weight. */
template <typename T, int K, bool RED_BLACK>
enum qp_status take(struct qp_launch *l, const void *x, void *out, const double *weights)
{
    const bool array = l->input[0] != NULL;
    const int bytes = bytes_of<T, K>(array),
              resident = array ? sizes<T, K, true>::blocks : sizes<T, K, false>::blocks;
    bool weighted = false;
    task<T, K> t = {.x = (const T *)x,
                    .rhs = (const T *)l->input[0],
                    .out = (T *)out,
                    .width = l->width,
                    .height = l->height,
                    .pitch = l->pitch,
                    .rhs_pitch = l->input_pitch[0],
                    .strips = blocks_in(l->width, sizes<T, K, false>::useful)};
    t.rows = rows_of(l, resident, bytes, t.strips);
    qp_poisson5_spike(l->problem, &t.spike_x, &t.spike_y);
    for (int k = 0; k < K; k++) {
        const double weight = weights[RED_BLACK ? k / 2 : k];
        t.weight[k] = (T)weight;
        t.four[k] = t.weight[k] == T(1) ? T(0) : T(4);
        weighted |= weight != 1.0;
    }
    const int blocks = t.strips * blocks_in(l->height, t.rows);
    const auto kernel = form_of<T, K, RED_BLACK>(array, weighted);
    kernel<<<blocks, LANES, bytes, stream_of(l)>>>(t);
    return qp_cuda_check_launch("block_in_time");
}

/* Lets the forms of this problem have their shared memory, and no more, since some registers of 12
 * steps are in the cache: with all memory shared they took 1.5 times as long on an H200. */
template <typename T, int K, bool RED_BLACK> enum qp_status allow(const struct qp_launch *l)
{
    const bool array = l->input[0] != NULL;
    enum qp_status status = QP_OK;
    for (int weighted = 0; weighted < 2 && status == QP_OK; weighted++)
        status = allow_shared_bytes((const void *)form_of<T, K, RED_BLACK>(array, weighted),
                                    bytes_of<T, K>(array), cudaSharedmemCarveoutDefault);
    return status;
}

/* ---- Which launches there are ---- */

struct rung {
    int steps; /* at once; 0 after the last */
    enum qp_status (*take)(struct qp_launch *l, const void *x, void *out, const double *weights);
    enum qp_status (*allow)(const struct qp_launch *l);
};

template <typename T, int K> constexpr rung rung_of = {K, take<T, K, false>, allow<T, K, false>};
template <typename T, int K>
constexpr rung red_black_of = {K / 2, take<T, K, true>, allow<T, K, true>};

/* For each --block, launches with the most steps first, each of which is the sum of two of its
 * later ones. */
constexpr int RUNGS = 6; /* and an empty one after them */
struct ladder {
    int block;
    rung rungs[RUNGS];
};

#define FOUR(T)          rung_of<T, 4>, rung_of<T, 2>, rung_of<T, 1>
#define TWO_RED_BLACK(T) red_black_of<T, 4>, red_black_of<T, 2>

/* Entries of a type and an order, and an empty one after them. */
constexpr int LADDERS = 5;
template <typename T, bool RED_BLACK> const ladder ladders[LADDERS] = {};

template <typename T, bool RED_BLACK> const rung *ladder_of(const struct qp_launch *l)
{
    const ladder *all = ladders<T, RED_BLACK>, *found = all;
    while (found->block != 0 && found->block != l->block)
        found++;
    return found->block != 0 ? found->rungs : all->rungs;
}

/* ---- A number of steps ---- */

const rung *at_most(const rung *rungs, int steps)
{
    while (rungs->steps > steps)
        rungs++;
    return rungs;
}

int launches_for(const rung *rungs, int steps)
{
    int launches = 0;
    for (; steps > 0; launches++)
        steps -= at_most(rungs, steps)->steps;
    return launches;
}

/* Arrays that steps are taken from and to; both change roles at every launch. */
struct course {
    struct qp_launch *l;
    const rung *rungs;
    const void *from;
    void *to;
    int done;
};

enum qp_status go_on(struct course *c, int steps)
{
    const rung *r = at_most(c->rungs, steps);
    const enum qp_status status = r->take(c->l, c->from, c->to, c->l->weights + c->done);
    const void *from = c->to;
    c->to = (void *)c->from;
    c->from = from;
    c->done += r->steps;
    return status;
}

/* Takes `steps` steps from x to out, in an odd number of launches, since they change roles: one of
 * several steps is made two if need be. */
enum qp_status go_through(struct course *c, int steps)
{
    bool splits = launches_for(c->rungs, steps) % 2 == 0;
    enum qp_status status = QP_OK;
    for (const int end = c->done + steps; c->done < end && status == QP_OK;) {
        const int now = at_most(c->rungs, end - c->done)->steps, first = c->done;
        status = go_on(c, splits && now > 1 ? now - 1 : now);
        splits = splits && now == 1;
        if (status == QP_OK && c->done - first < now)
            status = go_on(c, now - (c->done - first));
    }
    return status;
}

enum qp_status copy_back(const struct qp_launch *l, size_t value)
{
    const size_t pitch = (size_t)l->pitch * value;
    return qp_cuda_check(cudaMemcpy2DAsync((void *)l->x, pitch, l->out, pitch,
                                           (size_t)l->width * value, (size_t)l->height,
                                           cudaMemcpyDeviceToDevice, stream_of(l)),
                         "copy the iterate before the last");
}

template <typename T, bool RED_BLACK> enum qp_status take_steps(struct qp_launch *l, int count)
{
    struct course c = {.l = l, .rungs = ladder_of<T, RED_BLACK>(l), .from = l->x, .to = l->out};
    if (count == 1 || !l->changes || RED_BLACK)
        return go_through(&c, count);
    enum qp_status status = go_through(&c, count - 1);
    if (status == QP_OK)
        status = copy_back(l, sizeof(T));
    c.from = l->x;
    c.to = l->out;
    return status == QP_OK ? go_on(&c, 1) : status;
}

template <typename T, bool RED_BLACK> enum qp_status launch(struct qp_launch *l)
{
    return take_steps<T, RED_BLACK>(l, 1);
}

template <typename T, bool RED_BLACK> enum qp_status prepare(struct qp_launch *l)
{
    enum qp_status status = QP_OK;
    for (const rung *r = ladder_of<T, RED_BLACK>(l); r->steps > 0 && status == QP_OK; r++)
        status = r->allow(l);
    return status;
}

template <typename T, bool RED_BLACK> enum qp_status warm_up(struct qp_launch *l)
{
    enum qp_status status = QP_OK;
    for (const rung *r = ladder_of<T, RED_BLACK>(l); r->steps > 0 && status == QP_OK; r++)
        status = r->take(l, l->x, l->out, l->weights);
    return status;
}

/* Jacobi's step, by which variants in red-black order measure. */
template <typename T> enum qp_status together(struct qp_launch *l)
{
    return (sizeof(T) == sizeof(float) ? qp_kernel_poisson5_sweep : qp_kernel_poisson5_sweep_double)
        .launch(l);
}

} // namespace

#define LAUNCHES(T, RED_BLACK)                                        \
    .launch = launch<T, RED_BLACK>, .prepare = prepare<T, RED_BLACK>, \
    .warm_up = warm_up<T, RED_BLACK>, .steps = take_steps<T, RED_BLACK>

#endif
