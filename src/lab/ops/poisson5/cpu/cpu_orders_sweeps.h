/* SPDX-License-Identifier: MIT */
/* Red-black sweeps in one precision: included once for each, with VALUE (float or double) and
 * NAME(x) (x, or x_double) defined; without them it is empty. */
#ifdef VALUE

/* Updates the cells of a row but those of the parity `left_out` (0 or 1; 2: none), which get what
 * `keep` holds. Both are computed and one is chosen, for vectors have no gaps. `rhs` NULL means 0.
 * `out` may be a row that is read, where the cells left out hold their values already: a
 * neighbour's thread that reads them sees no change. */
QP_EACH_VECTOR_SET
static void NAME(relax_colour)(const VALUE *below, const VALUE *here, const VALUE *above,
                               const VALUE *rhs, const VALUE *keep, VALUE *out, int cells,
                               int left_out, VALUE weight)
{
    const VALUE quarter = (VALUE)0.25;
#pragma omp simd
    for (int i = 0; i < cells; i++) {
        const VALUE side = rhs != NULL ? rhs[i] : 0;
        const VALUE t = ((here[i - 1] + here[i + 1]) + (below[i] + above[i]) + side) * quarter;
        const VALUE new = weight == 1 ? t : keep[i] + weight *(t - keep[i]);
        out[i] = (i & 1) == left_out ? keep[i] : new;
    }
}

/* Computes row y from the neighbours in `from`; the cells left out keep their values of `keep`. */
static void NAME(relax_line)(const struct qp_sweep *s, const VALUE *from, const VALUE *keep, int y,
                             int left_out)
{
    int spike_x, spike_y;
    qp_poisson5_spike(s->problem, &spike_x, &spike_y);
    spike_y -= s->row;
    const long pitch = s->pitch, row = y * pitch, spike = row + spike_x;
    const VALUE *rhs =
        s->kind == QP_POISSON5_SPIKE ? NULL : (const VALUE *)(const void *)s->input[0] + row;
    const VALUE weight = (VALUE)s->weight;
    const bool hit = rhs == NULL && y == spike_y && (spike_x & 1) != left_out;
    VALUE *out = (VALUE *)(void *)s->out, new = 0;
    if (hit) {
        const VALUE across = from[spike - 1] + from[spike + 1];
        const VALUE t = (across + (from[spike - pitch] + from[spike + pitch]) + 1) * (VALUE)0.25;
        new = weight == 1 ? t : keep[spike] + weight *(t - keep[spike]);
    }
    NAME(relax_colour)
    (from + row - pitch, from + row, from + row + pitch, rhs, keep + row, out + row, s->width,
     left_out, weight);
    if (hit)
        out[spike] = new;
}

static void NAME(relax_red)(const struct qp_sweep *s, int y)
{
    NAME(relax_line)
    (s, (const VALUE *)(const void *)s->x, (const VALUE *)(const void *)s->x, y, (y + 1) & 1);
}

static void NAME(relax_black)(const struct qp_sweep *s, int y)
{
    NAME(relax_line)
    (s, (const VALUE *)(const void *)s->out, (const VALUE *)(const void *)s->out, y, y & 1);
}

/* Jacobi's step: both colours from the old values. */
static void NAME(sweep_together)(const struct qp_sweep *s)
{
    const VALUE *x = (const VALUE *)(const void *)s->x;
#pragma omp parallel
    {
        const unsigned before = qp_relax_flush();
#pragma omp for schedule(static)
        for (int y = 0; y < s->height; y++)
            NAME(relax_line)(s, x, x, y, 2);
        qp_relax_restore(before);
    }
}

/* A core's rows in one go, the black cells of each as soon as the red ones around it are new; those
 * of the first and the last row once its neighbours are there. */
static void NAME(sweep_red_black)(const struct qp_sweep *s)
{
#pragma omp parallel
    {
        const long threads = omp_get_num_threads(), me = omp_get_thread_num();
        const int first = (int)(s->height * me / threads);
        const int last = (int)(s->height * (me + 1) / threads) - 1;
        const unsigned before = qp_relax_flush();
        for (int y = first; y <= last; y++) {
            NAME(relax_red)(s, y);
            if (y - 1 > first)
                NAME(relax_black)(s, y - 1);
        }
#pragma omp barrier
        if (first <= last)
            NAME(relax_black)(s, first);
        if (first < last)
            NAME(relax_black)(s, last);
        qp_relax_restore(before);
    }
}

static void NAME(sweep)(const struct qp_sweep *s)
{
    (s->together ? NAME(sweep_together) : NAME(sweep_red_black))(s);
}

#endif
