/* SPDX-License-Identifier: MIT */
/* Choice of a layout and of its sizes. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/status.h"
#include "solve/krylov/matrix.h"

/* Rows are sorted in windows of WINDOW; rows of up to SHORT entries, or LONG times the mean, but at
 * most PIECE, are not cut. Slices of up to EVEN slots are given equally many where an eighth more
 * is enough. */
enum { WINDOW = 4096, SHORT = 64, LONG = 4, PIECE = 4096, EVEN = 32 };

static enum qp_status too_large(const struct qp_sparse *matrix, const char *what, int limit)
{
    return qp_fail(QP_UNSUPPORTED,
                   "%s of a matrix of %d rows and %zu entries do not fit into a texture of this "
                   "device, which has %d x %d texels at most",
                   what, matrix->rows, matrix->count, limit, limit);
}

/* Rows of texels, `width` in each. */
static int lines_of(size_t texels, int width, int limit)
{
    const size_t lines = texels > 0 ? (texels - 1) / (size_t)width + 1 : 1;
    return lines <= (size_t)limit ? (int)lines : limit + 1;
}

/* ---- Diagonals ---- */

/* The farthest diagonal becomes a shift of whole rows of texels where that fits; else vectors are
 * about square. */
static enum qp_status plan_diagonals(const struct qp_sparse *matrix, int limit,
                                     struct qp_krylov_matrix *m)
{
    const size_t texels = ((size_t)matrix->rows + 3) / 4;
    const int most = limit / m->count, last = abs(m->offset[m->count - 1]) / 4,
              far = abs(m->offset[0]) / 4 > last ? abs(m->offset[0]) / 4 : last,
              square = (int)ceil(sqrt((double)texels));
    const bool fits = far >= EVEN && far <= most && lines_of(texels, far, limit) <= limit;
    m->width = fits ? far : square < most ? square : most;
    m->height = m->tall = lines_of(texels, m->width, limit);
    m->wide = m->width * m->count;
    m->high = m->height;
    return m->height <= limit ? QP_OK : too_large(matrix, "diagonals", limit);
}

/* ---- Sliced ELL ---- */

/* The least power of two whose square is not below `texels`, up to the limit. */
static int square_side(size_t texels, int limit)
{
    int side = 1;
    while ((size_t)side * (size_t)side < texels && side <= limit / 2)
        side *= 2;
    return side;
}

static enum qp_status sort_rows(const struct qp_sparse *matrix, struct qp_krylov_matrix *m)
{
    struct qp_sparse window = *matrix;
    struct qp_by_length sorted;
    enum qp_status status = QP_OK;
    for (int from = 0; from < m->rows && status == QP_OK; from += WINDOW) {
        window.rows = m->rows - from < WINDOW ? m->rows - from : WINDOW;
        window.first = matrix->first + from;
        status = qp_by_length_make(&window, &sorted);
        for (int p = from; p < from + window.rows && status == QP_OK; p++) {
            const int row = m->order[p] = from + sorted.row[p - from];
            m->at[row] = p;
            m->piece[p] =
                (struct qp_krylov_piece){matrix->first[row], qp_sparse_length(matrix, row), false};
        }
        if (status == QP_OK)
            qp_by_length_destroy(&sorted);
    }
    return status;
}

/* Adds a level of sums at place `to`, from the places of the unknowns that add up too much; returns
 * how many sums that takes. `writes` false: counts them alone. */
static size_t cut(struct qp_krylov_matrix *m, size_t to, bool writes)
{
    size_t sums = 0;
    for (int p = 0; p < m->rows; p++) {
        const struct qp_krylov_piece whole = m->piece[p];
        if (whole.count <= m->most)
            continue;
        const size_t parts = (whole.count - 1) / m->most + 1;
        for (size_t k = 0; k < parts && writes; k++) {
            const size_t from = k * m->most, left = whole.count - from;
            m->piece[to + sums + k] = (struct qp_krylov_piece){
                whole.first + from, left < m->most ? left : m->most, whole.of_sums};
        }
        if (writes)
            m->piece[p] = (struct qp_krylov_piece){to + sums, parts, true};
        sums += parts;
    }
    return sums;
}

static enum qp_status cut_rows(const struct qp_sparse *matrix, int limit,
                               struct qp_krylov_matrix *m)
{
    const size_t mean = LONG * (matrix->count / (size_t)m->rows), line = (size_t)m->width * 4;
    m->most = mean < SHORT ? SHORT : mean < PIECE ? mean : PIECE;
    m->level_row[0] = m->tall;
    for (size_t sums; (sums = cut(m, 0, false)) > 0; m->level_row[++m->levels] = m->tall) {
        const int lines = lines_of(sums, (int)line, limit);
        if (lines > limit - m->tall)
            return too_large(matrix, "sums of long rows", limit);
        const size_t from = (size_t)m->tall * line, to = from + (size_t)lines * line;
        struct qp_krylov_piece *all = realloc(m->piece, to * sizeof *all);
        if (all == NULL)
            return qp_fail(QP_NO_MEMORY, "out of memory for sums of long rows");
        m->piece = all;
        for (size_t p = from; p < to; p++)
            all[p] = (struct qp_krylov_piece){0, 0, false};
        cut(m, from, true);
        m->tall += lines;
    }
    return QP_OK;
}

/* Gives each texel of a vector as many slots as its longest row needs; all alike where they nearly
 * are, which takes no sums of places. */
static enum qp_status place_slots(const struct qp_sparse *matrix, int limit,
                                  struct qp_krylov_matrix *m)
{
    const size_t all = (size_t)m->width * (size_t)m->tall;
    size_t slots = 0, longest = 0;
    m->slot = qp_alloc(all + 1, sizeof *m->slot, "slots of slices");
    if (m->slot == NULL)
        return QP_NO_MEMORY;
    for (size_t t = 0; t < all && slots <= INT32_MAX; t++) {
        size_t most = 0;
        for (size_t p = 4 * t; p < 4 * t + 4; p++)
            most = m->piece[p].count > most ? m->piece[p].count : most;
        m->slot[t] = (int)slots;
        slots += most;
        longest = most > longest ? most : longest;
    }
    m->slot[all] = slots <= INT32_MAX ? (int)slots : 0;
    m->wide = square_side(slots, limit);
    m->high = lines_of(slots, m->wide, limit);
    if (m->high > limit || slots > INT32_MAX)
        return too_large(matrix, "entries", limit);
    if (longest > 0 && longest <= EVEN && longest * (size_t)m->width <= (size_t)limit &&
        8 * longest * all <= 9 * slots) {
        m->even = (int)longest;
        m->wide = m->width * m->even;
        m->high = m->tall;
        for (size_t t = 0; t <= all; t++)
            m->slot[t] = (int)(t * longest);
    }
    return QP_OK;
}

static enum qp_status plan_slices(const struct qp_sparse *matrix, int limit,
                                  struct qp_krylov_matrix *m)
{
    const size_t texels = ((size_t)matrix->rows + 3) / 4;
    m->width = square_side(texels, limit);
    m->height = m->tall = lines_of(texels, m->width, limit);
    if (m->height > limit)
        return too_large(matrix, "unknowns", limit);
    const size_t rows = (size_t)m->rows, places = (size_t)m->width * (size_t)m->height * 4;
    m->order = qp_alloc(rows, sizeof *m->order, "the order of rows");
    m->at = qp_alloc(rows, sizeof *m->at, "places of rows");
    m->piece = qp_alloc_zero(places, sizeof *m->piece, "rows in texels");
    if (m->order == NULL || m->at == NULL || m->piece == NULL)
        return QP_NO_MEMORY;
    enum qp_status status = sort_rows(matrix, m);
    if (status == QP_OK)
        status = cut_rows(matrix, limit, m);
    return status == QP_OK ? place_slots(matrix, limit, m) : status;
}

/* ---- Choice ---- */

enum qp_status qp_krylov_matrix_plan(const struct qp_sparse *matrix, enum qp_krylov_layout layout,
                                     int limit, struct qp_krylov_matrix *m)
{
    *m = (struct qp_krylov_matrix){.layout = QP_KRYLOV_SLICED_ELL, .rows = matrix->rows};
    if (layout == QP_KRYLOV_SLICED_ELL)
        return plan_slices(matrix, limit, m);
    m->count = qp_sparse_offsets(matrix, QP_KRYLOV_DIAGONALS_MOST, m->offset);
    const double slots = (double)m->count * m->rows, filled = (double)matrix->count;
    const bool few = m->count > 0 && m->count <= QP_KRYLOV_DIAGONALS_MOST && m->count <= limit;
    if (layout == QP_KRYLOV_DIAGONALS && !few)
        return qp_fail(QP_UNSUPPORTED,
                       "a matrix is stored by diagonals if it has 1 to %d of them; this one has %s",
                       QP_KRYLOV_DIAGONALS_MOST, m->count > 0 ? "more" : "none");
    if (!few || (layout == QP_KRYLOV_BEST && slots > 2.0 * filled))
        return plan_slices(matrix, limit, m);
    m->layout = QP_KRYLOV_DIAGONALS;
    return plan_diagonals(matrix, limit, m);
}

double qp_krylov_matrix_bytes(const struct qp_krylov_matrix *m, int vectors)
{
    const double vector = 16.0 * m->width * m->tall, values = 16.0 * m->wide * m->high;
    return m->layout == QP_KRYLOV_DIAGONALS ? values + vectors * vector
                                            : 2.0 * values + (vectors + 0.5) * vector;
}
