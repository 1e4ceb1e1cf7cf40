/* SPDX-License-Identifier: MIT */
/* Nine-band Jacobi on the CPU: every vector is one long row with nx + 1 ghost zeros at both ends,
 * so no loop treats borders apart. */
#include "lab/engines/engines.h"
#include "lab/ops/jacobi9/jacobi9.h"
#include "toolkit/base/sets.h"

#define NINE_BANDS                                                                            \
    {                                                                                         \
        QP_ARRAY("DD", QP_JACOBI9_DD, QP_FLAT), QP_JACOBI9_BANDS(QP_JACOBI9_LL, "", QP_FLAT), \
            QP_ARRAY("b", QP_JACOBI9_B, QP_FLAT)                                              \
    }

/* ---- Paper 1, CPU implementation: x + (b - A x) / DD in a single loop over all bands ---- */

enum { DD, LL, LD, LU, DL, DU, UL, UD, UU, B }; /* inputs, in the order of the recipe */

static void sweep_bands(const struct qp_sweep *s)
{
    const float *const *a = s->input;
    const float *x = s->x, weight = (float)s->weight;
    int nx = s->width, cells = s->width * s->height;
    for (int i = 0; i < cells; i++) {
        float y = a[DD][i] * x[i] + a[DL][i] * x[i - 1] + a[DU][i] * x[i + 1] +
                  a[LD][i] * x[i - nx] + a[LL][i] * x[i - nx - 1] + a[LU][i] * x[i - nx + 1] +
                  a[UD][i] * x[i + nx] + a[UL][i] * x[i + nx - 1] + a[UU][i] * x[i + nx + 1];
        s->out[i] = x[i] + weight * (a[B][i] - y) / a[DD][i];
    }
}

struct qp_lent qp_lent_jacobi9_blas = {.library = "BLAS"};

/* ---- Paper 3, figures 4 and 5: the nine values of a row side by side ---- */

/* The paper numbers the stored diagonals 0 (main), l1 to l4 downwards, u5 to u8 upwards. */
enum { MAIN, L1, L2, L3, L4, U5, U6, U7, U8 };

static void sweep_amorim(const struct qp_sweep *s)
{
    const float *diagonal = s->input[0];
    const float *x = s->x;
    int nx = s->width, cells = s->width * s->height;
    float w = (float)s->weight, one_minus_w = 1.0f - w;
    for (int i = 0; i < cells; i++) {
        float sum = diagonal[L4] * x[i - nx - 1] + diagonal[L3] * x[i - nx] +
                    diagonal[L2] * x[i - nx + 1] + diagonal[L1] * x[i - 1] +
                    diagonal[U5] * x[i + 1] + diagonal[U6] * x[i + nx - 1] +
                    diagonal[U7] * x[i + nx] + diagonal[U8] * x[i + nx + 1];
        s->out[i] = x[i] * one_minus_w + w * (s->input[1][i] - sum) / diagonal[MAIN];
        diagonal += QP_JACOBI9_BANDS;
    }
}

/* ---- Ours: vectors and threads ---- */

enum { P_LL, P_LD, P_LU, P_DL, P_DU, P_UL, P_UD, P_UU, P_B };

QP_EACH_VECTOR_SET
static void sweep_row(const struct qp_sweep *s, long begin, long end)
{
    const float *const *a = s->input;
    long nx = s->width;
    float w = (float)s->weight, one_minus_w = 1.0f - w;
    const float *ll = a[P_LL], *ld = a[P_LD], *lu = a[P_LU], *dl = a[P_DL], *du = a[P_DU];
    const float *ul = a[P_UL], *ud = a[P_UD], *uu = a[P_UU], *b = a[P_B];
    const float *x = s->x, *below = s->x - nx, *above = s->x + nx;
    float *restrict out = s->out;
#pragma omp simd
    for (long i = begin; i < end; i++) {
        float sum = ll[i] * below[i - 1] + ld[i] * below[i] + lu[i] * below[i + 1] +
                    dl[i] * x[i - 1] + du[i] * x[i + 1] + ul[i] * above[i - 1] + ud[i] * above[i] +
                    uu[i] * above[i + 1];
        out[i] = one_minus_w * x[i] + w * (b[i] - sum);
    }
}

static void sweep_openmp(const struct qp_sweep *s)
{
#pragma omp parallel for schedule(static)
    for (int y = 0; y < s->height; y++)
        sweep_row(s, (long)y * s->width, (long)(y + 1) * s->width);
}

const struct qp_recipe qp_jacobi9_cpu[] = {
    /* The reference itself. Bytes: ten floats, and two doubles. */
    {.name = "jacobi9/reference",
     .backend = QP_CPU,
     .layout = "separate bands, double state",
     .place = "the judge of all variants",
     .sentence = "algorithm 1 of paper 3 as it stands, in double; itself judged by paper 1's form, "
                 "scattered over columns in long double",
     .own = &qp_jacobi9_wraps,
     .engine = &qp_engine_reference,
     .state = {.format = QP_R64F, .flat = true},
     .input = NINE_BANDS,
     .flops = 20,
     .bytes = 56},

    {.name = "jacobi9/bands_cpu",
     .backend = QP_CPU,
     .layout = "separate bands",
     .place = "paper 1, CPU implementation",
     .sentence = "one loop over all cells, each band a vector of its own",
     .own = &qp_jacobi9_wraps,
     .state = QP_FLAT,
     .input = NINE_BANDS,
     .sweep = sweep_bands,
     .flops = 20},

    /* ---- Paper 1 again: a BLAS product for each band (src/lab/baseline/blas.c) ---- */

    {.name = "jacobi9/blas",
     .backend = QP_CPU,
     .layout = "separate bands",
     .place = "paper 1, CPU implementation: bands looped over separately",
     .sentence = "one sgbmv for each of nine bands, as diagonal matrices (kl = ku = 0), for no "
                 "DAXPY multiplies two vectors; then the update",
     .own = &qp_jacobi9_wraps,
     .state = QP_FLAT,
     .input = NINE_BANDS,
     .lent = &qp_lent_jacobi9_blas,
     .flops = 20},

    {.name = "jacobi9/amorim_cpu",
     .after = "jacobi9/bands_cpu",
     .backend = QP_CPU,
     .layout = "bands interleaved row by row",
     .place = "paper 3, section 4, figures 4 and 5",
     .sentence =
         "the nine values of a row are stored together, so one memory stream feeds the loop",
     .own = &qp_jacobi9_wraps,
     .state = QP_FLAT,
     .input = {{.name = "diagonals",
                .shape = {.format = QP_R32F, .slots = QP_ABREAST, .flat = true},
                .fields = QP_JACOBI9_BANDS,
                .field = {QP_JACOBI9_DD, QP_JACOBI9_DL, QP_JACOBI9_LU, QP_JACOBI9_LD, QP_JACOBI9_LL,
                          QP_JACOBI9_DU, QP_JACOBI9_UL, QP_JACOBI9_UD, QP_JACOBI9_UU}},
               QP_ARRAY("f", QP_JACOBI9_B, QP_FLAT)},
     .sweep = sweep_amorim,
     .flops = 37},

    {.name = "jacobi9/openmp",
     .after = "jacobi9/amorim_cpu",
     .backend = QP_CPU,
     .layout = "separate bands, pre-divided",
     .place = "ours: the honest opponent",
     .sentence = "all cores, vectors as wide as they come, no division left in the loop",
     .own = &qp_jacobi9_wraps,
     .state = QP_FLAT,
     .input = {QP_JACOBI9_BANDS(QP_JACOBI9_PRE_LL, "/DD", QP_FLAT),
               QP_ARRAY("b/DD", QP_JACOBI9_PRE_B, QP_FLAT)},
     .sweep = sweep_openmp,
     .flops = 20},

    {0},
};
