/* SPDX-License-Identifier: MIT */
/* Rough times of the preferred variants on a kind of device: enough to say whether an iteration or
 * an elimination takes much longer. */
#ifndef QP_SOLVE_PREFERENCE_H
#define QP_SOLVE_PREFERENCE_H

#include <quadpass/context.h>
#include <quadpass/variant.h>

/* Times of a device, in seconds. */
struct qp_pace {
    double step, cell;     /* Jacobi step: to begin with, and for each cell */
    double set_up;         /* elimination: programs, transfers, estimates */
    double column, update; /* elimination: each column, and each of N^2 (N + sides) updates */
    double open;           /* Krylov method: programs and transfers */
    double product, entry; /* Krylov step with one product: to begin with, and each entry */
};

/* Steps of Jacobi between two looks at its residual: two runs are the same bit for bit. */
enum { QP_LOOK_EVERY = 25 };

/* Seconds for a step on this number of cells, for a solve of that many steps of Jacobi and of its
 * nine bands' packing, for a Krylov method with this number of products with a matrix, and for an
 * elimination by this variant of this number of unknowns with `sides` columns at its right.
 * `context` may be NULL. */
double qp_pace_step(const struct qp_context *context, double unknowns);
double qp_pace_jacobi(const struct qp_context *context, double unknowns, double steps);
double qp_pace_krylov(const struct qp_context *context, double entries, double products);
double qp_pace_elimination(const struct qp_context *context, const struct qp_variant *variant,
                           double unknowns, double sides);

/* Seconds of a direct solver of sparse systems, on the host, where entries lie as those of a mesh
 * in the plane or of a band do: at best, for only its own look at the matrix can tell. */
double qp_pace_direct(double entries, double unknowns, double sides);

/* Steps of a Krylov method that half a second has, on OpenGL or CUDA: looks at its residual need
 * not be more often. 0: they may be as usual, for the device computes at once and they cost
 * nothing. */
int qp_pace_looks(const struct qp_context *context, bool cuda, double entries);

/* True where passes take longer to begin than a product takes for its entries, so that it pays to
 * have more products a step and fewer sums. */
bool qp_pace_is_of_passes(const struct qp_context *context, double entries);

/* Preferred variants of multigrid on this device, fastest first; NULL ends the list. */
const char *const *qp_multigrid_preference(const struct qp_context *context);

/* Seconds of multigrid on this device: its grids, and each cycle. */
double qp_pace_multigrid(const struct qp_context *context, double unknowns, double cycles);

/* Steps of a proof of digits (certain.h), on the host, that take a tenth of the time that this
 * number of a Krylov method's products takes; 0 where they are too few to gain anything. */
int qp_pace_proof(const struct qp_context *context, double entries, double unknowns,
                  double products);

#endif
