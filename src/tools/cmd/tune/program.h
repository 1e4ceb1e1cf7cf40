/* SPDX-License-Identifier: MIT */
/* CUDA variants whose kernel is a template, too, with constants for what may be tuned
 * (templates/variants): it is compiled by NVRTC for each configuration, and launched by CUDA's
 * driver in place of the variant's own. */
#ifndef QP_CMD_TUNE_PROGRAM_H
#define QP_CMD_TUNE_PROGRAM_H

#include "lab/plan/op.h"
#include "toolkit/cuda/nvrtc.h"
#include "tools/stencil/machine.h"
#include "tools/tune/space.h"

struct tune_program {
    const char *variant, *file;
    struct qp_cuda_kernel kernel;
    double (*tolerance)(const struct qp_recipe *recipe, const struct qp_problem *problem);
};

/* A configuration that is launched: a recipe's `own`. */
struct tune_run {
    const struct tune_program *program;
    const struct qp_space *space;
    int configuration;
    struct qp_build build;
    struct qp_nvrtc_kernel loaded;
};

/* The program of a variant; NULL: it has none. */
const struct tune_program *tune_program_find(const char *variant);

/* A size at which each block that a program may have is met twice and once more, but not whole. */
struct qp_size tune_program_seams(void);

/* Writes its space. Errors: QP_NO_MEMORY. */
enum qp_status tune_program_put_space(const struct tune_program *program, FILE *out);

/* Writes the text of a configuration's program. Errors: QP_NO_MEMORY. */
enum qp_status tune_program_put(const struct tune_program *program, const struct qp_space *space,
                                int configuration, FILE *out);

/* Makes the program of a configuration. Errors: those of qp_cubin_make. */
enum qp_status tune_program_make(const struct tune_program *program, const struct qp_space *space,
                                 int configuration, struct qp_build *out);

#endif
