/* SPDX-License-Identifier: MIT */
/* Tiles of a batch: number of systems in a texture, and number of textures. */
#include "lab/ops/gauss_jordan_batch/gauss_jordan_batch.h"
#include "toolkit/base/whole.h"

#include <math.h>

#include "lab/plan/plan.h"
#include "toolkit/gl/pass.h"

/* Largest texture of a tile, 256 MiB in RGBA: drivers take at most a GiB for one, and some keep
 * copies. */
enum { MOST_TEXELS = 1 << 24 };

static int limit_of(const struct qp_plan *plan)
{
    const struct qp_device *device = qp_context_device(plan->context);
    return qp_texture_limit(device, qp_gl_target(plan->target));
}

/* Chooses tiles, as few as the limit allows, with about as many systems, or fours of them, across
 * as up. */
static enum qp_status choose_tiles(const struct qp_plan *plan, struct qp_batch *batch)
{
    const struct qp_shape shape = plan->variant->recipe->input[0].shape;
    const int fours = shape.standing == QP_AS_PLANES ? 4 : 1;
    const int places = qp_groups_in(batch->count, fours);
    const int stamp = shape.standing == QP_AS_LISTS ? 4 : 1;
    const struct qp_batch nothing = {.rows = batch->rows, .columns = batch->columns};
    const struct qp_layout frame = qp_layout_make_batch(shape, nothing);
    const int limit = limit_of(plan);
    int width, height;
    qp_layout_system(shape, batch->rows, batch->columns, &width, &height);
    int most_across = (limit - frame.storage_x) / width / stamp * stamp;
    int most_up = (limit - frame.sheet_y) / height;
    if (most_across < 1 || most_up < 1)
        return qp_fail(
            QP_UNSUPPORTED,
            "needs %d x %d texels for a system where this device's limit is %d each way; take "
            "systems of fewer unknowns",
            width * stamp, height, limit);
    int wanted = (int)ceil(sqrt(places));
    batch->across = qp_least(most_across, qp_groups_in(wanted, stamp) * stamp);
    most_up = qp_least(most_up, MOST_TEXELS / (batch->across * width * height));
    int rows = qp_groups_in(places, batch->across);
    batch->tiles = qp_groups_in(rows, most_up);
    batch->up = qp_groups_in(rows, batch->tiles);
    return QP_OK;
}

enum qp_status qp_batch_arrange(struct qp_plan *plan, const struct qp_walk_desc *desc)
{
    (void)desc;
    const struct qp_recipe *recipe = plan->variant->recipe;
    const struct qp_device *device = qp_context_device(plan->context);
    const int n = qp_batch_unknowns(plan->problem);
    struct qp_batch batch = {.rows = n, .columns = n + 1, .count = qp_batch_count(plan->problem)};
    enum qp_status status = choose_tiles(plan, &batch);
    if (status != QP_OK)
        return status;
    plan->input_layout[0] = qp_layout_make_batch(recipe->input[0].shape, batch);
    batch.rows = 1;
    plan->layout = qp_layout_make_batch(recipe->state, batch);
    const int sheets = plan->layout.sheets / batch.tiles;
    if (sheets > qp_least(device->draw_buffers, QP_TARGETS))
        return qp_fail(QP_UNSUPPORTED,
                       "writes %d unknowns to %d textures at a time, and this device to %d; take "
                       "gauss_jordan_batch/planes",
                       n, sheets, qp_least(device->draw_buffers, QP_TARGETS));
    return QP_OK;
}
