/* SPDX-License-Identifier: MIT */
#include "support/judge.h"

#include <stdlib.h>

#include "have.h"

#if QP_HAVE_GMP
#include <gmp.h>
#include <math.h>
#include <stdint.h>

/* Doubles are 2^e times whole numbers; this many bits hold any sum of products of them. */
enum { BITS = 8192 };

struct judge {
    int n, sides, rank;
    const double *a; /* the caller's, column by column */
    mpz_t *whole;    /* n rows of [A | B], each times a power of two */
    mpz_t *solved;   /* solution for a regular A: det [I | X], the same rows' */
    mpf_t *b;        /* sides columns, as given */
};

static int width(const struct judge *judge)
{
    return judge->n + judge->sides;
}

/* ---- Whole numbers ---- */

/* The odd number in v, and the power of two beside it. */
static int64_t odd_part(double v, int *exponent)
{
    int64_t whole = (int64_t)ldexp(frexp(v, exponent), 53);
    *exponent -= 53;
    for (; whole != 0 && whole % 2 == 0; whole /= 2)
        ++*exponent;
    return whole;
}

/* v 2^-exponent. */
static void set_whole(mpz_t out, double v, int exponent)
{
    int own;
    mpz_set_si(out, odd_part(v, &own));
    if (v != 0.0)
        mpz_mul_2exp(out, out, (mp_bitcnt_t)(own - exponent));
}

static mpz_t *create_whole(size_t count)
{
    mpz_t *values = malloc(count * sizeof *values);
    for (size_t k = 0; k < count; k++)
        mpz_init(values[k]);
    return values;
}

static void destroy_whole(mpz_t *values, size_t count)
{
    for (size_t k = 0; k < count; k++)
        mpz_clear(values[k]);
    free(values);
}

/* Row i, and b as it is given. */
static void fill_row(struct judge *judge, const double *b, int i)
{
    mpz_t *row = judge->whole + i * width(judge);
    const int n = judge->n;
    int least = 2000, exponent;
    for (int j = 0; j < n + (b != NULL ? judge->sides : 0); j++) {
        const double value = j < n ? judge->a[j * n + i] : b[(j - n) * n + i];
        odd_part(value, &exponent);
        least = value != 0.0 && exponent < least ? exponent : least;
    }
    for (int j = 0; j < n; j++)
        set_whole(row[j], judge->a[j * n + i], least);
    for (int side = 0; side < judge->sides; side++) {
        mpf_t *of_b = &judge->b[side * n + i];
        if (b != NULL)
            set_whole(row[n + side], b[side * n + i], least);
        for (int j = 0; j < n && b == NULL; j++)
            mpz_add(row[n], row[n], row[j]);
        mpf_init2(*of_b, BITS);
        mpf_set_z(*of_b, row[n + side]);
        if (least < 0)
            mpf_div_2exp(*of_b, *of_b, (mp_bitcnt_t)-least);
        else
            mpf_mul_2exp(*of_b, *of_b, (mp_bitcnt_t)least);
    }
}

/* ---- Elimination ---- */

/* Gauss-Jordan without fractions (Bareiss 1968): all divisions are exact. Leaves column `without`
 * out; returns the rank of what is left. */
static int eliminate(const struct judge *judge, mpz_t *m, int without)
{
    const int w = width(judge), n = judge->n;
    int rank = 0;
    mpz_t before, part;
    mpz_init_set_si(before, 1);
    mpz_init(part);
    for (int k = 0; k < n; k++) {
        int pivot = rank;
        while (pivot < n && mpz_sgn(m[pivot * w + k]) == 0)
            pivot++;
        if (k == without || pivot == n)
            continue;
        for (int j = 0; j < w; j++)
            mpz_swap(m[pivot * w + j], m[rank * w + j]);
        for (int i = 0; i < n; i++) {
            if (i == rank)
                continue;
            mpz_set(part, m[i * w + k]);
            for (int j = 0; j < w; j++) {
                mpz_mul(m[i * w + j], m[i * w + j], m[rank * w + k]);
                mpz_submul(m[i * w + j], part, m[rank * w + j]);
                mpz_divexact(m[i * w + j], m[i * w + j], before);
            }
        }
        mpz_set(before, m[rank * w + k]);
        rank++;
    }
    mpz_clears(before, part, NULL);
    return rank;
}

static mpz_t *copy(const struct judge *judge)
{
    const size_t count = (size_t)(judge->n * width(judge));
    mpz_t *values = create_whole(count);
    for (size_t k = 0; k < count; k++)
        mpz_set(values[k], judge->whole[k]);
    return values;
}

struct judge *judge_create(const struct qp_market *a, const double *b, int sides)
{
    struct judge *judge = calloc(1, sizeof *judge);
    *judge = (struct judge){.n = a->rows, .sides = sides, .a = a->value};
    judge->whole = create_whole((size_t)(judge->n * width(judge)));
    judge->b = malloc((size_t)(judge->n * sides) * sizeof *judge->b);
    for (int i = 0; i < judge->n; i++)
        fill_row(judge, b, i);
    judge->solved = copy(judge);
    judge->rank = eliminate(judge, judge->solved, -1);
    return judge;
}

void judge_destroy(struct judge **judge)
{
    struct judge *old = *judge;
    if (old == NULL)
        return;
    destroy_whole(old->whole, (size_t)(old->n * width(old)));
    destroy_whole(old->solved, (size_t)(old->n * width(old)));
    for (int k = 0; k < old->n * old->sides; k++)
        mpf_clear(old->b[k]);
    free(old->b);
    free(old);
    *judge = NULL;
}

/* ---- Verdicts ---- */

bool judge_is_singular(const struct judge *judge)
{
    return judge->rank < judge->n;
}

bool judge_is_combination(const struct judge *judge, int column)
{
    mpz_t *others = copy(judge);
    const bool is = eliminate(judge, others, column) == judge->rank;
    destroy_whole(others, (size_t)(judge->n * width(judge)));
    return is;
}

bool judge_residual_within(const struct judge *judge, int side, const double *x, double limit)
{
    const int n = judge->n;
    mpf_t rest, all, sum, term;
    mpf_inits(rest, all, sum, term, NULL);
    mpf_t *each[] = {&rest, &all, &sum, &term};
    for (int k = 0; k < 4; k++)
        mpf_set_prec(*each[k], BITS);
    for (int i = 0; i < n; i++) {
        mpf_t *b = &judge->b[side * n + i];
        mpf_set(sum, *b);
        for (int j = 0; j < n; j++) {
            mpf_set_d(term, x[j]);
            mpf_t a;
            mpf_init_set_d(a, judge->a[j * n + i]);
            mpf_mul(term, term, a);
            mpf_sub(sum, sum, term);
            mpf_clear(a);
        }
        mpf_mul(sum, sum, sum);
        mpf_add(rest, rest, sum);
        mpf_mul(term, *b, *b);
        mpf_add(all, all, term);
    }
    if (mpf_sgn(all) == 0)
        mpf_set_ui(all, 1);
    mpf_set_d(term, limit);
    mpf_mul(all, all, term);
    mpf_mul(all, all, term);
    const bool is = mpf_cmp(rest, all) <= 0;
    mpf_clears(rest, all, sum, term, NULL);
    return is;
}

/* All times det A: |det x - x_det| <= limit |x_det|. */
bool judge_error_within(const struct judge *judge, int side, const double *x, double limit)
{
    const int n = judge->n, w = width(judge);
    mpf_t most, largest, here, term;
    mpf_inits(most, largest, here, term, NULL);
    mpf_t *each[] = {&most, &largest, &here, &term};
    for (int k = 0; k < 4; k++)
        mpf_set_prec(*each[k], 2 * BITS);
    for (int i = 0; i < n; i++) {
        mpf_set_z(here, judge->solved[i * w + n + side]);
        mpf_set_z(term, judge->solved[i * w + i]);
        mpf_t factor;
        mpf_init_set_d(factor, x[i]);
        mpf_mul(term, term, factor);
        mpf_clear(factor);
        mpf_sub(term, term, here);
        mpf_abs(term, term);
        mpf_abs(here, here);
        if (mpf_cmp(term, most) > 0)
            mpf_set(most, term);
        if (mpf_cmp(here, largest) > 0)
            mpf_set(largest, here);
    }
    mpf_set_d(term, limit);
    mpf_mul(largest, largest, term);
    const bool is = mpf_cmp(most, largest) <= 0;
    mpf_clears(most, largest, here, term, NULL);
    return is;
}

#else

struct judge *judge_create(const struct qp_market *a, const double *b, int sides)
{
    (void)a, (void)b, (void)sides;
    return NULL;
}

void judge_destroy(struct judge **judge)
{
    *judge = NULL;
}

bool judge_is_singular(const struct judge *judge)
{
    return judge == NULL;
}

bool judge_is_combination(const struct judge *judge, int column)
{
    return judge == NULL && column < 0;
}

bool judge_residual_within(const struct judge *judge, int side, const double *x, double limit)
{
    return judge == NULL && x[side] <= limit;
}

bool judge_error_within(const struct judge *judge, int side, const double *x, double limit)
{
    return judge == NULL && x[side] <= limit;
}
#endif
