/* SPDX-License-Identifier: MIT */
#include "tools/cmd/run/once.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "toolkit/base/status.h"
#include "toolkit/io/output.h"
#include "tools/cmd/output/grid.h"
#include "tools/cmd/output/picture.h"
#include "tools/cmd/output/pixels.h"
#include "tools/cmd/output/sentence.h"

/* ---- Files ---- */

static bool is_streamed(const struct options *options)
{
    return strcmp(options->frames, "-") == 0;
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
                                     {options->picture, "--picture"},
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
    if (status == QP_OK)
        status = picture_check_name(options->picture);
    if (status == QP_OK && options->frames != NULL && !is_streamed(options))
        status = check_frames(options, head);
    return status;
}

enum qp_status outcome_check_channels(const struct options *options, const struct run_input *x)
{
    const char *path = options->output;
    if (path == NULL || x->channels == 1 || grid_is_picture(path) || grid_is_array(path))
        return QP_OK;
    return qp_fail(QP_BAD_USE, "%s cannot hold %s, which has %d values a cell: write a .npy file",
                   path, x->name, x->channels);
}

enum qp_status outcome_frame(const struct options *options, const struct run_input *x, int number)
{
    char path[PATH_MAX];
    const struct qp_matrix all = run_input_matrix(x, 1);
    if (is_streamed(options))
        return pixels_stream(options->frames, &all, x->channels);
    if (snprintf(path, sizeof path, "%s/%06d.png", options->frames, number) >= (int)sizeof path)
        return qp_fail(QP_BAD_INPUT, "the name of the folder of frames is too long");
    return grid_write(path, &all, x->channels, NULL, NULL);
}

/* The first value of each cell. */
static enum qp_status write_picture(const char *path, const struct run_input *x, FILE *out)
{
    const size_t cells = (size_t)x->width * (size_t)x->height;
    double low, high, *values = qp_alloc(cells, sizeof *values, "the values of a picture");
    if (values == NULL)
        return QP_NO_MEMORY;
    for (size_t i = 0; i < cells; i++)
        values[i] = qp_value(x->values, x->precision, i * (size_t)x->channels);
    const enum qp_status status = picture_write(path, x->width, x->height, values, &low, &high);
    if (status == QP_OK)
        picture_tell_scale(out, path, low, high);
    free(values);
    return status;
}

/* Says which values the samples of -o are. */
static void tell_scale(const char *path, const struct run_input *x, int frames, double low,
                       double high, FILE *out)
{
    const bool others = outcome_range(x).others > 0;
    sentence_put_name(out, path);
    fputs(": ", out);
    if (frames > 1)
        fprintf(out, "%d frames of a tenth of a second; ", frames);
    if (x->channels == 4)
        fprintf(out, "red, green, blue and alpha; below 0 is written as 0, above 1 as 1%s\n",
                others ? ", and NaN and infinity as 0" : "");
    else
        fprintf(out, "black is %.6g, white is %.6g%s\n", low, high,
                others ? ", and NaN and infinity are black" : "");
}

enum qp_status outcome_write(const struct options *options, const struct run_input *x,
                             const struct run_input *film, int frames)
{
    double low, high;
    FILE *out = options->reduction == REDUCE_NOTHING ? options->table : stderr;
    const bool animates = options_animates(options),
               pictures = options->output != NULL && grid_is_picture(options->output);
    const struct qp_matrix all = animates ? run_input_matrix(film, 1) : run_input_matrix(x, 1);
    enum qp_status status = QP_OK;
    if (options->picture != NULL)
        status = write_picture(options->picture, x, out);
    if (status == QP_OK && animates)
        status = pixels_write(options->output, &all, film->channels, frames, &low, &high);
    else if (status == QP_OK && options->output != NULL)
        status = grid_write(options->output, &all, x->channels, &low, &high);
    if (status == QP_OK && pictures && x->channels == 1)
        picture_doubt(options->output, low, high);
    if (status == QP_OK && pictures)
        tell_scale(options->output, animates ? film : x, frames, low, high, out);
    return status;
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
        range.low = fmin(range.low, value); /* fmin of a number and NaN is the number */
        range.high = fmax(range.high, value);
        range.mean += value;
    }
    range.mean /= (double)(count - range.others);
    return range;
}
