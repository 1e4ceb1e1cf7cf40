/* SPDX-License-Identifier: MIT */
/* Parts of matrix.h's layouts: the kernel of a product, and what a place of a vector adds up. */
#ifndef QP_SOLVE_KRYLOV_LAYOUT_H
#define QP_SOLVE_KRYLOV_LAYOUT_H

#include "solve/krylov/matrix.h"

/* Errors: those of qp_kernel_create. */
enum qp_status qp_krylov_product_create(struct qp_context *context,
                                        const struct qp_krylov_matrix *matrix,
                                        struct qp_kernel **out);

/* Entries, or sums of pieces, that a place of a vector adds up in a product; of a place that holds
 * nothing none. */
struct qp_krylov_piece qp_krylov_piece_at(const struct qp_sparse *from,
                                          const struct qp_krylov_matrix *matrix, size_t place);

#endif
