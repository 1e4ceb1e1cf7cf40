/* SPDX-License-Identifier: MIT */
/* Stages 2 to 7 for variants that multiply as solves do: by arrays, a kernel and passes of the
 * toolkit (lab/sparse/product.h). */
#include <math.h>
#include <stdlib.h>

#include "lab/engines/common.h"
#include "lab/ops/spmv/spmv.h"
#include "lab/plan/problem.h"
#include "lab/sparse/product.h"

struct plan_product {
    struct qp_product product;
    struct qp_array *x, *y[2]; /* vectors; each y is the source in turn */
    struct qp_list *list[2];   /* passes into each y */
    bool source;
};

static enum qp_status arrange(struct qp_plan *plan, const struct qp_walk_desc *desc)
{
    (void)desc;
    plan->pingpong = QP_TWO_FBOS;
    return plan->target == QP_RECTANGLE ? QP_OK
                                        : qp_fail(QP_UNSUPPORTED, "arrays of the toolkit are "
                                                                  "rectangles; leave the target");
}

/* ---- Stages 3 and 7 ---- */

static enum qp_status upload(struct qp_plan *plan)
{
    const struct qp_spmv_variant *variant = plan->variant->recipe->own;
    const struct qp_problem *problem = plan->problem;
    const int limit = qp_context_device(plan->context)->rectangle_limit;
    struct plan_product *own = plan->own = qp_alloc_zero(1, sizeof *own, "a plan's OpenGL side");
    if (own == NULL)
        return QP_NO_MEMORY;
    enum qp_status status = qp_product_plan(problem->sparse, variant->layout, limit, &own->product);
    const struct qp_array_desc size = {own->product.width, own->product.tall, .channels = 4};
    struct qp_array **const vectors[] = {&own->x, &own->y[0], &own->y[1]};
    if (status == QP_OK)
        status = qp_product_load(plan->context, problem->sparse, &own->product);
    for (int i = 0; i < 3 && status == QP_OK; i++)
        status = qp_array_create(plan->context, &size, NULL, vectors[i]);
    if (status == QP_OK)
        status = qp_product_write(&own->product, problem->field[QP_SPMV_X].values, own->x);
    if (status == QP_OK)
        status = qp_product_write(&own->product, problem->field[QP_SPMV_ANSWER].values, own->y[0]);
    return status == QP_OK ? qp_array_fill(own->y[1], NULL, (double)NAN) : status;
}

static enum qp_status get(struct qp_plan *plan, bool target, void *texels)
{
    const struct plan_product *own = plan->own;
    float *values = qp_alloc((size_t)own->product.rows, sizeof *values, "a vector");
    if (values == NULL)
        return QP_NO_MEMORY;
    const enum qp_status status =
        qp_product_read(&own->product, own->y[own->source != target], values);
    if (status == QP_OK)
        qp_layout_pack(&plan->layout, 0, values, 0.0f, texels);
    free(values);
    return status;
}

/* ---- Stages 5 and 6 ---- */

static enum qp_status pass(struct qp_plan *plan)
{
    struct plan_product *own = plan->own;
    return qp_list_run(own->list[!own->source], 1);
}

static void swap(struct qp_plan *plan)
{
    struct plan_product *own = plan->own;
    own->source = !own->source;
}

/* ---- Stage 4 ---- */

static enum qp_status program(struct qp_plan *plan)
{
    struct plan_product *own = plan->own;
    enum qp_status status = qp_product_program(plan->context, false, &own->product);
    for (int i = 0; i < 2 && status == QP_OK; i++) {
        struct qp_pass passes[QP_PRODUCT_LEVELS + 1];
        const int count = qp_product_passes(&own->product, own->x, own->y[i], passes);
        status = qp_list_create(passes, count, &own->list[i]);
    }
    if (status == QP_OK)
        status = qp_warm_up(plan, pass, qp_finish_gl);
    return status == QP_OK ? qp_array_fill(own->y[1], NULL, (double)NAN) : status;
}

static void destroy(struct qp_plan *plan)
{
    struct plan_product *own = plan->own;
    for (int i = 0; i < 2 && own != NULL; i++) {
        qp_list_destroy(&own->list[i]);
        qp_array_destroy(&own->y[i]);
    }
    if (own != NULL) {
        qp_array_destroy(&own->x);
        qp_product_destroy(&own->product);
    }
}

const struct qp_engine qp_engine_spmv_product = {.arrange = arrange,
                                                 .upload = upload,
                                                 .program = program,
                                                 .pass = pass,
                                                 .swap = swap,
                                                 .finish = qp_finish_gl,
                                                 .read = get,
                                                 .destroy = destroy};
