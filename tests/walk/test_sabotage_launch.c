/* SPDX-License-Identifier: MIT */
/* Convention 3 for all variants of CUDA at once, whatever their kernels do: a launch that does
 * nothing must fail, and so must one after which a single cell is off. Neither needs a compiler. */
#include "support/support.h"

#include <math.h>
#include <string.h>

#include "lab/engines/engines.h"
#include "lab/engines/shared.h"
#include "lab/ops/table.h"
#include "lab/plan/problem.h"
#include "toolkit/cuda/device.h"

/* Problems that an operation's variants are walked on: without a kind of its own, or with one that
 * the variant does not take, it is the first that it takes. */
static const struct qp_problem_desc problems[] = {
    {.op = "jacobi9", .kind = "symmetric", .width = 37, .height = 9},
    {.op = "reduce", .width = 65, .height = 9},
    {.op = "poisson5", .kind = "field", .width = 37, .height = 9},
    {.op = "poisson5_batch", .width = 13, .height = 9},
    {.op = "multigrid", .kind = "field", .width = 37, .height = 9},
    {.op = "gauss_jordan", .width = 37, .height = 35},
    {.op = "gauss_jordan_batch", .width = 12, .height = 21},
    {.op = "transfer", .kind = "overlap", .width = 65, .height = 33},
    {.op = "access", .width = 65, .height = 9, .parameter = 4},
    {.op = "transpose", .width = 37, .height = 9},
    {.op = "spmv", .width = 37, .height = 9},
};

static struct qp_problem_desc desc_for(const struct qp_variant *variant)
{
    const struct qp_op *op = qp_op_find(variant->op);
    int i = 0;
    while (i < COUNT(problems) && strcmp(problems[i].op, variant->op) != 0)
        i++;
    if (i == COUNT(problems))
        fail_msg("%s/%s has no problem here", variant->op, variant->name);
    struct qp_problem_desc desc = problems[i];
    if (desc.kind == NULL || !qp_recipe_takes_kind(variant->recipe, qp_op_kind(op, desc.kind)))
        desc.kind = op->kinds[qp_recipe_first_kind(variant->recipe)].name;
    desc.seed = 3;
    return desc;
}

/* ---- Launches ---- */

/* The kernel that is launched in place of the variant's, and what it does. */
static struct {
    const struct qp_cuda_kernel *kernel;
    struct qp_cuda_kernel instead;
    struct qp_variant variant;
    struct qp_recipe recipe;
    double off;
} sabotage;

/* Nothing, but for the pivots of an elimination's log: what no step wrote is found in the cells. */
static enum qp_status do_nothing(struct qp_launch *launch)
{
    static const float pivot[4] = {1.0f};
    float *log = launch->scratch;
    enum qp_status status = QP_OK;
    for (int k = 0; sabotage.kernel->log_bytes != NULL && k < launch->height && status == QP_OK;
         k++)
        status = qp_cuda_upload((struct qp_cuda *)launch->cuda, log + 4 * k, pivot, sizeof pivot);
    return status;
}

/* The last cell, but the first unknown of the last member of a batch, after which there is a
 * zero. */
static size_t cell_of(const struct qp_launch *launch)
{
    bool batch = qp_op_find(sabotage.variant.op)->runs->counts_systems;
    return (size_t)(launch->answer_height - 1) * (size_t)launch->pitch +
           (size_t)(batch ? 0 : launch->answer_width - 1);
}

static enum qp_status add_to_float(struct qp_cuda *cuda, float *cell)
{
    float value = 0.0f;
    enum qp_status status = qp_cuda_download(cuda, &value, cell, sizeof value);
    const float off = (float)(value + sabotage.off);
    value = off != value ? off : nextafterf(value, INFINITY);
    return status == QP_OK ? qp_cuda_upload(cuda, cell, &value, sizeof value) : status;
}

static enum qp_status add_to_double(struct qp_cuda *cuda, double *cell)
{
    double value = 0.0;
    enum qp_status status = qp_cuda_download(cuda, &value, cell, sizeof value);
    value += sabotage.off;
    return status == QP_OK ? qp_cuda_upload(cuda, cell, &value, sizeof value) : status;
}

static enum qp_status put_a_cell_off(struct qp_launch *launch)
{
    struct qp_cuda *cuda = (struct qp_cuda *)launch->cuda;
    enum qp_status status = sabotage.kernel->launch(launch);
    if (status == QP_OK)
        status = qp_cuda_wait(cuda);
    if (status != QP_OK)
        return status;
    if (sabotage.recipe.state.format == QP_R64F)
        return add_to_double(cuda, (double *)launch->out + cell_of(launch));
    return add_to_float(cuda, launch->out + cell_of(launch));
}

/* ---- Variants ---- */

static enum qp_verdict walk(struct qp_context *context, const struct qp_variant *variant, int steps,
                            double *ten_tolerances)
{
    const struct qp_problem_desc desc = desc_for(variant);
    struct qp_problem problem;
    struct qp_result result;
    assert_ok(qp_problem_create(&desc, &problem));
    assert_ok(qp_walk(qp_variant_draws(variant) ? context : NULL, variant, &problem,
                      &(struct qp_walk_desc){.iterations = steps}, &result));
    /* A residual judges systems, which have unknowns of about 1. */
    *ten_tolerances =
        problem.op->judge != NULL ? 1.0 : 10.0 * result.tolerance * problem.reference_scale;
    qp_problem_destroy(&problem);
    return result.verdict;
}

static void expect_failure(struct qp_context *context, const struct qp_variant *variant,
                           qp_launcher *launch, int steps)
{
    double ignored;
    sabotage.kernel = qp_recipe_kernel(variant->recipe);
    sabotage.instead = *sabotage.kernel;
    sabotage.instead.launch = launch;
    sabotage.instead.steps = NULL;
    if (launch == do_nothing)
        sabotage.instead.finish = NULL; /* asks how that went which was not done */
    sabotage.recipe = *variant->recipe;
    sabotage.recipe.kernel = &sabotage.instead;
    sabotage.recipe.lent = NULL;
    sabotage.variant = *variant;
    sabotage.variant.recipe = &sabotage.recipe;
    if (walk(context, &sabotage.variant, steps, &ignored) != QP_FAIL)
        fail_msg("%s/%s does not fail after %d steps of a launch that %s", variant->op,
                 variant->name, steps, launch == do_nothing ? "does nothing" : "puts a cell off");
}

/* A single step leaves what was there before; two leave a stale buffer, the start. Two turns of a
 * matrix, or two copies, are the start. */
static void launches_that_do_nothing(struct qp_context *context, const struct qp_variant *variant)
{
    expect_failure(context, variant, do_nothing,
                   qp_sharing_of(variant->recipe) == QP_SHARE_ALTERNATE ? 2 : 1);
    expect_failure(context, variant, do_nothing, strcmp(variant->op, "transpose") == 0 ? 3 : 2);
}

/* Launches with arrays of their own show nothing here; kernels are sabotaged in
 * tests/ops/test_sabotage_kernels.c. */
static void launches_that_put_a_cell_off(struct qp_context *context,
                                         const struct qp_variant *variant)
{
    assert_int_equal(walk(context, variant, 1, &sabotage.off), QP_PASS);
    if (variant->recipe->engine == NULL)
        expect_failure(context, variant, put_a_cell_off, 1);
}

/* Parts of a grid launch what another variant of the table launches. */
static bool has_launches(const struct qp_variant *variant)
{
    return variant->backend == QP_CUDA && variant->recipe->engine != &qp_engine_parts;
}

static void visit(void **state, void (*sabotage_row)(struct qp_context *context,
                                                     const struct qp_variant *variant))
{
    struct qp_context *context = *state;
    int rows = 0;
    for (size_t i = 0; i < qp_variant_count(); i++) {
        const struct qp_variant *variant = qp_variant_at(i);
        if (!has_launches(variant) || !support_is_built(variant))
            continue;
        if (qp_variant_draws(variant) && (context == NULL || !support_can_share(context, variant)))
            continue;
        sabotage_row(context, variant);
        rows++;
    }
    if (rows == 0) {
        print_message("%s\n", qp_error());
        skip();
    }
}

CLEAN_TEST(nothing_is_judged)
{
    visit(state, launches_that_do_nothing);
}

CLEAN_TEST(each_cell_counts)
{
    visit(state, launches_that_put_a_cell_off);
}

/* Without a device too. */
CLEAN_TEST(each_row_has_a_problem_and_a_kernel)
{
    for (size_t i = 0; i < qp_variant_count(); i++) {
        const struct qp_variant *variant = qp_variant_at(i);
        struct qp_problem problem;
        if (!has_launches(variant))
            continue;
        const struct qp_problem_desc desc = desc_for(variant);
        assert_ok(qp_problem_create(&desc, &problem));
        qp_problem_destroy(&problem);
        assert_true(variant->recipe->kernel != NULL || variant->recipe->lent != NULL);
    }
}

GROUP(support_open_context, support_close_context)
