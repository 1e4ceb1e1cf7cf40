/* SPDX-License-Identifier: MIT */
/* Bodies of kernels, and how far they look. */
#ifndef QP_TESTS_REACH_H
#define QP_TESTS_REACH_H

#include "support/support.h"

#include "toolkit/kernel/kernel.h"

enum { UNKNOWN = QP_REACH_UNKNOWN };

/* Reads a body with the input x, whose description has this reach, and the number `given`. */
static inline enum qp_status read_body(const char *body, int reach, struct qp_reach *out)
{
    struct qp_kernel kernel = {
        .desc = {.name = "k", .input = {{"x", .reach = reach}}, .number = {{"given"}}},
        .inputs = 1,
        .numbers = 1};
    assert_non_null(kernel.tokens = qp_tokens_read(body));
    const enum qp_status status = qp_reach_find(&kernel);
    qp_tokens_release(&kernel.tokens);
    *out = kernel.reach[0];
    return status;
}

struct row {
    const char *body;
    int cells;
};

static inline void expect(const struct row *rows, int count)
{
    for (int i = 0; i < count; i++) {
        struct qp_reach found;
        assert_ok(read_body(rows[i].body, 0, &found));
        if (found.cells != rows[i].cells || found.held)
            fail_msg("'%s': reach %d, held %d; it should be %d", rows[i].body, found.cells,
                     found.held, rows[i].cells);
    }
}

#define EXPECT(rows) expect(rows, COUNT(rows))

#endif
