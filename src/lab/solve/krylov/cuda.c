/* SPDX-License-Identifier: MIT */
/* Krylov methods on CUDA: vectors in the order of the matrix, products by the kernel of
 * spmv/cuda_adaptive, and steps as a graph's loop, or launched one by one. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lab/ops/spmv/kernels.h"
#include "lab/plan/problem.h"
#include "lab/solve/krylov/steps.h"
#include "toolkit/base/clock.h"
#include "toolkit/cuda/device.h"
#include "toolkit/gl/context/context.h"

/* Seconds of a launch, after which the host looks for an interrupt. */
#define PIECE 0.5

struct qp_krylov_own {
    struct qp_cuda *cuda;
    struct qp_problem problem; /* the matrix, as the product's kernel takes it */
    struct qp_krylov_steps steps;
    void *memory; /* all vectors, cells and sums */
    bool looped;
};

/* ---- Making ---- */

/* Floats of a vector, whose last unknowns are followed by zeros. */
static size_t floats_of(const struct qp_krylov *k)
{
    return ((size_t)k->rows + 63) / 64 * 64;
}

static enum qp_status make_memory(struct qp_krylov *k)
{
    struct qp_krylov_own *own = k->own;
    struct qp_krylov_arrays *arrays = &own->steps.arrays;
    size_t floats = 0, at = 0;
    for (int i = 0; i < VECTORS; i++)
        floats += qp_krylov_has(k, i) ? floats_of(k) : 0;
    const size_t bytes =
        (floats + 4 * (size_t)QP_KRYLOV_GRID) * sizeof(float) + sizeof(struct qp_krylov_cells);
    char *zeros = qp_alloc_zero(1, bytes, "vectors");
    enum qp_status status = zeros != NULL ? QP_OK : QP_NO_MEMORY;
    if (status == QP_OK)
        status = qp_cuda_allocate(own->cuda, bytes, "vectors", &own->memory);
    for (int i = 0; i < VECTORS && status == QP_OK; i++) {
        if (!qp_krylov_has(k, i))
            continue;
        arrays->vector[i] = (float *)own->memory + at;
        at += floats_of(k);
    }
    if (status == QP_OK) {
        arrays->partial = (float *)own->memory + at;
        arrays->cells = (void *)(arrays->partial + 4 * (size_t)QP_KRYLOV_GRID);
        arrays->fours = (k->rows + 3) / 4;
        const size_t cells = bytes - sizeof(struct qp_krylov_cells);
        ((struct qp_krylov_cells *)(void *)(zeros + cells))->until = INFINITY;
        status = qp_cuda_upload(own->cuda, own->memory, zeros, bytes);
    }
    free(zeros);
    return status;
}

static enum qp_status make_product(struct qp_krylov *k, const struct qp_sparse *matrix,
                                   struct qp_launch *product)
{
    const struct qp_cuda_kernel *kernel = &qp_kernel_spmv_adaptive;
    struct qp_krylov_own *own = k->own;
    own->problem = (struct qp_problem){.width = matrix->rows,
                                       .height = 1,
                                       .answer_width = matrix->rows,
                                       .answer_height = 1,
                                       .sparse = (struct qp_sparse *)matrix};
    *product = (struct qp_launch){.problem = &own->problem,
                                  .width = matrix->rows,
                                  .height = 1,
                                  .answer_width = matrix->rows,
                                  .answer_height = 1,
                                  .cuda = own->cuda};
    own->steps.multiply = kernel->launch;
    enum qp_status status = qp_cuda_allocate(own->cuda, (size_t)kernel->scratch(product),
                                             "sums of long rows", &product->scratch);
    if (status == QP_OK)
        status = kernel->prepare(product);
    own->problem.sparse = NULL; /* which may go before this does */
    return status;
}

/* Numbers of the polynomial that steps.c has, too. */
static void set_polynomial(struct qp_krylov *k)
{
    struct qp_krylov_steps *steps = &k->own->steps;
    const double high = (double)k->largest;
    double rho = 0.0, c1, c2;
    for (int term = 0; term < QP_KRYLOV_TERMS; term++) {
        qp_krylov_recur(high / QP_KRYLOV_REACH, high, &rho, &c1, &c2);
        steps->term[term][0] = (float)c1;
        steps->term[term][1] = (float)c2;
    }
}

static enum qp_status make(struct qp_krylov *k, const struct qp_krylov_desc *desc)
{
    struct qp_krylov_own *own = k->own = qp_alloc_zero(1, sizeof *own, "a method on CUDA");
    if (own == NULL)
        return QP_NO_MEMORY;
    enum qp_status status = qp_cuda_open(qp_context_cuda_ordinal(desc->context), &own->cuda);
    if (status != QP_OK)
        return status;
    own->steps.minres = k->method == QP_KRYLOV_MINRES;
    own->steps.bicgstab = k->method == QP_KRYLOV_BICGSTAB;
    own->steps.host = k->apply != NULL;
    own->steps.polynomial = k->precondition == QP_KRYLOV_POLYNOMIAL;
    own->steps.blocks = k->precondition == QP_KRYLOV_BLOCKS;
    own->looped = desc->looped || k->apply != NULL || k->method == QP_KRYLOV_CHEBYSHEV;
    set_polynomial(k);
    status = make_memory(k);
    if (status == QP_OK)
        status = make_product(k, desc->matrix, &own->steps.product);
    if (status == QP_OK && own->steps.blocks)
        status = make_product(k, desc->inverse, &own->steps.inverse);
    if (status == QP_OK && !own->looped)
        status = qp_kernel_krylov.capture(&own->steps);
    own->looped = own->steps.graph == NULL;
    k->ends_itself = !own->looped;
    return status;
}

static void free_product(struct qp_krylov_own *own, struct qp_launch *product)
{
    if (product->own != NULL)
        qp_kernel_spmv_adaptive.release(product);
    qp_cuda_free(own->cuda, product->scratch);
}

static void destroy(struct qp_krylov *k)
{
    struct qp_krylov_own *own = k->own;
    if (own == NULL)
        return;
    if (own->cuda != NULL) {
        qp_cuda_select(own->cuda);
        qp_kernel_krylov.drop(&own->steps);
        free_product(own, &own->steps.product);
        free_product(own, &own->steps.inverse);
        qp_cuda_free(own->cuda, own->memory);
    }
    qp_cuda_close(&own->cuda);
    free(own);
    k->own = NULL;
}

/* ---- Vectors and cells ---- */

static enum qp_status send(struct qp_krylov *k, const float *from, int vector)
{
    struct qp_krylov_own *own = k->own;
    qp_cuda_select(own->cuda);
    return from != NULL ? qp_cuda_upload(own->cuda, own->steps.arrays.vector[vector], from,
                                         (size_t)k->rows * sizeof *from)
                        : qp_kernel_krylov.copy(&own->steps, -1, vector);
}

static enum qp_status fetch(struct qp_krylov *k, int vector, float *to)
{
    struct qp_krylov_own *own = k->own;
    return qp_cuda_download(own->cuda, to, own->steps.arrays.vector[vector],
                            (size_t)k->rows * sizeof *to);
}

static enum qp_status copy(struct qp_krylov *k, int from, int to)
{
    qp_cuda_select(k->own->cuda);
    return qp_kernel_krylov.copy(&k->own->steps, from, to);
}

static float *cell_of(struct qp_krylov *k, bool state, int cell)
{
    struct qp_krylov_cells *cells = k->own->steps.arrays.cells;
    return state ? cells->state[cell] : cells->scalars[cell];
}

static enum qp_status send_cell(struct qp_krylov *k, bool state, int cell, const float *from)
{
    return qp_cuda_upload(k->own->cuda, cell_of(k, state, cell), from, 4 * sizeof *from);
}

static enum qp_status fetch_cell(struct qp_krylov *k, bool state, int cell, float *to)
{
    return qp_cuda_download(k->own->cuda, to, cell_of(k, state, cell), 4 * sizeof *to);
}

/* ---- Steps ---- */

/* True for a part that the method has. */
static bool has(const struct qp_krylov *k, enum qp_krylov_part part)
{
    return part == QP_KRYLOV_REST   ? k->apply != NULL
           : part >= QP_KRYLOV_TURN ? k->method == QP_KRYLOV_CHEBYSHEV
                                    : true;
}

static enum qp_status run(struct qp_krylov *k, enum qp_krylov_part part)
{
    struct qp_krylov_own *own = k->own;
    if (!has(k, part))
        return QP_OK;
    qp_cuda_select(own->cuda);
    own->steps.c1 = k->c1;
    own->steps.c2 = k->c2;
    return qp_kernel_krylov.run(&own->steps, part, k->parity);
}

static enum qp_status sums(struct qp_krylov *k, double total[4])
{
    return qp_cuda_download(k->own->cuda, total, k->own->steps.arrays.cells->total,
                            4 * sizeof *total);
}

static enum qp_status finish(struct qp_krylov *k)
{
    return qp_cuda_wait(k->own->cuda);
}

/* Steps that PIECE seconds have by the time of the warm-up's step. Where launches are cut changes
 * no bit. */
static int piece_of(const struct qp_krylov *k)
{
    return k->step_seconds > 0.0 ? (int)fmin(fmax(PIECE / k->step_seconds, 1.0), 1e6) : 1000000;
}

static enum qp_status steps(struct qp_krylov *k, int count)
{
    struct qp_krylov_own *own = k->own;
    const float end = k->course.steps + (float)count;
    enum qp_status status = QP_OK;
    if (own->looped)
        return qp_krylov_steps_one_by_one(k, count);
    while (status == QP_OK && k->course.code == GOES_ON && k->course.steps < end &&
           !qp_is_interrupted(k->interrupt)) {
        qp_cuda_select(own->cuda);
        status =
            qp_kernel_krylov.launch(&own->steps, fminf(end, k->course.steps + (float)piece_of(k)));
        if (status == QP_OK)
            status = qp_krylov_read_state(k);
    }
    return status;
}

const struct qp_krylov_device qp_krylov_cuda = {.make = make,
                                                .destroy = destroy,
                                                .send = send,
                                                .fetch = fetch,
                                                .copy = copy,
                                                .send_cell = send_cell,
                                                .fetch_cell = fetch_cell,
                                                .run = run,
                                                .sums = sums,
                                                .finish = finish,
                                                .steps = steps};
