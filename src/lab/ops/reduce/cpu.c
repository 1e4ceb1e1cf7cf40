/* SPDX-License-Identifier: MIT */
/* Reductions on the CPU. Inputs are in memory without gaps, value after value. */
#include <math.h>

#include "lab/engines/engines.h"
#include "lab/ops/reduce/reduce.h"

#define ONE_VECTOR \
    .backend = QP_CPU, .layout = "one vector", .state = QP_FLAT, .input = QP_REDUCE_TWO(QP_FLAT)

/* ---- Functions that both variants share ---- */

/* Second factor of the terms; NULL for a plain sum. */
static const float *factor(const struct qp_sweep *s)
{
    return s->kind == QP_SUM ? NULL : s->input[s->kind == QP_DOT ? 1 : 0];
}

static long count_of(const struct qp_sweep *s)
{
    return (long)s->width * s->height;
}

/* The first of the largest magnitudes from `begin` on. A number is never larger than NaN. */
static long largest_of(const float *x, long begin, long end)
{
    long largest = begin;
    for (long i = begin + 1; i < end; i++) {
        if (fabsf(x[i]) > fabsf(x[largest]) || (isnan(x[i]) && !isnan(x[largest])))
            largest = i;
    }
    return largest;
}

static void give_place(const struct qp_sweep *s, long i)
{
    s->out[0] = fabsf(s->input[0][i]);
    if (s->kind == QP_INDEX) {
        s->out[1] = (float)(i % s->width);
        s->out[2] = (float)(i / s->width);
    }
}

/* ---- A plain loop ---- */

static void sweep_loop(const struct qp_sweep *s)
{
    const float *x = s->input[0], *y = factor(s);
    float sum = 0.0f;
    if (!qp_reduce_adds((enum qp_reduction_kind)s->kind)) {
        give_place(s, largest_of(x, 0, count_of(s)));
        return;
    }
    for (long i = 0; i < count_of(s); i++)
        sum += y != NULL ? x[i] * y[i] : x[i];
    s->out[0] = sum;
}

/* Tolerance of a loop: the first term goes through n - 1 additions and a product: n u sum |t|
 * without any restriction (Jeannerod and Rump 2013). */
static double loop_tolerance(const struct qp_recipe *recipe, const struct qp_problem *problem)
{
    (void)recipe;
    double count = (double)problem->width * problem->height;
    return qp_reduce_is_exact(problem) ? 0.0 : count * 0x1p-24;
}

/* ---- All cores, vectors ---- */

/* Lanes of a block's sum; values of a block; chunks that threads share out, a fixed number, so that
 * the answer is the same bit for bit whatever their count. */
enum { LANES = 16, BLOCK = 1024, CHUNKS = 64 };

static float add_block(const float *x, const float *y, long begin, long end)
{
    float lane[LANES] = {0.0f}, sum = 0.0f;
    long i = begin;
    for (; i + LANES <= end; i += LANES) {
#pragma omp simd
        for (int k = 0; k < LANES; k++)
            lane[k] += y != NULL ? x[i + k] * y[i + k] : x[i + k];
    }
    for (; i < end; i++)
        sum += y != NULL ? x[i] * y[i] : x[i];
    for (int k = 0; k < LANES; k++)
        sum += lane[k];
    return sum;
}

/* Sums of blocks in float, added up in double. */
static double add_chunk(const float *x, const float *y, long begin, long end)
{
    double sum = 0.0;
    for (long i = begin; i < end; i += BLOCK)
        sum += add_block(x, y, i, i + BLOCK < end ? i + BLOCK : end);
    return sum;
}

/* The largest magnitude of lanes side by side; then its first place is looked for. */
static long find_in_chunk(const float *x, long begin, long end)
{
    float lane[LANES] = {0.0f};
    int odd = 0;
    long i = begin;
    for (; i + LANES <= end; i += LANES) {
#pragma omp simd reduction(| : odd)
        for (int k = 0; k < LANES; k++) {
            float value = fabsf(x[i + k]);
            odd |= value != value;
            lane[k] = value > lane[k] ? value : lane[k];
        }
    }
    long largest = i < end ? largest_of(x, i, end) : begin;
    for (int k = 1; k < LANES; k++)
        lane[0] = lane[k] > lane[0] ? lane[k] : lane[0];
    if (odd || isnan(x[largest]))
        return largest_of(x, begin, end);
    if (lane[0] < fabsf(x[largest]))
        return largest;
    for (i = begin; fabsf(x[i]) != lane[0]; i++)
        continue;
    return i;
}

static void sweep_openmp(const struct qp_sweep *s)
{
    const float *x = s->input[0], *y = factor(s);
    long count = count_of(s), chunk = (count + CHUNKS - 1) / CHUNKS;
    bool adds = qp_reduce_adds((enum qp_reduction_kind)s->kind);
    double sum[CHUNKS] = {0.0}, all = 0.0;
    long place[CHUNKS] = {0}, largest = 0;
#pragma omp parallel for schedule(static)
    for (int c = 0; c < CHUNKS; c++) {
        long begin = c * chunk, end = begin + chunk < count ? begin + chunk : count;
        if (adds)
            sum[c] = add_chunk(x, y, begin, end);
        else if (begin < end)
            place[c] = find_in_chunk(x, begin, end);
    }
    for (int c = 0; c < CHUNKS; c++) {
        all += sum[c];
        if (fabsf(x[place[c]]) > fabsf(x[largest]) || (isnan(x[place[c]]) && !isnan(x[largest])))
            largest = place[c];
    }
    if (adds)
        s->out[0] = (float)all;
    else
        give_place(s, largest);
}

/* Tolerance of openmp: a product, 64 additions in a lane or 15 after the last whole vector, 16 of
 * the lanes, and the answer's own rounding; the roundings in double are below a tenth of one
 * more. */
static double openmp_tolerance(const struct qp_recipe *recipe, const struct qp_problem *problem)
{
    (void)recipe;
    double roundings = 1.0 + BLOCK / LANES + LANES + 1.0 + 0.1;
    return qp_reduce_is_exact(problem) ? 0.0 : qp_reduce_roundings(roundings);
}

const struct qp_recipe qp_reduce_cpu[] = {
    /* The reference itself. */
    {.name = "reduce/reference",
     .place = "the judge of all variants",
     .sentence = "one loop in double; itself judged by a loop backwards in long double",
     ONE_VECTOR,
     .engine = &qp_engine_reference},

    {.name = "reduce/loop",
     .place = "the obvious C",
     .sentence = "one loop in float: the first value goes through n - 1 additions, with an error "
                 "in proportion",
     ONE_VECTOR,
     .sweep = sweep_loop,
     .tolerance = loop_tolerance},

    {.name = "reduce/openmp",
     .place = "ours: the honest opponent",
     .sentence = "all cores, 16 lanes, blocks of 1024 in float and their sums in double",
     ONE_VECTOR,
     .sweep = sweep_openmp,
     .tolerance = openmp_tolerance},

    {0},
};
