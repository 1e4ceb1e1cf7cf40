/* SPDX-License-Identifier: MIT */
/* The host's side of a transfer, the same for every backend: two arrays as a program holds them,
 * and the order in which pieces of them move. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lab/engines/common.h"
#include "lab/ops/transfer/transfer.h"
#include "lab/plan/problem.h"
#include "toolkit/base/whole.h"

enum qp_transfer_kind qp_transfer_kind_of(const struct qp_plan *plan)
{
    return (enum qp_transfer_kind)qp_problem_kind(plan->problem);
}

bool qp_transfer_goes_up(const struct qp_plan *plan)
{
    return qp_transfer_kind_of(plan) != QP_TRANSFER_DOWN;
}

bool qp_transfer_comes_down(const struct qp_plan *plan)
{
    return qp_transfer_kind_of(plan) != QP_TRANSFER_UP;
}

/* ---- Pieces ---- */

static int usual_rows(const struct qp_recipe *recipe, int rows)
{
    const struct qp_transfer *how = recipe->own;
    if (how->rows > 0)
        return qp_least(how->rows, rows);
    return how->pieces > 0 ? qp_groups_in(rows, how->pieces) : 0;
}

const struct qp_block_rule qp_transfer_blocks = {.usual = usual_rows};

static int rows_of_piece(const struct qp_plan *plan)
{
    return plan->block > 0 ? plan->block : plan->layout.domain_y;
}

int qp_transfer_pieces(const struct qp_plan *plan)
{
    int rows = rows_of_piece(plan);
    return qp_groups_in(plan->layout.domain_y, rows);
}

struct qp_piece qp_transfer_piece(const struct qp_plan *plan, int index)
{
    struct qp_piece piece = {.index = index, .rows = rows_of_piece(plan)};
    piece.row = index * piece.rows;
    if (piece.rows > plan->layout.domain_y - piece.row)
        piece.rows = plan->layout.domain_y - piece.row;
    piece.first = (size_t)piece.row * qp_transfer_own(plan)->row;
    piece.count = (size_t)piece.rows * qp_transfer_own(plan)->row;
    return piece;
}

int qp_transfer_turns(const struct qp_plan *plan)
{
    return qp_transfer_own(plan)->how->turns > 1 ? qp_transfer_own(plan)->how->turns : 1;
}

int qp_transfer_turn(const struct qp_plan *plan, const struct qp_piece *piece)
{
    return piece->index % qp_transfer_turns(plan);
}

/* ---- Arrays with guards ---- */

static float *poison(float *values, size_t count)
{
    for (size_t i = 0; i < count; i++)
        values[i] = NAN;
    return values;
}

float *qp_guarded_create(size_t count, const char *what)
{
    float *all = qp_alloc_pages(count + 2 * QP_TRANSFER_GUARD, what);
    return all != NULL ? poison(all, count + 2 * QP_TRANSFER_GUARD) + QP_TRANSFER_GUARD : NULL;
}

bool qp_guarded_intact(const float *values, size_t count)
{
    int broken = 0;
    for (int i = 1; i <= QP_TRANSFER_GUARD; i++)
        broken += !isnan(values[-i]) + !isnan(values[count + (size_t)i - 1]);
    return broken == 0;
}

void qp_guarded_destroy(float **values)
{
    if (*values != NULL)
        free(*values - QP_TRANSFER_GUARD);
    *values = NULL;
}

/* The values of row y of a storage's domain. */
static size_t place(const struct qp_layout *layout, int y)
{
    size_t texel = (size_t)(layout->origin_y + y) * (size_t)layout->storage_x;
    return (texel + (size_t)layout->origin_x) * (size_t)layout->channels;
}

void qp_transfer_gather(const struct qp_plan *plan, const float *texels, float *values)
{
    size_t row = qp_transfer_own(plan)->row;
    for (int y = 0; y < plan->layout.domain_y; y++)
        memcpy(values + (size_t)y * row, texels + place(&plan->layout, y), row * sizeof *values);
}

void qp_transfer_scatter(const struct qp_plan *plan, const float *values, float *texels)
{
    size_t row = qp_transfer_own(plan)->row;
    for (int y = 0; y < plan->layout.domain_y; y++)
        memcpy(texels + place(&plan->layout, y), values + (size_t)y * row, row * sizeof *values);
}

/* ---- Stages ---- */

static enum qp_status make_host_side(struct qp_plan *plan, struct qp_plan_transfer *t)
{
    static const struct qp_mover *const movers[QP_BACKENDS] = {
        [QP_CPU] = &qp_mover_cpu, [QP_GL] = &qp_mover_gl, [QP_CUDA] = &qp_mover_cuda};
    const struct qp_layout *layout = &plan->layout;
    t->mover = movers[plan->variant->backend];
    t->how = plan->variant->recipe->own;
    t->row = (size_t)layout->domain_x * (size_t)layout->channels;
    t->count = t->row * (size_t)layout->domain_y;
    t->source = qp_guarded_create(t->count, "the array that goes");
    t->arrived = t->source != NULL ? qp_guarded_create(t->count, "the array that comes") : NULL;
    return t->arrived != NULL ? QP_OK : QP_NO_MEMORY;
}

static enum qp_status upload(struct qp_plan *plan)
{
    plan->own = qp_alloc_zero(1, sizeof(struct qp_plan_transfer), "a transfer's plan");
    enum qp_status status = plan->own != NULL ? make_host_side(plan, plan->own) : QP_NO_MEMORY;
    return status == QP_OK ? qp_transfer_own(plan)->mover->open(plan) : status;
}

/* Fills the answer's places with NaN, so that a value that was not moved shows; with `empty` the
 * source too, so that only NaN is moved. */
static enum qp_status reset(struct qp_plan *plan, bool empty)
{
    struct qp_plan_transfer *t = plan->own;
    const bool from_device = qp_transfer_kind_of(plan) == QP_TRANSFER_DOWN && !empty;
    poison(t->arrived, t->count);
    qp_transfer_gather(plan, empty ? plan->empty : plan->input_texels[0], t->source);
    return t->mover->reset(plan, from_device ? plan->input_texels[0] : plan->empty);
}

static enum qp_status begin_piece(struct qp_plan *plan, int index)
{
    const struct qp_mover *mover = qp_transfer_own(plan)->mover;
    const struct qp_piece piece = qp_transfer_piece(plan, index);
    enum qp_status status = QP_OK;
    if (qp_transfer_goes_up(plan))
        status = mover->send(plan, &piece);
    if (status == QP_OK && qp_transfer_kind_of(plan) == QP_TRANSFER_OVERLAP)
        status = mover->compute(plan, &piece);
    if (status == QP_OK && qp_transfer_comes_down(plan))
        status = mover->ask(plan, &piece);
    return status;
}

static enum qp_status end_piece(struct qp_plan *plan, int index)
{
    const struct qp_mover *mover = qp_transfer_own(plan)->mover;
    const struct qp_piece piece = qp_transfer_piece(plan, index);
    if (mover->take == NULL || !qp_transfer_comes_down(plan))
        return QP_OK;
    return mover->take(plan, &piece);
}

/* Overlap, as a loop: with n turns (pieces under way at a time), n - 1 more pieces are begun before
 * one is waited for. */
static enum qp_status pass(struct qp_plan *plan)
{
    const int pieces = qp_transfer_pieces(plan), ahead = qp_transfer_turns(plan) - 1;
    enum qp_status status = QP_OK;
    for (int k = 0; k < pieces + ahead && status == QP_OK; k++) {
        if (k < pieces)
            status = begin_piece(plan, k);
        if (k >= ahead && status == QP_OK)
            status = end_piece(plan, k - ahead);
    }
    return status;
}

static void swap(struct qp_plan *plan)
{
    qp_transfer_own(plan)->moved = true;
}

static enum qp_status finish(struct qp_plan *plan)
{
    return qp_transfer_own(plan)->mover->finish(plan);
}

/* Pages are touched, buffers made. The remains of the first transfers in buffers must be no
 * answer. */
static enum qp_status program(struct qp_plan *plan)
{
    const struct qp_mover *mover = qp_transfer_own(plan)->mover;
    enum qp_status status = mover->prepare != NULL ? mover->prepare(plan) : QP_OK;
    if (status == QP_OK)
        status = reset(plan, true);
    if (status == QP_OK)
        status = qp_warm_up(plan, pass, finish);
    return status == QP_OK ? reset(plan, false) : status;
}

/* Reads the values on the device, or the ones that came back. The guards that are looked at later
 * are the device's in any case. */
static enum qp_status read_arrived(struct qp_plan *plan, bool target, void *texels)
{
    struct qp_plan_transfer *t = plan->own;
    if (!target && !t->moved) {
        if (texels != plan->texels)
            memcpy(texels, plan->texels, qp_layout_bytes(&plan->layout));
        return QP_OK;
    }
    enum qp_status status = t->mover->fetch(plan, texels);
    if (status != QP_OK || !qp_transfer_comes_down(plan))
        return status;
    if (!qp_guarded_intact(t->arrived, t->count))
        return qp_fail(QP_DEVICE, "stage 7, readback: %s wrote outside the array that comes back",
                       plan->variant->name);
    qp_transfer_scatter(plan, t->arrived, texels);
    return QP_OK;
}

static const char *shader(const struct qp_plan *plan, int k)
{
    return k == 0 && qp_transfer_kind_of(plan) == QP_TRANSFER_OVERLAP
               ? qp_transfer_own(plan)->mover->shader
               : NULL;
}

static bool uses(const struct qp_variant *variant, const char *file)
{
    return variant->backend == QP_GL && strcmp(qp_mover_gl.shader, file) == 0;
}

/* Closes the device's side first, since it may still be copying. */
static void destroy(struct qp_plan *plan)
{
    if (plan->own == NULL)
        return;
    qp_transfer_own(plan)->mover->close(plan);
    qp_guarded_destroy(&qp_transfer_own(plan)->source);
    qp_guarded_destroy(&qp_transfer_own(plan)->arrived);
}

/* Abilities of the way on OpenGL: pieces that wait for each other need fences. */
static unsigned needs(const struct qp_recipe *recipe)
{
    const struct qp_transfer *how = recipe->own;
    unsigned needs = how->array ? 0 : qp_recipe_needs_to_draw(recipe);
    if (recipe->backend != QP_GL)
        return 0;
    if (how->way != QP_TRANSFER_PLAIN && !how->array)
        needs |= QP_CAN_PIXEL_BUFFER;
    if (how->turns > 0)
        needs |= QP_CAN_FENCE;
    return how->way == QP_TRANSFER_MAPPED ? needs | QP_CAN_MAP_FOR_LIFE : needs;
}

const struct qp_engine qp_engine_transfer = {.upload = upload,
                                             .program = program,
                                             .pass = pass,
                                             .swap = swap,
                                             .finish = finish,
                                             .read = read_arrived,
                                             .destroy = destroy,
                                             .shader = shader,
                                             .uses = uses,
                                             .needs = needs};
