/* SPDX-License-Identifier: MIT */
/* Places of parts. Strips of rows hold whole rows; tiles, which bound a texture's size, are cut
 * across too. All begin at multiples of what a texel and its sheets hold, so that a row of texels
 * never belongs to two parts. */

#include "lab/engines/parts/learned.h"
#include "lab/engines/parts/parts.h"
#include "toolkit/base/whole.h"
#include "toolkit/cuda/device.h"
#include "toolkit/gl/context/context.h"
#include "toolkit/gl/texture.h"

static struct qp_plan_parts *parts_of(const struct qp_plan *plan)
{
    return plan->own;
}

/* The cut, in units: cells that stay together. */
struct cut {
    int unit_x, unit_y;   /* cells of a unit */
    int across, up;       /* units of the grid */
    int halo_x, halo_y;   /* cells */
    int parts_x, parts_y; /* parts */
    int split;            /* units of the lowest strip; below 0: all strips alike */
};

static int multiple_of_both(int a, int b)
{
    int both = a;
    while (both % b != 0)
        both += a;
    return both;
}

const struct qp_recipe *qp_parts_run(const struct qp_parts_variant *own, int kind)
{
    const char *name = own->runs[kind].name;
    return name != NULL ? qp_recipe_called(own->runs[kind].list, name) : NULL;
}

bool qp_parts_run_alike(const struct qp_parts_variant *own)
{
    return qp_parts_run(own, 0) == qp_parts_run(own, 1);
}

static const struct qp_recipe *recipe_of(const struct qp_plan *plan, int k)
{
    const struct qp_parts_variant *own = parts_of(plan)->variant;
    return qp_parts_run(own, own->runs[1].name != NULL && k > 0);
}

static int round_up(int cells, int unit)
{
    return unit * qp_groups_in(cells, unit);
}

static void set_units(const struct qp_plan *plan, struct cut *cut)
{
    const struct qp_problem *problem = plan->problem;
    const struct qp_plan_parts *parts = plan->own;
    cut->unit_x = cut->unit_y = 1;
    for (int k = 0; k < 2; k++) {
        const struct qp_layout layout =
            qp_layout_make(recipe_of(plan, k)->state, problem->width, problem->height, 1);
        cut->unit_x = multiple_of_both(cut->unit_x, layout.neighbours);
        cut->unit_y = multiple_of_both(cut->unit_y, qp_layout_unit(&layout));
    }
    cut->unit_y = multiple_of_both(cut->unit_y, qp_most(parts->variant->multiple, 1));
    cut->across = qp_groups_in(problem->width, cut->unit_x);
    cut->up = qp_groups_in(problem->height, cut->unit_y);
}

/* Rows that become wrong in `steps` steps. */
static int reach_of(const struct qp_plan *plan, int steps)
{
    const struct qp_plan_parts *parts = plan->own;
    return steps * parts->reach + parts->variant->measures;
}

/* ---- Tiles ---- */

/* Most units of a tile: as many texels as were asked for, and no more than fit with the rest of the
 * storage and a halo at both sides. */
static int most_units(int limit, int rest, int stride, int asked, int halo, int unit, int cells)
{
    const int fits = (limit - rest) / stride * cells - 2 * halo;
    return qp_most(qp_least(fits, qp_least(asked, limit) * cells) / unit, 1);
}

/* At least two wherever there are two units, so that every check crosses a seam. */
static int tiles_along(int units, int most)
{
    const int tiles = qp_groups_in(units, most);
    return tiles > 1 ? tiles : qp_least(2, units);
}

static void shrink(const struct qp_plan *plan, const struct qp_layout *layout, struct cut *cut,
                   int *most_x, int *most_y)
{
    const int asked = parts_of(plan)->variant->texels, stride = layout->stride;
    const int limit =
        qp_texture_limit(qp_context_device(plan->context), qp_gl_target(plan->target));
    const int rest_x = layout->storage_x - layout->domain_x * stride;
    const int rest_y = layout->sheet_y - layout->domain_y;
    *most_x = qp_least(*most_x, most_units(limit, rest_x, stride, asked, cut->halo_x, cut->unit_x,
                                           layout->neighbours));
    *most_y = qp_least(*most_y, most_units(limit, rest_y, 1, asked, cut->halo_y, cut->unit_y,
                                           qp_layout_unit(layout)));
}

static void cut_tiles(const struct qp_plan *plan, struct cut *cut)
{
    const struct qp_variant variant = {.op = plan->variant->op, .recipe = recipe_of(plan, 0)};
    int most_x = cut->across, most_y = cut->up;
    cut->halo_x = round_up(reach_of(plan, parts_of(plan)->depth), cut->unit_x);
    const struct qp_plan whole = qp_plan_outline(&variant, plan->problem);
    shrink(plan, &whole.layout, cut, &most_x, &most_y);
    for (int i = 0; i < whole.inputs; i++)
        shrink(plan, &whole.input_layout[i], cut, &most_x, &most_y);
    cut->parts_x = tiles_along(cut->across, most_x);
    cut->parts_y = tiles_along(cut->up, most_y);
}

/* ---- Strips ---- */

/* First unit of the k-th of `parts` parts, whose sizes differ by one unit at most; of a split grid
 * the lowest has its own size. */
static int begin(const struct cut *cut, int k, int parts, int units)
{
    const int lowest = cut->split > 0 && parts > 1 ? cut->split : 0;
    if (lowest == 0 || k == 0)
        return (int)((long)k * units / parts);
    return lowest + (int)((long)(k - 1) * (units - lowest) / (parts - 1));
}

/* The lowest strip of a variant of two kinds of parts: as asked for; of two parts as learned on
 * this device; or else left as large as the others. */
static void set_split(const struct qp_plan *plan, struct cut *cut)
{
    struct qp_learned learned;
    int split = parts_of(plan)->desc.parts.split;
    if (split == 0 && cut->parts_y == 2 &&
        qp_learned_read(plan->context, plan->variant->name, &learned))
        split = qp_learned_rows(&learned, plan->problem->height);
    else if (split == 0)
        return;
    cut->split = qp_least((qp_most(split, 0) + cut->unit_y / 2) / cut->unit_y, cut->up);
    if (cut->split == 0 || cut->split == cut->up)
        cut->parts_y = cut->split == 0 ? qp_most(cut->parts_y - 1, 1) : 1;
}

/* Strips that share what a split leaves them, and the units of the smallest of these. */
static int alike(const struct cut *cut, int *units)
{
    const int lowest = cut->split > 0 && cut->parts_y > 1;
    const int strips = cut->parts_y - lowest;
    *units = (cut->up - (lowest ? cut->split : 0)) / strips;
    return strips;
}

/* Number of strips: of two kinds there is one at least, but where both are the same; and two on
 * OpenGL, which has one device. */
static int count_strips(const struct qp_plan *plan, int wanted)
{
    const struct qp_parts_variant *own = parts_of(plan)->variant;
    if (own->runs[1].name == NULL)
        return wanted;
    if (recipe_of(plan, 1)->backend != QP_CUDA)
        return 2;
    return qp_parts_run_alike(own) ? wanted : qp_most(wanted, 2);
}

/* Number of strips, none of them empty; one between two others has the whole of a neighbour's halo
 * for a step. The rows of the first are known if the grid is split. */
static enum qp_status cut_strips(const struct qp_plan *plan, struct cut *cut)
{
    const struct qp_plan_parts *parts = plan->own;
    const struct qp_parts_desc *wanted = &parts->desc.parts;
    int count = wanted->count > 0 ? wanted->count : qp_least(2, plan->problem->height), units;
    if (parts->variant->place == QP_PARTS_PROCESSES)
        count = parts->variant->link->ranks();
    if (count > plan->problem->height)
        return qp_fail(QP_UNSUPPORTED, "cannot cut %d rows into %d parts; take fewer",
                       plan->problem->height, count);
    const int strips = count_strips(plan, count);
    cut->parts_x = 1;
    cut->parts_y = qp_least(strips, cut->up);
    if (parts->variant->runs[1].name != NULL && (strips > 1 || wanted->count != 1))
        set_split(plan, cut);
    while (cut->parts_y > 2 && alike(cut, &units) > 1 &&
           units < qp_groups_in(reach_of(plan, 1), cut->unit_y))
        cut->parts_y--;
    return QP_OK;
}

/* Fewer steps go between exchanges where parts between two others are smaller than a halo. */
static void set_depth(struct qp_plan *plan, struct cut *cut)
{
    struct qp_plan_parts *parts = plan->own;
    int least = cut->up;
    if (cut->parts_y > 2)
        alike(cut, &least);
    least *= cut->unit_y;
    const int wanted = parts->desc.parts.depth;
    parts->depth = wanted > 0 ? wanted : qp_most(parts->variant->depth, 1);
    while (parts->depth > 1 && round_up(reach_of(plan, parts->depth), cut->unit_y) > least)
        parts->depth--;
    cut->halo_y = round_up(reach_of(plan, parts->depth), cut->unit_y);
}

/* ---- Parts ---- */

static void widen(int first, int size, int halo, int all, int *from, int *count)
{
    *from = qp_most(first - halo, 0);
    *count = qp_least(first + size + halo, all) - *from;
}

static struct qp_part_area area_of(const struct qp_plan *plan, const struct cut *cut, int i, int j)
{
    const int x = begin(cut, i, cut->parts_x, cut->across) * cut->unit_x;
    const int y = begin(cut, j, cut->parts_y, cut->up) * cut->unit_y;
    const int right = i + 1 < cut->parts_x
                          ? begin(cut, i + 1, cut->parts_x, cut->across) * cut->unit_x
                          : plan->problem->width;
    const int top = j + 1 < cut->parts_y ? begin(cut, j + 1, cut->parts_y, cut->up) * cut->unit_y
                                         : plan->problem->height;
    return (struct qp_part_area){x, y, right - x, top - y};
}

static void place(const struct qp_plan *plan, const struct cut *cut, int i, int j,
                  struct qp_plan_part *part)
{
    const struct qp_problem *whole = plan->problem;
    part->own = area_of(plan, cut, i, j);
    widen(part->own.x, part->own.width, cut->halo_x, whole->width, &part->all.x, &part->all.width);
    widen(part->own.y, part->own.height, cut->halo_y, whole->height, &part->all.y,
          &part->all.height);
    part->problem = *whole;
    part->problem.reference = NULL;
    part->problem.window = (struct qp_window){whole, part->all.x, part->all.y};
    part->problem.width = part->problem.answer_width = part->all.width;
    part->problem.height = part->problem.answer_height = part->all.height;
}

/* A grid that is split at its end, or at its beginning, is one part. */
static int runs_of(const struct qp_plan_parts *parts, const struct cut *cut, int j)
{
    const bool upper = cut->split == 0 || j > 0;
    return parts->variant->runs[1].name != NULL && upper;
}

/* CUDA's parts go to its devices in turn, from the caller's on; of processes on one machine each
 * takes the caller's, or where there is none one in turn. A grid that is split at its beginning
 * leaves the lowest part's device out. */
static int ordinal_of(const struct qp_plan *plan, int before)
{
    const struct qp_plan_parts *parts = plan->own;
    const int caller = qp_context_cuda_ordinal(plan->context), devices = qp_cuda_count();
    if (parts->variant->place == QP_PARTS_PROCESSES)
        before = caller >= 0 ? 0 : parts->variant->link->node_rank();
    return (qp_most(caller, 0) + before) % qp_most(devices, 1);
}

static void set_device(const struct qp_plan *plan, const struct cut *cut, int k)
{
    const struct qp_plan_parts *parts = plan->own;
    struct qp_plan_part *part = &parts->part[k];
    int before = cut->split == 0 && recipe_of(plan, 0)->backend == QP_CUDA;
    for (int i = 0; i < k; i++)
        before += parts->part[i].variant.backend == QP_CUDA;
    part->ordinal = part->variant.backend == QP_CUDA ? ordinal_of(plan, before) : QP_ON_HOST;
}

static void fill(struct qp_plan *plan, const struct cut *cut)
{
    struct qp_plan_parts *parts = plan->own;
    for (int k = 0; k < parts->count; k++) {
        struct qp_plan_part *part = &parts->part[k];
        const int runs = runs_of(parts, cut, k / parts->across);
        place(plan, cut, k % parts->across, k / parts->across, part);
        part->process = k;
        part->runs = runs;
        part->variant = *plan->variant;
        part->variant.recipe = recipe_of(plan, runs);
        part->variant.backend = part->variant.recipe->backend;
        part->variant.needs = qp_recipe_needs(part->variant.recipe);
        set_device(plan, cut, k);
    }
}

/* Parts of this process: all, or that of its rank; processes beyond the parts have none. */
static void share_out(struct qp_plan_parts *parts)
{
    const bool processes = parts->variant->place == QP_PARTS_PROCESSES;
    const int rank = processes ? parts->variant->link->rank() : 0;
    parts->first = processes ? qp_least(rank, parts->count) : 0;
    parts->end = processes ? qp_least(rank + 1, parts->count) : parts->count;
}

enum qp_status qp_parts_cut(struct qp_plan *plan)
{
    struct qp_plan_parts *parts = plan->own;
    struct cut cut = {.split = -1};
    enum qp_status status = QP_OK;
    parts->reach = qp_most(parts->variant->reach, 1) + plan->problem->wraps;
    set_units(plan, &cut);
    if (parts->variant->place != QP_PARTS_TOGETHER)
        status = cut_strips(plan, &cut);
    if (status != QP_OK)
        return status;
    set_depth(plan, &cut);
    if (parts->variant->place == QP_PARTS_TOGETHER)
        cut_tiles(plan, &cut);
    parts->across = cut.parts_x;
    parts->up = cut.parts_y;
    parts->count = parts->across * parts->up;
    parts->halo = cut.halo_y;
    parts->part = qp_alloc_zero((size_t)parts->count, sizeof *parts->part, "the parts of a grid");
    if (parts->part == NULL)
        return qp_fail_within(QP_NO_MEMORY, "stage 2, pack");
    fill(plan, &cut);
    share_out(parts);
    return QP_OK;
}

struct qp_plan_part *qp_parts_neighbour(const struct qp_plan_parts *parts, int part, int right,
                                        int up)
{
    const int i = part % parts->across + right, j = part / parts->across + up;
    if (i < 0 || i >= parts->across || j < 0 || j >= parts->up)
        return NULL;
    return &parts->part[j * parts->across + i];
}
