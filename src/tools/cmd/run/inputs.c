/* SPDX-License-Identifier: MIT */
#include "tools/cmd/run/inputs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lab/plan/op.h"
#include "toolkit/base/memory.h"
#include "toolkit/base/status.h"
#include "toolkit/kernel_file/kernel_file.h"
#include "tools/cmd/output/grid.h"
#include "tools/cmd/output/pixels.h"

enum { DEFAULT_SIZE = 256 };

/* ---- Files ---- */

struct qp_matrix run_input_matrix(const struct run_input *input, int states)
{
    const bool floats = input->precision == QP_FLOATS;
    return (struct qp_matrix){.width = input->width * input->channels,
                              .height = input->height * states,
                              .values = floats ? input->values : NULL,
                              .precision = input->precision,
                              .doubles = floats ? NULL : input->values};
}

enum qp_status run_input_alloc(struct run_input *input, int states)
{
    const size_t floats =
        run_input_count(input) * (size_t)states * qp_value_bytes(input->precision) / sizeof(float);
    input->values = qp_alloc_floats(floats, "a run's values");
    return input->values != NULL ? QP_OK : QP_NO_MEMORY;
}

static enum qp_status take_values(const char *path, const struct qp_matrix *matrix,
                                  struct run_input *out)
{
    const size_t width = (size_t)matrix->width;
    enum qp_status status = run_input_alloc(out, 1);
    for (size_t i = 0; status == QP_OK && i < run_input_count(out); i++) {
        const double value = qp_matrix_value(matrix, i);
        qp_set_value(out->values, out->precision, i, value);
        const char *why = qp_kernel_file_refuses(out->type, value);
        if (why != NULL)
            status = qp_fail(QP_BAD_INPUT, "%s: cell (%zu, %zu) is %g, which is %s", path,
                             i % width / (size_t)out->channels, i / width, value, why);
    }
    return status;
}

/* `colours` are the values of a cell that a picture gives. */
static enum qp_status read_file(const char *path, int colours, struct run_input *out)
{
    struct qp_matrix matrix;
    const bool coloured = colours == 4 && grid_is_picture(path);
    enum qp_status status =
        coloured ? pixels_read(path, colours, &matrix) : grid_read(path, &matrix, &out->channels);
    if (status != QP_OK)
        return status;
    out->channels = coloured ? colours : out->channels;
    out->width = matrix.width / out->channels;
    out->height = matrix.height;
    status = take_values(path, &matrix, out);
    qp_matrix_destroy(&matrix);
    return status;
}

/* ---- Arrays that are made ---- */

static enum qp_status make(const struct qp_kernel_file_array *array, uint64_t seed,
                           struct run_input *out)
{
    const double need = (double)run_input_count(out) * (double)qp_value_bytes(out->precision);
    if (4.0 * need > qp_memory_there())
        return qp_fail(QP_NO_MEMORY,
                       "%d x %d cells of %s take %.1f GiB on the host and the device, and %.1f are "
                       "there; take a smaller --size",
                       out->width, out->height, out->name, 4.0 * need / 0x1p30,
                       qp_memory_there() / 0x1p30);
    const enum qp_status status = run_input_alloc(out, 1);
    return status == QP_OK
               ? qp_kernel_file_values(array, seed,
                                       &(struct qp_filled){out->type, out->is_state, out->width,
                                                           out->height, out->channels,
                                                           out->precision, out->values})
               : status;
}

/* ---- All of them ---- */

int run_inputs_find(const struct run_inputs *inputs, const char *name)
{
    int k = 0;
    while (k < inputs->count && strcmp(inputs->at[k].name, name) != 0)
        k++;
    return k;
}

struct qp_kernel_desc run_inputs_describe(const struct run_inputs *inputs,
                                          const struct qp_kernel_file *file)
{
    struct qp_kernel_desc desc = file->desc;
    for (int k = 0; k < file->inputs; k++)
        desc.input[k].channels = inputs->at[run_inputs_find(inputs, desc.input[k].name)].channels;
    desc.output_channels = desc.input[0].channels;
    return desc;
}

/* The grid's size: the head's, or else that of its first state's file, of the first other file, the
 * usual; a file in turn after `first` has the size of that one unless it or a state says
 * another. */
static struct qp_size choose_size(const struct qp_kernel_file *first,
                                  const struct qp_kernel_file *file,
                                  const struct run_inputs *inputs)
{
    if (file->head.width > 0)
        return (struct qp_size){file->head.width, file->head.height};
    for (int k = 0; k < inputs->count; k++) {
        const struct run_input *input = &inputs->at[k];
        if (input->values != NULL && input->file == file && (file == first || input->is_state))
            return (struct qp_size){input->width, input->height};
    }
    return file != first ? choose_size(first, first, inputs)
                         : (struct qp_size){DEFAULT_SIZE, DEFAULT_SIZE};
}

static enum qp_status check_state(const struct run_input *x, struct qp_size size, int channels,
                                  const char *file)
{
    if (x->width != size.width || x->height != size.height)
        return qp_fail(QP_BAD_USE,
                       "%s has %d x %d cells, and the size of the states is %d x %d; leave --size, "
                       "or the head's line size, out, or take files of one size",
                       file, x->width, x->height, size.width, size.height);
    if (x->channels != channels)
        return qp_fail(QP_BAD_USE,
                       "%s has %d value%s a cell, and the kernel writes %d; %s, which it writes, "
                       "must have as many",
                       file, x->channels, x->channels > 1 ? "s" : "", channels, x->name);
    return QP_OK;
}

/* Refuses an input above 2^28 values, the most that a texture holds on most devices: two copies of
 * a gigabyte are on the device, and two on the host. */
static enum qp_status check_values(const struct run_input *input)
{
    enum { MOST_VALUES = 1 << 28 };
    if ((double)input->width * input->height * input->channels <= MOST_VALUES)
        return QP_OK;
    return qp_fail(
        QP_UNSUPPORTED, "%s: %d x %d cells of %d value%s are more than the 2^28 values of a run",
        input->name, input->width, input->height, input->channels, input->channels > 1 ? "s" : "");
}

/* Lists the arrays of a file that are not yet there, or its states alone; a state is that of the
 * first file which writes it. */
static void list(const struct qp_kernel_file *first, const struct qp_kernel_file *file, int count,
                 struct run_inputs *out)
{
    for (int k = 0; k < count; k++) {
        const char *name = file->array[k].name;
        if (run_inputs_find(out, name) < out->count)
            continue;
        struct run_input *input = &out->at[out->count++];
        *input = (struct run_input){.name = name, .file = file, .array = &file->array[k]};
        for (const struct qp_kernel_file *at = first; at != NULL && !input->is_state;
             at = at->next) {
            for (int i = 0; i < at->states && !input->is_state; i++) {
                input->is_state = strcmp(at->array[i].name, name) == 0;
                input->file = input->is_state ? at : file;
            }
        }
        input->type = file->desc.input[k].type;
        input->precision = input->type != QP_ARRAY_FLOAT ? QP_DOUBLES : QP_FLOATS;
    }
}

/* Lists the arrays, and reads those that are files. */
static enum qp_status read_files(const struct qp_kernel_file *first, struct run_inputs *out)
{
    enum qp_status status = QP_OK;
    const struct qp_kernel_file *last = first;
    while (last->next != NULL)
        last = last->next;
    list(first, last, last->states, out);
    out->states = out->count;
    for (const struct qp_kernel_file *file = first; file != NULL; file = file->next)
        list(first, file, file->inputs, out);
    for (int k = 0; k < out->count && status == QP_OK; k++) {
        const struct run_input *input = &out->at[k];
        const struct qp_kernel_file_array *array = input->array;
        const int place = input->is_state ? 0 : (int)(array - input->file->array),
                  own = input->file->desc.output_channels == 4 ? 4 : 1;
        if (array->from == NULL && !input->is_state)
            status = qp_fail(
                QP_BAD_USE,
                "%s reads an array '%s', which is not given; name it by --input "
                "%s=FILE, or by a line '//@ input %s=FILE' in its head, with a file "
                "or with zeros, ones, random, gradient, impulse or an expression in brackets",
                input->file->path, array->name, array->name, array->name);
        else if (array->from != NULL && array->made == QP_MADE_NOT)
            status = read_file(array->from, qp_kernel_file_channels(input->file, place, own),
                               &out->at[k]);
    }
    return status;
}

static enum qp_status make_others(const struct qp_kernel_file *first, struct run_inputs *out)
{
    const uint64_t seed = first->head.has_seed ? first->head.seed : 1;
    enum qp_status status = QP_OK;
    for (int k = 0; k < out->count && status == QP_OK; k++) {
        struct run_input *input = &out->at[k];
        const struct qp_kernel_file *file = input->file;
        const struct qp_size size = choose_size(first, file, out);
        const int read = out->at[run_inputs_find(out, file->array[0].name)].channels,
                  channels = file->is_short || read == 0 ? file->desc.output_channels : read;
        const bool there = input->values != NULL;
        if (!there) {
            input->width = size.width;
            input->height = size.height;
            input->channels =
                input->is_state ? channels : file->desc.input[input->array - file->array].channels;
        } else if (input->is_state) {
            status = check_state(input, size, channels, input->array->from);
        }
        if (status == QP_OK)
            status = check_values(input);
        if (status == QP_OK && !there)
            status = make(input->array, seed + (uint64_t)k, input);
    }
    return status;
}

enum qp_status run_inputs_make(const struct qp_kernel_file *file, struct run_inputs *out)
{
    *out = (struct run_inputs){0};
    enum qp_status status = read_files(file, out);
    if (status == QP_OK)
        status = make_others(file, out);
    if (status != QP_OK)
        run_inputs_destroy(out);
    return status;
}

int run_inputs_points(const struct qp_kernel_file *file, const struct run_inputs *inputs,
                      bool sized)
{
    const int first = file->inputs > file->states ? file->states : 0;
    const struct run_input *of = &inputs->at[run_inputs_find(inputs, file->array[first].name)];
    const bool fixed = sized || (of->array->from != NULL && of->array->made == QP_MADE_NOT);
    if (!file->places || file->head.points > 0)
        return file->places ? file->head.points : 0;
    return fixed ? of->width * of->height : 0;
}

void run_inputs_destroy(struct run_inputs *inputs)
{
    for (int k = 0; k < inputs->count; k++)
        free(inputs->at[k].values);
    *inputs = (struct run_inputs){0};
}
