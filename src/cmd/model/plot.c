/* SPDX-License-Identifier: MIT */
#include "cmd/model/plot.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "base/status.h"
#include "io/output.h"
#include "stencil/compile.h"

enum { POINTS = 64 };

static bool ends_with(const char *path, const char *end)
{
    const size_t length = strlen(path), tail = strlen(end);
    return length > tail && strcmp(path + length - tail, end) == 0;
}

enum qp_status plot_check(const char *path)
{
    struct stat gnuplot;
    if (path == NULL)
        return QP_OK;
    if (strcmp(path, "-") != 0 && !ends_with(path, ".svg") && !ends_with(path, ".png"))
        return qp_fail(QP_BAD_USE, "%s: a model's picture ends with .svg or .png", path);
    if (!qp_process_find("gnuplot", &gnuplot))
        return qp_fail(QP_BAD_USE,
                       "--picture is drawn by gnuplot, which is not on the PATH; install "
                       "gnuplot-nox, or leave --picture out");
    return QP_OK;
}

/* Texts in quotes; those of gnuplot know no escape for their own, and names of rows have none. */
static void print_head(FILE *out, const char *path, const char *title)
{
    const bool png = ends_with(path, ".png");
    fprintf(out, "set terminal %s size 720,440 font 'sans,%d'\n", png ? "png" : "svg",
            png ? 10 : 12);
    fprintf(out, "set title '%s' noenhanced\n", title);
    fputs("set key top center noenhanced\nset grid\nset xrange [0:100]\nset yrange [0:]\n"
          "set xlabel 'rows of the lower part, % of all'\nset ylabel 'ms a step'\n",
          out);
}

static void print_curves(FILE *out, const struct qp_model *model)
{
    fputs("$model << END\n", out);
    for (int k = 0; k <= POINTS; k++) {
        const double rows = (double)model->height * k / POINTS;
        fprintf(out, "%g %g %g %g\n", 100.0 * k / POINTS,
                1e3 * qp_curve_seconds(&model->part[0], rows),
                1e3 * qp_curve_seconds(&model->part[1], model->height - rows),
                1e3 * qp_model_seconds(model, rows));
    }
    fputs("END\n", out);
}

/* Samples of both parts lie where the other part would have the rest. */
static void print_runs(FILE *out, const struct qp_tuned *tuning, enum qp_tuned_form what,
                       const char *name)
{
    const int height = tuning->model.height;
    fprintf(out, "$%s << END\n", name);
    for (int k = 0; k < tuning->count; k++) {
        const struct qp_tuned_split *run = &tuning->run[k];
        const int rows = what == QP_TUNE_UPPER ? height - run->rows : run->rows;
        if (run->what == what)
            fprintf(out, "%g %g\n", 100.0 * rows / height, 1e3 * run->measured);
    }
    fputs("END\n", out);
}

static void print_script(FILE *out, const char *path, const struct qp_tuned *tuning,
                         const char *title, const char *lower, const char *upper)
{
    print_head(out, path, title);
    print_curves(out, &tuning->model);
    print_runs(out, tuning, QP_TUNE_LOWER, "lower");
    print_runs(out, tuning, QP_TUNE_UPPER, "upper");
    print_runs(out, tuning, QP_TUNE_SWEEP, "sweep");
    fprintf(
        out,
        "plot $model using 1:2 with lines lc 1 title '%s', $lower with points lc 1 pt 6 notitle, "
        "\\\n"
        "  $model using 1:3 with lines lc 2 title '%s', $upper with points lc 2 pt 6 notitle, \\\n"
        "  $model using 1:4 with lines lw 2 lc 7 title 'both, by the model', \\\n"
        "  $sweep with points lc 7 pt 7 title 'both, measured'\n",
        lower, upper);
}

/* Runs gnuplot from one open file into another; 0, an error of the system's, or -1 for gnuplot's
 * own. */
static int draw(FILE *script, FILE *picture)
{
    static const char *const words[] = {"gnuplot", NULL};
    const int files[] = {fileno(script), fileno(picture)};
    pid_t child;
    int code = 0, error = qp_process_start(words[0], words, files, 2, &child);
    while (error == 0 && waitpid(child, &code, 0) < 0)
        error = errno == EINTR ? 0 : errno;
    return error != 0 ? error : code == 0 ? 0 : -1;
}

enum qp_status plot_write(const char *path, const struct qp_tuned *tuning, const char *title,
                          const char *lower, const char *upper)
{
    struct qp_output output;
    FILE *script = tmpfile();
    int error = script == NULL ? errno : 0;
    const bool opened = qp_output_open(&output, path);
    if (error == 0 && !opened)
        error = errno;
    if (error == 0) {
        print_script(script, path, tuning, title, lower, upper);
        error = fflush(script) == 0 && fseek(script, 0, SEEK_SET) == 0 && fflush(output.file) == 0
                    ? draw(script, output.file)
                    : errno;
    }
    if (script != NULL)
        fclose(script);
    return qp_output_close(&output, error == 0  ? NULL
                                    : error < 0 ? "gnuplot failed"
                                                : strerror(error));
}
