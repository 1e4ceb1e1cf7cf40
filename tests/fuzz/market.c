/* SPDX-License-Identifier: MIT */
#include "fuzz.h"

#include <math.h>
#include <string.h>

#include "toolkit/io/market.h"

static void check_matrix(const struct qp_market *a)
{
    PROMISE(a->rows >= 1 && a->columns >= 1);
    PROMISE(!a->dense || a->count == (size_t)a->rows * (size_t)a->columns);
    for (size_t k = 0; k < a->count; k++) {
        PROMISE(isfinite(a->value[k]));
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

/* A pipe gives no size in advance; the result of a legal file must be the same. */
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

/* ---- Written and grown, and read again ---- */

static struct qp_market read_text(char *text, size_t size)
{
    struct qp_market a;
    FILE *old = stdin;
    stdin = fmemopen(text, size, "r");
    PROMISE(stdin != NULL && qp_market_read("-", &a) == QP_OK);
    fclose(stdin);
    stdin = old;
    return a;
}

/* The numbers come back as they were; 0 may have lost its sign. */
static void write_and_read(const struct qp_market *a)
{
    if (!a->dense)
        return;
    char *text = NULL;
    size_t size = 0;
    FILE *old = stdout;
    fflush(old);
    stdout = open_memstream(&text, &size);
    PROMISE(stdout != NULL && qp_market_write("-", a->rows, a->columns, a->value) == QP_OK);
    fclose(stdout);
    stdout = old;
    struct qp_market b = read_text(text, size);
    PROMISE(b.dense && a->rows == b.rows && a->columns == b.columns && a->count == b.count);
    for (size_t k = 0; k < a->count; k++)
        PROMISE(a->value[k] == b.value[k]);
    qp_market_destroy(&b);
    free(text);
}

enum last { LONGEST, TOO_LONG };

/* `copies` copies of A down the diagonal, so that a pipe outgrows its first room twice, their
 * entries in an order of their own. The last line is as long as a line may be, or one blank longer.
 */
static char *grow(const struct qp_market *a, int copies, enum last last, size_t *size)
{
    enum { LINE = 65535 };
    char *text = NULL;
    FILE *file = open_memstream(&text, size);
    PROMISE(file != NULL);
    const size_t all = a->count * (size_t)copies;
    fprintf(file, "%%%%MatrixMarket matrix coordinate real general\n%d %d %zu\n", a->rows * copies,
            a->columns * copies, all);
    for (size_t k = 0; k < all; k++) {
        int i, j;
        const int copy = (int)(k % (size_t)copies);
        const size_t entry = k / (size_t)copies;
        qp_market_place(a, entry, &i, &j);
        const int length = fprintf(file, "%d %d %.17g", copy * a->rows + i + 1,
                                   copy * a->columns + j + 1, a->value[entry]);
        fprintf(file, "%*s\n", k + 1 == all ? LINE - length + (last == TOO_LONG) : 0, "");
    }
    fclose(file);
    return text;
}

static void refuse_grown(const struct qp_market *a, int copies, enum last last, const char *words)
{
    size_t size;
    struct qp_market b;
    char *text = grow(a, copies, last, &size);
    FILE *old = stdin;
    stdin = fmemopen(text, size, "r");
    PROMISE(stdin != NULL);
    const enum qp_status status = qp_market_read("-", &b);
    fclose(stdin);
    stdin = old;
    check_refusal(&b, status);
    PROMISE(strstr(qp_error(), words) != NULL);
    free(text);
}

static void read_grown(const struct qp_market *a)
{
    enum { LEAST = 12300, MOST = 2000 };
    if (a->count == 0 || a->count > MOST || a->rows > 1000 || a->columns > 1000)
        return;
    const int copies = LEAST / (int)a->count + 1;
    size_t size;
    struct qp_market b;
    char *text = grow(a, copies, LONGEST, &size);
    b = read_text(text, size);
    PROMISE(b.count == a->count * (size_t)copies && !b.dense && b.rows == a->rows * copies);
    for (size_t k = 0; k < b.count; k++)
        PROMISE(b.value[k] == a->value[k / (size_t)copies]);
    qp_market_destroy(&b);
    free(text);
    refuse_grown(a, copies, TOO_LONG, "over 64 KiB on a line");
}

void fuzz_market(const uint8_t *bytes, size_t size)
{
    struct qp_market a;
    enum qp_status status = qp_market_read(fuzz_file(bytes, size), &a);
    if (status != QP_OK) {
        check_refusal(&a, status);
        return;
    }
    check_matrix(&a);
    read_as_pipe(&a, (uint8_t *)bytes, size);
    write_and_read(&a);
    if (size % 8 == 0)
        read_grown(&a);
    fuzz_solve(&a);
    qp_market_destroy(&a);
}
