/* SPDX-License-Identifier: MIT */
/* Quadpass: general-purpose computing through the classic OpenGL pipeline. This header takes in all
 * the others; read them in this order. */
#ifndef QUADPASS_QUADPASS_H
#define QUADPASS_QUADPASS_H

#define QP_VERSION "0.2.0"

/* 10000 major + 100 minor + patch, for the preprocessor. */
#define QP_VERSION_NUMBER 200

/* Tier 0: status codes and matrices, used everywhere. */
#include <quadpass/status.h>

#include <quadpass/matrix.h>

/* Tier 1: contexts, arrays, files, problems and variants. */
#include <quadpass/context.h>

#include <quadpass/array.h>
#include <quadpass/kernel.h>
#include <quadpass/kernel_file.h>
#include <quadpass/market.h>
#include <quadpass/pass.h>
#include <quadpass/problem.h>
#include <quadpass/prove.h>
#include <quadpass/reduce.h>
#include <quadpass/trial.h>
#include <quadpass/variant.h>

/* Tier 2: walks, checks, benchmarks and solves. */
#include <quadpass/bench.h>
#include <quadpass/check.h>
#include <quadpass/cuda.h>
#include <quadpass/dense.h>
#include <quadpass/method.h>
#include <quadpass/pass_check.h>
#include <quadpass/poisson.h>
#include <quadpass/solve.h>
#include <quadpass/spoil.h>
#include <quadpass/walk.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* The library's version, which may differ from the header's QP_VERSION. Errors: none. Owner: the
 * library, for ever. Threads: any. */
const char *qp_version(void);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
