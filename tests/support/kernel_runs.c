/* SPDX-License-Identifier: MIT */
#include "support/kernel_runs.h"

#include <stdlib.h>
#include <string.h>

#include "trial/trial.h"

/* ---- The device ---- */

static struct qp_array *array_of(struct qp_context *context, const struct qp_kernel_file *file,
                                 int k, int width, int height, const double *cells)
{
    const size_t count = (size_t)width * (size_t)height;
    const struct qp_array_desc desc = {.width = width,
                                       .height = height,
                                       .type = file->desc.output_type,
                                       .outside = file->array[k].outside,
                                       .value = file->array[k].outside_value};
    void *memory = malloc(count * qp_typed_bytes(desc.type));
    struct qp_array *array;
    assert_non_null(memory);
    if (cells != NULL)
        qp_typed_put(desc.type, cells, count, memory);
    assert_ok(qp_array_create(context, &desc, cells != NULL ? memory : NULL, &array));
    free(memory);
    return array;
}

static void read_array(const struct qp_array *array, double *cells)
{
    const struct qp_array_desc desc = qp_array_describe(array);
    const size_t count = (size_t)desc.width * (size_t)desc.height;
    void *memory = malloc(count * qp_typed_bytes(desc.type));
    assert_non_null(memory);
    assert_ok(qp_array_read(array, NULL, memory, 0));
    for (size_t i = 0; i < count; i++)
        cells[i] = qp_typed_get(desc.type, memory, i);
    free(memory);
}

void kernel_run(struct qp_context *context, const struct qp_kernel_file *file, int width,
                int height, int steps, double *const cells[])
{
    struct qp_array *array[QP_KERNEL_INPUTS], *next[QP_KERNEL_OUTPUTS];
    struct qp_kernel *kernel;
    assert_ok(qp_kernel_create(context, &file->desc, &kernel));
    for (int k = 0; k < file->inputs; k++)
        array[k] = array_of(context, file, k, width, height, cells[k]);
    for (int k = 0; k < file->states; k++)
        next[k] = array_of(context, file, k, width, height, NULL);
    for (int step = 0; step < steps; step++) {
        struct qp_pass pass = {.kernel = kernel};
        for (int k = 0; k < file->inputs; k++)
            pass.input[k] = (struct qp_pass_input){file->array[k].name, array[k]};
        for (int k = 0; k < file->states; k++)
            pass.output[k] = next[k];
        memcpy(pass.number, file->number, sizeof pass.number);
        assert_ok(qp_pass_run(&pass));
        for (int k = 0; k < file->states; k++)
            qp_array_swap(&array[k], &next[k]);
    }
    for (int k = 0; k < file->states; k++) {
        read_array(array[k], cells[k]);
        qp_array_destroy(&next[k]);
    }
    for (int k = 0; k < file->inputs; k++)
        qp_array_destroy(&array[k]);
    qp_kernel_destroy(&kernel);
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
    qp_typed_put(type, cells, count, memory);
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
