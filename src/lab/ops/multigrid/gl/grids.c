/* SPDX-License-Identifier: MIT */
#include "lab/ops/multigrid/multigrid.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "toolkit/base/whole.h"

enum { ENOUGH = 4096 /* texels that are worth a draw of their own, and four for the rim */ };

/* Facts that all textures of a plan have in common. */
struct making {
    const struct qp_plan *plan;
    enum qp_format format;
    int nodes; /* in a texel */
};

/* Room for texels of `channels` values, all 0. */
static float *make_room(int width, int height, int channels)
{
    return qp_alloc_zero((size_t)width * (size_t)height, (size_t)channels * sizeof(float),
                         "a multigrid's texels");
}

/* Makes a texture of these texels, which it frees; NULL: there was no memory for them. */
static enum qp_status make_texture(const struct making *making, enum qp_format format, int width,
                                   int height, float *texels, struct qp_texture *out)
{
    if (texels == NULL)
        return QP_NO_MEMORY;
    const enum qp_status status =
        qp_texture_create(making->plan->context, qp_gl_target(making->plan->target), format, width,
                          height, texels, out);
    free(texels);
    return status;
}

/* ---- The matrix ---- */

static double band_of(const struct qp_multigrid_grid *grid, int k, int x, int y)
{
    return grid->row[y][k * grid->width + x];
}

static double sum_of(const struct qp_multigrid_grid *grid, int x, int y)
{
    double sum = 0.0;
    for (int k = 0; k < QP_JACOBI9_BANDS; k++)
        sum += band_of(grid, k, x, y);
    return sum;
}

/* Finds the row with most equal ones after it. */
static void find_repeats(const struct qp_multigrid_grid *grid, struct qp_multigrid_textures *out)
{
    for (int y = 0, first = 0; y < grid->height; y++) {
        first = grid->row[y] == grid->row[first] ? first : y;
        if (y - first > out->repeats || y == 0) {
            out->first = first;
            out->repeats = y - first;
        }
    }
}

static bool is_alike(const struct qp_multigrid_grid *grid, int x, int other, int y)
{
    int k = 0;
    while (k < QP_JACOBI9_BANDS && band_of(grid, k, x, y) == band_of(grid, k, other, y))
        k++;
    return k == QP_JACOBI9_BANDS;
}

/* The area of these nodes, if its whole texels are enough. */
static struct qp_multigrid_area area_of(int nodes, int x0, int y0, int x1, int y1)
{
    const struct qp_multigrid_area area = {qp_groups_in(x0, nodes), y0, x1 / nodes, y1};
    const bool enough = area.x0 < area.x1 && area.y0 < area.y1 &&
                        (double)(area.x1 - area.x0) * (area.y1 - area.y0) >= ENOUGH;
    return enough ? area : (struct qp_multigrid_area){0};
}

/* Finds the area around the middle column, in rows that repeat, where all nodes are alike. */
static void find_equal(const struct qp_multigrid_grid *grid, int nodes,
                       struct qp_multigrid_textures *out)
{
    const int middle = grid->width / 2, y = out->first;
    int low = middle, high = middle + 1;
    while (low > 0 && is_alike(grid, low - 1, middle, y))
        low--;
    while (high < grid->width && is_alike(grid, high, middle, y))
        high++;
    out->equal = area_of(nodes, low, y, high, y + out->repeats + 1);
    const double inside[] = {out->equal.x0, out->equal.y0, out->equal.x1, out->equal.y1};
    memcpy(out->inside, inside, sizeof inside);
    out->diagonal = band_of(grid, QP_JACOBI9_DD, middle, y);
    for (int k = 0; k < QP_JACOBI9_BANDS; k++)
        out->band[k] = band_of(grid, k, middle, y) / out->diagonal;
    out->band[QP_JACOBI9_DD] = sum_of(grid, middle, y) / out->diagonal;
    out->five = out->band[QP_JACOBI9_LL] == 0.0 && out->band[QP_JACOBI9_LU] == 0.0 &&
                out->band[QP_JACOBI9_UL] == 0.0 && out->band[QP_JACOBI9_UU] == 0.0;
}

/* Band k of node x, in the texels of a row of the matrix. */
static float *place_of(int nodes, int width, int k, int x, float *row)
{
    static const int place[QP_JACOBI9_BANDS] = {
        [QP_JACOBI9_DL] = 0, [QP_JACOBI9_DU] = 1, [QP_JACOBI9_LD] = 2,
        [QP_JACOBI9_UD] = 3, [QP_JACOBI9_LL] = 4, [QP_JACOBI9_LU] = 5,
        [QP_JACOBI9_UL] = 6, [QP_JACOBI9_UU] = 7, [QP_JACOBI9_DD] = 8};
    if (nodes == 1)
        return row + 4 * (place[k] / 4 * width + x) + place[k] % 4;
    const int block = k == QP_JACOBI9_DD ? QP_JACOBI9_UU : k - 1;
    return row + 4 * (block * width + x / 4) + x % 4;
}

/* The matrix over its diagonal, or as it is. */
static enum qp_status make_bands(const struct making *making, const struct qp_multigrid_grid *grid,
                                 bool exact, const struct qp_multigrid_textures *out,
                                 struct qp_texture *bands)
{
    const int blocks = making->nodes == 1 ? 3 : QP_JACOBI9_BANDS + 1;
    const int width = blocks * out->width, height = out->height - out->repeats;
    float *texels = make_room(width, height, 4);
    for (int line = 0; line < height && texels != NULL; line++) {
        const int y = line <= out->first ? line : line + out->repeats;
        float *row = texels + (size_t)line * (size_t)width * 4;
        for (int i = 0; i < grid->width * QP_JACOBI9_BANDS; i++) {
            const int k = i / grid->width, x = i % grid->width;
            const double diagonal = band_of(grid, QP_JACOBI9_DD, x, y);
            *place_of(making->nodes, out->width, k, x, row) =
                (float)(band_of(grid, k, x, y) / (exact || k == QP_JACOBI9_DD ? 1.0 : diagonal));
        }
        for (int x = 0; x < grid->width && making->nodes > 1; x++)
            row[4 * QP_JACOBI9_BANDS * out->width + x] =
                (float)(sum_of(grid, x, y) / band_of(grid, QP_JACOBI9_DD, x, y));
        for (int x = grid->width; x < out->width * making->nodes && !exact; x++)
            *place_of(making->nodes, out->width, QP_JACOBI9_DD, x, row) = 1.0f; /* divides 0 */
    }
    return make_texture(making, QP_RGBA32F, width, height, texels, bands);
}

/* ---- Between grids ---- */

static enum qp_status make_line(const struct making *making, struct qp_multigrid_line fine,
                                int coarse, struct qp_texture *share, struct qp_texture *weights)
{
    /* Nodes of the last texel after a row's end have shares and weights of 0. */
    const int fine_room = qp_groups_in(fine.nodes, making->nodes) * making->nodes;
    const int coarse_room = qp_groups_in(coarse, making->nodes) * making->nodes;
    float *shares = make_room(fine_room, 1, 4), *takes = make_room(coarse_room, 1, 4);
    for (int x = 0; x < fine.nodes && shares != NULL && takes != NULL; x++) {
        const struct qp_multigrid_share own = qp_multigrid_share_of(fine, x);
        shares[4 * x] = (float)own.at;
        for (int side = 0; side < 2; side++) {
            const int k = own.at + side, j = x - (2 * k + fine.low - 1);
            shares[4 * x + 1 + side] = (float)own.weight[side];
            if (own.weight[side] != 0.0)
                takes[4 * k + j] = (float)own.weight[side];
        }
    }
    enum qp_status status = make_texture(making, QP_RGBA32F, fine_room, 1, shares, share);
    if (status != QP_OK) {
        free(takes);
        return status;
    }
    return make_texture(making, QP_RGBA32F, coarse_room, 1, takes, weights);
}

/* True for a node that is a coarse one, or in the middle between two that exist. */
static bool is_regular(struct qp_multigrid_line fine, int x)
{
    const struct qp_multigrid_share share = qp_multigrid_share_of(fine, x);
    const int place = x + fine.low;
    return share.at >= 0 && share.at == place / 2 - fine.low &&
           share.weight[0] == (place % 2 ? 0.5 : 1.0) && share.weight[1] == (place % 2 ? 0.5 : 0.0);
}

/* Finds regular nodes around the middle, and the coarse nodes that take no others. */
static void find_regular(struct qp_multigrid_line fine, int *low, int *high, int *first, int *end)
{
    *low = *high = fine.nodes / 2;
    while (*low > 0 && is_regular(fine, *low - 1))
        --*low;
    while (*high < fine.nodes && is_regular(fine, *high))
        ++*high;
    *first = (*low + 2 - fine.low) / 2;
    *end = (*high - 2 - fine.low) / 2 + 1;
}

static void find_transfers(const struct qp_multigrid_grid *grid, int nodes,
                           const struct qp_multigrid_textures *coarse,
                           struct qp_multigrid_textures *out)
{
    int x0, x1, y0, y1, first_x, end_x, first_y, end_y;
    const struct qp_multigrid_area equal = coarse->equal;
    find_regular(grid->across, &x0, &x1, &first_x, &end_x);
    find_regular(grid->up, &y0, &y1, &first_y, &end_y);
    out->regular = area_of(nodes, x0, y0, x1, y1);
    if (equal.x1 > 0)
        out->gathers =
            area_of(nodes, qp_most(first_x, equal.x0 * nodes), qp_most(first_y, equal.y0),
                    qp_least(end_x, equal.x1 * nodes), qp_least(end_y, equal.y1));
}

/* ---- Grids ---- */

static enum qp_status make_vector(const struct making *making,
                                  const struct qp_multigrid_textures *grid,
                                  struct qp_render_texture *out)
{
    return qp_render_texture_create(making->plan->context, qp_gl_target(making->plan->target),
                                    making->format, grid->width, grid->height, 0, NULL, out);
}

static enum qp_status make_grid(const struct making *making, const struct qp_multigrid_grid *from,
                                bool coarsest, struct qp_multigrid_textures *out)
{
    *out = (struct qp_multigrid_textures){.width = qp_groups_in(from->width, making->nodes),
                                          .height = from->height,
                                          .nodes = from->width,
                                          .radius = from->radius,
                                          .rim = {from->across.low, from->up.low}};
    find_repeats(from, out);
    find_equal(from, making->nodes, out);
    enum qp_status status = make_bands(making, from, false, out, &out->bands);
    if (status == QP_OK && !coarsest)
        status = make_line(making, from->across, from[1].width, &out->share[0], &out->weights[0]);
    if (status == QP_OK && !coarsest)
        status = make_line(making, from->up, from[1].height, &out->share[1], &out->weights[1]);
    if (status == QP_OK)
        status = make_vector(making, out, &out->b);
    for (int i = 0; i < 2 && status == QP_OK; i++)
        status = make_vector(making, out, &out->x[i]);
    return status;
}

/* ---- The coarsest grids ---- */

/* Number of the first grid that is taken at once with those after it. */
static int first_small(const struct qp_multigrid *multigrid)
{
    int k = multigrid->grids, all = 0;
    for (int nodes = 0; k > 0; k--) {
        const struct qp_multigrid_grid *grid = &multigrid->grid[k - 1];
        nodes = (int)fmin((double)grid->width * grid->height, QP_MULTIGRID_ALL_NODES);
        if (nodes > QP_MULTIGRID_SMALL_NODES || nodes + all > QP_MULTIGRID_ALL_NODES ||
            multigrid->grids - k == QP_MULTIGRID_SMALL)
            break;
        all += nodes;
    }
    return k;
}

/* The six texels of a node (small.comp); `above` is the next finer grid, or NULL. */
static void fill_node(const struct qp_multigrid_grid *grid, const struct qp_multigrid_grid *above,
                      int x, int y, float texel[24])
{
    const struct qp_multigrid_share across = qp_multigrid_share_of(grid->across, x);
    const struct qp_multigrid_share up = qp_multigrid_share_of(grid->up, y);
    const double diagonal = band_of(grid, QP_JACOBI9_DD, x, y);
    for (int k = 0; k < QP_JACOBI9_BANDS; k++)
        *place_of(1, 1, k, 0, texel) = (float)(band_of(grid, k, x, y) / diagonal);
    const double own[] = {across.at, across.weight[0], across.weight[1], diagonal,
                          up.at,     up.weight[0],     up.weight[1]};
    for (int j = 0; j < 7; j++)
        texel[8 + j] = (float)own[j];
    for (int j = 0; j < 8 && above != NULL; j++) {
        const struct qp_multigrid_line line = j < 4 ? above->across : above->up;
        const int k = j < 4 ? x : y, from = 2 * k + line.low - 1 + j % 4;
        if (from < 0 || from >= line.nodes)
            continue;
        const struct qp_multigrid_share share = qp_multigrid_share_of(line, from);
        texel[16 + j] = (float)(share.at == k       ? share.weight[0]
                                : share.at == k - 1 ? share.weight[1]
                                                    : 0.0);
    }
}

static enum qp_status make_small(const struct making *making, const struct qp_multigrid *multigrid,
                                 int first, struct qp_multigrid_gl *out)
{
    enum { LINE = 64 /* nodes */ };
    float *texels = make_room(6 * LINE, QP_MULTIGRID_ALL_NODES / LINE, 4);
    int node = 0;
    out->small = multigrid->grids - first;
    for (int k = 0; k < out->small && texels != NULL; k++) {
        const struct qp_multigrid_grid *grid = &multigrid->grid[first + k];
        const double number[] = {grid->width,  grid->height,     node,
                                 grid->radius, grid->across.low, grid->up.low};
        memcpy(&out->number[8 * k], number, sizeof number);
        for (int i = 0; i < grid->width * grid->height; i++, node++)
            fill_node(grid, k > 0 ? grid - 1 : NULL, i % grid->width, i / grid->width,
                      texels + 24 * (size_t)node);
    }
    return make_texture(making, QP_RGBA32F, 6 * LINE, QP_MULTIGRID_ALL_NODES / LINE, texels,
                        &out->nodes);
}

/* With four nodes a texel, a row has for each texel of b the four columns of its nodes. */
static enum qp_status make_inverse(const struct making *making,
                                   const struct qp_multigrid *multigrid, struct qp_texture *out)
{
    const struct qp_multigrid_grid *grid = &multigrid->grid[multigrid->grids - 1];
    const int nodes = making->nodes, n = grid->width * grid->height;
    const int across = qp_groups_in(grid->width, nodes), width = across * grid->height;
    float *texels = make_room(width, n, nodes);
    for (int i = 0; i < n * n && texels != NULL; i++) {
        const int j = i % n, x = j % grid->width, y = j / grid->width;
        const int at = (y * across + x / nodes) * nodes + x % nodes;
        texels[(size_t)(i / n) * (size_t)width * (size_t)nodes + (size_t)at] =
            (float)(multigrid->inverse[i] * band_of(grid, QP_JACOBI9_DD, x, y));
    }
    return make_texture(making, nodes == 1 ? QP_LUMINANCE32F : QP_RGBA32F, width, n, texels, out);
}

static enum qp_status make_right(const struct making *making, bool exact,
                                 struct qp_multigrid_gl *out)
{
    const struct qp_matrix *field = making->plan->problem->field;
    const struct qp_matrix *b = &field[QP_MULTIGRID_B], *diagonal = &field[QP_JACOBI9_DD];
    const int nodes = making->nodes, across = qp_groups_in(b->width, nodes);
    const size_t width = (size_t)b->width, n = width * (size_t)b->height;
    float *texels = make_room(across, b->height, nodes);
    out->mean = 0.0;
    for (size_t i = 0; i < n && out->singular; i++)
        out->mean += b->values[i] / (double)n;
    for (size_t i = 0; i < n && texels != NULL; i++) {
        const double value = (b->values[i] - out->mean) / qp_matrix_value(diagonal, i);
        texels[i / width * (size_t)(across * nodes) + i % width] =
            exact ? b->values[i] : (float)value;
    }
    qp_texture_destroy(&out->right);
    return make_texture(making, making->format, across, b->height, texels, &out->right);
}

static enum qp_status make_exact(const struct making *making, const struct qp_multigrid_grid *grid,
                                 struct qp_multigrid_gl *out)
{
    for (int k = 0; k < QP_JACOBI9_BANDS; k++)
        out->row[k] = band_of(grid, k, grid->width / 2, out->grid->first);
    return make_bands(making, grid, true, out->grid, &out->exact);
}

static enum qp_status make_all(const struct making *making, const struct qp_multigrid *multigrid,
                               const struct qp_multigrid_layout *needs, struct qp_multigrid_gl *out)
{
    const struct making single = {making->plan, QP_R32F, 1};
    const int grids = needs->at_once ? first_small(multigrid) + 1 : multigrid->grids;
    enum qp_status status = QP_OK;
    for (int k = 0; k < grids && status == QP_OK; k++) {
        out->grids = k + 1;
        status = make_grid(making, &multigrid->grid[k], k + 1 == grids, &out->grid[k]);
    }
    for (int k = 0; k + 1 < grids && status == QP_OK; k++)
        find_transfers(&multigrid->grid[k], making->nodes, &out->grid[k + 1], &out->grid[k]);
    if (status == QP_OK && needs->at_once)
        status = make_small(making, multigrid, grids - 1, out);
    if (status == QP_OK)
        status = make_inverse(needs->at_once ? &single : making, multigrid, &out->inverse);
    if (status == QP_OK && needs->exact)
        status = make_exact(making, multigrid->grid, out);
    out->singular = multigrid->singular;
    return status == QP_OK ? make_right(making, needs->exact, out) : status;
}

enum qp_status qp_multigrid_gl_make(const struct qp_plan *plan,
                                    const struct qp_multigrid_layout *needs,
                                    struct qp_multigrid_gl *out)
{
    const struct making making = {plan, needs->format, needs->nodes};
    struct qp_multigrid multigrid = {0};
    out->scheme = &qp_multigrid_schemes[qp_multigrid_scheme_of(plan->variant->recipe)];
    enum qp_status status =
        qp_multigrid_make(plan->problem->field, out->scheme->bottom, &multigrid);
    if (status == QP_OK)
        status = make_all(&making, &multigrid, needs, out);
    qp_multigrid_free(&multigrid);
    return status;
}

enum qp_status qp_multigrid_gl_renew(const struct qp_plan *plan,
                                     const struct qp_multigrid_layout *needs,
                                     struct qp_multigrid_gl *textures)
{
    const struct making making = {plan, needs->format, needs->nodes};
    return make_right(&making, needs->exact, textures);
}

void qp_multigrid_gl_destroy(struct qp_multigrid_gl *textures)
{
    for (int k = 0; k < textures->grids; k++) {
        struct qp_multigrid_textures *grid = &textures->grid[k];
        qp_texture_destroy(&grid->bands);
        for (int i = 0; i < 2; i++) {
            qp_texture_destroy(&grid->share[i]);
            qp_texture_destroy(&grid->weights[i]);
            qp_render_texture_destroy(&grid->x[i]);
        }
        qp_render_texture_destroy(&grid->b);
    }
    qp_texture_destroy(&textures->right);
    qp_texture_destroy(&textures->inverse);
    qp_texture_destroy(&textures->nodes);
    qp_texture_destroy(&textures->exact);
}
