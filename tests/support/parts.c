/* SPDX-License-Identifier: MIT */
#include "support/parts.h"

#include <stdlib.h>
#include <string.h>

#include "lab/engines/choose.h"
#include "lab/ops/poisson5/poisson5.h"
#include "toolkit/base/values.h"

const struct qp_parts_variant *parts_variant(const struct qp_variant *variant)
{
    return variant->recipe->own;
}

const struct qp_variant *parts_whole(const struct qp_variant *variant)
{
    const struct qp_parts_variant *parts = parts_variant(variant);
    const struct qp_variant *whole = qp_variant_find(parts->runs[parts->runs[1].name != NULL].name);
    if (whole == NULL)
        fail_msg("no variant computes what parts of %s do", variant->name);
    return whole;
}

const struct qp_variant *parts_variant_at(struct qp_context *context, enum qp_parts_place place,
                                          int k)
{
    for (size_t i = 0; i < qp_variant_count(); i++) {
        const struct qp_variant *variant = qp_variant_at(i);
        if (strcmp(variant->op, "poisson5") != 0 || variant->recipe->engine != &qp_engine_parts ||
            parts_variant(variant)->place != place || !support_is_built(variant))
            continue;
        if (qp_variant_draws(variant) &&
            (context == NULL || (variant->needs & ~qp_context_device(context)->abilities) != 0))
            continue;
        if (k-- == 0)
            return variant;
    }
    return NULL;
}

struct qp_problem parts_problem(const char *kind, int width, int height, double weight)
{
    const struct qp_problem_desc desc = {.op = "poisson5",
                                         .kind = kind,
                                         .width = width,
                                         .height = height,
                                         .seed = 7,
                                         .weight = weight};
    struct qp_problem problem;
    assert_ok(qp_problem_create(&desc, &problem));
    return problem;
}

bool parts_same_bits(const struct qp_result *a, const struct qp_result *b)
{
    const struct qp_matrix *x = &a->solution, *y = &b->solution;
    const size_t cells = (size_t)x->width * (size_t)x->height;
    return x->precision == y->precision && x->width == y->width && x->height == y->height &&
           memcmp(qp_matrix_values(x), qp_matrix_values(y), cells * qp_value_bytes(x->precision)) ==
               0;
}

void parts_copy_make(const struct qp_variant *variant, struct parts_copy *out)
{
    struct qp_poisson5_variant *own = malloc(sizeof *own);
    assert_non_null(own);
    *own = *qp_poisson5_variant(variant->recipe);
    *out = (struct parts_copy){
        .inner = *parts_whole(variant)->recipe, .outer = *variant->recipe, .own = own};
    out->engine = *qp_engine_of(parts_whole(variant));
    out->rows = *out->engine.rows;
    out->engine.rows = &out->rows;
    out->inner.engine = &out->engine;
    for (int k = 0; k < 2; k++) {
        if (qp_parts_run(&own->parts, k) == parts_whole(variant)->recipe)
            own->parts.runs[k].list = &out->inner;
    }
    out->outer.own = own;
    out->variant = *variant;
    out->variant.recipe = &out->outer;
}

void parts_copy_free(struct parts_copy *copy)
{
    free(copy->own);
}
