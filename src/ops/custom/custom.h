/* SPDX-License-Identifier: MIT */
/* Operations described at run time: they fill the same struct qp_op, qp_recipe and qp_variant that
 * the table's rows are made of, and nothing behind these files knows the difference. */
#ifndef QP_OPS_CUSTOM_CUSTOM_H
#define QP_OPS_CUSTOM_CUSTOM_H

#include <quadpass/custom.h>

#include "plan/op.h"

/* The fields of a problem: the state, the inputs in their order, and one derived: ones, so that
 * qp_walk's residual is the norm of a step's change. */
enum { QP_CUSTOM_STATE, QP_CUSTOM_INPUT };

struct qp_custom_string {
    struct qp_custom_string *next;
    char text[];
};

struct qp_custom_entry {
    struct qp_custom_entry *next;
    struct qp_variant variant;
    struct qp_recipe recipe;
    const struct qp_custom *custom;
    qp_custom_sweep *sweep; /* one of the four, or none */
    qp_custom_launch *launch;
    qp_custom_sweep_double *sweep_double;
    qp_custom_launch_double *launch_double;
    struct qp_cuda_kernel kernel; /* with a launch */
};

struct qp_custom {
    struct qp_op op; /* first: a problem's operation leads back here */
    struct qp_custom_desc desc;
    int inputs, parameters; /* lengths of the description's lists */
    struct qp_field field[QP_FIELDS + 1];
    struct qp_custom_entry *entries;
    struct qp_custom_string *strings; /* copies of all that the descriptions say */
};

/* A copy of the two texts, one behind the other, that lives as long as the operation; NULL if there
 * is no memory. */
const char *qp_custom_keep(struct qp_custom *custom, const char *first, const char *second);

/* The text in front of a body, kept as others are. Errors: QP_BAD_USE for names that a body cannot have;
 * QP_NO_MEMORY. */
enum qp_status qp_custom_head(struct qp_custom *custom, const char *variant, const char **out);

/* Letters, digits and _, at least one and at most 63. */
bool qp_custom_is_word(const char *name);

/* The grid that a user's functions are given. */
struct qp_custom_grid qp_custom_grid_of(const struct qp_custom *custom, int width, int height,
                                        const float *const *input);

#endif
