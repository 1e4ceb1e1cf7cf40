/* SPDX-License-Identifier: MIT */
/* Krylov methods on OpenGL: vectors and scalars in textures, steps as lists of passes. */
#include "lab/solve/krylov/steps.h"

static enum qp_status make(struct qp_krylov *k, const struct qp_krylov_desc *desc)
{
    k->computes = qp_krylov_computes(desc);
    enum qp_status status = qp_product_load(desc->context, desc->matrix, &k->matrix);
    const struct qp_array_desc vector = {k->matrix.width, k->matrix.tall, .channels = 4};
    if (status == QP_OK)
        status = qp_product_program(desc->context, k->computes, &k->matrix);
    if (status == QP_OK && desc->precondition == QP_KRYLOV_BLOCKS)
        status = qp_product_load(desc->context, desc->inverse, &k->inverse);
    if (status == QP_OK && desc->precondition == QP_KRYLOV_BLOCKS)
        status = qp_product_program(desc->context, k->computes, &k->inverse);
    for (int i = 0; i < VECTORS && status == QP_OK; i++) {
        if (qp_krylov_has(k, i))
            status = qp_array_create(desc->context, &vector, NULL, &k->vector[i]);
    }
    k->alternates = k->method != QP_KRYLOV_BICGSTAB;
    return status == QP_OK ? qp_krylov_steps_create(k) : status;
}

static void destroy(struct qp_krylov *k)
{
    struct qp_list **lists[] = {&k->start,   &k->begin,   &k->step[0], &k->step[1],
                                &k->rest[0], &k->rest[1], &k->turn,    &k->look};
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++)
        qp_list_destroy(lists[i]);
    for (int i = 0; i < KERNELS; i++)
        qp_kernel_destroy(&k->kernel[i]);
    qp_pyramid_destroy(&k->sums);
    for (int i = 0; i < VECTORS; i++)
        qp_array_destroy(&k->vector[i]);
    for (int i = 0; i < 2; i++) {
        qp_array_destroy(&k->scalars[i]);
        qp_array_destroy(&k->state[i]);
    }
}

static enum qp_status send(struct qp_krylov *k, const float *from, int vector)
{
    return from != NULL ? qp_product_write(&k->matrix, from, k->vector[vector])
                        : qp_array_fill(k->vector[vector], NULL, 0.0);
}

static enum qp_status fetch(struct qp_krylov *k, int vector, float *to)
{
    return qp_product_read(&k->matrix, k->vector[vector], to);
}

static enum qp_status copy(struct qp_krylov *k, int from, int to)
{
    return qp_array_copy(k->vector[from], NULL, k->vector[to], 0, 0);
}

static enum qp_status send_cell(struct qp_krylov *k, bool state, int cell, const float *from)
{
    return qp_array_write(state ? k->state[cell] : k->scalars[cell], NULL, from, 0);
}

static enum qp_status fetch_cell(struct qp_krylov *k, bool state, int cell, float *to)
{
    return qp_array_read(state ? k->state[cell] : k->scalars[cell], NULL, to, 0);
}

/* Sets the numbers of a turn's last pass, which comes after the product. */
static enum qp_status set_turn(struct qp_krylov *k)
{
    const struct qp_pass_number one = {"c1", {(double)k->c1}, NULL},
                                two = {"c2", {(double)k->c2}, NULL};
    const enum qp_status status = qp_list_set(k->turn, k->matrix.levels + 1, &one);
    return status == QP_OK ? qp_list_set(k->turn, k->matrix.levels + 1, &two) : status;
}

static enum qp_status run(struct qp_krylov *k, enum qp_krylov_part part)
{
    struct qp_list *const lists[] = {[QP_KRYLOV_START] = k->start,
                                     [QP_KRYLOV_BEGIN] = k->begin,
                                     [QP_KRYLOV_STEP] = k->step[k->parity],
                                     [QP_KRYLOV_REST] = k->rest[k->parity],
                                     [QP_KRYLOV_TURN] = k->turn,
                                     [QP_KRYLOV_LOOK] = k->look};
    enum qp_status status = part == QP_KRYLOV_TURN && k->turn != NULL ? set_turn(k) : QP_OK;
    return status == QP_OK && lists[part] != NULL ? qp_list_run(lists[part], 1) : status;
}

static enum qp_status sums(struct qp_krylov *k, double total[4])
{
    return qp_sums_read(&k->sums, total);
}

static enum qp_status finish(struct qp_krylov *k)
{
    return qp_context_finish(k->context);
}

const struct qp_krylov_device qp_krylov_gl = {.make = make,
                                              .destroy = destroy,
                                              .send = send,
                                              .fetch = fetch,
                                              .copy = copy,
                                              .send_cell = send_cell,
                                              .fetch_cell = fetch_cell,
                                              .run = run,
                                              .sums = sums,
                                              .finish = finish,
                                              .steps = qp_krylov_steps_one_by_one};
