/* SPDX-License-Identifier: MIT */
/* Sweeps in one precision: included once for each, with VALUE (float or double) and NAME(x) (x, or x_double)
 * defined; without them it is empty. */
#ifdef VALUE

/* One row of cells from the rows below, at and above it; `rhs` NULL stands for 0. */
EACH_INSTRUCTION_SET
static void NAME(relax_row)(const VALUE *below, const VALUE *here, const VALUE *above,
                            const VALUE *rhs, VALUE *restrict out, long cells, VALUE weight)
{
    const VALUE quarter = (VALUE)0.25;
    if (rhs == NULL && weight == 1) {
#pragma omp simd
        for (long i = 0; i < cells; i++)
            out[i] = ((here[i - 1] + here[i + 1]) + (below[i] + above[i])) * quarter;
    } else if (weight == 1) {
#pragma omp simd
        for (long i = 0; i < cells; i++)
            out[i] = ((here[i - 1] + here[i + 1]) + (below[i] + above[i]) + rhs[i]) * quarter;
    } else {
#pragma omp simd
        for (long i = 0; i < cells; i++) {
            const VALUE side = rhs != NULL ? rhs[i] : 0;
            const VALUE t = ((here[i - 1] + here[i + 1]) + (below[i] + above[i]) + side) * quarter;
            out[i] = here[i] + weight * (t - here[i]);
        }
    }
}

/* Rows `first` up to `end`, and the spike if it lies there. */
static void NAME(relax_rows)(const struct qp_sweep *s, int first, int end)
{
    const long pitch = s->pitch;
    const VALUE *x = (const VALUE *)s->x, *rhs = (const VALUE *)s->input[0];
    const VALUE weight = (VALUE)s->weight;
    VALUE *out = (VALUE *)s->out;
    const bool is_spike = s->kind == QP_POISSON5_SPIKE;
    for (int y = first; y < end; y++) {
        const long row = y * pitch;
        NAME(relax_row)
        (x + row - pitch, x + row, x + row + pitch, is_spike ? NULL : rhs + row, out + row,
         s->width, weight);
    }
    const int spike_y = s->height / 2;
    if (!is_spike || spike_y < first || spike_y >= end)
        return;
    const long i = spike_y * pitch + s->width / 2;
    const VALUE t = ((x[i - 1] + x[i + 1]) + (x[i - pitch] + x[i + pitch]) + 1) * (VALUE)0.25;
    out[i] = weight == 1 ? t : x[i] + weight * (t - x[i]);
}

static void NAME(sweep_sequential)(const struct qp_sweep *s)
{
    NAME(relax_rows)(s, 0, s->height);
}

static void NAME(sweep_openmp)(const struct qp_sweep *s)
{
#pragma omp parallel for schedule(static)
    for (int y = 0; y < s->height; y++)
        NAME(relax_rows)(s, y, y + 1);
}

#endif
