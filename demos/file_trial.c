/* SPDX-License-Identifier: MIT */
/* A kernel file as a trial of this program, whose reference judges it at the sizes of a check:
 *     build/release/demos/file_trial demos/shaders/heat.frag */
#include <quadpass/quadpass.h>

#include <stdio.h>
#include <string.h>

/* A step of heat. Numbers are in the order of the file's head. */
static double heat(const struct qp_kernel_grid *g, double *const output[])
{
    const struct qp_kernel_array *x = &g->input[0];
    const double rate = g->number[0].value[0];
    for (int j = 0; j < g->height; j++) {
        for (int i = 0; i < g->width; i++) {
            const double old = qp_kernel_array_at(x, i, j, 0),
                         around = qp_kernel_array_at(x, i - 1, j, 0) +
                                  qp_kernel_array_at(x, i + 1, j, 0) +
                                  qp_kernel_array_at(x, i, j - 1, 0) +
                                  qp_kernel_array_at(x, i, j + 1, 0);
            output[0][j * g->width + i] = old + rate * (around - 4.0 * old);
        }
    }
    return 0.0; /* errors are measured by the largest value */
}

/* Describes a trial by the contents of the file. Its lines `input` are left out: all arrays are
 * random, from 0 to 1 as those of `quadpass run` (a trial's are from -1 to 1). `outside` of an
 * array is that of all arrays where no line is its own. */
static struct qp_trial_desc describe(const struct qp_kernel_file *file)
{
    struct qp_trial_desc desc = {
        .name = "heat", .reference = heat, .tolerance = file->head.tolerance};
    for (int k = 0; k < file->inputs; k++) {
        const struct qp_kernel_file_array *array = &file->array[k];
        desc.input[k] = (struct qp_trial_input){.name = array->name,
                                                .outside = array->outside,
                                                .value = array->outside_value,
                                                .high = 1.0};
        if (k < file->states)
            desc.state[k] = array->name;
    }
    memcpy(desc.number, file->number, sizeof file->number);
    return desc;
}

int main(int argc, char **argv)
{
    struct qp_context *context = NULL;
    struct qp_kernel_file *file = NULL;
    struct qp_trial *trial = NULL;
    const struct qp_variant *kernel = NULL;
    struct qp_tally checked = {0};
    bool done = qp_context_create(NULL, &context) == QP_OK &&
                qp_kernel_read(argc > 1 ? argv[1] : "demos/shaders/heat.frag", &file) == QP_OK;
    if (done) {
        const struct qp_trial_desc desc = describe(file);
        const struct qp_trial_variant mine = {.name = "kernel", .kernel = {file->desc}};
        done = qp_trial_create(&desc, &file->desc, &trial) == QP_OK &&
               qp_trial_add(trial, &mine, &kernel) == QP_OK;
    }
    const struct qp_check_desc sizes = {.make = qp_trial_make, .user = trial};
    done = done && qp_check(context, &kernel, 1, &sizes, &checked) == QP_OK;
    printf("%d cases passed, %d failed %s\n", checked.passed, checked.failed,
           done ? checked.worst.reason : qp_error());
    qp_trial_destroy(&trial);
    qp_kernel_file_destroy(&file);
    qp_context_destroy(&context);
    return done && qp_tally_verdict(&checked) == QP_PASS ? 0 : 1;
}
