/* SPDX-License-Identifier: MIT */
/* Kernel files with the options of a command line. */
#include <stdio.h>
#include <string.h>

#include "toolkit/base/status.h"
#include "toolkit/kernel/kernel.h"
#include "toolkit/kernel_file/kernel_file.h"
#include "tools/cmd/options.h"

/* Options of points are of files in turn that draw some, which are then blended. */
static enum qp_status take_points(struct qp_kernel_file *file)
{
    const int points = file->head.points;
    const enum qp_pass_blend blend = file->head.blend;
    bool places = false;
    for (struct qp_kernel_file *one = file; one != NULL; one = one->next) {
        if (one->places && one->desc.output_type > QP_ARRAY_HALF)
            return qp_fail(QP_BAD_INPUT,
                           "%s: points are blended, and integers and doubles are not: let place() "
                           "set `value` to a float, a vec2 or a vec4",
                           one->path);
        places = places || one->places;
        one->head.points = points;
        one->head.blend = !one->places                ? QP_BLEND_REPLACE
                          : blend == QP_BLEND_REPLACE ? QP_BLEND_ADD
                                                      : blend;
    }
    if (!places && (points > 0 || blend != QP_BLEND_REPLACE))
        return qp_fail(QP_BAD_USE,
                       "%s has no function 'vec2 place(float i)', which puts points into cells: "
                       "leave %s out",
                       file->path, points > 0 ? "--points" : "--blend");
    return points <= QP_KERNEL_POINTS
               ? QP_OK
               : qp_fail(QP_BAD_USE, "--points takes 2^24 at most, not %d", points);
}

enum qp_status cmd_read_files(const struct options *options, struct qp_kernel_file **out)
{
    const bool any = (options->command->set & (IN_CHECK | IN_BENCH)) != 0;
    enum qp_status (*const read)(const char *, struct qp_kernel_file **) =
        any ? qp_kernel_file_read : qp_kernel_read;
    enum qp_status status = read(options->words[0], out);
    for (int k = 1; k < options->word_count && status == QP_OK; k++) {
        struct qp_kernel_file *next;
        status = read(options->words[k], &next);
        if (status == QP_OK)
            status = qp_kernel_file_then(*out, &next);
        qp_kernel_file_destroy(&next);
    }
    if (status != QP_OK)
        qp_kernel_file_destroy(out);
    return status;
}

/* Takes a head's size back where an option names a file for a state, which has its own. */
static void leave_size(const struct options *options, struct qp_kernel_file *file)
{
    for (int k = 0; k < options->head.arrays && options->width == 0; k++) {
        const struct qp_kernel_file_array *given = &options->head.array[k];
        for (int i = 0; i < file->states && given->made == QP_MADE_NOT; i++) {
            if (given->from != NULL && strcmp(file->array[i].name, given->name) == 0)
                file->head.width = file->head.height = 0;
        }
    }
}

enum qp_status cmd_kernel_file(const struct options *options, const char *path,
                               struct qp_kernel_file **out)
{
    char sentence[1024];
    struct qp_kernel_file_head head = options->head;
    head.width = options->width;
    head.height = options->height;
    head.has_seed = options->seed_given;
    head.seed = options->seed;
    head.tolerance = options->tolerance;
    enum qp_status status = *out == NULL ? cmd_read_files(options, out) : QP_OK;
    if (status != QP_OK)
        return status;
    for (struct qp_kernel_file *file = *out; file != NULL; file = file->next)
        leave_size(options, file);
    status = qp_kernel_file_override(*out, &head);
    if (status == QP_BAD_USE) { /* a word of the head's is an option's name */
        snprintf(sentence, sizeof sentence, "%s", qp_error());
        status = qp_fail(status, "--%s", sentence);
    }
    if (status == QP_OK)
        status = take_points(*out);
    for (struct qp_kernel_file *file = *out; file != NULL && status == QP_OK; file = file->next) {
        if (options->fast && !file->is_short &&
            qp_kernel_file_function(file)->language == QP_IN_FRAGMENTS)
            status = qp_fail(QP_BAD_USE,
                             "%s is a whole shader, whose text says what is precise: leave "
                             "--fast out",
                             file->path);
        file->desc.fast = options->fast;
        if (status == QP_OK)
            status = options_check_files(options, file);
    }
    if (status == QP_OK && options->judged && (*out)->head.check == NULL)
        status =
            qp_fail(QP_BAD_USE,
                    "%s names no reference; name one by --check REF.c, or by a line '//@ check "
                    "REF.c' in its head",
                    path);
    if (status != QP_OK)
        qp_kernel_file_destroy(out);
    return status;
}
