/* SPDX-License-Identifier: MIT */
/* Convention 3 for access: words of its shaders replaced one by one; each must fail on a problem of
 * the variant's kind. */
#include "support/mutants.h"

#include "lab/ops/access/access.h"

struct wound {
    const char *row, *shader;
    int kind, parameter;
    const char *what, *instead;
};

static const struct wound wounds[] = {
    {"access/fetch_offset", "access/offset.frag", QP_ACCESS_OFFSET, 5, "+ parameter", ""},
    {"access/fetch_offset", "access/offset.frag", QP_ACCESS_OFFSET, 5, "+ parameter",
     "- parameter"},
    {"access/fetch_offset", "access/offset.frag", QP_ACCESS_OFFSET, 5, "from -= count",
     "from -= 0.0"},
    {"access/fetch_offset", "access/offset.frag", QP_ACCESS_OFFSET, 5, "from - row * cells.x",
     "from"},
    {"access/fetch_offset", "access/offset.frag", QP_ACCESS_OFFSET, 5, "origin + vec2", "vec2"},
    {"access/fetch_stride", "access/stride.frag", QP_ACCESS_STRIDE, 3, "* parameter +", "+"},
    {"access/fetch_stride", "access/stride.frag", QP_ACCESS_STRIDE, 3, "column < parameter",
     "true"},
    {"access/fetch_stride", "access/stride.frag", QP_ACCESS_STRIDE, 3, "- column * rows", ""},
    {"access/fetch_stride", "access/stride.frag", QP_ACCESS_STRIDE, 3, "parameter + column",
     "parameter"},
    {"access/fetch_stride", "access/stride.frag", QP_ACCESS_STRIDE, 3, ", row) + 0.5",
     ", row) + 1.5"},
    {"access/fetch_gather", "access/gather.frag", QP_ACCESS_GATHER, 2, "texture2DRect(u, here)",
     "texture2DRect(v, here)"},
    {"access/fetch_gather", "access/gather.frag", QP_ACCESS_GATHER, 2, "texture2DRect(v, here)",
     "texture2DRect(u, here)"},
    {"access/fetch_gather", "access/gather.frag", QP_ACCESS_GATHER, 2, "origin + from", "from"},
    {"access/fetch_gather", "access/gather.frag", QP_ACCESS_GATHER, 2,
     "texture2DRect(x, origin + from", "texture2DRect(x, here + 0.0 * from"},
};

CLEAN_TEST(each_wound_is_noticed)
{
    struct qp_context *context = support_need_context(state);
    for (int k = 0; k < COUNT(wounds); k++) {
        const struct wound *wound = &wounds[k];
        struct victim victim = {
            .context = context, .variant = qp_variant_find(wound->row), .name = wound->shader};
        const struct qp_problem_desc desc = {.op = "access",
                                             .kind = qp_op_access.kinds[wound->kind].name,
                                             .parameter = wound->parameter,
                                             .width = 17,
                                             .height = 13};
        struct qp_problem problem;
        assert_ok(qp_problem_create(&desc, &problem));
        victim.problem = &problem;
        mutants_read(victim.name, victim.text);
        assert_int_equal(mutants_walk(&victim, 1).verdict, QP_PASS);
        assert_true(mutants_replace(&victim, wound->what, wound->instead));
        qp_problem_destroy(&problem);
    }
    assert_int_equal(mutants_tally.survived, 0);
}

GROUP(mutants_set_up, mutants_tear_down)
