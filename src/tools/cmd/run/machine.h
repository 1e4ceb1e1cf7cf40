/* SPDX-License-Identifier: MIT */
/* Machines of a kernel file that are chosen by --backend, as variants of its trial. */
#ifndef QP_CMD_RUN_MACHINE_H
#define QP_CMD_RUN_MACHINE_H

#include <quadpass/trial.h>

#include "lab/plan/op.h"
#include "tools/cmd/run/inputs.h"
#include "tools/stencil/machine.h"

struct run_machine {
    enum backend backend;
    struct qp_build build; /* for others than OpenGL's fragments */
    struct qp_build own;   /* the file's, while that of another text is in its place */
    const struct qp_kernel_file *kernel;
    const struct qp_variant *variant;
    /* Sizes of its check, up to {0}: the usual ones, those of its program's tiles once that has
     * begun, and `fresh`, likewise up to {0}. */
    struct qp_size sizes[20], fresh[4];
    struct qp_machine process;  /* the latest walk's, for others of this size */
    struct qp_allowance limits; /* seconds of a step; data of C alone */
    int step, steps;            /* the next step, and steps, of the walk */
    bool is_fast;               /* steps of a kernel in C or CUDA are not looked at */
    char missing[512];          /* why it cannot run here, which its variant says; "": it can */
    char late[512];             /* likewise, the limit of seconds that it came to; "": to none */
};

struct run_machines {
    struct run_machine at[BACKENDS];
    int count;
};

/* Lists the sizes of the machine's check, as far as they are known. */
void run_machine_list_sizes(struct run_machine *machine);

/* Sizes at which a variant is checked, up to {0}. */
const struct qp_size *run_machines_sizes(const struct run_machines *machines,
                                         const struct qp_variant *variant);

/* Compiles the programs of all machines that the options name, OpenGL's fragments alone where they
 * name none; the file must live as long. A machine that is not here is noted. Errors: QP_BAD_INPUT
 * for a kernel of which no program is generated, and others of qp_build_make. Owner: the caller, by
 * run_machines_destroy. */
enum qp_status run_machines_make(const struct options *options, const struct qp_kernel_file *file,
                                 struct run_machines *out);
void run_machines_destroy(struct run_machines *machines);

/* QP_BAD_USE for arrays that no program takes: of several values a cell, or of another size than
 * the first, which is its grid's. */
enum qp_status run_machines_take(const struct run_inputs *inputs);

/* Adds a machine that computes these kernels in turn to a trial as a variant of its name, or of
 * OpenGL's fragments alone `name`; the inputs are of any size. Errors: those of qp_trial_add. */
enum qp_status run_machine_add(struct run_machine *machine, struct qp_trial *trial,
                               const struct qp_kernel_desc *kernels, int count,
                               const struct run_inputs *inputs, const char *name);

/* Compiles another text of a kernel in C or CUDA in place of the file's, until it is called with
 * the latter. Errors: those of qp_build_file; then the program stays as it is. */
enum qp_status run_machine_change(struct run_machine *machine, struct qp_kernel_file *file,
                                  const char *text);

/* Starts the machine's process for grids of this size, unless the latest one is of it: a process
 * takes long to start on some machines. The first one, of the first usual size, says which others a
 * check has. Errors: those of qp_machine_open; QP_UNSUPPORTED for a machine that is missing. */
enum qp_status run_machine_open(struct run_machine *machine, int width, int height, int ordinal);

/* Does what those of qp_machine do, and loads nothing else. One that was at its limit of seconds is
 * not started again. Errors: those of qp_machine, but QP_BAD_INPUT for that limit. */
enum qp_status run_machine_load(struct run_machine *machine, int steps);
enum qp_status run_machine_take(struct run_machine *machine, int steps);
enum qp_status run_machine_finish(struct run_machine *machine);

/* Writes an array, by its number, and reads a state. Errors: likewise. */
enum qp_status run_machine_put(struct run_machine *machine, int array, enum qp_precision precision,
                               const void *values);
enum qp_status run_machine_get(struct run_machine *machine, int state, enum qp_precision precision,
                               void *values);

/* Finds out whether a mutant of a compute shader is refused by its reader or the driver. Errors:
 * QP_NO_MEMORY; those of a device. */
enum qp_status run_machine_refuses(const struct run_machine *machine, struct qp_context *context,
                                   const struct qp_variant *variant, bool *refused);

/* Describes a machine in sentences: "2 threads, compiled in 0.9 s". */
void run_machine_tell(const struct run_machine *machine, char text[256]);

#endif
