/* SPDX-License-Identifier: MIT */
/* Stages 3 to 7 for shares in compute shaders (shares.h): 32 invocations a share, eight shares a
 * work group, all of them in one dispatch. The matrix, x and y are storage buffers. Where columns
 * are stored, and on a processor always, x is read from a texture, in lines of QP_SPMV_LINE: an
 * H200 takes half the time for elements that lie apart. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lab/engines/common.h"
#include "lab/engines/engines.h"
#include "lab/ops/spmv/shares.h"
#include "lab/ops/spmv/spmv.h"
#include "lab/plan/plan.h"
#include "lab/plan/problem.h"
#include "toolkit/base/whole.h"
#include "toolkit/gl/buffer.h"

/* Buffers: arrays of shares, the last of them with each piece's sum after it; x; and y twice, each
 * the source in turn. */
enum { X = QP_SHARE_ARRAYS, Y, BUFFERS = Y + 2 };

struct plan_shares {
    struct qp_buffer buffer[BUFFERS];
    struct qp_texture x;
    struct qp_step step;
    int shares, pieces;
    bool source;
};

/* Names in the shader: blocks of the buffers, of y the target's; then x and numbers. */
static const struct qp_uniform names[] = {[QP_SHARES] = {"shares", QP_STORAGE, 0},
                                          [QP_SHARE_VALUES] = {"values", QP_STORAGE, 0},
                                          [QP_SHARE_COLUMNS] = {"columns", QP_STORAGE, 0},
                                          [QP_SHARE_RULES] = {"rules", QP_STORAGE, 0},
                                          [QP_SHARE_ROWS] = {"lists", QP_STORAGE, 0},
                                          [QP_SHARE_TICKETS] = {"parts", QP_STORAGE, 0},
                                          [X] = {"factors", QP_STORAGE, 0},
                                          [Y] = {"answer", QP_STORAGE, 0},
                                          {"x", QP_SAMPLER, 0},
                                          {"count", QP_UINT, 0},
                                          {"pieces", QP_UINT, 0},
                                          {"rows", QP_UINT, 0},
                                          {0}};

/* ---- Stage 3 ---- */

/* Makes a buffer with these values; NULL: undefined ones. An empty array has a buffer, too. */
static enum qp_status make(struct qp_plan *plan, int which, const void *values, size_t bytes)
{
    struct plan_shares *own = plan->own;
    GLint64 most = 0;
    glGetInteger64v(GL_MAX_SHADER_STORAGE_BLOCK_SIZE, &most);
    if (bytes > (size_t)most)
        return qp_fail(QP_UNSUPPORTED,
                       "the matrix needs a storage buffer of %zu bytes, and this device has up to "
                       "%lld; take spmv/sliced_ell or spmv/csr_sorted",
                       bytes, (long long)most);
    enum qp_status status = qp_buffer_create(plan->context, GL_SHADER_STORAGE_BUFFER,
                                             GL_STATIC_DRAW, bytes + 16, &own->buffer[which]);
    return status == QP_OK && values != NULL && bytes > 0
               ? qp_buffer_send(&own->buffer[which], 0, values, bytes)
               : status;
}

static enum qp_status make_matrix(struct qp_plan *plan)
{
    struct plan_shares *own = plan->own;
    struct qp_shares shares;
    enum qp_status status = qp_shares_make(plan->problem->sparse, &shares);
    if (status != QP_OK)
        return status;
    own->shares = (int)(shares.array[QP_SHARES].bytes / sizeof(struct qp_share));
    own->pieces = (int)(shares.array[QP_SHARE_TICKETS].bytes / sizeof(int));
    for (int i = 0; i < QP_SHARE_TICKETS && status == QP_OK; i++)
        status = make(plan, i, shares.array[i].data, shares.array[i].bytes);
    qp_shares_destroy(&shares);
    unsigned *zeros = qp_alloc_zero((size_t)own->pieces * 2 + 1, sizeof *zeros, "pieces of rows");
    if (status == QP_OK)
        status = zeros != NULL
                     ? make(plan, QP_SHARE_TICKETS, zeros, (size_t)own->pieces * 2 * sizeof *zeros)
                     : QP_NO_MEMORY;
    free(zeros);
    return status;
}

static enum qp_status make_x(struct qp_plan *plan)
{
    struct plan_shares *own = plan->own;
    const size_t cells = qp_problem_cells(plan->problem);
    const int lines = qp_groups_in((int)cells, QP_SPMV_LINE);
    float *texels = qp_alloc_zero((size_t)lines * QP_SPMV_LINE, sizeof *texels, "a vector");
    if (texels == NULL)
        return QP_NO_MEMORY;
    memcpy(texels, plan->problem->field[QP_SPMV_X].values, cells * sizeof *texels);
    const enum qp_status status = qp_texture_create(plan->context, qp_gl_target(plan->target),
                                                    QP_R32F, QP_SPMV_LINE, lines, texels, &own->x);
    free(texels);
    return status;
}

/* Fills y's target with NaN, which a row that nobody writes keeps. */
static enum qp_status empty_target(struct qp_plan *plan)
{
    struct plan_shares *own = plan->own;
    const size_t cells = qp_problem_cells(plan->problem);
    float *values = qp_alloc(cells, sizeof *values, "a vector");
    if (values == NULL)
        return QP_NO_MEMORY;
    for (size_t i = 0; i < cells; i++)
        values[i] = NAN;
    const enum qp_status status =
        qp_buffer_send(&own->buffer[Y + !own->source], 0, values, cells * sizeof *values);
    free(values);
    return status;
}

static enum qp_status upload(struct qp_plan *plan)
{
    const struct qp_problem *problem = plan->problem;
    const size_t bytes = qp_problem_cells(problem) * sizeof(float);
    plan->own = qp_alloc_zero(1, sizeof(struct plan_shares), "a plan's OpenGL side");
    enum qp_status status = plan->own != NULL ? make_matrix(plan) : QP_NO_MEMORY;
    if (status == QP_OK)
        status = make_x(plan);
    if (status == QP_OK)
        status = make(plan, X, problem->field[QP_SPMV_X].values, bytes);
    if (status == QP_OK)
        status = make(plan, Y, problem->field[QP_SPMV_ANSWER].values, bytes);
    if (status == QP_OK)
        status = make(plan, Y + 1, NULL, bytes);
    if (status == QP_OK)
        status = empty_target(plan);
    return plan->own != NULL ? qp_end_upload(plan, status) : status;
}

/* ---- Stages 5 to 7 ---- */

/* Pieces of long rows come first, in groups of their own. */
static void list_product(struct qp_plan *plan, int k, struct qp_passes *to)
{
    enum { ACROSS = 1 << 12 };
    struct plan_shares *own = plan->own;
    const int each = plan->group_x * plan->group_y / QP_SHARE_LANES,
              groups =
                  qp_groups_in(own->pieces, each) + qp_groups_in(own->shares - own->pieces, each),
              across = qp_least(groups, ACROSS);
    struct qp_step_value value[sizeof names / sizeof names[0]];
    (void)k;
    for (int i = 0; i < Y; i++)
        value[i] = (struct qp_step_value){.buffer = &own->buffer[i]};
    value[Y] = (struct qp_step_value){.buffer = &own->buffer[Y + !own->source]};
    value[Y + 1] = (struct qp_step_value){.texture = &own->x};
    value[Y + 2] = (struct qp_step_value){.x = own->shares};
    value[Y + 3] = (struct qp_step_value){.x = own->pieces};
    value[Y + 4] = (struct qp_step_value){.x = plan->problem->sparse->rows};
    qp_passes_add(to, &(struct qp_gl_pass){.step = &own->step,
                                           .values = value,
                                           .width = across * plan->group_x,
                                           .height = qp_groups_in(groups, across) * plan->group_y});
}

static enum qp_status pass(struct qp_plan *plan)
{
    return qp_draw_listed(plan, list_product, 0);
}

static void swap(struct qp_plan *plan)
{
    struct plan_shares *own = plan->own;
    own->source = !own->source;
}

static enum qp_status get(struct qp_plan *plan, bool target, void *texels)
{
    struct plan_shares *own = plan->own;
    const size_t cells = qp_problem_cells(plan->problem);
    float *values = qp_alloc(cells, sizeof *values, "a vector");
    if (values == NULL)
        return QP_NO_MEMORY;
    glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
    const enum qp_status status = qp_buffer_fetch(&own->buffer[Y + (own->source != target)], 0,
                                                  values, cells * sizeof *values);
    if (status == QP_OK)
        qp_layout_pack(&plan->layout, 0, values, 0.0f, texels);
    free(values);
    return status;
}

/* ---- Stage 4 ---- */

static enum qp_status program(struct qp_plan *plan)
{
    struct plan_shares *own = plan->own;
    const bool software = qp_context_device(plan->context)->software;
    if (plan->group_x == 0) {
        plan->group_x = 256;
        plan->group_y = 1;
    }
    if (plan->group_x * plan->group_y % QP_SHARE_LANES != 0)
        return qp_fail(QP_UNSUPPORTED, "groups of %d x %d; a share takes %d invocations of a group",
                       plan->group_x, plan->group_y, QP_SHARE_LANES);
    const struct qp_program_source source = {
        .compute = {.name = plan->variant->recipe->draw[0].compute,
                    .head = software ? "#define NEAR far_x\n" : NULL},
        .group = {plan->group_x, plan->group_y},
        .target = qp_gl_target(plan->target)};
    enum qp_status status = qp_step_make(plan->context, &source, names, &own->step);
    if (status == QP_OK)
        status = qp_warm_up(plan, pass, qp_finish_gl);
    if (status == QP_OK)
        status = empty_target(plan);
    return status == QP_OK ? qp_finish_gl(plan) : status;
}

static void destroy(struct qp_plan *plan)
{
    struct plan_shares *own = plan->own;
    if (own == NULL || qp_context_enter(plan->context) != QP_OK)
        return;
    for (int i = 0; i < BUFFERS; i++)
        qp_buffer_destroy(&own->buffer[i]);
    qp_texture_destroy(&own->x);
}

const struct qp_engine qp_engine_spmv_shares = {.upload = upload,
                                                .program = program,
                                                .pass = pass,
                                                .swap = swap,
                                                .finish = qp_finish_gl,
                                                .read = get,
                                                .destroy = destroy};
