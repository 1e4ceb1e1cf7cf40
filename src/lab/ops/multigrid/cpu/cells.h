/* SPDX-License-Identifier: MIT */
/* Loops over the nodes of a row, for cycle.c, which defines VALUE and NAME. Pointers are to the
 * row's first node. */

#if defined(VALUE) /* included by itself it says nothing */

/* out = x + weight D^-1 (b - A x), or b - A x for a weight of 0, of rows x[0] below, x[1], x[2]
 * above. */
QP_EACH_VECTOR_SET
static void NAME(relax)(const void *row, long line, int n, double weight, const void *const x[3],
                        const void *right, void *out)
{
    const VALUE *a = row, *b = right, *below = x[0], *here = x[1], *above = x[2];
    const VALUE *inverse = a + QP_JACOBI9_BANDS * line, w = (VALUE)weight;
    const VALUE *ll = a + QP_JACOBI9_LL * line, *ld = a + QP_JACOBI9_LD * line;
    const VALUE *lu = a + QP_JACOBI9_LU * line, *dl = a + QP_JACOBI9_DL * line;
    const VALUE *du = a + QP_JACOBI9_DU * line, *ul = a + QP_JACOBI9_UL * line;
    const VALUE *ud = a + QP_JACOBI9_UD * line, *uu = a + QP_JACOBI9_UU * line;
    VALUE *restrict to = out;
#define RESIDUAL(i)                                                                 \
    (b[i] - ((a[i] * here[i] + (dl[i] * here[(i)-1] + du[i] * here[(i) + 1])) +     \
             ((ll[i] * below[(i)-1] + ld[i] * below[i]) + lu[i] * below[(i) + 1]) + \
             ((ul[i] * above[(i)-1] + ud[i] * above[i]) + uu[i] * above[(i) + 1])))
    if (weight == 0.0) {
#pragma omp simd
        for (int i = 0; i < n; i++)
            to[i] = RESIDUAL(i);
        return;
    }
#pragma omp simd
    for (int i = 0; i < n; i++)
        to[i] = here[i] + w * inverse[i] * RESIDUAL(i);
}

/* The same step from x = 0. */
QP_EACH_VECTOR_SET
static void NAME(begin)(const void *row, long line, int n, double weight, const void *right,
                        void *out)
{
    const VALUE *inverse = (const VALUE *)row + QP_JACOBI9_BANDS * line, *b = right;
    const VALUE w = (VALUE)weight;
    VALUE *restrict to = out;
#pragma omp simd
    for (int i = 0; i < n; i++)
        to[i] = w * inverse[i] * b[i];
}

/* A Gauss-Seidel step in place of every other node from `first` on. */
static void NAME(relax_colour)(const void *row, long line, int n, int first, void *const x[3],
                               const void *right)
{
    const VALUE *a = row, *b = right, *below = x[0], *above = x[2];
    const VALUE *ll = a + QP_JACOBI9_LL * line, *ld = a + QP_JACOBI9_LD * line;
    const VALUE *lu = a + QP_JACOBI9_LU * line, *dl = a + QP_JACOBI9_DL * line;
    const VALUE *du = a + QP_JACOBI9_DU * line, *ul = a + QP_JACOBI9_UL * line;
    const VALUE *ud = a + QP_JACOBI9_UD * line, *uu = a + QP_JACOBI9_UU * line;
    VALUE *here = x[1];
    for (int i = first; i < n; i += 2)
        here[i] += a[QP_JACOBI9_BANDS * line + i] * RESIDUAL(i);
}
#undef RESIDUAL

/* out = old + P coarse of a row between coarse rows e[0] and e[1]; old NULL: 0. */
QP_EACH_VECTOR_SET
static void NAME(prolong)(const struct qp_multigrid_vectors *grid, int coarse,
                          const void *const e[2], const double up[2], const void *old,
                          void *scratch, void *out)
{
    const VALUE *e0 = e[0], *e1 = e[1], *from = old, *low = grid->low, *high = grid->high;
    const VALUE w0 = (VALUE)up[0], w1 = (VALUE)up[1];
    const int *at = grid->at, n = grid->width;
    VALUE *restrict mixed = scratch, *restrict to = out;
#pragma omp simd
    for (int k = -1; k <= coarse; k++)
        mixed[k] = w0 * e0[k] + w1 * e1[k];
#pragma omp simd
    for (int i = 0; i < n; i++)
        to[i] = (from != NULL ? from[i] : (VALUE)0) + low[i] * mixed[at[i]] +
                high[i] * mixed[at[i] + 1];
}

/* A coarse row of P' r, of four fine rows by their weights. */
QP_EACH_VECTOR_SET
static void NAME(restrict_to)(const struct qp_multigrid_vectors *grid, int coarse,
                              const void *const r[4], const double up[4], void *scratch, void *out)
{
    const VALUE *r0 = r[0], *r1 = r[1], *r2 = r[2], *r3 = r[3];
    const VALUE u0 = (VALUE)up[0], u1 = (VALUE)up[1], u2 = (VALUE)up[2], u3 = (VALUE)up[3];
    const VALUE *w0 = grid->weight[0], *w1 = grid->weight[1], *w2 = grid->weight[2];
    const VALUE *w3 = grid->weight[3];
    VALUE *restrict mixed = scratch, *restrict to = out;
#pragma omp simd
    for (int i = -1; i < grid->width + 3; i++)
        mixed[i] = (u0 * r0[i] + u1 * r1[i]) + (u2 * r2[i] + u3 * r3[i]);
    const VALUE *from = mixed + grid->across.low - 1;
#pragma omp simd
    for (int k = 0; k < coarse; k++)
        to[k] = (w0[k] * from[2 * k] + w1[k] * from[2 * k + 1]) +
                (w2[k] * from[2 * k + 2] + w3[k] * from[2 * k + 3]);
}

#undef VALUE
#undef NAME

#endif
