/* SPDX-License-Identifier: MIT */
/* The loop of figure 1 in one precision: included once for each by relax_loop.c, with VALUE (float or double) and NAME(x)
 * defined. Neither the weight nor h^2 f changes in a row, so the compiler makes a loop of vectors for each case. */

#if defined(VALUE) /* included by itself it says nothing */

static __attribute__((noinline)) void NAME(relax_loop)(const struct qp_relax_step *s, int x0,
                                                       int x1, int y0, int y1)
{
    const VALUE weight = (VALUE)s->weight;
    for (int y = y0; y < y1; y++) {
        const VALUE *here = (const VALUE *)s->x + y * s->pitch;
        const VALUE *below = here - s->pitch, *above = here + s->pitch;
        const VALUE *rhs = s->rhs != NULL ? (const VALUE *)s->rhs + y * s->pitch : NULL;
        VALUE *restrict out = (VALUE *)s->out + y * s->pitch;
        for (int x = x0; x < x1; x++) {
            VALUE sum = (here[x - 1] + here[x + 1]) + (below[x] + above[x]);
            if (rhs != NULL)
                sum += rhs[x];
            const VALUE mean = sum * (VALUE)0.25;
            out[x] = weight == 1 ? mean : here[x] + weight * (mean - here[x]);
        }
    }
}

#undef VALUE
#undef NAME

#endif
