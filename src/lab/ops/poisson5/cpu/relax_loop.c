/* SPDX-License-Identifier: MIT */
/* The step of paper 5's own variants on the CPU, "minimally" tuned: "we write the code so that the
 * compiler SIMD vectorizes it" (3.1), and no more. The vectors are those of the flags that the
 * whole library is built with. */
#include "lab/ops/poisson5/cpu/relax.h"

#define VALUE   float
#define NAME(x) x##_float
#include "lab/ops/poisson5/cpu/relax_loop_cells.h"
#define VALUE   double
#define NAME(x) x##_double
#include "lab/ops/poisson5/cpu/relax_loop_cells.h"

void qp_relax_loop(const struct qp_relax_step *s, int x0, int x1, int y0, int y1)
{
    if (s->precision == QP_DOUBLES)
        relax_loop_double(s, x0, x1, y0, y1);
    else
        relax_loop_float(s, x0, x1, y0, y1);
    if (s->spike_x >= x0 && s->spike_x < x1 && s->spike_y >= y0 && s->spike_y < y1)
        qp_relax_block(s, s->spike_x, s->spike_x + 1, s->spike_y, s->spike_y + 1);
}
