/* SPDX-License-Identifier: MIT */
#include "support/kernel_runs.h"

#include <stdlib.h>
#include <string.h>

#include "lab/trial/trial.h"
#include "tools/cmd/run/program.h"
#include "tools/cmd/run/trial.h"

/* ---- Runs ---- */

static enum qp_status read_states(struct run_program *program, const struct run_inputs *inputs,
                                  double *const cells[])
{
    struct run_input x = inputs->at[0];
    const size_t count = run_input_count(&x);
    x.values = NULL;
    assert_ok(run_input_alloc(&x, inputs->states));
    const enum qp_status status = run_program_read(program, &x);
    for (int k = 0; k < inputs->states && status == QP_OK; k++)
        for (size_t i = 0; i < count; i++)
            cells[k][i] = qp_value(x.values, x.precision, (size_t)k * count + i);
    free(x.values);
    return status;
}

enum qp_status kernel_run(struct qp_context *context, struct qp_kernel_file *file,
                          const struct run_machine *machine, double *const cells[])
{
    const struct run_machine drawn = {.backend = BACKEND_GL, .kernel = file};
    struct run_trial own = {.file = file,
                            .machines = {.at = {machine != NULL ? *machine : drawn}, .count = 1}};
    struct run_program program;
    enum qp_status status = run_inputs_make(file, &own.inputs);
    if (status != QP_OK)
        return status;
    for (const struct qp_kernel_file *at = file; at != NULL; at = at->next)
        own.kernel[own.turns++] = run_inputs_describe(&own.inputs, at);
    status = machine != NULL ? run_machines_take(&own.inputs) : QP_OK;
    if (status == QP_OK)
        status = run_program_make(context, &own, &program);
    if (status == QP_OK) {
        status = run_program_start(&program, &own.inputs);
        if (status == QP_OK)
            status = run_program_step(&program, program.all);
        if (status == QP_OK)
            status = read_states(&program, &own.inputs, cells);
        run_program_destroy(&program);
    }
    for (int k = 0; k < own.turns; k++)
        qp_kernel_destroy(&own.compiled[k]);
    qp_machine_close(&own.machines.at[0].process);
    run_inputs_destroy(&own.inputs);
    return status;
}

/* ---- Files ---- */

void npy_write(const char *path, enum qp_array_type type, int width, int height,
               const double *cells)
{
    char text[128];
    const size_t count = (size_t)width * (size_t)height;
    void *memory = malloc(count * qp_typed_bytes(type));
    FILE *file = fopen(path, "wb");
    assert_true(memory != NULL && file != NULL);
    qp_typed_put(type, QP_DOUBLES, cells, count, memory);
    const int used =
        snprintf(text, sizeof text, "{'descr': '%s', 'fortran_order': False, 'shape': (%d, %d), }",
                 type == QP_ARRAY_INT      ? "<i4"
                 : type == QP_ARRAY_DOUBLE ? "<f8"
                                           : "<f4",
                 height, width);
    fwrite("\x93NUMPY\1\0\x76\0", 1, 10, file);
    fprintf(file, "%s%*s\n", text, 117 - used, "");
    fwrite(memory, qp_typed_bytes(type), count, file);
    assert_int_equal(fclose(file), 0);
    free(memory);
}

void npy_read(const char *path, enum qp_array_type type, int count, double *cells)
{
    unsigned char start[10];
    void *memory = malloc((size_t)count * qp_typed_bytes(type));
    FILE *file = fopen(path, "rb");
    if (file == NULL || memory == NULL)
        fail_msg("%s cannot be read", path);
    assert_int_equal(fread(start, 1, 10, file), 10);
    assert_int_equal(fseek(file, start[8] + 256 * start[9], SEEK_CUR), 0);
    assert_int_equal(fread(memory, qp_typed_bytes(type), (size_t)count, file), (size_t)count);
    assert_int_equal(fgetc(file), EOF);
    fclose(file);
    for (int i = 0; i < count; i++)
        cells[i] = qp_typed_get(type, memory, (size_t)i);
    free(memory);
}
