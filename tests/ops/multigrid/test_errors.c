/* SPDX-License-Identifier: MIT */
/* The error on all grids, cycle by cycle: the picture of docs/multigrid.md. */
#include "ops/multigrid/solves.h"

#include <stdio.h>

#include "lab/ops/jacobi9/jacobi9.h"
#include "toolkit/base/random.h"

/* Replaces a vector on grid k by that on the next, at whose nodes it is the same, and leaves what
 * interpolation does not make of these: the root of its mean square. */
static double part_of(const struct qp_multigrid *m, int k, double *v, double *fine)
{
    const struct qp_multigrid_grid *grid = &m->grid[k], *coarse = grid + 1;
    const int n = grid->width * grid->height, nodes = coarse->width * coarse->height;
    double *kept = fine + n, sum = 0.0;
    for (int i = 0; i < nodes; i++)
        kept[i] = v[(2 * (i / coarse->width) + grid->up.low) * grid->width +
                    2 * (i % coarse->width) + grid->across.low];
    memset(fine, 0, (size_t)n * sizeof *fine);
    qp_multigrid_prolong(coarse, kept, grid, fine);
    for (int i = 0; i < n; i++)
        sum += (v[i] - fine[i]) * (v[i] - fine[i]) / n;
    memcpy(v, kept, (size_t)nodes * sizeof *v);
    return sqrt(sum);
}

/* Six steps of the smoother, on the finest grid alone. */
static void smooth(struct solve *s)
{
    const struct qp_multigrid_grid *grid = s->multigrid.grid;
    for (int step = 0; step < 6; step++) {
        residual(s);
        for (int i = 0; i < s->n; i++)
            s->x[i] += qp_multigrid_chebyshev3.weight[step % 3] / grid->radius * s->r[i] /
                       grid->row[i / grid->width][QP_JACOBI9_DD * grid->width + i % grid->width];
    }
}

/* Writes the error, which is x, for b is 0, as each grid sees it first. */
static void write_parts(const struct solve *s, const char *when, FILE *file)
{
    double *v = calloc((size_t)s->n * 4, sizeof *v);
    memcpy(v, s->x, (size_t)s->n * sizeof *v);
    for (int k = 0; k + 1 < s->multigrid.grids; k++) {
        const struct qp_multigrid_grid *grid = &s->multigrid.grid[k];
        const double part = part_of(&s->multigrid, k, v, v + s->n);
        fprintf(file, "%d x %d,%.2g,,%s\n", grid->width, grid->height, part, when);
    }
    /* The coarsest grid, 3 x 3 nodes. */
    fprintf(file, "below,%.2g,,%s\n", norm_of(v, 9) / 3.0, when);
    free(v);
}

/* The table that the picture is drawn from is what comes out today; RENEW=1 writes it. */
TEST(errors_on_all_grids)
{
    static const char *const names[] = {"start", "six steps alone", "one cycle", "two cycles"};
    char text[4096] = "", kept[4096] = "";
    const char *path = QP_SOURCE_DIR "/docs/multigrid.csv";
    FILE *out = fmemopen(text, sizeof text, "w");
    struct solve s = begin("field", 127, 127);
    uint64_t seed = 5;
    memset(s.b, 0, (size_t)s.n * sizeof *s.b);
    for (int i = 0; i < s.n; i++)
        s.x[i] = 1.0 + qp_random(&seed, -1.0, 1.0);
    fprintf(out, "# Error by the grid that sees it first\nlabel,value,note,group\n");
    double *first = calloc((size_t)s.n, sizeof *first);
    memcpy(first, s.x, (size_t)s.n * sizeof *first);
    write_parts(&s, names[0], out);
    smooth(&s);
    write_parts(&s, names[1], out);
    memcpy(s.x, first, (size_t)s.n * sizeof *first);
    for (int k = 2; k < COUNT(names); k++) {
        take(&s, &qp_multigrid_schemes[QP_MULTIGRID_CHEBYSHEV3]);
        write_parts(&s, names[k], out);
    }
    fclose(out);
    if (getenv("RENEW") != NULL) {
        FILE *file = fopen(path, "w");
        fputs(text, file);
        fclose(file);
    }
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    kept[fread(kept, 1, sizeof kept - 1, file)] = '\0';
    fclose(file);
    assert_string_equal(text, kept);
    free(first);
    end(&s);
}
