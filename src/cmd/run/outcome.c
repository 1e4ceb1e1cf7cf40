/* SPDX-License-Identifier: MIT */
#include "cmd/run/once.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/status.h"
#include "cmd/options_run.h"
#include "cmd/output/grid.h"
#include "cmd/output/sentence.h"
#include "io/output.h"

/* ---- Files ---- */

static bool ends_with(const char *path, const char *ending)
{
    const char *end = strrchr(path, '.');
    return end != NULL && strcasecmp(end, ending) == 0;
}

/* True if a file has a frame's name and is in the folder of frames. */
static bool is_frame(const char *path, const char *frames)
{
    char folder[PATH_MAX];
    const char *slash = strrchr(path, '/'), *name = slash != NULL ? slash + 1 : path;
    const size_t digits = strspn(name, "0123456789");
    if (digits < 6 || strcmp(name + digits, ".png") != 0)
        return false;
    struct stat one, other;
    snprintf(folder, sizeof folder, "%.*s", slash != NULL ? (int)(slash - path) + 1 : 1,
             slash != NULL ? path : ".");
    return stat(folder, &one) == 0 && stat(frames, &other) == 0 && one.st_dev == other.st_dev &&
           one.st_ino == other.st_ino;
}

static enum qp_status check_frame(const char *path, const char *option, const char *frames)
{
    if (path == NULL || !is_frame(path, frames))
        return QP_OK;
    return qp_fail(QP_BAD_USE, "--frames %s would write over %s %s; take another folder", frames,
                   option, path);
}

static enum qp_status check_frames(const struct options *options,
                                   const struct qp_kernel_file_head *head)
{
    const char *const others[][2] = {{options->output, "-o"},
                                     {options->json, "--json"},
                                     {options->csv, "--csv"},
                                     {options->judged ? head->check : NULL, "--check"},
                                     {options->words[0], "the shader"}};
    enum qp_status status = QP_OK;
    for (size_t k = 0; k < sizeof others / sizeof others[0] && status == QP_OK; k++)
        status = check_frame(others[k][0], others[k][1], options->frames);
    for (int k = 0; k < head->arrays && status == QP_OK; k++)
        status = check_frame(head->array[k].from, "--input", options->frames);
    if (status == QP_OK)
        status = qp_output_folder(options->frames);
    if (status == QP_OK && access(options->frames, W_OK | X_OK) != 0)
        return qp_fail(QP_BAD_INPUT, "%s: no frames can be written: %s", options->frames,
                       strerror(errno));
    return status;
}

enum qp_status outcome_check(const struct options *options, const struct qp_kernel_file_head *head)
{
    enum qp_status status = grid_check_name(options->output, true);
    if (status == QP_OK && options->frames != NULL)
        status = check_frames(options, head);
    return status;
}

enum qp_status outcome_check_channels(const struct options *options, const struct run_input *x)
{
    const char *path = options->output;
    if (path == NULL || x->channels == 1 || ends_with(path, ".png") || grid_is_array(path))
        return QP_OK;
    return qp_fail(QP_BAD_USE, "%s cannot hold %s, which has %d values a cell: write a .npy file",
                   path, x->name, x->channels);
}

enum qp_status outcome_frame(const struct options *options, const struct run_input *x, int number)
{
    char path[PATH_MAX];
    const struct qp_matrix all = run_input_matrix(x, 1);
    if (snprintf(path, sizeof path, "%s/%06d.png", options->frames, number) >= (int)sizeof path)
        return qp_fail(QP_BAD_INPUT, "the name of the folder of frames is too long");
    return grid_write(path, &all, x->channels, NULL, NULL);
}

enum qp_status outcome_write(const struct options *options, const struct run_input *x)
{
    double low, high;
    const struct qp_matrix all = run_input_matrix(x, 1);
    const enum qp_status status = options->output != NULL
                                      ? grid_write(options->output, &all, x->channels, &low, &high)
                                      : QP_OK;
    if (status != QP_OK || options->output == NULL || !ends_with(options->output, ".png"))
        return status;
    FILE *out = options->reduction == REDUCE_NOTHING ? options->table : stderr;
    sentence_put_name(out, options->output);
    fprintf(out, ": black is %.6g, white is %.6g%s\n", low, high,
            outcome_range(x).others > 0 ? ", and NaN and infinity are black" : "");
    return QP_OK;
}

struct run_range outcome_range(const struct run_input *x)
{
    const size_t count = run_input_count(x);
    struct run_range range = {.low = NAN, .high = NAN};
    for (size_t i = 0; i < count; i++) {
        const double value = qp_value(x->values, x->precision, i);
        if (!isfinite(value)) {
            range.others++;
            continue;
        }
        range.low = fmin(range.low, value); /* of a number and NaN, the number */
        range.high = fmax(range.high, value);
        range.mean += value;
    }
    range.mean /= (double)(count - range.others);
    return range;
}
