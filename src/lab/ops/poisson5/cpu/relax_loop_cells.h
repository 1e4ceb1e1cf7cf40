/* SPDX-License-Identifier: MIT */
/* The loop of figure 1 in one precision: included once for each by relax_loop.c, with VALUE (float
 * or double) and NAME(x) defined. The weight does not change in a row, so the compiler makes a loop
 * of vectors for each case. With h^2 f or without is a loop of its own, for compilers that split a
 * loop by one condition alone. */

#if defined(VALUE) /* included by itself it says nothing */

static inline VALUE NAME(relax_cell)(VALUE old, VALUE sum, VALUE weight)
{
    const VALUE mean = sum * (VALUE)0.25;
    return weight == 1 ? mean : old + weight * (mean - old);
}

static __attribute__((noinline)) void NAME(relax_loop)(const struct qp_relax_step *s, int x0,
                                                       int x1, int y0, int y1)
{
    const VALUE weight = (VALUE)s->weight;
    for (int y = y0; y < y1; y++) {
        const VALUE *here = (const VALUE *)s->x + y * s->pitch;
        const VALUE *below = here - s->pitch, *above = here + s->pitch;
        VALUE *restrict out = (VALUE *)s->out + y * s->pitch;
        if (s->rhs == NULL) {
            for (int x = x0; x < x1; x++)
                out[x] = NAME(relax_cell)(
                    here[x], (here[x - 1] + here[x + 1]) + (below[x] + above[x]), weight);
            continue;
        }
        const VALUE *rhs = (const VALUE *)s->rhs + y * s->pitch;
        for (int x = x0; x < x1; x++)
            out[x] = NAME(relax_cell)(
                here[x], (here[x - 1] + here[x + 1]) + (below[x] + above[x]) + rhs[x], weight);
    }
}

#undef VALUE
#undef NAME

#endif
