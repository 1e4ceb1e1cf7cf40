/* SPDX-License-Identifier: MIT */
#include "tools/stencil/conf.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "toolkit/base/expression.h"
#include "toolkit/base/text.h"
#include "toolkit/gl/shaders.h"
#include "tools/stencil/stencil.h"

enum { SIDE = 2 * QP_STENCIL_REACH + 1 };

/* Keys with numbers, keys with words, and others. */
/* clang-format off */
enum key { NEIGHBOUR, PARTITION, THREADS, UNKNOWNS, H, BOUNDARY, PRECISION, TARGET, SYNC, F, ALPHA, DIRECTORY, KEYS };
/* clang-format on */

/* Values of a key: `numbers` numbers in a range, the first `whole` of them whole, or one of the
 * words in `takes`, of which the first `generated` ones are generated. */
static const struct {
    const char *name, *takes;
    int numbers, whole;
    double low, high;
    int generated;
} keys[KEYS] = {{"neighbour", "DX DY WEIGHT: whole numbers, and one that a float holds", 3, 2,
                 -FLT_MAX, FLT_MAX, 0},
                {"partition", "a part from 0 to 1", 1, 0, 0.0, 1.0, 0},
                {"threads", "a whole number from 1 to 1024", 1, 1, 1.0, 1024.0, 0},
                {"unknowns", "WxH, whole numbers from 1 to 1024", 2, 2, 1.0, 1024.0, 0},
                {"h", "a number above 0", 1, 0, FLT_MIN, FLT_MAX, 0},
                {"boundary", "a number that a float holds", 1, 0, -FLT_MAX, FLT_MAX, 0},
                {"precision", "single double", .generated = 2},
                {"target", "cpu gpu cpu_gpu gpus mpi", .generated = 5},
                {"sync", QP_SYNCS, .generated = 6},
                {.name = "f"},
                {"alpha", "a whole number from 1 to 1024", 1, 1, 1.0, 1024.0, 0},
                {.name = "directory"}};

struct reading {
    const char *path;
    struct qp_conf *conf;
    int given[KEYS];       /* a key's line; 0: none */
    double value[KEYS][3]; /* values of a key; a word has its number, from 1 on */
    double neighbour[SIDE * SIDE + 1][3];
    int neighbours;
    struct qp_expression f;
};

/* ---- Lines ---- */

static enum qp_status read_numbers(struct reading *r, int key, const char *text)
{
    const char *at = text;
    bool good = true;
    for (int i = 0; i < keys[key].numbers && good; i++) {
        char *end;
        const double value = strtod(at, &end);
        const bool between = key == UNKNOWNS && i == 0; /* an x */
        good = end > at && value >= keys[key].low && value <= keys[key].high &&
               (i >= keys[key].whole || value == floor(value)) && (!between || *end == 'x');
        r->value[key][i] = value;
        at = end + between;
    }
    return good && *at == '\0' ? QP_OK
                               : qp_fail(QP_BAD_INPUT, "%s takes %s, not '%s'", keys[key].name,
                                         keys[key].takes, text);
}

static enum qp_status read_word(struct reading *r, int key, const char *text)
{
    const int word = qp_word_number(keys[key].takes, text, (int)strlen(text));
    r->value[key][0] = word;
    if (word == 0)
        return qp_fail(QP_BAD_INPUT, "%s is one of %s, not '%s'", keys[key].name, keys[key].takes,
                       text);
    return word <= keys[key].generated
               ? QP_OK
               : qp_fail(QP_BAD_INPUT, "%s = %s is not generated", keys[key].name, text);
}

static enum qp_status add_neighbour(struct reading *r)
{
    const double *new = r->value[NEIGHBOUR];
    if (fmax(fabs(new[0]), fabs(new[1])) > QP_STENCIL_REACH)
        return qp_fail(QP_BAD_INPUT, "neighbour %g %g is more than %d cells away", new[0], new[1],
                       QP_STENCIL_REACH);
    for (int k = 0; k < r->neighbours; k++) {
        if (r->neighbour[k][0] == new[0] && r->neighbour[k][1] == new[1])
            return qp_fail(QP_BAD_INPUT, "neighbour %g %g is given twice", new[0], new[1]);
    }
    memcpy(r->neighbour[r->neighbours++], new, sizeof r->neighbour[0]);
    return QP_OK;
}

static enum qp_status take_value(struct reading *r, int key, const char *text)
{
    if (r->given[key] > 0 && key != NEIGHBOUR)
        return qp_fail(QP_BAD_INPUT, "%s is given twice", keys[key].name);
    if (key == F)
        return qp_expression_read(text, &r->f) == QP_OK ? QP_OK : qp_fail_within(QP_BAD_INPUT, "f");
    if (key == DIRECTORY)
        strcpy(r->conf->directory, text);
    const enum qp_status status = keys[key].numbers > 0     ? read_numbers(r, key, text)
                                  : keys[key].generated > 0 ? read_word(r, key, text)
                                                            : QP_OK;
    return status == QP_OK && key == NEIGHBOUR ? add_neighbour(r) : status;
}

static enum qp_status take_line(struct reading *r, const char *line, int number)
{
    char name[32] = "", value[4096] = "";
    int key = 0, end = 0;
    if (sscanf(line, " %31[^=# \t\r] = %4095[^#\r]%n", name, value, &end) < 1 &&
        strchr("#\r", line[strspn(line, " \t")]) != NULL)
        return QP_OK;
    for (size_t length = strlen(value); length > 0 && strchr(" \t", value[length - 1]) != NULL;)
        value[--length] = '\0';
    while (key < KEYS && strcmp(name, keys[key].name) != 0)
        key++;
    enum qp_status status;
    if (end == 0 || value[0] == '\0' || strchr("#\r", line[end]) == NULL)
        status = qp_fail(QP_BAD_INPUT, "'%s' is no line KEY = VALUE", line);
    else if (key == KEYS)
        status = qp_fail(QP_BAD_INPUT,
                         "'%s' is no key, which are neighbour, precision, target, partition, "
                         "threads, unknowns, h, f, sync, alpha, boundary and directory",
                         name);
    else if ((status = take_value(r, key, value)) == QP_OK)
        r->given[key] = number;
    return status == QP_OK ? status : qp_fail_within(status, "%s:%d", r->path, number);
}

/* ---- The kernel file ---- */

/* The target of `generate`; NULL: none is given. */
static const char *target_of(const struct reading *r)
{
    static const char *const targets[] = {NULL, "c", "cuda", "hybrid", "gpus", "mpi"};
    return targets[(int)r->value[TARGET][0]];
}

static bool is_async(const struct reading *r)
{
    const int word = (int)r->value[SYNC][0];
    return word >= 1 + QP_SYNC_ASYNC0 && word <= 1 + QP_SYNC_ASYNC3;
}

/* The thesis's start, zeros, where they do not stay zeros; and the cells between two sides that
 * are 1 apart. */
static void put_start(const struct reading *r, FILE *out)
{
    const double cells = r->given[H] > 0 ? 1.0 / r->value[H][0] - 1.0 : 0.0, whole = rint(cells);
    if (r->given[F] > 0 || r->value[BOUNDARY][0] != 0.0)
        fputs("//@ input x=zeros\n", out);
    if (whole >= 1.0 && whole <= 16384.0 && fabs(cells - whole) < 1e-6 * whole)
        fprintf(out, "//@ size %g\n", whole);
}

static void put_head(const struct reading *r, FILE *out)
{
    char h[32], x[48] = "x", y[48] = "y";
    put_start(r, out);
    if (r->given[H] > 0) {
        snprintf(x, sizeof x, "(%s * x)", qp_number_text(r->value[H][0], h));
        snprintf(y, sizeof y, "(%s * y)", h);
    }
    if (r->given[F] > 0) {
        fprintf(out, r->given[H] > 0 ? "//@ input f=(%s * %s * (" : "//@ input f=(", h, h);
        qp_expression_put(&r->f, r->f.whole, x, y, out);
        fputs(r->given[H] > 0 ? "))\n" : ")\n", out);
    }
    if (r->given[BOUNDARY] > 0)
        fprintf(out, "//@ outside x=%s\n", qp_number_text(r->value[BOUNDARY][0], h));
    if (is_async(r))
        fprintf(out, "//@ sync async%d", (int)r->value[SYNC][0] - 1 - QP_SYNC_ASYNC0);
    else if (r->value[SYNC][0] == 1 + QP_SYNC_RED_BLACK)
        fputs("//@ sync red_black\n", out);
    if (is_async(r))
        fprintf(out, r->given[ALPHA] > 0 ? " alpha=%g\n" : "\n", r->value[ALPHA][0]);
    const bool blocks = r->given[THREADS] + r->given[UNKNOWNS] > 0, parts = r->value[TARGET][0] > 3;
    fputs(blocks ? "//@ tuned cuda" : "", out);
    if (r->given[THREADS] > 0)
        fprintf(out, " threads=%g", r->value[THREADS][0]);
    if (r->given[UNKNOWNS] > 0)
        fprintf(out, " unknowns=%gx%g", r->value[UNKNOWNS][0], r->value[UNKNOWNS][1]);
    fputs(blocks ? "\n" : "", out);
    if (r->given[PARTITION] > 0)
        fprintf(out, "//@ tuned %s partition=%s\n", parts ? target_of(r) : "hybrid",
                qp_number_text(r->value[PARTITION][0], h));
    fputs("\n", out);
}

/* Sums of all weights, each times one of these factors of its neighbour: 1, dx, dy, dx dy,
 * dx^2 - dy^2, dx^2. */
enum { FACTORS = 6, ACROSS = FACTORS - 1 };

static void add_weights(const struct reading *r, double sum[FACTORS])
{
    memset(sum, 0, FACTORS * sizeof *sum);
    for (int k = 0; k < r->neighbours; k++) {
        const double x = r->neighbour[k][0], y = r->neighbour[k][1],
                     factor[FACTORS] = {1.0, x, y, x * y, x * x - y * y, x * x};
        for (int i = 0; i < FACTORS; i++)
            sum[i] += r->neighbour[k][2] * factor[i];
    }
}

/* A weighted sum is u + sum w dx^2 h^2 / 2 laplace(u) + ..., a step for -laplace(u) = f, if the
 * other sums are none, but for what rounded weights make of them. */
static enum qp_status check_f(const struct reading *r)
{
    static const char *const names[] = {"the weights is 1",
                                        "weight * dx is 0",
                                        "weight * dy is 0",
                                        "weight * dx * dy is 0",
                                        "weight * (dx * dx - dy * dy) is 0",
                                        "weight * dx * dx is above 0"};
    double sum[FACTORS];
    add_weights(r, sum);
    for (int i = 0; i < FACTORS; i++) {
        const double off = i == ACROSS ? fmin(sum[i] - 1e-5, 0.0) : sum[i] - (i == 0);
        if (fabs(off) > 1e-6 * fmax(1.0, fabs(sum[ACROSS])))
            return qp_fail(QP_BAD_INPUT,
                           "%s:%d: f has no meaning here: a step solves -laplace(u) = f where the "
                           "sum of %s, not %g",
                           r->path, r->given[F], names[i], sum[i]);
    }
    return QP_OK;
}

/* Writes the weighted sum, plus half of sum w dx^2 times f, which has h^2. A weight that all
 * neighbours share is put before their sum. */
static void put_body(const struct reading *r, FILE *out)
{
    const char *type = r->value[PRECISION][0] > 1.0 ? "double" : "float",
               *end = *type == 'd' ? "lf" : "";
    const double common = r->neighbour[0][2];
    char weight[32];
    double sum[FACTORS];
    bool alike = true;
    add_weights(r, sum);
    for (int k = 0; k < r->neighbours; k++)
        alike = alike && r->neighbour[k][2] == common;
    const double of_f = rint(0.5e15 * sum[ACROSS]) / 1e15;
    const bool inside = alike && of_f == common; /* the brackets, as their last term */
    fprintf(out, "%s kernel(vec2 here)\n{\n    return ", type);
    if (alike)
        fprintf(out, "%s%s * (", qp_number_text(common, weight), end);
    for (int k = 0; k < r->neighbours; k++) {
        fputs(k == 0 ? "" : k % (alike ? 4 : 2) == 0 ? " +\n           " : " + ", out);
        if (!alike)
            fprintf(out, "%s%s * ", qp_number_text(r->neighbour[k][2], weight), end);
        fprintf(out, "x_at(%.1f, %.1f)", r->neighbour[k][0], r->neighbour[k][1]);
    }
    fputs(alike && !inside ? ")" : "", out);
    if (r->given[F] > 0) {
        fputs(" +\n           ", out);
        if (!inside)
            fprintf(out, "%s%s * ", qp_number_text(of_f, weight), end);
        fputs("f_at(0.0, 0.0)", out);
    }
    fputs(inside ? ");\n}\n" : ";\n}\n", out);
}

static enum qp_status make(const struct reading *r, struct qp_kernel_file **file)
{
    const double *block = r->value[UNKNOWNS], threads = r->value[THREADS][0];
    char *text = NULL;
    size_t size;
    if (r->neighbours == 0)
        return qp_fail(QP_BAD_INPUT, "%s: no neighbour is given, as by 'neighbour = -1 0 0.25'",
                       r->path);
    if (r->given[ALPHA] > 0 && !is_async(r))
        return qp_fail(QP_BAD_INPUT, "%s:%d: alpha is for sync = async0 to async3", r->path,
                       r->given[ALPHA]);
    if (threads * block[0] > 0.0 && fmod(block[0] * block[1], threads) != 0.0)
        return qp_fail(QP_BAD_INPUT, "%s:%d: %g threads do not divide a block's %g x %g unknowns",
                       r->path, r->given[THREADS], threads, block[0], block[1]);
    enum qp_status status = r->given[F] > 0 ? check_f(r) : QP_OK;
    if (status != QP_OK)
        return status;
    FILE *out = open_memstream(&text, &size);
    if (out != NULL) {
        put_head(r, out);
        put_body(r, out);
    }
    status = out != NULL && fclose(out) == 0
                 ? qp_kernel_file_make(r->path, text, file)
                 : qp_fail(QP_NO_MEMORY, "%s: no memory for its kernel", r->path);
    free(text);
    return status;
}

enum qp_status qp_conf_read(const char *path, struct qp_conf *out, struct qp_kernel_file **file)
{
    struct reading r = {.path = path, .conf = out};
    char *text;
    int number = 0;
    *out = (struct qp_conf){.target = NULL};
    *file = NULL;
    enum qp_status status = qp_shader_read_file(path, &text);
    for (char *line = text, *next; status == QP_OK && line != NULL; line = next) {
        next = strchr(line, '\n');
        if (next != NULL)
            *next++ = '\0';
        const char *end = strchr(line, '\r');
        status = end == NULL || end[1] == '\0'
                     ? take_line(&r, line, ++number)
                     : qp_fail(QP_BAD_INPUT,
                               "%s:%d: the line ends by a carriage return alone; end it by a "
                               "newline",
                               path, number + 1);
    }
    free(text);
    if (status == QP_OK)
        out->target = target_of(&r);
    return status == QP_OK ? make(&r, file) : status;
}
