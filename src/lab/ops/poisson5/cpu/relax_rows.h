/* SPDX-License-Identifier: MIT */
/* Rows of cells in one precision and one instruction set: included once for each by relax.c, with
 * VALUE (float or double), BYTES of a vector, TARGET (the attribute that allows it), STREAM(to,
 * vector), LEAVE() and NAME(x) defined, and where it is quick SHIFT(a, b, n): of
 * vectors a and b, one after the other, the vector that begins n lanes after a does. */

#if defined(VALUE) /* included by itself it says nothing */

typedef VALUE NAME(vector) __attribute__((vector_size(BYTES), aligned(sizeof(VALUE)), may_alias));

#define VECTOR(from) (*(const NAME(vector) *)(from))

/* Columns that vectors leave over, and the spike, one by one. */
static inline VALUE NAME(relax_cell)(const VALUE *below, const VALUE *here, const VALUE *above,
                                     const VALUE *side, VALUE weight)
{
    VALUE sum = (here[-1] + here[1]) + (*below + *above);
    if (side != NULL)
        sum += *side;
    sum *= (VALUE)0.25;
    return weight == 1 ? sum : *here + weight * (sum - *here);
}

/* The last columns of some rows, fewer than a vector holds. */
static __attribute__((noinline)) void NAME(relax_rest)(const struct qp_relax_rows *r, int from,
                                                       int rows, long first)
{
    for (int k = from; k < from + rows; k++) {
        const VALUE *below = r->in[k], *here = r->in[k + 1], *above = r->in[k + 2];
        const VALUE *rhs = r->rhs[k];
        for (long i = first; i < r->end; i++)
            ((VALUE *)r->out[k])[i] = NAME(relax_cell)(
                below + i, here + i, above + i, rhs != NULL ? rhs + i : NULL, (VALUE)r->weight);
    }
}

#ifdef SHIFT
/* Columns from i on, as long as two vectors of them are left; returns the next column. Cells beside
 * come from vectors that are loaded already: each load of cells that begin between two lines of the
 * cache takes twice as long. */
TARGET static inline __attribute__((always_inline)) long
NAME(relax_shifted)(const VALUE *const *in, const VALUE *const *rhs, VALUE *const *out,
                    VALUE weight, long i, long end, const int rows, const bool sided,
                    const bool weighted, const bool streams)
{
    const int lanes = BYTES / sizeof(VALUE);
    const VALUE quarter = (VALUE)0.25;
    NAME(vector) new[QP_RELAX_ROWS];
    NAME(vector) last[QP_RELAX_ROWS], now[QP_RELAX_ROWS + 2], next[QP_RELAX_ROWS];
    if (i + 2 * lanes <= end) {
#pragma GCC unroll 4
        for (int k = 0; k < rows; k++) {
            last[k] = in[k + 1][i - 1] - (NAME(vector)){0};
            now[k + 1] = VECTOR(in[k + 1] + i);
        }
    }
    for (; i + 2 * lanes <= end; i += lanes) {
        now[0] = VECTOR(in[0] + i);
        now[rows + 1] = VECTOR(in[rows + 1] + i);
#pragma GCC unroll 4
        for (int k = 0; k < rows; k++) {
            next[k] = VECTOR(in[k + 1] + i + lanes);
            new[k] = (SHIFT(last[k], now[k + 1], BYTES / sizeof(VALUE) - 1) +
                      SHIFT(now[k + 1], next[k], 1)) +
                     (now[k] + now[k + 2]);
            if (sided)
                new[k] += VECTOR(rhs[k] + i);
            new[k] *= quarter;
            if (weighted)
                new[k] = now[k + 1] + weight *(new[k] - now[k + 1]);
        }
#pragma GCC unroll 4
        for (int k = 0; k < rows; k++) {
            last[k] = now[k + 1];
            now[k + 1] = next[k];
            if (streams)
                STREAM(out[k] + i, new[k]);
            else
                *(NAME(vector) *)(out[k] + i) = new[k];
        }
    }
    return i;
}
#endif

/* Rows from number `from` on; the parameters after it are constants once this is inlined. */
TARGET static inline __attribute__((always_inline)) void
NAME(relax)(const struct qp_relax_rows *r, int from, const int rows, const bool sided,
            const bool weighted, const bool streams)
{
    const int lanes = BYTES / sizeof(VALUE);
    const VALUE quarter = (VALUE)0.25, weight = (VALUE)r->weight;
    const VALUE *in[QP_RELAX_ROWS + 2], *rhs[QP_RELAX_ROWS];
    VALUE *out[QP_RELAX_ROWS];
#pragma GCC unroll 6
    for (int k = 0; k < rows + 2; k++)
        in[k] = r->in[from + k];
#pragma GCC unroll 4
    for (int k = 0; k < rows; k++) {
        rhs[k] = r->rhs[from + k];
        out[k] = r->out[from + k];
    }
    const long end = r->end;
    long i = r->first;
    NAME(vector) new[QP_RELAX_ROWS];
#ifdef SHIFT
    i = NAME(relax_shifted)(in, rhs, out, weight, i, end, rows, sided, weighted, streams);
#endif
    for (; i + lanes <= end; i += lanes) {
#pragma GCC unroll 4
        for (int k = 0; k < rows; k++) {
            const VALUE *here = in[k + 1] + i;
            new[k] =
                (VECTOR(here - 1) + VECTOR(here + 1)) + (VECTOR(in[k] + i) + VECTOR(in[k + 2] + i));
            if (sided)
                new[k] += VECTOR(rhs[k] + i);
            new[k] *= quarter;
            if (weighted)
                new[k] = VECTOR(here) + weight *(new[k] - VECTOR(here));
        }
#pragma GCC unroll 4
        for (int k = 0; k < rows; k++) {
            if (streams)
                STREAM(out[k] + i, new[k]);
            else
                *(NAME(vector) *)(out[k] + i) = new[k];
        }
    }
    if (i < end)
        NAME(relax_rest)(r, from, rows, i);
}

TARGET static inline __attribute__((always_inline)) void
NAME(relax_some)(const struct qp_relax_rows *r, int from, const int rows, const bool streams)
{
    const bool sided = r->rhs[0] != NULL;
    if (r->weight != 1.0 && sided)
        NAME(relax)(r, from, rows, true, true, streams);
    else if (r->weight != 1.0)
        NAME(relax)(r, from, rows, false, true, streams);
    else if (sided)
        NAME(relax)(r, from, rows, true, false, streams);
    else
        NAME(relax)(r, from, rows, false, false, streams);
}

/* The spike's cell, once its row is there. */
static void NAME(relax_spike)(const struct qp_relax_rows *r)
{
    if (r->spike_row < 0 || r->spike_row >= r->count || r->spike_x < r->first ||
        r->spike_x >= r->end)
        return;
    if (r->streams)
        qp_relax_fence();
    const VALUE one = 1;
    const int k = r->spike_row, i = r->spike_x;
    ((VALUE *)r->out[k])[i] =
        NAME(relax_cell)((const VALUE *)r->in[k] + i, (const VALUE *)r->in[k + 1] + i,
                         (const VALUE *)r->in[k + 2] + i, &one, (VALUE)r->weight);
}

/* Upper halves of wide registers are cleared before code for narrow ones goes on, which waits for
 * them else. */
TARGET static void NAME(relax_rows)(const struct qp_relax_rows *r)
{
    if (r->count == QP_RELAX_ROWS && r->streams)
        NAME(relax_some)(r, 0, QP_RELAX_ROWS, true);
    else if (r->count == QP_RELAX_ROWS)
        NAME(relax_some)(r, 0, QP_RELAX_ROWS, false);
    else if (r->streams)
        for (int k = 0; k < r->count; k++)
            NAME(relax_some)(r, k, 1, true);
    else
        for (int k = 0; k < r->count; k++)
            NAME(relax_some)(r, k, 1, false);
    LEAVE();
    NAME(relax_spike)(r);
}

#undef VECTOR
#undef VALUE
#undef NAME
#undef SHIFT

#endif
