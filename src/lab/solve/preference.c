/* SPDX-License-Identifier: MIT */
/* Preferred variants of solves where none is asked for: for each kind of device a list, fastest
 * first, by measurement. `quadpass bench jacobi9` on a new device shows whether it needs a line of
 * its own. */
#include <fnmatch.h>
#include <math.h>

#include <quadpass/dense.h>

#include "lab/plan/op.h"
#include "lab/solve/preference.h"

enum { MOST_NAMES = 9 };

/* Fallbacks after each device's own variants, in order: luminance (no wraps), inverse (wraps, up to
 * 2^24 cells), vertex (wraps), openmp (no OpenGL). The last of a device's own variants is
 * rgba_tiles: it needs what they need, and takes grids of any size. */
#define PAPERS "jacobi9/luminance", "jacobi9/inverse", "jacobi9/vertex", "jacobi9/openmp"

struct device {
    const char *renderer; /* a shell pattern for GL_RENDERER */
    const char *names[MOST_NAMES];
    struct qp_pace pace; /* times of the first name, and of gauss_jordan/blocked */
};

/* Paces, fitted by eye to records of docs/measurements; set-ups are guesses, and the paces of a
 * device that was not measured lie in between. They distinguish seconds from minutes, not one
 * second from two. */
static const struct device devices[] = {
    /* docs/measurements/jacobi9-speed.md */
    {"llvmpipe*",
     {"jacobi9/rgba_stamps", "jacobi9/rgba_abreast", "jacobi9/rgba_tiles", PAPERS},
     {5e-5, 4e-9, 0.1, 3.5e-5, 3.3e-11, 0.02, 2e-4, 1.5e-9}},
    /* docs/measurements/2026-11-22-h200-bench.json: 55.8, 6.4 and 4.7 GLUP/s at 1024 x 1024 */
    {"NVIDIA*",
     {"jacobi9/compute", "jacobi9/rgba_targets", "jacobi9/rgba", "jacobi9/rgba_tiles", PAPERS},
     {5e-6, 1.2e-11, 0.1, 3e-6, 4.5e-13, 0.02, 8e-5, 1.8e-10}},
    {"*",
     {"jacobi9/rgba", "jacobi9/rgba_tiles", PAPERS},
     {2e-5, 3e-10, 0.3, 3e-5, 1e-11, 0.3, 2e-4, 5e-10}},
};

static const struct device without_device = {
    "", {"jacobi9/openmp"}, {5e-6, 9e-10, 1e-4, 1e-6, 1e-9, 0.0, 0.0, 0.0}};

static const struct device *find(const struct qp_context *context)
{
    const struct qp_device *opened = context != NULL ? qp_context_device(context) : NULL;
    if (opened == NULL)
        return &without_device;
    const struct device *device = devices;
    while (fnmatch(device->renderer, opened->renderer, 0) != 0)
        device++; /* the last one matches */
    return device;
}

const char *const *qp_solve_preference(const struct qp_context *context)
{
    return find(context)->names;
}

double qp_pace_step(const struct qp_context *context, double unknowns)
{
    const struct qp_pace *pace = &find(context)->pace;
    return pace->step + pace->cell * unknowns;
}

double qp_pace_jacobi(const struct qp_context *context, double unknowns, double steps)
{
    const double packing = 3e-7; /* on one core of a desk's processor, beyond that of spmv */
    return packing * unknowns +
           QP_LOOK_EVERY * ceil(steps / QP_LOOK_EVERY) * qp_pace_step(context, unknowns);
}

double qp_pace_krylov(const struct qp_context *context, double entries, double products)
{
    const struct qp_pace *pace = &find(context)->pace;
    return pace->open + products * (pace->product + pace->entry * entries);
}

int qp_pace_proof(const struct qp_context *context, double entries, double unknowns,
                  double products)
{
    enum { WORTH = 8 /* steps that may gain a digit */ };
    const struct qp_pace *pace = &find(context)->pace;
    const double step = 1.4e-9 * entries + 7e-9 * unknowns;
    const double steps = 0.1 * products * (pace->product + pace->entry * entries) / step;
    return steps < WORTH ? 0 : (int)fmin(steps, 1e6);
}

bool qp_pace_is_of_passes(const struct qp_context *context, double entries)
{
    const struct qp_pace *pace = &find(context)->pace;
    return pace->product > pace->entry * entries;
}

/* CUDA's pace on an H200, docs/measurements/2026-12-01-h200-krylov.md. */
static const struct qp_pace on_cuda = {.open = 0.15, .product = 8e-6, .entry = 4e-12};

int qp_pace_looks(const struct qp_context *context, bool cuda, double entries)
{
    const double wait = 0.5;
    const struct device *device = find(context);
    const struct qp_pace *pace = cuda ? &on_cuda : &device->pace;
    const bool queues = cuda || fnmatch("llvmpipe*", device->renderer, 0) != 0;
    return queues ? (int)(wait / (pace->product + pace->entry * entries)) : 0;
}

/* Pace of LAPACK on two cores of a desk's processor; other variants there are the plain loop in
 * double. */
static const struct qp_pace lapack = {.set_up = 1e-3, .column = 1e-6, .update = 2e-11};

double qp_pace_elimination(const struct qp_context *context, const struct qp_variant *variant,
                           double unknowns, double sides)
{
    const bool lent = variant->backend == QP_CPU && variant->recipe->lent != NULL;
    const struct qp_pace *pace = qp_variant_draws(variant) ? &find(context)->pace
                                 : lent                    ? &lapack
                                                           : &without_device.pace;
    return pace->set_up + pace->column * unknowns +
           pace->update * unknowns * unknowns * (unknowns + sides);
}

/* KLU's pace on a core of a desk's processor, fitted by eye: a mesh of N unknowns in the plane has
 * factors of some N^1.5 operations, 30 for each, and a full band of width w some N w^2. */
double qp_pace_direct(double entries, double unknowns, double sides)
{
    const double set_up = 1e-3, entry = 4e-7, operation = 1.5e-9, kept = 1e-8;
    const double mesh = 30.0 * pow(unknowns, 1.5), band = entries * entries / unknowns;
    return set_up + entry * entries + operation * fmax(mesh, band) +
           sides * kept * (entries + 30.0 * unknowns);
}

const char *const *qp_multigrid_preference(const struct qp_context *context)
{
    static const char *const names[] = {"multigrid/openmp", NULL};
    (void)context;
    return names;
}

/* Two cores of a desk's processor. */
double qp_pace_multigrid(const struct qp_context *context, double unknowns, double cycles)
{
    const double cell = 1e-8, set_up = 3.0;
    (void)context;
    return 1e-3 + cell * unknowns * (set_up + cycles);
}

/* Variants of gauss_jordan with pivoting, since a zero pivot would end the solve; only NVIDIA's
 * devices begin with the first. If none of OpenGL's variants can, or OpenGL is missing, the
 * processor takes over: LAPACK in programs that are linked with it, else the reference. */
static const char *const dense[] = {"gauss_jordan/blocked_compute",
                                    "gauss_jordan/blocked",
                                    "gauss_jordan/shrinking_pivoted",
                                    "gauss_jordan/pivoted",
                                    "gauss_jordan/sgesv",
                                    "gauss_jordan/reference",
                                    NULL};
enum { ON_PROCESSOR = 4 };

const char *const *qp_dense_preference(const struct qp_context *context)
{
    const struct qp_device *opened = context != NULL ? qp_context_device(context) : NULL;
    if (opened == NULL)
        return dense + ON_PROCESSOR;
    return dense + (fnmatch("NVIDIA*", opened->renderer, 0) != 0);
}
