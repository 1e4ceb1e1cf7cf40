/* SPDX-License-Identifier: MIT */
#include "support/sparse.h"

#include <stdlib.h>

#include "support/support.h"
#include "toolkit/base/sparse.h"

void support_sparse_problem(struct qp_sparse *matrix, int width, int height, struct qp_problem *out)
{
    while (width < 1 || matrix->rows % width != 0 || (height < 1 && width * width < matrix->rows))
        width++;
    const struct qp_problem_desc desc = {
        .op = "spmv", .kind = "identity", .width = width, .height = matrix->rows / width};
    assert_ok(qp_problem_create(&desc, out));
    qp_sparse_destroy(out->sparse);
    *out->sparse = *matrix;
}

void support_sparse_from_market(const struct qp_market *market, const double *scale,
                                struct qp_sparse *out)
{
    double *ones = calloc((size_t)market->rows, sizeof *ones);
    assert_non_null(ones);
    for (int i = 0; i < market->rows; i++)
        ones[i] = 1.0;
    assert_ok(qp_sparse_read(market, out));
    qp_sparse_scale(out, scale != NULL ? scale : ones);
    free(ones);
}
