/* SPDX-License-Identifier: MIT */
#include "fuzz.h"

#include <math.h>
#include <string.h>

#include "toolkit/base/values.h"
#include "toolkit/io/npy.h"

static void check_refusal(const struct qp_matrix *m, enum qp_status status)
{
    PROMISE(status == QP_BAD_INPUT || status == QP_NO_MEMORY);
    PROMISE(m->values == NULL && m->doubles == NULL && m->width == 0 && m->height == 0);
    PROMISE(strchr(qp_error(), ':') != NULL && strchr(qp_error(), '\n') == NULL);
}

/* NaN is NaN; its bits may differ between types. */
static void check_same(const struct qp_matrix *a, const struct qp_matrix *b)
{
    PROMISE(a->width == b->width && a->height == b->height && a->precision == b->precision);
    for (size_t i = 0; i < (size_t)a->width * (size_t)a->height; i++) {
        const double one = qp_matrix_value(a, i), two = qp_matrix_value(b, i);
        PROMISE(one == two || (isnan(one) && isnan(two)));
    }
}

/* A pipe gives no size in advance. */
static enum qp_status read_as_pipe(uint8_t *bytes, size_t size, struct qp_matrix *out,
                                   int *channels)
{
    FILE *old = stdin;
    stdin = fmemopen(bytes, size, "r");
    PROMISE(stdin != NULL);
    const enum qp_status status = qp_npy_read("-", out, channels);
    fclose(stdin);
    stdin = old;
    return status;
}

static void write_and_read(const struct qp_matrix *m, int channels)
{
    char *bytes = NULL;
    size_t size = 0;
    struct qp_matrix back;
    int same;
    FILE *old = stdout;
    fflush(old);
    stdout = open_memstream(&bytes, &size);
    PROMISE(stdout != NULL && qp_npy_write("-", m, channels) == QP_OK);
    fclose(stdout);
    stdout = old;
    PROMISE(read_as_pipe((uint8_t *)bytes, size, &back, &same) == QP_OK && same == channels);
    check_same(m, &back);
    qp_matrix_destroy(&back);
    free(bytes);
}

void fuzz_npy(const uint8_t *bytes, size_t size)
{
    struct qp_matrix m, piped;
    int channels, same;
    const enum qp_status status = qp_npy_read(fuzz_file(bytes, size), &m, &channels);
    const enum qp_status other =
        size > 0 ? read_as_pipe((uint8_t *)bytes, size, &piped, &same) : status;
    if (status != QP_OK) {
        check_refusal(&m, status);
        PROMISE(other != QP_OK);
        return;
    }
    PROMISE(other == QP_OK && same == channels && m.width % channels == 0);
    check_same(&m, &piped);
    write_and_read(&m, channels);
    qp_matrix_destroy(&piped);
    qp_matrix_destroy(&m);
}
