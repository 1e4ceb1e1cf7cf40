/* SPDX-License-Identifier: MIT */
/* The burning of hydrogen and carbon monoxide, by mass action.
 *
 * Reaction r turns reactants into products at the net rate, in mol / (cm^3 s),
 *
 *     q_r = [M]_r (k_r prod(reactants) - k_r / K_r prod(products))
 *
 * where a name means its concentration, k = A T^n exp(-E / R T), K is the equilibrium constant
 * in concentrations, and [M], where the reaction needs a third body to collide with, is the sum of
 * all concentrations, each times its efficiency. A concentration c_i then grows at f_i, the sum of
 * q_r over reactions that make it less those that take it.
 *
 * These equations are stiff, so time steps are implicit. A Rosenbrock method solves, in each stage,
 *
 *     (I - h gamma J) u = h f + ...,    J = df/dc,
 *
 * with one small matrix for each cell. gamma = 1/4 is that of RODAS (E. Hairer and G. Wanner,
 * Solving Ordinary Differential Equations II, second edition, Springer 1996, section VI.4); ours is
 * its first stage.
 *
 * All numbers are those of GRI-Mech 3.0 (G. P. Smith, D. M. Golden, M. Frenklach, N. W. Moriarty,
 * B. Eiteneer, M. Goldenberg, C. T. Bowman, R. K. Hanson, S. Song, W. C. Gardiner, V. V. Lissianski
 * and Z. Qin, 1999): its reactions among these twelve species and nitrogen, but for one thing.
 * Fall-off between low and high pressure (reactions 12, 54, 83 and 85) is left out for the limit of
 * low pressure, which keeps f a polynomial. In the gas that qp_kinetics_draw draws these four rates
 * are too large by 1.2, 1.2, 1.8 and 1.45 in the median and by up to 3.8 (reaction 83): too much
 * for chemistry; but nothing of the matrices changes that elimination depends on. */
#include "lab/ops/gauss_jordan_batch/kinetics.h"

#include <math.h>

#include "toolkit/base/random.h"

enum { SPECIES = QP_KINETICS_SPECIES, COLLIDERS = QP_KINETICS_COLLIDERS, NONE = -1 };

#define GAMMA     0.25
#define R_CALORIE 1.98720425 /* cal / (mol K) */
#define R_ATM     82.0573661 /* cm^3 atm / (mol K) */

/* Species that may be the third body. */
enum collider {
    ALONE,
    ANY,
    OXYGENS,
    OXIDES,
    PEROXY,
    HYDROGENS,
    WATERS,
    FORMYL,
    BY_H2,
    BY_O2,
    BY_H2O,
    BY_CO2,
    BY_N2
};

/* clang-format off */
static const double EFFICIENCY[][COLLIDERS] = {
                /* H2    H  O  O2 OH H2O   HO2 H2O2 CO    CO2  HCO CH2O N2 */
    [ANY]       = {2.0,  1, 1, 1, 1, 6.0,  1,  1,   1.5,  2.0, 1,  1,   1},
    [OXYGENS]   = {2.4,  1, 1, 1, 1, 15.4, 1,  1,   1.75, 3.6, 1,  1,   1},
    [OXIDES]    = {2.0,  1, 1, 6, 1, 6.0,  1,  1,   1.5,  3.5, 1,  1,   1},
    [PEROXY]    = {1.0,  1, 1, 0, 1, 0.0,  1,  1,   0.75, 1.5, 1,  1,   0},
    [HYDROGENS] = {0.0,  1, 1, 1, 1, 0.0,  1,  1,   1.0,  0.0, 1,  1,   1},
    [WATERS]    = {0.73, 1, 1, 1, 1, 3.65, 1,  1,   1.0,  1.0, 1,  1,   1},
    [FORMYL]    = {2.0,  1, 1, 1, 1, 0.0,  1,  1,   1.5,  2.0, 1,  1,   1},
    [BY_H2]     = {[QP_KINETICS_H2] = 1},
    [BY_O2]     = {[QP_KINETICS_O2] = 1},
    [BY_H2O]    = {[QP_KINETICS_H2O] = 1},
    [BY_CO2]    = {[QP_KINETICS_CO2] = 1},
    [BY_N2]     = {[QP_KINETICS_N2] = 1},
};

/* In mol, cm^3, s and K, energies in cal/mol; the source's numbers follow in comments. */
static const struct reaction {
    int reactant[2], product[2];
    enum collider collider;
    double factor, exponent, energy;
} REACTIONS[] = {
    {{QP_KINETICS_O, QP_KINETICS_O},      {QP_KINETICS_O2, NONE},     OXYGENS,   1.2e17,   -1.0,    0},     /* 1 */
    {{QP_KINETICS_O, QP_KINETICS_H},      {QP_KINETICS_OH, NONE},     ANY,       5.0e17,   -1.0,    0},     /* 2 */
    {{QP_KINETICS_O, QP_KINETICS_H2},     {QP_KINETICS_H, QP_KINETICS_OH},     ALONE,     3.87e4,   2.7,     6260},  /* 3 */
    {{QP_KINETICS_O, QP_KINETICS_HO2},    {QP_KINETICS_OH, QP_KINETICS_O2},    ALONE,     2.0e13,   0,       0},     /* 4 */
    {{QP_KINETICS_O, QP_KINETICS_H2O2},   {QP_KINETICS_OH, QP_KINETICS_HO2},   ALONE,     9.63e6,   2.0,     4000},  /* 5 */
    {{QP_KINETICS_O, QP_KINETICS_CO},     {QP_KINETICS_CO2, NONE},    OXIDES,    6.02e14,  0,       3000},  /* 12 */
    {{QP_KINETICS_O, QP_KINETICS_HCO},    {QP_KINETICS_OH, QP_KINETICS_CO},    ALONE,     3.0e13,   0,       0},     /* 13 */
    {{QP_KINETICS_O, QP_KINETICS_HCO},    {QP_KINETICS_H, QP_KINETICS_CO2},    ALONE,     3.0e13,   0,       0},     /* 14 */
    {{QP_KINETICS_O, QP_KINETICS_CH2O},   {QP_KINETICS_OH, QP_KINETICS_HCO},   ALONE,     3.9e13,   0,       3540},  /* 15 */
    {{QP_KINETICS_O2, QP_KINETICS_CO},    {QP_KINETICS_O, QP_KINETICS_CO2},    ALONE,     2.5e12,   0,       47800}, /* 31 */
    {{QP_KINETICS_O2, QP_KINETICS_CH2O},  {QP_KINETICS_HO2, QP_KINETICS_HCO},  ALONE,     1.0e14,   0,       40000}, /* 32 */
    {{QP_KINETICS_H, QP_KINETICS_O2},     {QP_KINETICS_HO2, NONE},    PEROXY,    2.8e18,   -0.86,   0},     /* 33 */
    {{QP_KINETICS_H, QP_KINETICS_O2},     {QP_KINETICS_HO2, NONE},    BY_O2,     2.08e19,  -1.24,   0},     /* 34 */
    {{QP_KINETICS_H, QP_KINETICS_O2},     {QP_KINETICS_HO2, NONE},    BY_H2O,    1.126e19, -0.76,   0},     /* 35 */
    {{QP_KINETICS_H, QP_KINETICS_O2},     {QP_KINETICS_HO2, NONE},    BY_N2,     2.6e19,   -1.24,   0},     /* 36 */
    {{QP_KINETICS_H, QP_KINETICS_O2},     {QP_KINETICS_O, QP_KINETICS_OH},     ALONE,     2.65e16,  -0.6707, 17041}, /* 38 */
    {{QP_KINETICS_H, QP_KINETICS_H},      {QP_KINETICS_H2, NONE},     HYDROGENS, 1.0e18,   -1.0,    0},     /* 39 */
    {{QP_KINETICS_H, QP_KINETICS_H},      {QP_KINETICS_H2, NONE},     BY_H2,     9.0e16,   -0.6,    0},     /* 40 */
    {{QP_KINETICS_H, QP_KINETICS_H},      {QP_KINETICS_H2, NONE},     BY_H2O,    6.0e19,   -1.25,   0},     /* 41 */
    {{QP_KINETICS_H, QP_KINETICS_H},      {QP_KINETICS_H2, NONE},     BY_CO2,    5.5e20,   -2.0,    0},     /* 42 */
    {{QP_KINETICS_H, QP_KINETICS_OH},     {QP_KINETICS_H2O, NONE},    WATERS,    2.2e22,   -2.0,    0},     /* 43 */
    {{QP_KINETICS_H, QP_KINETICS_HO2},    {QP_KINETICS_O, QP_KINETICS_H2O},    ALONE,     3.97e12,  0,       671},   /* 44 */
    {{QP_KINETICS_H, QP_KINETICS_HO2},    {QP_KINETICS_O2, QP_KINETICS_H2},    ALONE,     4.48e13,  0,       1068},  /* 45 */
    {{QP_KINETICS_H, QP_KINETICS_HO2},    {QP_KINETICS_OH, QP_KINETICS_OH},    ALONE,     8.4e13,   0,       635},   /* 46 */
    {{QP_KINETICS_H, QP_KINETICS_H2O2},   {QP_KINETICS_HO2, QP_KINETICS_H2},   ALONE,     1.21e7,   2.0,     5200},  /* 47 */
    {{QP_KINETICS_H, QP_KINETICS_H2O2},   {QP_KINETICS_OH, QP_KINETICS_H2O},   ALONE,     1.0e13,   0,       3600},  /* 48 */
    {{QP_KINETICS_H, QP_KINETICS_HCO},    {QP_KINETICS_CH2O, NONE},   ANY,       2.47e24,  -2.57,   425},   /* 54 */
    {{QP_KINETICS_H, QP_KINETICS_HCO},    {QP_KINETICS_H2, QP_KINETICS_CO},    ALONE,     7.34e13,  0,       0},     /* 55 */
    {{QP_KINETICS_H, QP_KINETICS_CH2O},   {QP_KINETICS_HCO, QP_KINETICS_H2},   ALONE,     5.74e7,   1.9,     2742},  /* 58 */
    {{QP_KINETICS_H2, QP_KINETICS_CO},    {QP_KINETICS_CH2O, NONE},   ANY,       5.07e27,  -3.42,   84350}, /* 83 */
    {{QP_KINETICS_OH, QP_KINETICS_H2},    {QP_KINETICS_H, QP_KINETICS_H2O},    ALONE,     2.16e8,   1.51,    3430},  /* 84 */
    {{QP_KINETICS_OH, QP_KINETICS_OH},    {QP_KINETICS_H2O2, NONE},   ANY,       2.3e18,   -0.9,    -1700}, /* 85 */
    {{QP_KINETICS_OH, QP_KINETICS_OH},    {QP_KINETICS_O, QP_KINETICS_H2O},    ALONE,     3.57e4,   2.4,     -2110}, /* 86 */
    {{QP_KINETICS_OH, QP_KINETICS_HO2},   {QP_KINETICS_O2, QP_KINETICS_H2O},   ALONE,     1.45e13,  0,       -500},  /* 87 */
    {{QP_KINETICS_OH, QP_KINETICS_H2O2},  {QP_KINETICS_HO2, QP_KINETICS_H2O},  ALONE,     2.0e12,   0,       427},   /* 88 */
    {{QP_KINETICS_OH, QP_KINETICS_H2O2},  {QP_KINETICS_HO2, QP_KINETICS_H2O},  ALONE,     1.7e18,   0,       29410}, /* 89 */
    {{QP_KINETICS_OH, QP_KINETICS_CO},    {QP_KINETICS_H, QP_KINETICS_CO2},    ALONE,     4.76e7,   1.228,   70},    /* 99 */
    {{QP_KINETICS_OH, QP_KINETICS_HCO},   {QP_KINETICS_H2O, QP_KINETICS_CO},   ALONE,     5.0e13,   0,       0},     /* 100 */
    {{QP_KINETICS_OH, QP_KINETICS_CH2O},  {QP_KINETICS_HCO, QP_KINETICS_H2O},  ALONE,     3.43e9,   1.18,    -447},  /* 101 */
    {{QP_KINETICS_HO2, QP_KINETICS_HO2},  {QP_KINETICS_O2, QP_KINETICS_H2O2},  ALONE,     1.3e11,   0,       -1630}, /* 115 */
    {{QP_KINETICS_HO2, QP_KINETICS_HO2},  {QP_KINETICS_O2, QP_KINETICS_H2O2},  ALONE,     4.2e14,   0,       12000}, /* 116 */
    {{QP_KINETICS_HO2, QP_KINETICS_CO},   {QP_KINETICS_OH, QP_KINETICS_CO2},   ALONE,     1.5e14,   0,       23600}, /* 120 */
    {{QP_KINETICS_HO2, QP_KINETICS_CH2O}, {QP_KINETICS_HCO, QP_KINETICS_H2O2}, ALONE,     5.6e6,    2.0,     12000}, /* 121 */
    {{QP_KINETICS_HCO, NONE},    {QP_KINETICS_H, QP_KINETICS_CO},     BY_H2O,    1.5e18,   -1.0,    17000}, /* 166 */
    {{QP_KINETICS_HCO, NONE},    {QP_KINETICS_H, QP_KINETICS_CO},     FORMYL,    1.87e17,  -1.0,    17000}, /* 167 */
    {{QP_KINETICS_HCO, QP_KINETICS_O2},   {QP_KINETICS_HO2, QP_KINETICS_CO},   ALONE,     1.345e13, 0,       400},   /* 168 */
    {{QP_KINETICS_OH, QP_KINETICS_HO2},   {QP_KINETICS_O2, QP_KINETICS_H2O},   ALONE,     5.0e15,   0,       17330}, /* 287 */
};

/* Heat capacity over R is a0 + a1 T + ... + a4 T^4; a5 and a6 are the constants of enthalpy and
 * entropy. */
static const double THERMO[SPECIES][7] = {
    [QP_KINETICS_H2]   = {3.3372792, -4.94024731e-05, 4.99456778e-07, -1.79566394e-10,
                 2.00255376e-14, -950.158922, -3.20502331},
    [QP_KINETICS_H]    = {2.50000001, -2.30842973e-11, 1.61561948e-14, -4.73515235e-18,
                 4.98197357e-22, 25473.6599, -0.446682914},
    [QP_KINETICS_O]    = {2.56942078, -8.59741137e-05, 4.19484589e-08, -1.00177799e-11,
                 1.22833691e-15, 29217.5791, 4.78433864},
    [QP_KINETICS_O2]   = {3.28253784, 1.48308754e-03, -7.57966669e-07, 2.09470555e-10,
                 -2.16717794e-14, -1088.45772, 5.45323129},
    [QP_KINETICS_OH]   = {3.09288767, 5.48429716e-04, 1.26505228e-07, -8.79461556e-11,
                 1.17412376e-14, 3858.657, 4.4766961},
    [QP_KINETICS_H2O]  = {3.03399249, 2.17691804e-03, -1.64072518e-07, -9.7041987e-11,
                 1.68200992e-14, -30004.2971, 4.9667701},
    [QP_KINETICS_HO2]  = {4.0172109, 2.23982013e-03, -6.3365815e-07, 1.1424637e-10,
                 -1.07908535e-14, 111.856713, 3.78510215},
    [QP_KINETICS_H2O2] = {4.16500285, 4.90831694e-03, -1.90139225e-06, 3.71185986e-10,
                 -2.87908305e-14, -17861.7877, 2.91615662},
    [QP_KINETICS_CO]   = {2.71518561, 2.06252743e-03, -9.98825771e-07, 2.30053008e-10,
                 -2.03647716e-14, -14151.8724, 7.81868772},
    [QP_KINETICS_CO2]  = {3.85746029, 4.41437026e-03, -2.21481404e-06, 5.23490188e-10,
                 -4.72084164e-14, -48759.166, 2.27163806},
    [QP_KINETICS_HCO]  = {2.77217438, 4.95695526e-03, -2.48445613e-06, 5.89161778e-10,
                 -5.33508711e-14, 4011.91815, 9.79834492},
    [QP_KINETICS_CH2O] = {1.76069008, 9.20000082e-03, -4.42258813e-06, 1.00641212e-09,
                 -8.8385564e-14, -13995.8323, 13.656323},
};
/* clang-format on */

enum { REACTION_COUNT = sizeof REACTIONS / sizeof REACTIONS[0] };

void qp_kinetics_gibbs(double t, double gibbs[QP_KINETICS_SPECIES])
{
    for (int i = 0; i < SPECIES; i++) {
        const double *a = THERMO[i];
        gibbs[i] = a[0] * (1 - log(t)) - a[6] + a[5] / t -
                   t * (a[1] / 2 + t * (a[2] / 6 + t * (a[3] / 12 + t * a[4] / 20)));
    }
}

/* ---- Rates ---- */

/* A direction of a reaction: its reactants, and its rate constant. */
struct term {
    const int *consumed;
    double constant; /* negative for the way back */
};

/* Both directions. K = exp(-change of Gibbs energy) (1 atm / R T)^(change of moles). */
static void find_terms(const struct reaction *r, double t, const double *gibbs, struct term term[2])
{
    double forward = r->factor * pow(t, r->exponent) * exp(-r->energy / (R_CALORIE * t));
    double equilibrium = 1;
    for (int k = 0; k < 2; k++) {
        if (r->product[k] != NONE)
            equilibrium *= exp(-gibbs[r->product[k]]) / (R_ATM * t);
        if (r->reactant[k] != NONE)
            equilibrium /= exp(-gibbs[r->reactant[k]]) / (R_ATM * t);
    }
    term[0] = (struct term){r->reactant, forward};
    term[1] = (struct term){r->product, -forward / equilibrium};
}

static double third_body(const struct reaction *r, const double *c)
{
    double sum = r->collider == ALONE ? 1 : 0;
    for (int i = 0; i < COLLIDERS && r->collider != ALONE; i++)
        sum += EFFICIENCY[r->collider][i] * c[i];
    return sum;
}

/* The k-th factor of a term's product of concentrations. */
static double factor(const struct term *term, int k, const double *c)
{
    return term->consumed[k] == NONE ? 1 : c[term->consumed[k]];
}

/* Adds a reaction's rate, or one derivative of it, to all that it makes and takes. */
static void add_rate(const struct reaction *r, double rate, double *out, int stride)
{
    for (int k = 0; k < 2; k++) {
        if (r->product[k] != NONE)
            out[r->product[k] * stride] += rate;
        if (r->reactant[k] != NONE)
            out[r->reactant[k] * stride] -= rate;
    }
}

void qp_kinetics_rates(const struct qp_cell *cell, double rates[QP_KINETICS_SPECIES])
{
    const double *c = cell->mol_per_cm3;
    double gibbs[SPECIES];
    qp_kinetics_gibbs(cell->temperature_kelvin, gibbs);
    for (int i = 0; i < SPECIES; i++)
        rates[i] = 0;
    for (const struct reaction *r = REACTIONS; r < REACTIONS + REACTION_COUNT; r++) {
        struct term term[2];
        find_terms(r, cell->temperature_kelvin, gibbs, term);
        for (int d = 0; d < 2; d++)
            add_rate(r,
                     third_body(r, c) * term[d].constant * factor(&term[d], 0, c) *
                         factor(&term[d], 1, c),
                     rates, 1);
    }
}

/* Differentiates by the product rule: one derivative for each factor, and one for each third
 * body. */
static void differentiate(const struct reaction *r, const struct term *term, const double *c,
                          double *jacobian)
{
    double both = term->constant * factor(term, 0, c) * factor(term, 1, c);
    for (int k = 0; k < 2; k++) {
        if (term->consumed[k] != NONE)
            add_rate(r, third_body(r, c) * term->constant * factor(term, 1 - k, c),
                     jacobian + term->consumed[k], SPECIES);
    }
    for (int j = 0; j < SPECIES && r->collider != ALONE; j++)
        add_rate(r, EFFICIENCY[r->collider][j] * both, jacobian + j, SPECIES);
}

void qp_kinetics_jacobian(const struct qp_cell *cell,
                          double jacobian[QP_KINETICS_SPECIES * QP_KINETICS_SPECIES])
{
    double gibbs[SPECIES];
    qp_kinetics_gibbs(cell->temperature_kelvin, gibbs);
    for (int i = 0; i < SPECIES * SPECIES; i++)
        jacobian[i] = 0;
    for (const struct reaction *r = REACTIONS; r < REACTIONS + REACTION_COUNT; r++) {
        struct term term[2];
        find_terms(r, cell->temperature_kelvin, gibbs, term);
        for (int d = 0; d < 2; d++)
            differentiate(r, &term[d], cell->mol_per_cm3, jacobian);
    }
}

/* ---- Cells ---- */

static double log_uniform(uint64_t *random_state, double low, double high)
{
    return exp(qp_random(random_state, log(low), log(high)));
}

void qp_kinetics_draw(uint64_t *random_state, struct qp_cell *cell)
{
    /* Decades of mole fractions from fresh gas to burnt: fuel, oxygen and their products, the
     * radicals of the flame front, and traces. */
    enum { MAJOR, RADICAL, TRACE };
    static const int CLASS[COLLIDERS] = {
        [QP_KINETICS_H] = RADICAL, [QP_KINETICS_O] = RADICAL,  [QP_KINETICS_OH] = RADICAL,
        [QP_KINETICS_HO2] = TRACE, [QP_KINETICS_H2O2] = TRACE, [QP_KINETICS_HCO] = TRACE,
        [QP_KINETICS_CH2O] = TRACE};
    static const double LOW[] = {1e-2, 1e-6, 1e-9}, HIGH[] = {1, 1e-2, 1e-4};
    double sum = 0;
    cell->temperature_kelvin = qp_random(random_state, 1000, 2500);
    cell->step_seconds = log_uniform(random_state, 1e-8, 1e-3);
    double gas = log_uniform(random_state, 0.1, 1) / (R_ATM * cell->temperature_kelvin);
    for (int i = 0; i < COLLIDERS; i++) {
        cell->mol_per_cm3[i] = log_uniform(random_state, LOW[CLASS[i]], HIGH[CLASS[i]]);
        sum += cell->mol_per_cm3[i];
    }
    for (int i = 0; i < COLLIDERS; i++)
        cell->mol_per_cm3[i] *= gas / sum;
}

void qp_kinetics_newton(uint64_t *random_state,
                        double matrix[QP_KINETICS_SPECIES * QP_KINETICS_SPECIES],
                        double right_hand_side[QP_KINETICS_SPECIES])
{
    struct qp_cell cell;
    double gas = 0;
    qp_kinetics_draw(random_state, &cell);
    qp_kinetics_jacobian(&cell, matrix);
    qp_kinetics_rates(&cell, right_hand_side);
    for (int i = 0; i < COLLIDERS; i++)
        gas += cell.mol_per_cm3[i];
    for (int i = 0; i < SPECIES; i++) {
        right_hand_side[i] *= cell.step_seconds / gas;
        for (int j = 0; j < SPECIES; j++)
            matrix[i * SPECIES + j] =
                (i == j) - cell.step_seconds * GAMMA * matrix[i * SPECIES + j];
    }
}
