/* SPDX-License-Identifier: MIT */
/* Choice of a layout and of its sizes. */
#include "solve/krylov/layout.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/status.h"

/* Rows are sorted in windows of WINDOW; rows of up to SHORT entries, or LONG times the mean, but at
 * most PIECE, are not cut. */
enum { WINDOW = 4096, SHORT = 64, LONG = 4, PIECE = 4096 };

static size_t texels_of(size_t rows)
{
    return (rows + 3) / 4;
}

static enum qp_status too_large(const struct qp_sparse *matrix, const char *what, int limit)
{
    return qp_fail(QP_UNSUPPORTED,
                   "%s of a matrix of %d rows and %zu entries do not fit into a texture of this "
                   "device, which has %d x %d texels at most",
                   what, matrix->rows, matrix->count, limit, limit);
}

/* ---- Diagonals ---- */

static int texel_shift(int offset)
{
    return (offset - ((offset % 4 + 4) % 4)) / 4;
}

/* The farthest diagonal becomes a shift of whole rows of texels where that fits; else vectors are
 * about square. */
static int choose_width(const struct qp_krylov_matrix *m, size_t texels, int limit)
{
    const int most = limit / m->count;
    int width = (int)ceil(sqrt((double)texels));
    for (int d = 0; d < m->count; d++) {
        const int shift = abs(texel_shift(m->offset[d]));
        if (shift >= 32 && shift <= most && (texels - 1) / (size_t)shift < (size_t)limit)
            width = shift;
    }
    return width < most ? width : most;
}

static enum qp_status plan_diagonals(const struct qp_sparse *matrix, int limit,
                                     struct qp_krylov_matrix *m)
{
    const size_t texels = texels_of((size_t)matrix->rows);
    m->width = choose_width(m, texels, limit);
    if ((texels - 1) / (size_t)m->width >= (size_t)limit)
        return too_large(matrix, "diagonals", limit);
    m->height = m->tall = (int)((texels - 1) / (size_t)m->width) + 1;
    m->wide = m->width * m->count;
    m->high = m->height;
    return QP_OK;
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
    m->order = qp_alloc((size_t)m->rows, sizeof *m->order, "the order of rows");
    m->at = qp_alloc((size_t)m->rows, sizeof *m->at, "places of rows");
    enum qp_status status = m->order != NULL && m->at != NULL ? QP_OK : QP_NO_MEMORY;
    for (int from = 0; from < m->rows && status == QP_OK; from += WINDOW) {
        window.rows = m->rows - from < WINDOW ? m->rows - from : WINDOW;
        window.first = matrix->first + from;
        status = qp_by_length_make(&window, &sorted);
        for (int p = 0; p < window.rows && status == QP_OK; p++) {
            m->order[from + p] = from + sorted.row[p];
            m->at[from + sorted.row[p]] = from + p;
        }
        if (status == QP_OK)
            qp_by_length_destroy(&sorted);
    }
    return status;
}

/* Sums of one level: those of each row's `count` terms, cut into pieces, or the same terms as
 * before where they need no cut. Pieces are written where `piece` is not NULL. Returns their
 * number. */
static size_t cut_level(struct qp_krylov_matrix *m, int level, size_t base,
                        struct qp_krylov_piece *piece)
{
    size_t pieces = 0;
    for (int i = 0; i < m->longs; i++) {
        struct qp_krylov_long *cut = &m->cut[i];
        if (cut->count <= m->most)
            continue;
        const size_t parts = (cut->count - 1) / m->most + 1;
        for (size_t k = 0; k < parts && piece != NULL; k++) {
            const size_t from = k * m->most,
                         left = cut->count - from < m->most ? cut->count - from : m->most;
            piece[pieces + k] = (struct qp_krylov_piece){cut->first + from, left, level > 0};
        }
        if (piece != NULL)
            *cut = (struct qp_krylov_long){cut->row, base + pieces, parts};
        pieces += parts;
    }
    return pieces;
}

static enum qp_status cut_rows(const struct qp_sparse *matrix, int limit,
                               struct qp_krylov_matrix *m)
{
    const size_t mean = matrix->count / (size_t)m->rows, line = (size_t)m->width * 4;
    size_t places = 0;
    m->most = LONG * mean > SHORT ? LONG * mean : SHORT;
    m->most = m->most < PIECE ? m->most : PIECE;
    for (int i = 0; i < m->rows; i++)
        m->longs += qp_sparse_length(matrix, i) > m->most;
    m->cut = qp_alloc((size_t)m->longs + 1, sizeof *m->cut, "long rows");
    m->level_row[0] = m->tall = m->height;
    if (m->cut == NULL)
        return QP_NO_MEMORY;
    for (int i = 0, k = 0; i < m->rows; i++) {
        if (qp_sparse_length(matrix, i) > m->most)
            m->cut[k++] = (struct qp_krylov_long){i, matrix->first[i], qp_sparse_length(matrix, i)};
    }
    for (size_t pieces; (pieces = cut_level(m, m->levels, 0, NULL)) > 0;) {
        const size_t lines = (pieces - 1) / line + 1;
        if (lines > (size_t)(limit - m->tall))
            return too_large(matrix, "sums of long rows", limit);
        struct qp_krylov_piece *all = realloc(m->piece, (places + lines * line) * sizeof *m->piece);
        if (all == NULL)
            return qp_fail(QP_NO_MEMORY, "out of memory for pieces of long rows");
        m->piece = all;
        for (size_t k = 0; k < lines * line; k++)
            all[places + k] = (struct qp_krylov_piece){0, 0, false};
        cut_level(m, m->levels, (size_t)m->tall * line, all + places);
        places += lines * line;
        m->tall += (int)lines;
        m->level_row[++m->levels] = m->tall;
    }
    return QP_OK;
}

static enum qp_status plan_slices(const struct qp_sparse *matrix, int limit,
                                  struct qp_krylov_matrix *m)
{
    const size_t texels = texels_of((size_t)matrix->rows);
    m->width = square_side(texels, limit);
    if ((texels - 1) / (size_t)m->width >= (size_t)limit)
        return too_large(matrix, "unknowns", limit);
    m->height = (int)((texels - 1) / (size_t)m->width) + 1;
    enum qp_status status = sort_rows(matrix, m);
    if (status == QP_OK)
        status = cut_rows(matrix, limit, m);
    if (status != QP_OK)
        return status;
    const size_t all = (size_t)m->width * (size_t)m->tall;
    size_t slots = 0;
    m->slot = qp_alloc(all + 1, sizeof *m->slot, "slots of slices");
    if (m->slot == NULL)
        return QP_NO_MEMORY;
    for (size_t t = 0; t < all; t++) {
        size_t most = 0;
        for (size_t c = 0; c < 4; c++) {
            const size_t count = qp_krylov_piece_at(matrix, m, 4 * t + c).count;
            most = count > most ? count : most;
        }
        m->slot[t] = (int)slots;
        slots += most;
        if (slots > INT32_MAX)
            return too_large(matrix, "entries", limit);
    }
    m->slot[all] = (int)slots;
    m->wide = square_side(slots, limit);
    m->high = slots > 0 ? (int)((slots - 1) / (size_t)m->wide) + 1 : 1;
    return m->high <= limit ? QP_OK : too_large(matrix, "entries", limit);
}

/* ---- Choice ---- */

enum qp_status qp_krylov_matrix_plan(const struct qp_sparse *matrix, enum qp_krylov_layout layout,
                                     int limit, struct qp_krylov_matrix *m)
{
    *m = (struct qp_krylov_matrix){.layout = QP_KRYLOV_SLICED_ELL, .rows = matrix->rows};
    if (layout != QP_KRYLOV_SLICED_ELL) {
        m->count = qp_sparse_offsets(matrix, QP_KRYLOV_DIAGONALS_MOST, m->offset);
        const double slots = (double)m->count * m->rows, filled = (double)matrix->count;
        const bool few = m->count > 0 && m->count <= QP_KRYLOV_DIAGONALS_MOST;
        if (layout == QP_KRYLOV_DIAGONALS && !few)
            return qp_fail(QP_UNSUPPORTED,
                           "a matrix is stored by diagonals if it has 1 to %d of "
                           "them; this one has %s",
                           QP_KRYLOV_DIAGONALS_MOST, m->count > 0 ? "more" : "none");
        if (few && (layout == QP_KRYLOV_DIAGONALS || slots <= 2.0 * filled))
            m->layout = QP_KRYLOV_DIAGONALS;
    }
    return m->layout == QP_KRYLOV_DIAGONALS ? plan_diagonals(matrix, limit, m)
                                            : plan_slices(matrix, limit, m);
}

double qp_krylov_matrix_bytes(const struct qp_krylov_matrix *m, int vectors)
{
    const double vector = (double)m->width * m->tall, values = 16.0 * m->wide * m->high;
    return m->layout == QP_KRYLOV_DIAGONALS ? values + 16.0 * vectors * vector
                                            : 2.0 * values + (16.0 * vectors + 8.0) * vector;
}
