/* SPDX-License-Identifier: MIT */
/* Variants whose shaders are changed, in a copy of the recipe: spoiled and disguised. */
#ifndef QP_WALK_CHANGED_H
#define QP_WALK_CHANGED_H

#include <quadpass/spoil.h>
#include <quadpass/walk.h>

#include "lab/plan/op.h"

/* QP_OK for a variant that draws by fragment shaders of its own and passes as it is, before it is
 * `changed`, such as "spoiled". Errors: QP_BAD_USE; those of qp_walk. */
enum qp_status qp_changed_check(struct qp_context *context, const struct qp_variant *variant,
                                struct qp_problem *problem, int iterations, const char *changed);

/* True for a draw in the short form, whose body is changed. */
bool qp_changed_is_body(const struct qp_draw *draw);

/* A copy of a draw's text, which the caller frees. Errors: those of qp_shader_read. */
enum qp_status qp_changed_text(const struct qp_draw *draw, char **out);

/* True for a text that was refused: a change of what is no call, such as a function's
 * definition. */
bool qp_changed_is_refused(const struct qp_result *result);

/* Walks all mutants of a variant by this function, and counts those that it fails (spoil.c).
 * Errors: the function's; QP_NO_MEMORY. */
typedef enum qp_status qp_spoil_walk(void *user, const struct qp_variant *variant,
                                     struct qp_result *out);
enum qp_status qp_spoil_by(const struct qp_variant *variant, qp_spoil_walk *walk, void *user,
                           const struct qp_spoil_desc *desc, struct qp_spoil_result *out);

#endif
