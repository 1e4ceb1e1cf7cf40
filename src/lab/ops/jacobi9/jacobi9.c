/* SPDX-License-Identifier: MIT */
/* Weighted Jacobi with nine bands on a grid of nx by ny cells, i = y nx + x:
 *
 *     x'[i] = (1 - w) x[i] + w / DD[i] (b[i] - sum over the eight off-diagonal bands A of
 *                                             A[i] x[i + dx + dy nx])
 *
 * with x = 0 off both ends of the vector: algorithm 1 of paper 3 (2008). Paper 1 (2004), with w =
 * 1, adds the whole residual over the diagonal to what is there,
 *
 *     x'[i] = x[i] + w / DD[i] (b[i] - (A x)[i]),
 *
 * DD[i] x[i] inside A x. In exact arithmetic the two are one; in float an error of 1 / DD changes
 * the matrix that the first solves, and in the second scales a residual that vanishes. Variants
 * compute the form of their paper, ours paper 3's. Paper 1's vectors wrap at row ends: x[i-1] of a
 * row's first cell is the last cell of the row before. Paper 3 has zeros in the bands there. A
 * problem's member `wraps` says which it is. */
#include "lab/ops/jacobi9/jacobi9.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lab/plan/problem.h"
#include "toolkit/base/caller.h"
#include "toolkit/base/random.h"

static const struct {
    const char *name;
    int dx, dy;
} bands[QP_JACOBI9_BANDS] = {
    [QP_JACOBI9_DD] = {"DD", 0, 0},  [QP_JACOBI9_LL] = {"LL", -1, -1},
    [QP_JACOBI9_LD] = {"LD", 0, -1}, [QP_JACOBI9_LU] = {"LU", 1, -1},
    [QP_JACOBI9_DL] = {"DL", -1, 0}, [QP_JACOBI9_DU] = {"DU", 1, 0},
    [QP_JACOBI9_UL] = {"UL", -1, 1}, [QP_JACOBI9_UD] = {"UD", 0, 1},
    [QP_JACOBI9_UU] = {"UU", 1, 1},
};

/* Padding of the diagonal and its inverse is 1, since variants divide or multiply by it: NaN times
 * 0 would be NaN. */
static const struct qp_field fields[QP_JACOBI9_ALL_FIELDS] = {
    {"DD", 1.0f},    {"LL", 0.0f},        {"LD", 0.0f},    {"LU", 0.0f},    {"DL", 0.0f},
    {"DU", 0.0f},    {"UL", 0.0f},        {"UD", 0.0f},    {"UU", 0.0f},    {"b", 0.0f},
    {"x", 0.0f},     {"1/DD", 1.0f},      {"LL/DD", 0.0f}, {"LD/DD", 0.0f}, {"LU/DD", 0.0f},
    {"DL/DD", 0.0f}, {"DU/DD", 0.0f},     {"UL/DD", 0.0f}, {"UD/DD", 0.0f}, {"UU/DD", 0.0f},
    {"b/DD", 0.0f},  {"DD/(w |b|)", 0.0f}};

enum { RANDOM, WRAPS, SYMMETRIC, BIDOMAIN, DIAGONAL, KINDS };

static const struct qp_kind kinds[KINDS + 1] = {
    [RANDOM] = {.name = "random",
                .what = "diagonally dominant; zeros in bands where a neighbour is missing",
                .followed = true},
    [WRAPS] = {.name = "wraps",
               .what = "random; entries couple a row's last cell with the next row's first, as in "
                       "paper 1"},
    [SYMMETRIC] = {.name = "symmetric", .what = "random and symmetric"},
    [BIDOMAIN] = {.name = "bidomain",
                  .what = "a heart model",
                  .benched = true,
                  .followed = true,
                  .solved = true},
    [DIAGONAL] = {.name = "diagonal",
                  .what = "random, without any band but the main diagonal",
                  .followed = true},
};

int qp_band_dx(int band)
{
    return bands[band].dx;
}

int qp_band_dy(int band)
{
    return bands[band].dy;
}

/* ---- Stage 9: the reference ---- */

static double step_rows(const struct qp_problem *problem, const double *old, double *new,
                        size_t first, size_t end)
{
    const struct qp_matrix *a = problem->field;
    const long cells = (long)qp_problem_cells(problem), width = problem->width;
    double w = problem->weight, scale = 0.0;
    for (long i = (long)first * width; i < (long)end * width; i++) {
        double sum = 0.0, magnitude = 0.0;
        for (int band = QP_JACOBI9_LL; band < QP_JACOBI9_BANDS; band++) {
            long j = i + bands[band].dx + (long)bands[band].dy * problem->width;
            if (j < 0 || j >= cells)
                continue;
            double term = (double)a[band].values[i] * old[j];
            sum += term;
            magnitude += fabs(term);
        }
        double b = a[QP_JACOBI9_B].values[i], d = a[QP_JACOBI9_DD].values[i];
        new[i] = (1.0 - w) * old[i] + w *(b - sum) / d;
        magnitude = fabs((1.0 - w) * old[i]) + fabs(w / d) * (fabs(b) + magnitude);
        scale = fmax(scale, fmax(magnitude, fabs(old[i])));
    }
    return scale;
}

static void step(const struct qp_problem *problem, const double *old, double *new, double *scale)
{
    qp_step_by_rows(problem, step_rows, old, new, scale);
}

/* Witness, the judge of the reference: the other form, paper 1's. It goes through the columns and
 * scatters, band by band, adding each x[j]'s products to its rows in the target. */
static void witness(const struct qp_problem *problem, const double *old, double *new, double *scale)
{
    (void)scale;
    const struct qp_matrix *a = problem->field;
    long cells = (long)qp_problem_cells(problem);
    long double w = problem->weight;
    for (long i = 0; i < cells; i++)
        new[i] = a[QP_JACOBI9_B].values[i];
    for (int band = QP_JACOBI9_BANDS - 1; band >= QP_JACOBI9_DD; band--) {
        for (long j = 0; j < cells; j++) {
            long i = j - bands[band].dx - (long)bands[band].dy * problem->width;
            if (i >= 0 && i < cells)
                new[i] = (double)(new[i] - (long double)a[band].values[i] * old[j]);
        }
    }
    for (long i = 0; i < cells; i++)
        new[i] = (double)(old[i] + w * new[i] / a[QP_JACOBI9_DD].values[i]);
}

/* Tolerance in units of u S, u = 2^-24. The scale S is the largest |(1 - w) x| + w / |DD| (|b| +
 * sum |A x|) without the diagonal, and no x is larger. A term passes at most 13 roundings, in
 * whatever order they are added: its product, eight additions and the subtraction, the weight, and
 * a division or a product with a rounded inverse. Paper 1's terms, DD x among them, come to
 * S + (w - |1 - w|) |x| <= 2 S; one rounding more adds the sum to x: 27 u S for a step. (Paper 3's
 * terms come to S: 14.) Later steps damp the roundings of earlier ones (the iteration is stable),
 * so each adds at most about one rounding of the whole.
 *
 * In double u = 2^-53, and the reference rounds in double too, and as often: a variant in paper 1's
 * form is off by 26 u S and another u S a step, the reference, in paper 3's, by 13 u S and another
 * u S a step. */
static double tolerance(const struct qp_problem *problem, int iterations,
                        enum qp_precision precision)
{
    (void)problem;
    return precision == QP_DOUBLES ? (26.0 + 13.0 + 2.0 * iterations) * 0x1p-53
                                   : (26.0 + iterations) * 0x1p-24;
}

/* Tolerance in 16 bits: u = 2^-11, and the arithmetic between fetch and store stays in float.
 * Drivers round a stored value, by u of itself, or truncate it, by 2 u towards zero. So the start
 * is off by 2 u; a term A x / D by 2 u more (u for A and for D; truncated, by 2 u each, they work
 * against each other); storing x' adds 2 u, and subnormal values u at most (lab/plan/half.h).
 * Nothing is damped in the worst case: the stored bands are another matrix, and truncation goes
 * one way. */
static double tolerance_half(const struct qp_problem *problem, int iterations)
{
    return (2.0 + 5.0 * iterations) * 0x1p-11 + tolerance(problem, iterations, QP_FLOATS);
}

/* Least magnitudes of a divisor and of the scale s. With them the error of subnormal values, below
 * 2^-14, stays below one rounding of s a step: such a value is off by 2^-24 at most. So a step's
 * right-hand side and eight bands (w / D being at most 16, and |x| at most 20 s) are off by 2^-20
 * (1 + 8 * 20 s) and its result by 2^-24, together less than 2^-11 s. */
static const struct qp_half half = {
    .tolerance = tolerance_half, .least_divisor = 0.125, .least_scale = 0x1p-8};

/* ---- Stage 1: random problems and the heart ---- */

/* Bytes of a cell. Floats: stored fields, packed and uploaded once more, two states; doubles: two
 * of the reference, and the assembly of a problem. */
enum { CELL_BYTES = (11 + 2 * 12 + 4) * sizeof(float) + 12 * sizeof(double) };

double qp_problem_bytes(double cells)
{
    return cells * CELL_BYTES;
}

/* True where the band's neighbour exists; without wrap entries it must also lie in the
 * next column. */
static bool has_neighbour(const struct qp_problem *problem, int band, int x, int y)
{
    long i = (long)y * problem->width + x;
    long j = i + bands[band].dx + (long)bands[band].dy * problem->width;
    int column = x + bands[band].dx;
    if (j < 0 || j >= (long)qp_problem_cells(problem))
        return false;
    return problem->wraps || (column >= 0 && column < problem->width);
}

/* The cell that a cell's band couples it to. */
static size_t partner(const struct qp_problem *problem, int band, size_t i)
{
    return (size_t)((long)i + bands[band].dx + (long)bands[band].dy * problem->width);
}

/* The band that couples the partner back. */
static int opposite(int band)
{
    return QP_JACOBI9_UU - (band - QP_JACOBI9_LL);
}

bool qp_jacobi9_is_symmetric(const struct qp_problem *problem)
{
    const struct qp_matrix *a = problem->field;
    for (int band = QP_JACOBI9_DU; band < QP_JACOBI9_BANDS; band++) {
        for (size_t i = 0; i < qp_problem_cells(problem); i++) {
            size_t j = partner(problem, band, i);
            if (j < qp_problem_cells(problem) && a[band].values[i] != a[opposite(band)].values[j])
                return false;
        }
    }
    return true;
}

/* Off-diagonals in [-1, 1); the diagonal, of either sign, exceeds the sum of their magnitudes by
 * 0.5 to 1.5, so plain Jacobi converges. Where it shall be symmetric, the lower bands copy the
 * upper ones of cells that were filled before. With a diagonal alone an update is a division. */
static void fill_random(struct qp_problem *problem, uint64_t seed, bool symmetric, bool diagonal)
{
    struct qp_matrix *a = problem->field;
    uint64_t state = seed;
    for (int y = 0; y < problem->height; y++) {
        for (int x = 0; x < problem->width; x++) {
            size_t i = (size_t)y * (size_t)problem->width + (size_t)x;
            double sum = 0.0;
            for (int band = QP_JACOBI9_LL; band < QP_JACOBI9_BANDS; band++) {
                double value = qp_random(&state, -1.0, 1.0);
                a[band].values[i] =
                    !diagonal && has_neighbour(problem, band, x, y) ? (float)value : 0.0f;
                if (symmetric && band < QP_JACOBI9_DU && a[band].values[i] != 0.0f)
                    a[band].values[i] = a[opposite(band)].values[partner(problem, band, i)];
                sum += fabs((double)a[band].values[i]);
            }
            double excess = qp_random(&state, 0.5, 1.5);
            double sign = qp_random(&state, -1.0, 1.0) < 0.0 ? -1.0 : 1.0;
            a[QP_JACOBI9_DD].values[i] = (float)(sign * (sum + excess));
            a[QP_JACOBI9_B].values[i] = (float)qp_random(&state, -1.0, 1.0);
            a[QP_JACOBI9_X].values[i] = (float)qp_random(&state, -1.0, 1.0);
        }
    }
}

static void round_once(const double *from, struct qp_matrix *to)
{
    size_t cells = (size_t)to->width * (size_t)to->height;
    for (size_t i = 0; i < cells; i++)
        to->values[i] = (float)from[i];
}

static enum qp_status fill_bidomain(struct qp_problem *problem)
{
    size_t cells = qp_problem_cells(problem);
    double *block =
        qp_alloc(cells * (QP_JACOBI9_BANDS + 1), sizeof *block, "the heart model in double");
    if (block == NULL)
        return QP_NO_MEMORY;
    double *in_double[QP_JACOBI9_BANDS];
    double *b = block + cells * QP_JACOBI9_BANDS;
    for (int band = 0; band < QP_JACOBI9_BANDS; band++)
        in_double[band] = block + cells * (size_t)band;
    enum qp_status status = qp_bidomain_assemble(problem->width, problem->height, in_double, b);
    for (int band = 0; band < QP_JACOBI9_BANDS && status == QP_OK; band++)
        round_once(in_double[band], &problem->field[band]);
    if (status == QP_OK) {
        round_once(b, &problem->field[QP_JACOBI9_B]);
        memset(problem->field[QP_JACOBI9_X].values, 0, cells * sizeof(float));
    }
    free(block);
    return status;
}

static enum qp_status create(const struct qp_problem_desc *desc, struct qp_problem *problem)
{
    enum qp_status status = QP_OK;
    const int kind = qp_problem_kind(problem);
    problem->wraps = desc->wraps || kind == WRAPS;
    if (problem->wraps && (kind == SYMMETRIC || kind == BIDOMAIN))
        return qp_fail(QP_BAD_USE, "the %s problem has no entries that wrap at row ends",
                       problem->kind);
    if (kind == BIDOMAIN)
        status = fill_bidomain(problem);
    else
        fill_random(problem, desc->seed, kind == SYMMETRIC, kind == DIAGONAL);
    if (status == QP_OK && problem->weight == 0.0)
        problem->weight = qp_problem_weight(problem);
    return status;
}

/* Slack for diagonal dominance: entries rounded to float once may exceed the diagonal by so
 * much. */
static const double rounding = 1.0 + 8.0 * 0x1p-24;

double qp_problem_weight(const struct qp_problem *problem)
{
    if (QP_NEED(problem) || problem->op != &qp_op_jacobi9)
        return NAN;
    const struct qp_matrix *a = problem->field;
    size_t cells = qp_problem_cells(problem);
    double largest = 0.0;
    for (size_t i = 0; i < cells; i++) {
        double sum = 0.0;
        for (int band = QP_JACOBI9_LL; band < QP_JACOBI9_BANDS; band++)
            sum += fabs((double)a[band].values[i]);
        largest = fmax(largest, sum / fabs((double)a[QP_JACOBI9_DD].values[i]));
    }
    return largest <= rounding ? 1.0 : 1.8 / (1.0 + largest);
}

/* ---- Derived fields ---- */

static double norm_of(const float *values, size_t cells)
{
    double sum = 0.0;
    for (size_t i = 0; i < cells; i++)
        sum += (double)values[i] * values[i];
    return sqrt(sum);
}

/* Weight times ||b||, by which a change is divided. */
static double change_divisor(const struct qp_problem *whole)
{
    const double norm = norm_of(whole->field[QP_JACOBI9_B].values, qp_problem_cells(whole));
    return whole->weight * (norm > 0.0 ? norm : 1.0);
}

static enum qp_status derive(const struct qp_problem *problem, int field,
                             enum qp_precision precision, size_t room, void *values)
{
    (void)room; /* a value a cell */
    const struct qp_problem *whole = qp_problem_whole(problem);
    const struct qp_matrix *a = whole->field;
    const float *dd = a[QP_JACOBI9_DD].values;
    const bool is_change = field == QP_JACOBI9_CHANGE, is_inverse = field == QP_JACOBI9_INVERSE_DD;
    const double divisor = is_change ? change_divisor(whole) : 0.0;
    const int divided =
        field == QP_JACOBI9_PRE_B ? QP_JACOBI9_B : QP_JACOBI9_LL + (field - QP_JACOBI9_PRE_LL);
    size_t i = 0;
    for (size_t y = 0; y < (size_t)problem->height; y++) {
        size_t at = qp_problem_place(problem, 0, y);
        for (int x = 0; x < problem->width; x++, at++)
            qp_set_value(values, precision, i++,
                         is_change    ? dd[at] / divisor
                         : is_inverse ? 1.0 / dd[at]
                                      : (double)a[divided].values[at] / dd[at]);
    }
    return QP_OK;
}

const struct qp_jacobi9_variant qp_jacobi9_wraps = {.takes_wraps = true};

const struct qp_jacobi9_variant *qp_jacobi9_variant(const struct qp_recipe *recipe)
{
    static const struct qp_jacobi9_variant usual;
    return recipe->own != NULL ? recipe->own : &usual;
}

static enum qp_status takes(const struct qp_recipe *recipe, const struct qp_problem *problem)
{
    const struct qp_jacobi9_variant *own = qp_jacobi9_variant(recipe);
    if (problem->wraps && !own->takes_wraps)
        return qp_fail(QP_UNSUPPORTED,
                       "takes no entries that wrap at row ends: its border is zeros in the bands");
    if (own->needs_symmetry && !qp_jacobi9_is_symmetric(problem))
        return qp_fail(QP_UNSUPPORTED,
                       "takes symmetric matrices only: it stores half of the bands");
    if (problem->wraps && problem->width < own->least_width)
        return qp_fail(QP_UNSUPPORTED,
                       "needs a width of at least %d where entries wrap: the left and the right "
                       "boundary line must be two",
                       own->least_width);
    return qp_takes_cells(problem, own->most_cells);
}

static const char *larger(const struct qp_problem *problem)
{
    return problem->wraps || problem->systems > 1 ? NULL : "jacobi9/rgba_tiles";
}

const struct qp_op qp_op_jacobi9 = {
    .name = "jacobi9",
    .kinds = kinds,
    .equation = "x' = (1-w) x + w D^-1 (b - (L+U) x)",
    .state = QP_JACOBI9_X,
    .fields = QP_JACOBI9_STORED,
    .cell_bytes = CELL_BYTES,
    .change_scale = QP_JACOBI9_CHANGE,
    .field = fields,
    .runs = &qp_usual_runs,
    .create = create,
    .step = step,
    .witness = witness,
    .tolerance = tolerance,
    .cost = qp_cost_of_arrays,
    .half = &half,
    .derive = derive,
    .takes = takes,
    .larger = larger,
};
