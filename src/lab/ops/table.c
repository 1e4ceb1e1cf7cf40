/* SPDX-License-Identifier: MIT */
#include <fnmatch.h>
#include <pthread.h>
#include <string.h>

#include <quadpass/context.h>

#include "lab/ops/table.h"
#include "lab/plan/engine.h"
#include "lab/plan/problem.h"
#include "toolkit/base/caller.h"

/* Declared here alone, so that a new list compiles nothing else anew. */
#define OPERATION(op)      extern const struct qp_op qp_op_##op;
#define VARIANTS(op, list) extern const struct qp_recipe qp_##op##_##list[];
#include "lab/ops/table.def"
#undef OPERATION
#undef VARIANTS

static const struct qp_op *const ops[] = {
#define OPERATION(op) &qp_op_##op,
#define VARIANTS(op, list)
#include "lab/ops/table.def"
#undef OPERATION
#undef VARIANTS
};

static const struct {
    const struct qp_op *op;
    const struct qp_recipe *first;
} lists[] = {
#define OPERATION(op)
#define VARIANTS(op, list) {&qp_op_##op, qp_##op##_##list},
#include "lab/ops/table.def"
#undef OPERATION
#undef VARIANTS
};

enum { MOST = 512 };

static struct qp_variant variants[MOST];
static size_t count;

static void add(const struct qp_op *op, const struct qp_recipe *recipe)
{
    variants[count++] = (struct qp_variant){.name = recipe->name,
                                            .op = op->name,
                                            .backend = recipe->backend,
                                            .layout = recipe->layout,
                                            .needs = qp_recipe_needs(recipe),
                                            .place = recipe->place,
                                            .sentence = recipe->sentence,
                                            .recipe = recipe};
}

static void join_lists(void)
{
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) {
        const struct qp_recipe *recipe = lists[i].first;
        for (; recipe->name != NULL && count < MOST; recipe++)
            add(lists[i].op, recipe);
    }
}

size_t qp_variant_count(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, join_lists);
    return count;
}

const struct qp_variant *qp_variant_at(size_t index)
{
    return index < qp_variant_count() ? &variants[index] : NULL;
}

static const char *short_name(const struct qp_variant *variant)
{
    return strchr(variant->name, '/') + 1;
}

const struct qp_variant *qp_variant_find(const char *name)
{
    if (QP_NEED(name))
        return NULL;
    for (size_t i = 0; i < qp_variant_count(); i++) {
        if (strcmp(variants[i].name, name) == 0 || strcmp(short_name(&variants[i]), name) == 0)
            return &variants[i];
    }
    return NULL;
}

bool qp_variant_matches(const struct qp_variant *variant, const char *pattern)
{
    if (QP_NEED(variant) || QP_NEED(pattern) || qp_variant_check(variant) != QP_OK)
        return false;
    return fnmatch(pattern, variant->name, 0) == 0 ||
           fnmatch(pattern, short_name(variant), 0) == 0 || strcmp(pattern, variant->op) == 0;
}

const struct qp_op *qp_op_find(const char *name)
{
    for (size_t i = 0; i < sizeof ops / sizeof ops[0]; i++) {
        if (strcmp(ops[i]->name, name) == 0)
            return ops[i];
    }
    return NULL;
}

const struct qp_op *qp_op_at(size_t index)
{
    return index < sizeof ops / sizeof ops[0] ? ops[index] : NULL;
}

/* Operation of a variant of the table; NULL for a variant made at run time. */
static const struct qp_op *op_of(const struct qp_variant *variant)
{
    return qp_variant_find(variant->name) == variant ? qp_op_find(variant->op) : NULL;
}

struct qp_cost qp_variant_cost(const struct qp_variant *variant)
{
    if (QP_NEED(variant) || qp_variant_check(variant) != QP_OK)
        return (struct qp_cost){0};
    struct qp_problem first = {.op = op_of(variant)}; /* problem of the first kind that it takes */
    if (first.op != NULL) {
        const struct qp_kind *kind = &first.op->kinds[qp_recipe_first_kind(variant->recipe)];
        first.kind = kind->name;
        first.parameter = kind->range.usual;
    }
    return qp_variant_cost_of(variant, &first);
}

enum qp_status qp_problem_create(const struct qp_problem_desc *desc, struct qp_problem *out)
{
    static const struct qp_problem_desc defaults = {0};
    if (QP_NEED_OUT(out, (struct qp_problem){0}))
        return QP_BAD_USE;
    if (desc == NULL)
        desc = &defaults;
    const char *name = desc->op != NULL ? desc->op : ops[0]->name;
    const struct qp_op *op = qp_op_find(name);
    if (op == NULL)
        return qp_fail(QP_BAD_USE, "stage 1, problem: there is no operation '%s'", name);
    return qp_problem_make(op, desc, out);
}
