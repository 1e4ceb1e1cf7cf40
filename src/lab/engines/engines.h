/* SPDX-License-Identifier: MIT */
/* Engines of any operation, which variants name. */
#ifndef QP_ENGINES_ENGINES_H
#define QP_ENGINES_ENGINES_H

#include "lab/plan/engine.h"

/* Engines of a backend: those of variants that name none. */
extern const struct qp_engine qp_engine_cpu;
extern const struct qp_engine qp_engine_gl;
extern const struct qp_engine qp_engine_cuda;

/* The CPU's, for variants that update cells one after the other: it measures the residual of a
 * step's result by a sweep with `together` set. */
extern const struct qp_engine qp_engine_cpu_orders;

extern const struct qp_engine qp_engine_reference; /* the operation's reference as a variant */
extern const struct qp_engine qp_engine_parts;     /* others' plans, side by side (parts.h) */
extern const struct qp_engine qp_engine_interop;   /* CUDA on OpenGL's textures (shared.h) */

#endif
