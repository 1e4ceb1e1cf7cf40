/* SPDX-License-Identifier: MIT */
#include "fuzz.h"

#include <math.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <quadpass/problem.h>

enum { MOST_ROWS = 64 }; /* of which a problem is made */

/* The bytes as a file in memory, under a name that can be opened. */
static const char *as_file(const uint8_t *bytes, size_t size)
{
    static char path[64];
    static int file = -1;
    if (file < 0)
        file = memfd_create("market", MFD_CLOEXEC);
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    PROMISE(ftruncate(file, 0) == 0 && pwrite(file, bytes, size, 0) == (ssize_t)size);
    return path;
}

static void check_matrix(const struct qp_market *a)
{
    PROMISE(a->rows >= 1 && a->columns >= 1);
    PROMISE(!a->dense || a->count == (size_t)a->rows * (size_t)a->columns);
    for (size_t k = 0; k < a->count; k++) {
        PROMISE(isfinite((float)a->value[k]));
        PROMISE(a->dense || (a->row[k] >= 0 && a->row[k] < a->rows));
        PROMISE(a->dense || (a->column[k] >= 0 && a->column[k] < a->columns));
    }
}

static void check_refusal(const struct qp_market *a, enum qp_status status)
{
    PROMISE(status == QP_BAD_INPUT || status == QP_NO_MEMORY);
    PROMISE(a->row == NULL && a->column == NULL && a->value == NULL && a->rows == 0);
    PROMISE(strchr(qp_error(), ':') != NULL && strchr(qp_error(), '\n') == NULL);
}

/* A pipe tells no size in advance; what comes of a legal file must be the same. */
static void read_as_pipe(const struct qp_market *a, uint8_t *bytes, size_t size)
{
    struct qp_market b;
    FILE *old = stdin;
    stdin = fmemopen(bytes, size, "r");
    PROMISE(stdin != NULL && qp_market_read("-", &b) == QP_OK);
    fclose(stdin);
    stdin = old;
    PROMISE(a->rows == b.rows && a->columns == b.columns && a->count == b.count);
    PROMISE(a->dense == b.dense);
    PROMISE(a->count == 0 || memcmp(a->value, b.value, a->count * sizeof *a->value) == 0);
    PROMISE(a->dense || a->count == 0 ||
            (memcmp(a->row, b.row, a->count * sizeof *a->row) == 0 &&
             memcmp(a->column, b.column, a->count * sizeof *a->column) == 0));
    qp_market_destroy(&b);
}

static void put_on_a_grid(const struct qp_market *a)
{
    struct qp_problem problem;
    const bool fits = qp_problem_has_grid(a);
    if (a->rows > MOST_ROWS)
        return;
    enum qp_status status = qp_problem_from_market(a, 0, 0, &problem);
    PROMISE(status != QP_OK || fits);
    PROMISE(status == QP_OK || status == QP_BAD_INPUT || status == QP_BAD_USE);
    PROMISE(status != QP_OK || problem.width * problem.height == a->rows);
    PROMISE(status != QP_OK || (problem.weight > 0.0 && problem.weight < 2.0));
    qp_problem_destroy(&problem);
}

void fuzz_market(const uint8_t *bytes, size_t size)
{
    struct qp_market a;
    enum qp_status status = qp_market_read(as_file(bytes, size), &a);
    if (status != QP_OK) {
        check_refusal(&a, status);
        return;
    }
    check_matrix(&a);
    read_as_pipe(&a, (uint8_t *)bytes, size);
    put_on_a_grid(&a);
    qp_market_destroy(&a);
}
