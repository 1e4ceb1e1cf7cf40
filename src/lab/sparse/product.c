/* SPDX-License-Identifier: MIT */
/* Matrices on the device: the choice of a layout and of its sizes, their kernel, and their
 * arrays. */
#include "lab/sparse/product.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "toolkit/base/status.h"
#include "toolkit/kernel/kernel.h"

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
                                     struct qp_product *m)
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

static enum qp_status sort_rows(const struct qp_sparse *matrix, struct qp_product *m)
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
                (struct qp_product_piece){matrix->first[row], qp_sparse_length(matrix, row), false};
        }
        if (status == QP_OK)
            qp_by_length_destroy(&sorted);
    }
    return status;
}

/* Takes the order of another matrix's rows. */
static void take_order(const struct qp_sparse *matrix, const struct qp_product *like,
                       struct qp_product *m)
{
    for (int p = 0; p < m->rows; p++) {
        const int row = m->order[p] = like->order[p];
        m->at[row] = p;
        m->piece[p] =
            (struct qp_product_piece){matrix->first[row], qp_sparse_length(matrix, row), false};
    }
}

/* Adds a level of sums at place `to`, from the places of the unknowns that add up too much; returns
 * how many sums that takes. `writes` false: counts them alone. */
static size_t cut(struct qp_product *m, size_t to, bool writes)
{
    size_t sums = 0;
    for (int p = 0; p < m->rows; p++) {
        const struct qp_product_piece whole = m->piece[p];
        if (whole.count <= m->most)
            continue;
        const size_t parts = (whole.count - 1) / m->most + 1;
        for (size_t k = 0; k < parts && writes; k++) {
            const size_t from = k * m->most, left = whole.count - from;
            m->piece[to + sums + k] = (struct qp_product_piece){
                whole.first + from, left < m->most ? left : m->most, whole.of_sums};
        }
        if (writes)
            m->piece[p] = (struct qp_product_piece){to + sums, parts, true};
        sums += parts;
    }
    return sums;
}

static enum qp_status cut_rows(const struct qp_sparse *matrix, int limit, struct qp_product *m)
{
    const size_t mean = LONG * (matrix->count / (size_t)m->rows), line = (size_t)m->width * 4;
    m->most = mean < SHORT ? SHORT : mean < PIECE ? mean : PIECE;
    m->level_row[0] = m->tall;
    for (size_t sums; (sums = cut(m, 0, false)) > 0; m->level_row[++m->levels] = m->tall) {
        const int lines = lines_of(sums, (int)line, limit);
        if (lines > limit - m->tall)
            return too_large(matrix, "sums of long rows", limit);
        const size_t from = (size_t)m->tall * line, to = from + (size_t)lines * line;
        struct qp_product_piece *all = realloc(m->piece, to * sizeof *all);
        if (all == NULL)
            return qp_fail(QP_NO_MEMORY, "out of memory for sums of long rows");
        m->piece = all;
        for (size_t p = from; p < to; p++)
            all[p] = (struct qp_product_piece){0, 0, false};
        cut(m, from, true);
        m->tall += lines;
    }
    return QP_OK;
}

/* Gives each texel of a vector as many slots as its longest row needs, but at least so many;
 * returns the slots of all, and in *most those of the widest. */
static size_t place_slices(struct qp_product *m, size_t least, size_t *most)
{
    const size_t all = (size_t)m->width * (size_t)m->tall;
    struct qp_slice slice = {4, 0, 0};
    *most = 0;
    for (size_t t = 0; t < all; t++) {
        size_t wide = least;
        for (size_t p = 4 * t; p < 4 * t + 4; p++)
            wide = m->piece[p].count > wide ? m->piece[p].count : wide;
        qp_slice_next(&slice, wide, 0);
        m->slot[t] = slice.at;
        *most = wide > *most ? wide : *most;
    }
    return m->slot[all] = slice.at + slice.wide;
}

/* Takes slices that are all alike where they nearly are, which takes no sums of places. */
static enum qp_status choose_width(const struct qp_sparse *matrix, int limit, struct qp_product *m)
{
    const size_t all = (size_t)m->width * (size_t)m->tall;
    size_t longest;
    m->slot = qp_alloc(all + 1, sizeof *m->slot, "slots of slices");
    if (m->slot == NULL)
        return QP_NO_MEMORY;
    const size_t slots = place_slices(m, 0, &longest);
    m->wide = square_side(slots, limit);
    m->high = lines_of(slots, m->wide, limit);
    if (m->high > limit || slots > INT32_MAX)
        return too_large(matrix, "entries", limit);
    if (longest > 0 && longest <= EVEN && longest * (size_t)m->width <= (size_t)limit &&
        8 * longest * all <= 9 * slots) {
        m->even = (int)longest;
        m->wide = m->width * m->even;
        m->high = m->tall;
        place_slices(m, longest, &longest);
    }
    return QP_OK;
}

/* `like` NULL: rows are sorted. */
static enum qp_status plan_slices(const struct qp_sparse *matrix, const struct qp_product *like,
                                  int limit, struct qp_product *m)
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
    enum qp_status status = like == NULL ? sort_rows(matrix, m) : QP_OK;
    if (like != NULL)
        take_order(matrix, like, m);
    if (status == QP_OK)
        status = cut_rows(matrix, limit, m);
    return status == QP_OK ? choose_width(matrix, limit, m) : status;
}

/* ---- Choice ---- */

enum qp_status qp_product_plan(const struct qp_sparse *matrix, enum qp_product_layout layout,
                               int limit, struct qp_product *m)
{
    *m = (struct qp_product){.layout = QP_PRODUCT_SLICED_ELL, .rows = matrix->rows};
    if (layout == QP_PRODUCT_SLICED_ELL)
        return plan_slices(matrix, NULL, limit, m);
    m->count = qp_sparse_offsets(matrix, QP_PRODUCT_DIAGONALS_MOST, m->offset);
    const double slots = (double)m->count * m->rows, filled = (double)matrix->count;
    const bool few = m->count > 0 && m->count <= QP_PRODUCT_DIAGONALS_MOST && m->count <= limit;
    if (layout == QP_PRODUCT_DIAGONALS && !few)
        return qp_fail(QP_UNSUPPORTED,
                       "a matrix is stored by diagonals if it has 1 to %d of them; this one has %s",
                       QP_PRODUCT_DIAGONALS_MOST, m->count > 0 ? "more" : "none");
    if (!few || (layout == QP_PRODUCT_BEST && slots > 2.0 * filled))
        return plan_slices(matrix, NULL, limit, m);
    m->layout = QP_PRODUCT_DIAGONALS;
    return plan_diagonals(matrix, limit, m);
}

enum qp_status qp_product_plan_like(const struct qp_sparse *matrix, const struct qp_product *like,
                                    int limit, struct qp_product *m)
{
    *m = (struct qp_product){.layout = QP_PRODUCT_SLICED_ELL, .rows = matrix->rows};
    return plan_slices(matrix, like, limit, m);
}

double qp_product_bytes(const struct qp_product *m, int vectors)
{
    const double vector = 16.0 * m->width * m->tall, values = 16.0 * m->wide * m->high;
    return m->layout == QP_PRODUCT_DIAGONALS ? values + vectors * vector
                                             : 2.0 * values + (vectors + 0.5) * vector;
}

/* ---- Kernels ---- */

/* Writes the fetch of a texel `shift` texels after `here`, in rows of `width` and on from a row's
 * end. */
static void write_fetch(FILE *line, int width, int number, int shift)
{
    const int y = shift >= 0 ? shift / width : -((width - 1 - shift) / width),
              x = shift - y * width;
    fprintf(line, " FETCH(x%d, %d.0, %d, %d, %d, %d)", number, width - x, x, y, x - width, y + 1);
}

/* Writes the sum over the diagonals. Each texel of x is fetched once; four unknowns that lie in two
 * texels are put together of both. */
static void write_product(FILE *line, const struct qp_product *m)
{
    static const char *const four[] = {"x%d)", "vec4(x%d.gba, x%d.r))", "vec4(x%d.ba, x%d.rg))",
                                       "vec4(x%d.a, x%d.rgb))"};
    int fetched = 0, last = 0;
    fprintf(line, "#define PRODUCT");
    for (int d = 0; d < m->count; d++) {
        const int part = (m->offset[d] % 4 + 4) % 4, shift = (m->offset[d] - part) / 4;
        for (int next = shift; next <= shift + (part > 0); next++) {
            if (fetched == 0 || next > last)
                write_fetch(line, m->width, fetched++, last = next);
        }
        const int first = fetched - 1 - (last - shift);
        fprintf(line, " ADD(%d.0, %d.0, ", m->count, d);
        fprintf(line, four[part], first, first + 1);
    }
    fprintf(line, "\n");
}

static int log2_of(int power)
{
    int log = 0;
    while (1 << log < power)
        log++;
    return log;
}

static void write_widths(FILE *lines, const struct qp_product *m)
{
    fprintf(lines, "#define ACROSS_LESS_1 %d\n#define ACROSS_LOG_4 %d\n", m->width - 1,
            log2_of(m->width) + 2);
    if (m->even > 0)
        fprintf(lines, "#define EVEN %d\n", m->even);
    else
        fprintf(lines, "#define WIDE_LESS_1 %d\n#define WIDE_LOG %d\n", m->wide - 1,
                log2_of(m->wide));
}

const char *qp_product_shader(const struct qp_product *m)
{
    return m->layout == QP_PRODUCT_SLICED_ELL ? "sparse/slices.frag" : "sparse/diagonals.frag";
}

char *qp_product_lines(const struct qp_product *m, struct qp_kernel_desc *desc)
{
    char *lines = NULL;
    size_t size = 0;
    FILE *text = open_memstream(&lines, &size);
    desc->input[0] = (struct qp_kernel_input){"x", QP_ARRAY_FLOAT, 4, 0};
    desc->input[1] = (struct qp_kernel_input){"a", QP_ARRAY_FLOAT, 4, 0};
    if (m->columns != NULL)
        desc->input[2] = (struct qp_kernel_input){"column", QP_ARRAY_INT, 4, 0};
    if (m->spans != NULL)
        desc->input[3] = (struct qp_kernel_input){"span", QP_ARRAY_INT, 2, 0};
    if (text != NULL)
        (m->layout == QP_PRODUCT_SLICED_ELL ? write_widths : write_product)(text, m);
    if (text != NULL && fclose(text) == 0)
        return lines;
    free(lines);
    qp_fail(QP_NO_MEMORY, "out of memory for the text of a product");
    return NULL;
}

enum qp_status qp_product_program(struct qp_context *context, bool computes, struct qp_product *m)
{
    struct qp_kernel_desc desc = {.name = "product", .outputs = 1, .output_channels = 4};
    char *lines = qp_product_lines(m, &desc);
    const struct qp_compute_texts of = {
        .kernel = qp_product_shader(m), .lines = lines, .returns = true};
    const enum qp_status status =
        lines == NULL ? QP_NO_MEMORY
        : computes    ? qp_kernel_computed(context, &of, &desc, &m->product)
                      : qp_kernel_built_in(context, of.kernel, NULL, lines, &desc, &m->product);
    free(lines);
    return status;
}

/* ---- Arrays ---- */

static void fill_pieces(const struct qp_sparse *from, const struct qp_product *m, float *value,
                        int *column)
{
    const size_t places = (size_t)m->width * (size_t)m->tall * 4;
    for (size_t p = 0; p < places; p++) {
        const struct qp_product_piece piece = m->piece[p];
        const struct qp_slice slice = {4, m->slot[p / 4], 0};
        for (size_t k = 0; k < piece.count; k++) {
            const size_t to = qp_slice_place(&slice, (int)(p % 4), k), entry = piece.first + k;
            value[to] = piece.of_sums ? 1.0f : from->value[entry];
            column[to] = piece.of_sums ? (int)entry : m->at[from->column[entry]];
        }
    }
}

/* Spans of slots, first and end, for each texel of a vector. */
static enum qp_status make_spans(struct qp_context *context, struct qp_product *m)
{
    const struct qp_array_desc spans = {m->width, m->tall, .channels = 2, .type = QP_ARRAY_INT};
    const size_t texels = (size_t)m->width * (size_t)m->tall;
    int *span = qp_alloc(2 * texels, sizeof *span, "spans of slices");
    if (span == NULL)
        return QP_NO_MEMORY;
    for (size_t t = 0; t < 2 * texels; t++)
        span[t] = (int)m->slot[t / 2 + t % 2];
    const enum qp_status status = qp_array_create(context, &spans, span, &m->spans);
    free(span);
    return status;
}

enum qp_status qp_product_load(struct qp_context *context, const struct qp_sparse *from,
                               struct qp_product *m)
{
    const bool sliced = m->layout == QP_PRODUCT_SLICED_ELL;
    const size_t cells = (size_t)m->wide * (size_t)m->high * 4;
    const struct qp_array_desc values = {m->wide, m->high, .channels = 4},
                               columns = {m->wide, m->high, .channels = 4, .type = QP_ARRAY_INT};
    float *value = qp_alloc_zero(cells, sizeof *value, "entries in texels");
    int *column = qp_alloc_zero(sliced ? cells : 1, sizeof *column, "columns in texels");
    enum qp_status status = value != NULL && column != NULL ? QP_OK : QP_NO_MEMORY;
    if (status == QP_OK && sliced)
        fill_pieces(from, m, value, column);
    else if (status == QP_OK)
        qp_sparse_put_by_diagonals(from, 4 * m->width, m->offset, m->count, value);
    if (status == QP_OK)
        status = qp_array_create(context, &values, value, &m->values);
    if (status == QP_OK && sliced)
        status = qp_array_create(context, &columns, column, &m->columns);
    free(value);
    free(column);
    if (status == QP_OK && sliced && m->even == 0)
        status = make_spans(context, m);
    return status;
}

void qp_product_destroy(struct qp_product *m)
{
    qp_kernel_destroy(&m->product);
    qp_array_destroy(&m->spans);
    qp_array_destroy(&m->columns);
    qp_array_destroy(&m->values);
    free(m->order);
    free(m->at);
    free(m->slot);
    free(m->piece);
    *m = (struct qp_product){0};
}

int qp_product_passes(const struct qp_product *m, struct qp_array *x, struct qp_array *y,
                      struct qp_pass *pass)
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

/* Moves unknowns into a vector or out of it, by way of its texels: `in` or `out` is NULL. */
static enum qp_status move(const struct qp_product *m, struct qp_array *vector, const float *in,
                           float *out)
{
    const struct qp_rect rows = {0, 0, m->width, in != NULL ? m->tall : m->height};
    float *texels = qp_alloc_zero((size_t)rows.width * (size_t)rows.height * 4, sizeof *texels,
                                  "a vector's texels");
    if (texels == NULL)
        return QP_NO_MEMORY;
    enum qp_status status = in == NULL ? qp_array_read(vector, &rows, texels, 0) : QP_OK;
    for (int p = 0; p < m->rows && status == QP_OK; p++) {
        const int i = m->order != NULL ? m->order[p] : p;
        if (in != NULL)
            texels[p] = in[i];
        else
            out[i] = texels[p];
    }
    if (in != NULL)
        status = qp_array_write(vector, NULL, texels, 0);
    free(texels);
    return status;
}

enum qp_status qp_product_write(const struct qp_product *m, const float *x, struct qp_array *vector)
{
    return move(m, vector, x, NULL);
}

enum qp_status qp_product_read(const struct qp_product *m, const struct qp_array *vector, float *x)
{
    return move(m, (struct qp_array *)vector, NULL, x);
}
