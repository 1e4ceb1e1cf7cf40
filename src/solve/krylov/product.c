/* SPDX-License-Identifier: MIT */
/* Kernels of a product, as text for one matrix's layout. */
#include <stdio.h>
#include <stdlib.h>

#include "base/status.h"
#include "solve/krylov/layout.h"

/* ---- Diagonals ---- */

/* Writes the texel `shift` texels after `here`, in rows of `width` and on from a row's end. */
static void write_shifted(FILE *text, int width, int number, int shift)
{
    const int y = shift >= 0 ? shift / width : -((width - 1 - shift) / width),
              x = shift - y * width;
    fprintf(text, "    vec4 x%d = ", number);
    if (x == 0)
        fprintf(text, "x_at(0.0, %d.0);\n", y);
    else
        fprintf(text, "x_cell(here + (here.x < %d.0 ? vec2(%d, %d) : vec2(%d, %d)));\n", width - x,
                x, y, x - width, y + 1);
}

/* Writes the sum over the diagonals. Each texel of x is fetched once; four unknowns that lie in two
 * texels are put together of both. */
static void write_diagonals(FILE *text, const struct qp_krylov_matrix *m)
{
    static const char *const four[] = {"x%d", "vec4(x%d.gba, x%d.r)", "vec4(x%d.ba, x%d.rg)",
                                       "vec4(x%d.a, x%d.rgb)"};
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
        fprintf(text, ";\n");
    }
    fprintf(text, "    return sum;\n}\n");
}

/* ---- Sliced ELL ---- */

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
            "    ivec2 span = span_at(0.0, 0.0);\n"
            "    vec4 sum = vec4(0.0);\n"
            "    for (int k = span.x; k < span.y; k++) {\n"
            "        vec2 at = vec2(k & %d, k >> %d);\n"
            "        ivec4 p = column_cell(at);\n"
            "        sum += a_cell(at) * vec4(unknown(p.x), unknown(p.y), unknown(p.z), "
            "unknown(p.w));\n"
            "    }\n"
            "    return sum;\n"
            "}\n",
            m->width - 1, log2_of(m->width) + 2, m->wide - 1, log2_of(m->wide));
}

enum qp_status qp_krylov_product_create(struct qp_context *context,
                                        const struct qp_krylov_matrix *m, struct qp_kernel **out)
{
    char *body = NULL;
    size_t size = 0;
    FILE *text = open_memstream(&body, &size);
    struct qp_kernel_desc desc = {.name = "product",
                                  .input = {{"x", .channels = 4}, {"a", .channels = 4}},
                                  .output_channels = 4,
                                  .fast = true};
    if (text != NULL && m->layout == QP_KRYLOV_DIAGONALS) {
        write_diagonals(text, m);
    } else if (text != NULL) {
        desc.input[2] = (struct qp_kernel_input){"column", .type = QP_ARRAY_INT, .channels = 4};
        desc.input[3] = (struct qp_kernel_input){"span", .type = QP_ARRAY_INT, .channels = 2};
        write_slices(text, m);
    }
    const bool written = text != NULL && fclose(text) == 0;
    desc.body = body;
    const enum qp_status status =
        written ? qp_kernel_create(context, &desc, out)
                : qp_fail(QP_NO_MEMORY, "out of memory for the text of a product");
    free(body);
    return status;
}
