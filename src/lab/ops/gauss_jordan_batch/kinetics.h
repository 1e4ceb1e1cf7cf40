/* SPDX-License-Identifier: MIT */
/* Linear systems as a combustion code solves them by the hundred thousand: one cell, one system. */
#ifndef QP_OPS_GAUSS_JORDAN_BATCH_KINETICS_H
#define QP_OPS_GAUSS_JORDAN_BATCH_KINETICS_H

#include <stdint.h>

/* The species whose concentrations are unknown, then nitrogen, which only collides. */
enum qp_species {
    QP_KINETICS_H2,
    QP_KINETICS_H,
    QP_KINETICS_O,
    QP_KINETICS_O2,
    QP_KINETICS_OH,
    QP_KINETICS_H2O,
    QP_KINETICS_HO2,
    QP_KINETICS_H2O2,
    QP_KINETICS_CO,
    QP_KINETICS_CO2,
    QP_KINETICS_HCO,
    QP_KINETICS_CH2O,
    QP_KINETICS_SPECIES,
    QP_KINETICS_N2 = QP_KINETICS_SPECIES,
    QP_KINETICS_COLLIDERS
};

/* A cell of burning gas, and the time step taken in it. */
struct qp_cell {
    double temperature_kelvin;
    double step_seconds;
    double mol_per_cm3[QP_KINETICS_COLLIDERS];
};

/* Gibbs energies of the species at 1 atm, divided by R T; 1000 to 3500 K. */
void qp_kinetics_gibbs(double temperature_kelvin, double gibbs[QP_KINETICS_SPECIES]);

/* f, the rate at which each concentration grows, in mol / (cm^3 s). */
void qp_kinetics_rates(const struct qp_cell *cell, double rates[QP_KINETICS_SPECIES]);

/* J = df_i / dc_j in 1/s, row-major. */
void qp_kinetics_jacobian(const struct qp_cell *cell,
                          double jacobian[QP_KINETICS_SPECIES * QP_KINETICS_SPECIES]);

/* A cell in a random state: 1000 to 2500 K, 0.1 to 1 atm, a flame's mole fractions, and a step of
 * 10 ns to 1 ms; pressure, fractions and step are uniform in their logarithms. */
void qp_kinetics_draw(uint64_t *random_state, struct qp_cell *cell);

/* The system of a random cell: I - h gamma J, row-major and without a dimension, and h f, divided
 * by the concentration of the whole gas. Sources: kinetics.c. */
void qp_kinetics_newton(uint64_t *random_state,
                        double matrix[QP_KINETICS_SPECIES * QP_KINETICS_SPECIES],
                        double right_hand_side[QP_KINETICS_SPECIES]);

#endif
