/* SPDX-License-Identifier: MIT */
/* Matrices on the device: their kernel, written for one layout, and their arrays. */
#include "solve/krylov/matrix.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/status.h"

/* ---- Kernels ---- */

/* Writes the texel `shift` texels after `here`, in rows of `width` and on from a row's end. */
static void write_shifted(FILE *text, int width, int number, int shift)
{
    const int y = shift >= 0 ? shift / width : -((width - 1 - shift) / width),
              x = shift - y * width;
    fprintf(text, "    vec4 x%d = x_cell(here + (here.x < %d.0 ? vec2(%d, %d) : vec2(%d, %d)));\n",
            number, width - x, x, y, x - width, y + 1);
}

/* Writes the sum over the diagonals. Each texel of x is fetched once; four unknowns that lie in two
 * texels are put together of both. */
static void write_diagonals(FILE *text, const struct qp_krylov_matrix *m)
{
    static const char *const four[] = {"x%d;\n", "vec4(x%d.gba, x%d.r);\n",
                                       "vec4(x%d.ba, x%d.rg);\n", "vec4(x%d.a, x%d.rgb);\n"};
    int fetched = 0, last = 0;
    fprintf(text, "vec4 kernel(vec2 here)\n{\n    vec4 sum = vec4(0.0);\n");
    for (int d = 0; d < m->count; d++) {
        const int part = (m->offset[d] % 4 + 4) % 4, shift = (m->offset[d] - part) / 4;
        for (int next = shift; next <= shift + (part > 0); next++) {
            if (fetched == 0 || next > last)
                write_shifted(text, m->width, fetched++, last = next);
        }
        const int first = fetched - 1 - (last - shift);
        fprintf(text, "    sum += a_cell(vec2(%d.0 * here.x + %d.0, here.y)) * ", m->count, d);
        fprintf(text, four[part], first, first + 1);
    }
    fprintf(text, "    return sum;\n}\n");
}

static int log2_of(int power)
{
    int log = 0;
    while (1 << log < power)
        log++;
    return log;
}

static void write_slices(FILE *text, const struct qp_krylov_matrix *m)
{
    fprintf(text,
            "float unknown(int place)\n"
            "{\n"
            "    vec4 four = x_cell(vec2((place >> 2) & %d, place >> %d));\n"
            "    vec2 two = (place & 2) != 0 ? four.ba : four.rg;\n"
            "    return (place & 1) != 0 ? two.g : two.r;\n"
            "}\n"
            "vec4 kernel(vec2 here)\n"
            "{\n"
            "    vec4 sum = vec4(0.0);\n",
            m->width - 1, log2_of(m->width) + 2);
    if (m->even > 0)
        fprintf(text,
                "    for (int k = 0; k < %d; k++) {\n"
                "        vec2 at = vec2(%d.0 * here.x + float(k), here.y);\n",
                m->even, m->even);
    else
        fprintf(text,
                "    ivec2 span = span_at(0.0, 0.0);\n"
                "    for (int k = span.x; k < span.y; k++) {\n"
                "        vec2 at = vec2(k & %d, k >> %d);\n",
                m->wide - 1, log2_of(m->wide));
    fprintf(text, "        ivec4 p = column_cell(at);\n"
                  "        sum += a_cell(at) * vec4(unknown(p.x), unknown(p.y), unknown(p.z), "
                  "unknown(p.w));\n"
                  "    }\n"
                  "    return sum;\n"
                  "}\n");
}

static enum qp_status make_kernel(struct qp_context *context, struct qp_krylov_matrix *m)
{
    char *body = NULL;
    size_t size = 0;
    FILE *text = open_memstream(&body, &size);
    struct qp_kernel_desc desc = {.name = "product",
                                  .input = {{"x", .channels = 4}, {"a", .channels = 4}},
                                  .output_channels = 4};
    if (m->columns != NULL)
        desc.input[2] = (struct qp_kernel_input){"column", QP_ARRAY_INT, 4, 0};
    if (m->spans != NULL)
        desc.input[3] = (struct qp_kernel_input){"span", QP_ARRAY_INT, 2, 0};
    if (text != NULL)
        (m->layout == QP_KRYLOV_DIAGONALS ? write_diagonals : write_slices)(text, m);
    enum qp_status status = QP_NO_MEMORY;
    if (text == NULL || fclose(text) != 0)
        qp_fail(status, "out of memory for the text of a product");
    else
        status = qp_kernel_create(context, (desc.body = body, &desc), &m->product);
    free(body);
    return status;
}

/* ---- Arrays ---- */

static void fill_diagonals(const struct qp_sparse *from, const struct qp_krylov_matrix *m,
                           float *value)
{
    for (int i = 0; i < from->rows; i++) {
        int d = 0;
        for (size_t k = from->first[i]; k < from->first[i + 1]; k++) {
            while (m->offset[d] != from->column[k] - i)
                d++;
            value[((size_t)(i / 4) * (size_t)m->count + (size_t)d) * 4 + (size_t)(i % 4)] =
                from->value[k];
        }
    }
}

static void fill_slices(const struct qp_sparse *from, const struct qp_krylov_matrix *m,
                        float *value, int *column)
{
    const size_t places = (size_t)m->width * (size_t)m->tall * 4;
    for (size_t p = 0; p < places; p++) {
        const struct qp_krylov_piece piece = m->piece[p];
        for (size_t k = 0; k < piece.count; k++) {
            const size_t to = ((size_t)m->slot[p / 4] + k) * 4 + p % 4, entry = piece.first + k;
            value[to] = piece.of_sums ? 1.0f : from->value[entry];
            column[to] = piece.of_sums ? (int)entry : m->at[from->column[entry]];
        }
    }
}

/* Spans of slots, first and end, for each texel of a vector. */
static enum qp_status make_spans(struct qp_context *context, struct qp_krylov_matrix *m)
{
    const struct qp_array_desc spans = {m->width, m->tall, .channels = 2, .type = QP_ARRAY_INT};
    const size_t texels = (size_t)m->width * (size_t)m->tall;
    int *span = qp_alloc(2 * texels, sizeof *span, "spans of slices");
    if (span == NULL)
        return QP_NO_MEMORY;
    for (size_t t = 0; t < 2 * texels; t++)
        span[t] = m->slot[t / 2 + t % 2];
    const enum qp_status status = qp_array_create(context, &spans, span, &m->spans);
    free(span);
    return status;
}

enum qp_status qp_krylov_matrix_load(struct qp_context *context, const struct qp_sparse *from,
                                     struct qp_krylov_matrix *m)
{
    const bool sliced = m->layout == QP_KRYLOV_SLICED_ELL;
    const size_t cells = (size_t)m->wide * (size_t)m->high * 4;
    const struct qp_array_desc values = {m->wide, m->high, .channels = 4},
                               columns = {m->wide, m->high, .channels = 4, .type = QP_ARRAY_INT};
    float *value = qp_alloc_zero(cells, sizeof *value, "entries in texels");
    int *column = qp_alloc_zero(sliced ? cells : 1, sizeof *column, "columns in texels");
    enum qp_status status = value != NULL && column != NULL ? QP_OK : QP_NO_MEMORY;
    if (status == QP_OK && sliced)
        fill_slices(from, m, value, column);
    else if (status == QP_OK)
        fill_diagonals(from, m, value);
    if (status == QP_OK)
        status = qp_array_create(context, &values, value, &m->values);
    if (status == QP_OK && sliced)
        status = qp_array_create(context, &columns, column, &m->columns);
    free(value);
    free(column);
    if (status == QP_OK && sliced && m->even == 0)
        status = make_spans(context, m);
    return status == QP_OK ? make_kernel(context, m) : status;
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
        if (m->columns != NULL)
            pass[level].input[2] = (struct qp_pass_input){"column", m->columns};
        if (m->spans != NULL)
            pass[level].input[3] = (struct qp_pass_input){"span", m->spans};
    }
    return m->levels + 1;
}

/* ---- Vectors ---- */

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
