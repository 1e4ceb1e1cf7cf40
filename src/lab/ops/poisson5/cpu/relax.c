/* SPDX-License-Identifier: MIT */
#include "lab/ops/poisson5/cpu/relax.h"

#include <string.h>

#include "lab/ops/poisson5/poisson5.h"

/* ---- Rows, in each precision and instruction set ---- */

typedef void relax_function(const struct qp_relax_rows *rows);

#if defined(__SSE2__)
#define STREAM(to, vector) _mm_stream_si128((void *)(to), (__m128i)(vector))
#else
#define STREAM(to, vector) memcpy(to, &(vector), sizeof(vector))
#endif
#define LEAVE()
#define TARGET
#define BYTES   16
#define VALUE   float
#define NAME(x) x##_plain_float
#include "lab/ops/poisson5/cpu/relax_rows.h"
#define VALUE   double
#define NAME(x) x##_plain_double
#include "lab/ops/poisson5/cpu/relax_rows.h"
#undef BYTES
#undef TARGET
#undef STREAM
#undef LEAVE

#if defined(__x86_64__)
#define STREAM(to, vector) _mm256_stream_si256((void *)(to), (__m256i)(vector))
#define LEAVE()            _mm256_zeroupper()
#define TARGET             __attribute__((target("avx2")))
#define BYTES              32
#define VALUE              float
#define NAME(x)            x##_avx2_float
#include "lab/ops/poisson5/cpu/relax_rows.h"
#define VALUE   double
#define NAME(x) x##_avx2_double
#include "lab/ops/poisson5/cpu/relax_rows.h"
#undef BYTES
#undef TARGET
#undef STREAM
#undef LEAVE

#define STREAM(to, vector) _mm512_stream_si512((void *)(to), (__m512i)(vector))
#define LEAVE()            _mm256_zeroupper()
#define TARGET             __attribute__((target("avx512f")))
#define BYTES              64
#define SHIFT(a, b, n)     (__m512) _mm512_alignr_epi32((__m512i)(b), (__m512i)(a), n)
#define VALUE              float
#define NAME(x)            x##_avx512_float
#include "lab/ops/poisson5/cpu/relax_rows.h"
#define SHIFT(a, b, n) (__m512d) _mm512_alignr_epi64((__m512i)(b), (__m512i)(a), n)
#define VALUE          double
#define NAME(x)        x##_avx512_double
#include "lab/ops/poisson5/cpu/relax_rows.h"
#endif

/* The widest vectors of this processor. */
static relax_function *choose(bool doubles)
{
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512f"))
        return doubles ? relax_rows_avx512_double : relax_rows_avx512_float;
    if (__builtin_cpu_supports("avx2"))
        return doubles ? relax_rows_avx2_double : relax_rows_avx2_float;
#endif
    return doubles ? relax_rows_plain_double : relax_rows_plain_float;
}

void qp_relax_rows(const struct qp_relax_rows *rows)
{
    choose(rows->precision == QP_DOUBLES)(rows);
}

/* ---- Steps ---- */

/* Streaming pays off where the arrays of a step outgrow what a processor's caches hold of them from
 * step to step; measured on two cores of a server, whose third level is large and shared, at 50 MB
 * an array. */
static bool outgrows_caches(double bytes)
{
    return bytes > 100e6;
}

struct qp_relax_step qp_relax_step_of(const struct qp_sweep *s, enum qp_precision precision)
{
    const bool spike = s->kind == QP_POISSON5_SPIKE;
    int spike_x = -1, spike_y = -1;
    if (spike)
        qp_poisson5_spike(s->problem, &spike_x, &spike_y);
    spike_y -= s->row;
    const double arrays = spike ? 2.0 : 3.0;
    const double bytes = arrays * s->pitch * s->height * (double)qp_value_bytes(precision);
    return (struct qp_relax_step){.precision = precision,
                                  .x = s->x,
                                  .rhs = spike ? NULL : s->input[0],
                                  .out = s->out,
                                  .pitch = s->pitch,
                                  .weight = s->weight,
                                  .streams = outgrows_caches(bytes),
                                  .spike_x = spike_x,
                                  .spike_y = spike_y};
}

void qp_relax_block(const struct qp_relax_step *s, int x0, int x1, int y0, int y1)
{
    const long row = s->pitch * (long)qp_value_bytes(s->precision);
    struct qp_relax_rows rows = {.precision = s->precision,
                                 .first = x0,
                                 .end = x1,
                                 .weight = s->weight,
                                 .streams = s->streams,
                                 .spike_x = s->spike_x};
    for (int y = y0; y < y1; y += rows.count) {
        rows.count = y1 - y < QP_RELAX_ROWS ? y1 - y : QP_RELAX_ROWS;
        for (int k = -1; k <= rows.count; k++)
            rows.in[k + 1] = (const char *)s->x + (y + k) * row;
        for (int k = 0; k < rows.count; k++) {
            rows.rhs[k] = s->rhs != NULL ? (const char *)s->rhs + (y + k) * row : NULL;
            rows.out[k] = (char *)s->out + (y + k) * row;
        }
        rows.spike_row = s->spike_y < 0 ? -1 : s->spike_y - y;
        qp_relax_rows(&rows);
    }
    if (s->streams)
        qp_relax_fence();
}
