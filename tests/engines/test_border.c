/* SPDX-License-Identifier: MIT */
/* Rows between parts, where no device is asked: which way they go, and those on the host. */
#include "support/support.h"

#include <string.h>

#include "lab/engines/parts/border.h"

TEST(ways_between_parts)
{
    static const struct {
        int from, to;
        bool apart;
        enum qp_borders way;
    } cases[] = {{QP_ON_HOST, QP_ON_HOST, false, QP_BORDERS_HOST},
                 {QP_ON_HOST, QP_ON_HOST, true, QP_BORDERS_HOST},
                 {QP_ON_HOST, 0, false, QP_BORDERS_LOCKED},
                 {0, QP_ON_HOST, false, QP_BORDERS_LOCKED},
                 {0, 0, true, QP_BORDERS_LOCKED},
                 {0, 1, true, QP_BORDERS_LOCKED}};
    for (int i = 0; i < COUNT(cases); i++) {
        enum qp_borders way = QP_BORDERS;
        assert_ok(qp_borders_way(cases[i].from, cases[i].to, cases[i].apart, &way));
        assert_int_equal(way, cases[i].way);
    }
}

TEST(rows_on_the_host)
{
    struct qp_border border = {.from = QP_ON_HOST, .to = QP_ON_HOST, .way = QP_BORDERS_HOST};
    assert_ok(qp_border_make(64, &border));
    assert_non_null(border.values);
    assert_null(border.there);
    memset(border.values, 1, 64);
    assert_ok(qp_border_await(&border));
    qp_border_free(&border);
    assert_null(border.values);
}

TEST(ways_have_names)
{
    assert_string_equal(qp_borders_name(QP_BORDERS_DEVICE), "device");
    assert_string_equal(qp_borders_name(QP_BORDERS_PEERS), "peers");
    assert_string_equal(qp_borders_name(QP_BORDERS_LOCKED), "locked");
    assert_string_equal(qp_borders_name(QP_BORDERS_HOST), "host");
    assert_string_equal(qp_borders_name((enum qp_borders)0), "none");
}
