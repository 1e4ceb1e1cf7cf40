/* SPDX-License-Identifier: MIT */
#include "solve/krylov/matrix.h"

#include <stdlib.h>

#include "base/status.h"
#include "solve/krylov/layout.h"

/* Entries and places on the device, of both layouts. */
struct filled {
    float *value;
    int *column, *span;
};

static void free_filled(struct filled *f)
{
    free(f->value);
    free(f->column);
    free(f->span);
}

/* ---- Diagonals ---- */

static void fill_diagonals(const struct qp_sparse *from, const struct qp_krylov_matrix *m,
                           float *value)
{
    for (int i = 0; i < from->rows; i++) {
        int d = 0;
        for (size_t k = from->first[i]; k < from->first[i + 1]; k++) {
            while (m->offset[d] != from->column[k] - i)
                d++;
            value[(size_t)(i / 4 * m->count + d) * 4 + (size_t)(i % 4)] = from->value[k];
        }
    }
}

/* ---- Sliced ELL ---- */

static int longs_order(const void *one, const void *other)
{
    const struct qp_krylov_long *a = one, *b = other;
    return (a->row > b->row) - (a->row < b->row);
}

struct qp_krylov_piece qp_krylov_piece_at(const struct qp_sparse *from,
                                          const struct qp_krylov_matrix *m, size_t place)
{
    const size_t unknowns = (size_t)m->width * (size_t)m->height * 4;
    if (place >= unknowns)
        return m->piece[place - unknowns];
    if (place >= (size_t)m->rows)
        return (struct qp_krylov_piece){0, 0, false};
    const struct qp_krylov_long key = {.row = m->order[place]};
    const size_t length = qp_sparse_length(from, key.row);
    if (length <= m->most)
        return (struct qp_krylov_piece){from->first[key.row], length, false};
    const struct qp_krylov_long *cut =
        bsearch(&key, m->cut, (size_t)m->longs, sizeof key, longs_order);
    return (struct qp_krylov_piece){cut->first, cut->count, true};
}

static void fill_slices(const struct qp_sparse *from, const struct qp_krylov_matrix *m,
                        struct filled *f)
{
    const size_t texels = (size_t)m->width * (size_t)m->tall;
    for (size_t t = 0; t < texels; t++) {
        f->span[2 * t] = m->slot[t];
        f->span[2 * t + 1] = m->slot[t + 1];
        for (size_t c = 0; c < 4; c++) {
            const struct qp_krylov_piece piece = qp_krylov_piece_at(from, m, 4 * t + c);
            for (size_t k = 0; k < piece.count; k++) {
                const size_t to = ((size_t)m->slot[t] + k) * 4 + c;
                f->value[to] = piece.of_sums ? 1.0f : from->value[piece.first + k];
                f->column[to] =
                    piece.of_sums ? (int)(piece.first + k) : m->at[from->column[piece.first + k]];
            }
        }
    }
}

/* ---- Arrays ---- */

enum qp_status qp_krylov_matrix_load(struct qp_context *context, const struct qp_sparse *from,
                                     struct qp_krylov_matrix *m)
{
    const bool sliced = m->layout == QP_KRYLOV_SLICED_ELL;
    const size_t cells = (size_t)m->wide * (size_t)m->high * 4,
                 texels = (size_t)m->width * (size_t)m->tall;
    const struct qp_array_desc values = {m->wide, m->high, .channels = 4},
                               columns = {m->wide, m->high, .channels = 4, .type = QP_ARRAY_INT},
                               spans = {m->width, m->tall, .channels = 2, .type = QP_ARRAY_INT};
    struct filled f = {.value = qp_alloc_zero(cells, sizeof *f.value, "entries in texels")};
    if (f.value != NULL && sliced) {
        f.column = qp_alloc_zero(cells, sizeof *f.column, "columns in texels");
        f.span = qp_alloc_zero(2 * texels, sizeof *f.span, "spans of slices");
    }
    enum qp_status status =
        f.value != NULL && (!sliced || (f.column != NULL && f.span != NULL)) ? QP_OK : QP_NO_MEMORY;
    if (status == QP_OK && sliced)
        fill_slices(from, m, &f);
    else if (status == QP_OK)
        fill_diagonals(from, m, f.value);
    if (status == QP_OK)
        status = qp_array_create(context, &values, f.value, &m->values);
    if (status == QP_OK && sliced)
        status = qp_array_create(context, &columns, f.column, &m->columns);
    if (status == QP_OK && sliced)
        status = qp_array_create(context, &spans, f.span, &m->spans);
    free_filled(&f);
    return status == QP_OK ? qp_krylov_product_create(context, m, &m->product) : status;
}

void qp_krylov_matrix_destroy(struct qp_krylov_matrix *m)
{
    qp_kernel_destroy(&m->product);
    qp_array_destroy(&m->spans);
    qp_array_destroy(&m->columns);
    qp_array_destroy(&m->values);
    free(m->order);
    free(m->at);
    free(m->slot);
    free(m->cut);
    free(m->piece);
    *m = (struct qp_krylov_matrix){0};
}

int qp_krylov_matrix_passes(const struct qp_krylov_matrix *m, struct qp_array *x,
                            struct qp_array *y, struct qp_pass *pass)
{
    for (int level = 0; level <= m->levels; level++) {
        const bool last = level == m->levels;
        const int from = last ? 0 : m->level_row[level],
                  to = last ? m->height : m->level_row[level + 1];
        pass[level] = (struct qp_pass){.kernel = m->product,
                                       .input = {{"x", x}, {"a", m->values}},
                                       .output = {last ? y : x},
                                       .region = {0, from, m->width, to - from},
                                       .in_place = !last};
        if (m->layout == QP_KRYLOV_SLICED_ELL) {
            pass[level].input[2] = (struct qp_pass_input){"column", m->columns};
            pass[level].input[3] = (struct qp_pass_input){"span", m->spans};
        }
    }
    return m->levels + 1;
}

void qp_krylov_matrix_pack(const struct qp_krylov_matrix *m, const float *x, float *texels)
{
    const size_t all = (size_t)m->width * (size_t)m->tall * 4;
    for (size_t p = 0; p < all; p++)
        texels[p] = p >= (size_t)m->rows ? 0.0f : x[m->order != NULL ? (size_t)m->order[p] : p];
}

void qp_krylov_matrix_unpack(const struct qp_krylov_matrix *m, const float *texels, float *x)
{
    for (size_t p = 0; p < (size_t)m->rows; p++)
        x[m->order != NULL ? (size_t)m->order[p] : p] = texels[p];
}
