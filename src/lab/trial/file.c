/* SPDX-License-Identifier: MIT */
/* A kernel file as a trial, whose reference is the caller's function. */
#include <ctype.h>
#include <string.h>

#include "lab/ops/table.h"
#include "lab/trial/trial.h"
#include "toolkit/base/caller.h"
#include "toolkit/kernel_file/kernel_file.h"

void qp_trial_name_file(const char *path, char name[64])
{
    enum { MOST = 56 /* before "_kernel" */ };
    const char *slash = strrchr(path, '/'), *from = slash != NULL ? slash + 1 : path,
               *dot = strrchr(from, '.');
    const int end = dot != NULL ? (int)(dot - from) : (int)strlen(from);
    int length = 0;
    for (; length < end && length < MOST; length++)
        name[length] = isalnum((unsigned char)from[length]) ? from[length] : '_';
    strcpy(name + length, length == 0 ? "kernel" : "");
    if (qp_op_find(name) != NULL)
        strcat(name, "_kernel");
}

void qp_trial_choose_steps(const struct qp_kernel_file *file, int chosen[5])
{
    const int scheduled = qp_kernel_file_shortest(file)->values, most = 7,
              steps = file->head.steps == 0 && scheduled < most ? scheduled : file->head.steps;
    int count = 0;
    for (const int *usual = qp_usual_steps; *usual > 0 && (steps == 0 || *usual < steps); usual++)
        chosen[count++] = *usual;
    chosen[count] = steps;
    chosen[count + (steps > 0)] = 0;
}

/* Refuses what the command alone judges, and arrays that no line makes. */
static enum qp_status check(const struct qp_kernel_file *file)
{
    const char *path = file->path;
    const int scheduled = qp_kernel_file_shortest(file)->values;
    if (file->next != NULL)
        return qp_fail(QP_BAD_USE, "%s: files in turn are judged by quadpass check alone", path);
    if (file->head.steps > scheduled)
        return qp_fail(QP_BAD_USE, "%s: a schedule has %d values for %d steps; each step needs one",
                       path, scheduled, file->head.steps);
    for (int k = 0; k < file->inputs; k++) {
        const struct qp_kernel_file_array *array = &file->array[k];
        if (array->from == NULL ? k >= file->states : array->made == QP_MADE_NOT)
            return qp_fail(QP_BAD_USE,
                           "%s: array '%s' is %s; make it by a line '//@ input %s=random' (or "
                           "zeros, ones, gradient, impulse, an expression in brackets), or let "
                           "quadpass check judge",
                           path, array->name,
                           array->from == NULL ? "not given" : "read from a file", array->name);
    }
    return QP_OK;
}

/* Stands for the file, which sets the numbers (qp_trial_set_step). */
static void set_by_file(void *user, int step, int steps, struct qp_pass_number *number)
{
    (void)user, (void)step, (void)steps, (void)number;
}

enum qp_status qp_trial_from_file(const struct qp_kernel_file *file, qp_trial_reference *reference,
                                  void *user, struct qp_trial **out,
                                  const struct qp_variant **variant)
{
    char name[64];
    int steps[5];
    if (QP_NEED_OUT(out, NULL) || QP_NEED_OUT(variant, NULL) || QP_NEED(file))
        return QP_BAD_USE;
    enum qp_status status = check(file);
    if (status != QP_OK)
        return status;
    qp_trial_name_file(file->path, name);
    qp_trial_choose_steps(file, steps);
    struct qp_trial_desc desc = {.name = name,
                                 .reference = reference,
                                 .user = user,
                                 .tolerance = file->head.tolerance,
                                 .steps = steps};
    struct qp_trial_variant kernel = {.name = "kernel",
                                      .sentence = file->path,
                                      .kernel = {file->desc},
                                      .cover = {file->places ? QP_COVER_POINTS : QP_COVER_ALL},
                                      .in_turn = true,
                                      .points = {file->head.points},
                                      .blend = {file->head.blend}};
    if (file->number[file->head.numbers].name != NULL)
        desc.set_step = set_by_file;
    for (int k = 0; k < file->inputs; k++) {
        const struct qp_kernel_file_array *array = &file->array[k];
        desc.input[k] = (struct qp_trial_input){
            .name = array->name, .outside = array->outside, .value = array->outside_value};
        if (k < file->states)
            desc.state[k] = array->name;
    }
    memcpy(desc.number, file->number, sizeof file->number);
    status = qp_trial_create(&desc, &file->desc, out);
    if (status != QP_OK)
        return status;
    (*out)->file = file;
    status = qp_trial_add(*out, &kernel, variant);
    if (status != QP_OK)
        qp_trial_destroy(out);
    return status;
}
