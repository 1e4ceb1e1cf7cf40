/* SPDX-License-Identifier: MIT */
/* The kinetics batch against what chemistry and algebra say, without its tables: atoms are kept,
 * equilibrium is at rest, and the Jacobian is the derivative of the rates. */
#include "support/support.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "lab/ops/gauss_jordan_batch/kinetics.h"

enum { N = QP_KINETICS_SPECIES, CELLS = 1000 };

/* Atoms of hydrogen, carbon and oxygen, by the names of the species. */
static const double ATOMS[3][N] = {
    {[QP_KINETICS_H2] = 2,
     [QP_KINETICS_H] = 1,
     [QP_KINETICS_OH] = 1,
     [QP_KINETICS_H2O] = 2,
     [QP_KINETICS_HO2] = 1,
     [QP_KINETICS_H2O2] = 2,
     [QP_KINETICS_HCO] = 1,
     [QP_KINETICS_CH2O] = 2},
    {[QP_KINETICS_CO] = 1, [QP_KINETICS_CO2] = 1, [QP_KINETICS_HCO] = 1, [QP_KINETICS_CH2O] = 1},
    {[QP_KINETICS_O] = 1,
     [QP_KINETICS_O2] = 2,
     [QP_KINETICS_OH] = 1,
     [QP_KINETICS_H2O] = 1,
     [QP_KINETICS_HO2] = 2,
     [QP_KINETICS_H2O2] = 2,
     [QP_KINETICS_CO] = 1,
     [QP_KINETICS_CO2] = 2,
     [QP_KINETICS_HCO] = 1,
     [QP_KINETICS_CH2O] = 1},
};

static double largest(const double *values, int count, int stride)
{
    double most = 0;
    for (int i = 0; i < count; i++)
        most = fmax(most, fabs(values[i * stride]));
    return most;
}

/* Sum over species of atoms times rates, and of atoms times any column of J. */
TEST(atoms_are_kept)
{
    uint64_t seed = 1;
    for (int cell = 0; cell < CELLS; cell++) {
        struct qp_cell gas;
        double table[N][N + 1], rates[N], jacobian[N * N];
        qp_kinetics_draw(&seed, &gas);
        qp_kinetics_rates(&gas, rates);
        qp_kinetics_jacobian(&gas, jacobian);
        for (int i = 0; i < N; i++) {
            memcpy(table[i], jacobian + i * N, N * sizeof(double));
            table[i][N] = rates[i];
        }
        for (int column = 0; column <= N; column++) {
            double size = largest(&table[0][column], N, N + 1);
            assert_true(isfinite(size) && size > 0);
            for (int atom = 0; atom < 3; atom++) {
                double sum = 0;
                for (int i = 0; i < N; i++)
                    sum += ATOMS[atom][i] * table[i][column];
                assert_true(fabs(sum) <= 1e-13 * size);
            }
        }
    }
}

/* Rates are polynomials of degree 3 in any one concentration, and for those the four-point formula
 * has no truncation error: steps may be large, and only rounding is left. */
TEST(jacobian_is_the_derivative)
{
    uint64_t seed = 2;
    for (int cell = 0; cell < CELLS; cell++) {
        struct qp_cell gas;
        double jacobian[N * N];
        qp_kinetics_draw(&seed, &gas);
        qp_kinetics_jacobian(&gas, jacobian);
        double step = 1e-2 * largest(gas.mol_per_cm3, N, 1);
        for (int j = 0; j < N; j++) {
            static const double WEIGHT[4] = {1.0 / 12, -8.0 / 12, 8.0 / 12, -1.0 / 12},
                                AT[4] = {-2, -1, 1, 2};
            double difference[N] = {0}, size = largest(jacobian + j, N, N);
            for (int k = 0; k < 4; k++) {
                struct qp_cell moved = gas;
                double rates[N];
                moved.mol_per_cm3[j] += AT[k] * step;
                qp_kinetics_rates(&moved, rates);
                size = fmax(size, largest(rates, N, 1) / step);
                for (int i = 0; i < N; i++)
                    difference[i] += WEIGHT[k] * rates[i] / step;
            }
            for (int i = 0; i < N; i++)
                assert_true(fabs(difference[i] - jacobian[i * N + j]) <= 1e-12 * size);
        }
    }
}

/* Every reaction is at rest, not only their sum, where ln(c R T / 1 atm) + g is a sum over
 * atoms. */
TEST(equilibrium_is_at_rest)
{
    for (double t = 1000; t <= 2500; t += 500) {
        struct qp_cell gas = {.temperature_kelvin = t};
        double gibbs[N], rates[N], jacobian[N * N];
        static const double POTENTIAL[3] = {-10, -30, -14}; /* any will do */
        qp_kinetics_gibbs(t, gibbs);
        for (int i = 0; i < N; i++) {
            double sum = -gibbs[i];
            for (int atom = 0; atom < 3; atom++)
                sum += ATOMS[atom][i] * POTENTIAL[atom];
            gas.mol_per_cm3[i] = exp(sum) / (82.0573661 * t);
        }
        qp_kinetics_rates(&gas, rates);
        qp_kinetics_jacobian(&gas, jacobian);
        for (int i = 0; i < N; i++)
            assert_true(fabs(rates[i]) <= 1e-12 * fabs(jacobian[i * N + i]) * gas.mol_per_cm3[i]);
    }
}

/* Efficiencies of reactions 12, O + CO + M = CO2 + M, and 1, O + O + M = O2 + M, by the source
 * (GRI-Mech 3.0): where nothing else makes the product it grows at k [M] times the two, and a gas
 * adds to that by its efficiency. */
TEST(third_bodies_have_their_efficiencies)
{
    static const struct {
        int product, first, second;
        double factor, exponent, energy;
        int body;
        double efficiency;
    } cases[] = {
        {QP_KINETICS_CO2, QP_KINETICS_O, QP_KINETICS_CO, 6.02e14, 0.0, 3000.0, QP_KINETICS_H2, 2.0},
        {QP_KINETICS_CO2, QP_KINETICS_O, QP_KINETICS_CO, 6.02e14, 0.0, 3000.0, QP_KINETICS_H, 1.0},
        {QP_KINETICS_CO2, QP_KINETICS_O, QP_KINETICS_CO, 6.02e14, 0.0, 3000.0, QP_KINETICS_H2O,
         6.0},
        {QP_KINETICS_CO2, QP_KINETICS_O, QP_KINETICS_CO, 6.02e14, 0.0, 3000.0, QP_KINETICS_H2O2,
         1.0},
        {QP_KINETICS_CO2, QP_KINETICS_O, QP_KINETICS_CO, 6.02e14, 0.0, 3000.0, QP_KINETICS_CH2O,
         1.0},
        {QP_KINETICS_CO2, QP_KINETICS_O, QP_KINETICS_CO, 6.02e14, 0.0, 3000.0, QP_KINETICS_N2, 1.0},
        {QP_KINETICS_O2, QP_KINETICS_O, QP_KINETICS_O, 1.2e17, -1.0, 0.0, QP_KINETICS_H2, 2.4},
        {QP_KINETICS_O2, QP_KINETICS_O, QP_KINETICS_O, 1.2e17, -1.0, 0.0, QP_KINETICS_H, 1.0},
        {QP_KINETICS_O2, QP_KINETICS_O, QP_KINETICS_O, 1.2e17, -1.0, 0.0, QP_KINETICS_H2O, 15.4},
        {QP_KINETICS_O2, QP_KINETICS_O, QP_KINETICS_O, 1.2e17, -1.0, 0.0, QP_KINETICS_CO, 1.75},
        {QP_KINETICS_O2, QP_KINETICS_O, QP_KINETICS_O, 1.2e17, -1.0, 0.0, QP_KINETICS_H2O2, 1.0},
        {QP_KINETICS_O2, QP_KINETICS_O, QP_KINETICS_O, 1.2e17, -1.0, 0.0, QP_KINETICS_N2, 1.0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const double t = 1500.0, c = 1e-6, body = 3e-6;
        struct qp_cell gas = {.temperature_kelvin = t};
        double alone[N], together[N];
        gas.mol_per_cm3[cases[i].first] = c;
        gas.mol_per_cm3[cases[i].second] = c;
        qp_kinetics_rates(&gas, alone);
        gas.mol_per_cm3[cases[i].body] = body;
        qp_kinetics_rates(&gas, together);
        const double k =
            cases[i].factor * pow(t, cases[i].exponent) * exp(-cases[i].energy / (1.98720425 * t));
        const double found =
            (together[cases[i].product] - alone[cases[i].product]) / (k * c * c * body);
        if (fabs(found / cases[i].efficiency - 1.0) > 1e-6)
            fail_msg("case %zu: an efficiency of %g, not %g", i, found, cases[i].efficiency);
    }
}

/* Decimal logarithms of equilibrium constants at 2000 K: M. W. Chase, NIST-JANAF Thermochemical
 * Tables, fourth edition, 1998 (of formation, those of CO2 and CO subtracted). */
TEST(equilibrium_constants_are_known)
{
    double g[N];
    qp_kinetics_gibbs(2000, g);
    assert_true(fabs((g[QP_KINETICS_H2] + g[QP_KINETICS_O2] / 2 - g[QP_KINETICS_H2O]) / log(10) -
                     3.540) < 0.02);
    assert_true(fabs((g[QP_KINETICS_CO] + g[QP_KINETICS_O2] / 2 - g[QP_KINETICS_CO2]) / log(10) -
                     2.884) < 0.02);
    assert_true(fabs((g[QP_KINETICS_H2] / 2 - g[QP_KINETICS_H]) / log(10) + 2.788) < 0.02);
}

/* ||A||_1 ||A^-1||_1 by Gauss-Jordan with the largest pivot. */
static double condition(const double *matrix)
{
    double a[N][2 * N] = {{0}}, norm = 0, inverse_norm = 0;
    for (int i = 0; i < N; i++) {
        memcpy(a[i], matrix + i * N, N * sizeof(double));
        a[i][N + i] = 1;
    }
    for (int j = 0; j < N; j++) {
        double sum = 0;
        for (int i = 0; i < N; i++)
            sum += fabs(a[i][j]);
        norm = fmax(norm, sum);
    }
    for (int k = 0; k < N; k++) {
        int pivot = k;
        for (int i = k; i < N; i++)
            pivot = fabs(a[i][k]) > fabs(a[pivot][k]) ? i : pivot;
        for (int j = 0; j < 2 * N; j++) {
            double kept = a[pivot][j];
            a[pivot][j] = a[k][j];
            a[k][j] = kept;
        }
        for (int i = 0; i < N; i++) {
            double times = i == k ? 1 - 1 / a[k][k] : a[i][k] / a[k][k];
            for (int j = 2 * N - 1; j >= k; j--)
                a[i][j] -= times * a[k][j];
        }
    }
    for (int j = N; j < 2 * N; j++) {
        double sum = 0;
        for (int i = 0; i < N; i++)
            sum += fabs(a[i][j]);
        inverse_norm = fmax(inverse_norm, sum);
    }
    return norm * inverse_norm;
}

/* Fit for float, and of all kinds: from nearly the identity to what float can hardly solve. */
TEST(systems_are_many_and_fit_for_float)
{
    uint64_t seed = 3;
    double least = INFINITY, most = 0, mean = 0, last[N * N] = {0};
    for (int cell = 0; cell < CELLS; cell++) {
        double matrix[N * N], right_hand_side[N];
        qp_kinetics_newton(&seed, matrix, right_hand_side);
        assert_true(largest(matrix, N * N, 1) < 1e12 && largest(right_hand_side, N, 1) < 1e12);
        assert_true(largest(right_hand_side, N, 1) > 1e-12);
        assert_memory_not_equal(matrix, last, sizeof last);
        memcpy(last, matrix, sizeof last);
        double found = condition(matrix);
        assert_true(isfinite(found));
        least = fmin(least, found);
        most = fmax(most, found);
        mean += log10(found) / CELLS;
    }
    print_message("conditions %.1e to %.1e, in the mean 1e%.1f\n", least, most, mean);
    assert_true(least < 10 && most > 1e3);
}

TEST(a_seed_names_a_batch)
{
    double a[2][N * N], b[2][N];
    for (int k = 0; k < 2; k++) {
        uint64_t seed = 4;
        qp_kinetics_newton(&seed, a[k], b[k]);
    }
    assert_memory_equal(a[0], a[1], sizeof a[0]);
    assert_memory_equal(b[0], b[1], sizeof b[0]);
}

/* Widens a range. */
static void widen(double range[2], double value)
{
    range[0] = fmin(range[0], value);
    range[1] = fmax(range[1], value);
}

/* 1000 to 2500 K, 0.1 to 1 atm, 10 ns to 1 ms, all of each range; beside water, fractions of 0.01
 * to 1, there are nitrogen in as many decades, radicals of 1e-6 to 0.01, and traces of 1e-9 to
 * 1e-4. */
TEST(cells_are_in_their_ranges)
{
    enum { DRAWN = 4000 };
    const double wanted[6][2] = {{1000, 2500},          {log(0.1), 0},  {log(1e-8), log(1e-3)},
                                 {log(1e-2), log(1e2)}, {log(1e-6), 0}, {log(1e-9), log(1e-2)}};
    double range[6][2];
    uint64_t seed = 6;
    for (int k = 0; k < 6; k++)
        range[k][0] = INFINITY, range[k][1] = -INFINITY;
    for (int k = 0; k < DRAWN; k++) {
        struct qp_cell cell;
        double gas = 0.0;
        qp_kinetics_draw(&seed, &cell);
        for (int i = 0; i < QP_KINETICS_COLLIDERS; i++) {
            assert_true(cell.mol_per_cm3[i] > 0.0);
            gas += cell.mol_per_cm3[i];
        }
        widen(range[0], cell.temperature_kelvin);
        widen(range[1], log(gas * 82.0573661 * cell.temperature_kelvin));
        widen(range[2], log(cell.step_seconds));
        const double *c = cell.mol_per_cm3, water = c[QP_KINETICS_H2O];
        widen(range[3], log(c[QP_KINETICS_N2] / water));
        widen(range[4], log(fmax(c[QP_KINETICS_H], c[QP_KINETICS_O]) / water));
        widen(range[4], log(fmin(c[QP_KINETICS_H], c[QP_KINETICS_OH]) / water));
        widen(range[5], log(fmin(c[QP_KINETICS_HCO], c[QP_KINETICS_CH2O]) / water));
        widen(range[5], log(fmax(c[QP_KINETICS_HO2], c[QP_KINETICS_H2O2]) / water));
    }
    for (int k = 0; k < 6; k++) {
        const double width = (wanted[k][1] - wanted[k][0]) * (k < 3 ? 1.0 : 20.0);
        assert_true(range[k][0] >= wanted[k][0] - 1e-12 && range[k][1] <= wanted[k][1] + 1e-12);
        assert_true(range[k][0] < wanted[k][0] + 0.01 * width);
        assert_true(range[k][1] > wanted[k][1] - 0.01 * width);
    }
}

/* I - h gamma J and h f over the whole gas, of the cell that the seed draws. */
TEST(systems_are_those_of_their_cells)
{
    double a[N * N], b[N], jacobian[N * N], rates[N];
    uint64_t seed = 8, same = 8;
    for (int k = 0; k < 20; k++) {
        struct qp_cell cell;
        double gas = 0.0, most = 0.0;
        qp_kinetics_newton(&seed, a, b);
        qp_kinetics_draw(&same, &cell);
        qp_kinetics_jacobian(&cell, jacobian);
        qp_kinetics_rates(&cell, rates);
        for (int i = 0; i < QP_KINETICS_COLLIDERS; i++)
            gas += cell.mol_per_cm3[i];
        for (int i = 0; i < N * N; i++)
            most = fmax(most, fabs(a[i]));
        for (int i = 0; i < N * N; i++)
            assert_true(fabs(a[i] - (i / N == i % N) + cell.step_seconds * 0.25 * jacobian[i]) <=
                        1e-12 * most);
        for (int i = 0; i < N; i++)
            assert_true(fabs(b[i] - rates[i] * cell.step_seconds / gas) <= 1e-12 * fabs(b[i]));
    }
}
