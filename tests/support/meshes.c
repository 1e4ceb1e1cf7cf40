/* SPDX-License-Identifier: MIT */
#include "support/meshes.h"

#include <stdlib.h>

#include "lab/baseline/baseline.h"
#include "lab/plan/problem.h"

static void *room(size_t count, size_t size)
{
    void *values = calloc(count, size);
    assert_non_null(values);
    return values;
}

static double coefficient(const struct mesh *m, int x, int y)
{
    const bool island = (x * 8 / m->width) % 2 && (y * 8 / m->height) % 2;
    return island && m->islands > 0.0 ? m->islands : 1.0;
}

static struct qp_market make(const struct mesh *m)
{
    const int n = m->width * m->height;
    struct qp_market a = {.rows = n,
                          .columns = n,
                          .row = room((size_t)n * 5, sizeof(int)),
                          .column = room((size_t)n * 5, sizeof(int)),
                          .value = room((size_t)n * 5, sizeof(double))};
    static const int side[4][2] = {{-1, 0}, {1, 0}, {0, -1}, {0, 1}};
    for (int i = 0; i < n; i++) {
        double sum = 0.0;
        for (int k = 0; k < 4; k++) {
            const int x = i % m->width + side[k][0], y = i / m->width + side[k][1];
            const bool inside = x >= 0 && x < m->width && y >= 0 && y < m->height;
            const double own = coefficient(m, i % m->width, i / m->width);
            const double other = inside ? coefficient(m, x, y) : own;
            const double unit = k < 2 && m->across > 0.0 ? m->across : 1.0;
            const double coupling = unit * 2.0 * own * other / (own + other);
            sum += inside || !m->rimless ? coupling : 0.0;
            if (!inside)
                continue;
            a.row[a.count] = i;
            a.column[a.count] = y * m->width + x;
            a.value[a.count++] = -coupling;
        }
        a.row[a.count] = a.column[a.count] = i;
        a.value[a.count++] = sum - m->less;
    }
    return a;
}

static struct qp_market make_heart(const struct mesh *m)
{
    struct qp_problem problem;
    struct qp_market a;
    assert_ok(qp_problem_create(
        &(struct qp_problem_desc){
            .op = "multigrid", .kind = "bidomain", .width = m->width, .height = m->height},
        &problem));
    assert_ok(baseline_matrix(&problem, &a));
    qp_problem_destroy(&problem);
    return a;
}

struct qp_market meshes_make(const struct mesh *mesh)
{
    return mesh->heart ? make_heart(mesh) : make(mesh);
}
