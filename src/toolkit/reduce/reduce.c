/* SPDX-License-Identifier: MIT */
/* Reductions: how they run. */
#include <math.h>
#include <string.h>

#include "toolkit/arrays/tiled.h"
#include "toolkit/base/caller.h"
#include "toolkit/gl/context/context.h"
#include "toolkit/kernel/kernel.h"
#include "toolkit/reduce/reduction.h"

/* ---- The caller's arrays ---- */

/* An array as it was described. */
static enum qp_status check_array(const struct qp_reduction *r, const struct qp_pass_input *input)
{
    enum qp_status status = qp_array_check(input->array, r->context, input->name);
    if (status != QP_OK)
        return status;
    const struct qp_array_desc *of = &r->of, *is = &input->array->desc;
    if (is->width != of->width || is->height != of->height)
        return qp_fail(QP_BAD_USE, "'%s' has %d x %d cells, and the reduction was made for %d x %d",
                       input->name, is->width, is->height, of->width, of->height);
    if (is->type != of->type || is->channels != of->channels)
        return qp_fail(QP_BAD_USE,
                       "'%s' has another type or other channels than the reduction was made for; "
                       "describe it by qp_array_describe",
                       input->name);
    return QP_OK;
}

/* x, and y of dot products, each once and no other. */
static enum qp_status check_arrays(const struct qp_reduction *r, const struct qp_pass_input *input,
                                   const struct qp_array *found[2])
{
    found[0] = found[1] = NULL;
    for (int i = 0; i <= QP_KERNEL_INPUTS && input[i].name != NULL; i++) {
        const bool y = strcmp(input[i].name, "y") == 0;
        if ((!y || !r->two) && strcmp(input[i].name, "x") != 0)
            return qp_fail(QP_BAD_USE, "a reduction has no input '%.64s'; it reads 'x'%s",
                           input[i].name, r->two ? " and 'y'" : "");
        if (found[y] != NULL)
            return qp_fail(QP_BAD_USE, "input '%s' is given twice", input[i].name);
        enum qp_status status = check_array(r, &input[i]);
        if (status != QP_OK)
            return status;
        found[y] = input[i].array;
    }
    if (found[0] == NULL || (r->two && found[1] == NULL))
        return qp_fail(QP_BAD_USE, "input '%s' of a reduction is missing",
                       found[0] == NULL ? "x" : "y");
    return QP_OK;
}

/* ---- Passes ---- */

static enum qp_status run_map(const struct qp_reduction *r, const struct qp_pass_input *input,
                              const struct qp_pass_number *number)
{
    struct qp_pass pass = {.kernel = r->map,
                           .output = {r->grid != NULL ? r->grid : r->pyramid.level[0]}};
    for (int i = 0; i < QP_KERNEL_INPUTS && input[i].name != NULL; i++)
        pass.input[i] = input[i];
    for (int i = 0; number != NULL && i < QP_KERNEL_NUMBERS && number[i].name != NULL; i++)
        pass.number[i] = number[i];
    return qp_pass_run(&pass);
}

/* The first pass, from the arrays or from what the map left. */
static enum qp_status run_first(struct qp_reduction *r, enum qp_reduction_scale scale,
                                const struct qp_array *x, const struct qp_array *y)
{
    const enum qp_status status = qp_reduction_scale(r, scale);
    struct qp_pass pass = {
        .kernel = r->first[scale], .input = {{"x", x}}, .output = {r->pyramid.level[0]}};
    if (y != NULL) {
        pass.input[1] = (struct qp_pass_input){"y", y};
        pass.number[0] =
            (struct qp_pass_number){.name = "apart", .value = {y->x - x->x, y->y - x->y}};
    }
    return status == QP_OK ? qp_pass_run(&pass) : status;
}

/* All passes; the answer in this scale is in the last level's cell. */
static enum qp_status run(struct qp_reduction *r, enum qp_reduction_scale scale,
                          const struct qp_pass_input *input, const struct qp_pass_number *number)
{
    const struct qp_array *array[2] = {NULL, NULL};
    enum qp_status status = QP_OK;
    if (!r->maps && number != NULL && number[0].name != NULL)
        return qp_fail(QP_BAD_USE, "a reduction without a map has no number '%.64s'",
                       number[0].name);
    if (!r->maps)
        status = check_arrays(r, input, array);
    if (status == QP_OK && r->map != NULL) {
        status = run_map(r, input, number);
        array[0] = r->grid;
        array[1] = NULL;
    }
    if (status == QP_OK && r->first[QP_SCALE_NONE] != NULL)
        status = run_first(r, scale, array[0], array[1]);
    return status == QP_OK && r->climb != NULL ? qp_list_run(r->climb, 1) : status;
}

/* ---- Answers ---- */

/* Runs in the arrays' scale, and in others if the answer wants them. */
static enum qp_status run_and_read(struct qp_reduction *r, const struct qp_pass_input *input,
                                   const struct qp_pass_number *number, struct qp_reduced *out)
{
    union qp_reduction_cell cell[QP_SCALES] = {0};
    enum qp_status status = QP_OK;
    for (int scale = 0; scale < QP_SCALES && status == QP_OK; scale++) {
        if (scale > 0 && !qp_reduction_wants(r, (enum qp_reduction_scale)scale, &cell[0]))
            continue;
        status = run(r, (enum qp_reduction_scale)scale, input, number);
        if (status == QP_OK)
            status = qp_array_read(qp_pyramid_top(&r->pyramid), NULL, &cell[scale], 0);
    }
    if (status == QP_OK)
        qp_reduction_answer(r, cell, out);
    return status;
}

enum qp_status qp_reduce(struct qp_reduction *reduction, const struct qp_pass_input *input,
                         const struct qp_pass_number *number, struct qp_reduced *out)
{
    static const struct qp_pass_input none[1];
    struct qp_call call;
    if (QP_NEED_OUT(out, (struct qp_reduced){.value = NAN}))
        return QP_BAD_USE;
    enum qp_status status = qp_object_begin(&call, reduction, QP_OBJECT_REDUCTION, "reduction");
    if (status == QP_OK)
        status = run_and_read(reduction, input != NULL ? input : none, number, out);
    return qp_call_end(&call, status);
}

static enum qp_status check_answer(const struct qp_reduction *r, const struct qp_array *out)
{
    enum qp_status status = qp_array_check(out, r->context, "out");
    if (status != QP_OK)
        return status;
    const struct qp_array_desc *is = &out->desc;
    if (r->way.to == QP_ARRAY_DOUBLE && r->way.to_channels > 2)
        return qp_fail(QP_BAD_USE, "a place among doubles: no array holds value, column and row of "
                                   "that; take qp_reduce");
    if (is->width == 1 && is->height == 1 && is->type == r->way.to &&
        is->channels == r->way.to_channels)
        return QP_OK;
    static const char *const names[] = {"float", "half", "int", "uint", "double"};
    return qp_fail(QP_BAD_USE,
                   "'out' is an array of %d x %d cells of %d %ss, and this reduction's answer is 1 "
                   "x 1 cell of %d %s%s",
                   is->width, is->height, is->channels, names[is->type], r->way.to_channels,
                   names[r->way.to], r->way.to_channels > 1 ? "s" : "");
}

/* Runs a compensated sum in each scale: the host does not see which of them the answer wants. */
static enum qp_status run_scales(struct qp_reduction *r, const struct qp_pass_input *input,
                                 const struct qp_pass_number *number)
{
    const struct qp_array_desc three = {.width = QP_SCALES, .height = 1, .channels = 4};
    if (!r->sums.compensated)
        return run(r, QP_SCALE_NONE, input, number);
    enum qp_status status =
        r->scaled == NULL ? qp_array_create(r->context, &three, NULL, &r->scaled) : QP_OK;
    for (int scale = 0; scale < QP_SCALES && status == QP_OK; scale++) {
        status = run(r, (enum qp_reduction_scale)scale, input, number);
        if (status == QP_OK)
            status = qp_array_copy(qp_pyramid_top(&r->pyramid), NULL, r->scaled, scale, 0);
    }
    return status;
}

enum qp_status qp_reduce_to(struct qp_reduction *reduction, const struct qp_pass_input *input,
                            const struct qp_pass_number *number, struct qp_array *out)
{
    static const struct qp_pass_input none[1];
    struct qp_call call;
    enum qp_status status = qp_object_begin(&call, reduction, QP_OBJECT_REDUCTION, "reduction");
    if (status == QP_OK)
        status = check_answer(reduction, out);
    if (status == QP_OK)
        status = qp_reduction_answer_kernel(reduction);
    if (status == QP_OK)
        status = run_scales(reduction, input != NULL ? input : none, number);
    if (status == QP_OK) {
        const struct qp_array *last =
            reduction->scaled != NULL ? reduction->scaled : qp_pyramid_top(&reduction->pyramid);
        const struct qp_pass pass = {
            .kernel = reduction->answer, .input = {{"last", last}}, .output = {out}};
        status = qp_pass_run(&pass);
    }
    return qp_call_end(&call, status);
}

/* ---- Arrays without tiles ---- */

static enum qp_status reduce_once(const struct qp_array *x, const struct qp_array *y,
                                  enum qp_reduce_what what, struct qp_reduced *out)
{
    const struct qp_reduction_desc desc = {.what = what, .of = x->desc};
    const struct qp_pass_input input[] = {{"x", x}, {y != NULL ? "y" : NULL, y}, {NULL, NULL}};
    struct qp_reduction *reduction;
    enum qp_status status = qp_reduction_create(x->storage->context, &desc, &reduction);
    if (status == QP_OK)
        status = qp_reduce(reduction, input, NULL, out);
    qp_reduction_destroy(&reduction);
    return status;
}

/* ---- Arrays in tiles ----
 *
 * Each tile is reduced on the device, and the tiles' answers are joined here, in double and always
 * in the same order, row by row. */

static bool is_before(const struct qp_reduced *one, const struct qp_reduced *other)
{
    return one->y < other->y || (one->y == other->y && one->x < other->x);
}

/* NaN is beyond all numbers, and of equal ones the first counts. `most`: larger ones are beyond
 * smaller ones. */
static bool is_beyond(const struct qp_reduced *one, const struct qp_reduced *other, bool most)
{
    if (isnan(one->value) != isnan(other->value))
        return isnan(one->value);
    if (isnan(one->value) || one->value == other->value)
        return is_before(one, other);
    return (one->value > other->value) == most;
}

static void join(enum qp_reduce_what what, const struct qp_reduced *tile, struct qp_reduced *all)
{
    switch (what) {
    case QP_REDUCE_MAX:
    case QP_REDUCE_MAX_PLACE:
    case QP_REDUCE_NORM_MAX:
        if (is_beyond(tile, all, true))
            *all = *tile;
        break;
    case QP_REDUCE_MIN:
    case QP_REDUCE_MIN_PLACE:
        if (is_beyond(tile, all, false))
            *all = *tile;
        break;
    case QP_REDUCE_NORM_2:
        all->value = isnan(tile->value + all->value) ? NAN : hypot(all->value, tile->value);
        break;
    default:
        all->value += tile->value;
    }
}

/* Some cells of one tile as an array that lives. */
static enum qp_status open_cells(const struct qp_array *array, const struct qp_rect *cells,
                                 struct qp_array **out)
{
    struct qp_array tile = qp_tile_at(array, cells->x, cells->y).array;
    tile.x += cells->x;
    tile.y += cells->y;
    tile.desc.width = cells->width;
    tile.desc.height = cells->height;
    tile.storage->users++;
    return qp_array_make(&tile, out);
}

static enum qp_status reduce_cells(const struct qp_array *x, const struct qp_array *y,
                                   const struct qp_rect *cells, enum qp_reduce_what what,
                                   struct qp_reduced *out)
{
    struct qp_array *one = NULL, *other = NULL;
    enum qp_status status = open_cells(x, cells, &one);
    if (status == QP_OK && y != NULL)
        status = open_cells(y, cells, &other);
    if (status == QP_OK)
        status = reduce_once(one, other, what, out);
    qp_array_destroy(&one);
    qp_array_destroy(&other);
    return status;
}

static enum qp_status reduce_tiles(const struct qp_array *x, const struct qp_array *y,
                                   enum qp_reduce_what what, struct qp_reduced *out)
{
    const struct qp_rect all = {0, 0, x->desc.width, x->desc.height};
    const bool has_place = what == QP_REDUCE_MAX_PLACE || what == QP_REDUCE_MIN_PLACE;
    struct qp_tile tile = {0};
    struct qp_reduced total = {0};
    bool first = true;
    while (qp_tile_next(x, &all, &tile)) {
        struct qp_reduced answer;
        const enum qp_status status = reduce_cells(x, y, &tile.cells, what, &answer);
        if (status != QP_OK)
            return status;
        if (has_place) {
            answer.x += tile.cells.x;
            answer.y += tile.cells.y;
        }
        if (first)
            total = answer;
        else
            join(what, &answer, &total);
        first = false;
    }
    *out = total;
    return QP_OK;
}

/* ---- All in one call ---- */

static enum qp_status reduce_any(const struct qp_array *x, const struct qp_array *y,
                                 enum qp_reduce_what what, struct qp_reduced *out)
{
    return (x->tiles != NULL ? reduce_tiles : reduce_once)(x, y, what, out);
}

enum qp_status qp_array_reduce(const struct qp_array *x, enum qp_reduce_what what,
                               struct qp_reduced *out)
{
    struct qp_call call;
    if (QP_NEED_OUT(out, (struct qp_reduced){.value = NAN}))
        return QP_BAD_USE;
    enum qp_status status = qp_array_begin_any(&call, x, "x");
    if (status == QP_OK && what == QP_REDUCE_DOT)
        status = qp_fail(QP_BAD_USE, "a dot product of one array; take qp_array_dot");
    if (status == QP_OK)
        status = reduce_any(x, NULL, what, out);
    return qp_call_end(&call, status);
}

static enum qp_status check_pair(const struct qp_array *x, const struct qp_array *y)
{
    if (x->desc.width != y->desc.width || x->desc.height != y->desc.height)
        return qp_fail(QP_BAD_USE, "'x' has %d x %d cells, and 'y' has %d x %d", x->desc.width,
                       x->desc.height, y->desc.width, y->desc.height);
    if (x->desc.type != y->desc.type || x->desc.channels != y->desc.channels)
        return qp_fail(QP_BAD_USE, "'x' and 'y' differ in type or channels; a reduction with a map "
                                   "takes both (qp_reduction_create)");
    return QP_OK;
}

enum qp_status qp_array_dot(const struct qp_array *x, const struct qp_array *y,
                            struct qp_reduced *out)
{
    struct qp_call call;
    if (QP_NEED_OUT(out, (struct qp_reduced){.value = NAN}))
        return QP_BAD_USE;
    enum qp_status status = qp_array_begin_any(&call, x, "x");
    if (status == QP_OK)
        status = qp_array_check_any(y, x->storage->context, "y");
    if (status == QP_OK)
        status = check_pair(x, y);
    if (status == QP_OK)
        status = reduce_any(x, y, QP_REDUCE_DOT, out);
    return qp_call_end(&call, status);
}
