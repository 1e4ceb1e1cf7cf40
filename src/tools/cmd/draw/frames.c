/* SPDX-License-Identifier: MIT */
/* The error of an iteration, step by step: with a right-hand side of 0 the solution is 0, and the
 * iterate is its own error. It starts as one smooth wave and noise in equal parts. */
#include <math.h>

#include "lab/plan/problem.h"
#include "tools/cmd/draw/draw.h"

enum { FRAMES = 10, IN_LINE = 3 }; /* after 0, 1, 2, 4 ... 256 steps */

struct frame {
    const struct qp_matrix *values;
    double most; /* end of the scale: the largest error of a line's first frame */
};

static int paint_at(const void *user, int column, int line)
{
    const struct frame *frame = user;
    const struct qp_matrix *values = frame->values;
    const int row = values->height - 1 - line;
    return svg_sign(qp_matrix_value(values, (size_t)row * (size_t)values->width + (size_t)column),
                    frame->most);
}

/* The largest magnitude, and the largest difference of neighbours in a row. */
static double largest(const struct qp_matrix *values, double *rough)
{
    double most = 0.0;
    *rough = 0.0;
    for (int i = 0; i < values->width * values->height; i++) {
        const double value = qp_matrix_value(values, (size_t)i);
        most = fmax(most, fabs(value));
        if (i % values->width > 0)
            *rough = fmax(*rough, fabs(value - qp_matrix_value(values, (size_t)i - 1)));
    }
    return most;
}

/* Gives the problem its start, no right-hand side, and a weight with which the roughest waves die
 * first: with a weight of 1 Jacobi keeps a chessboard as long as the smoothest wave. */
static enum qp_status start(struct drawing *drawing)
{
    const double pi = acos(-1.0);
    struct qp_problem *problem = &drawing->problem;
    struct qp_matrix *x = qp_problem_field(problem, "x"), *b = qp_problem_field(problem, "b");
    if (b == NULL)
        b = qp_problem_field(problem, "f");
    if (x == NULL || b == NULL || problem->systems > 1)
        return draw_refuse(drawing, "does not step from an x to the solution for a b",
                           "poisson5/luminance");
    for (int i = 0; i < x->width * x->height; i++) {
        const double wave = sin(pi * (i % x->width + 1) / (x->width + 1)) *
                            sin(pi * (i / x->width + 1) / (x->height + 1));
        qp_set_value(qp_matrix_values(x), x->precision, (size_t)i,
                     0.5 * wave + 0.5 * qp_matrix_value(x, (size_t)i));
        qp_set_value(qp_matrix_values(b), b->precision, (size_t)i, 0.0);
    }
    problem->weight *= 0.8;
    return QP_OK;
}

static void draw_frame(struct svg *svg, const struct frame *frame, int number, int step)
{
    const int width = frame->values->width;
    double rough;
    const double most = largest(frame->values, &rough);
    svg_panel(svg,
              svg_squares(width, frame->values->height, svg_side(width, IN_LINE, SVG_WIDTH),
                          svg_signs(), SVG_SIGNS, paint_at, frame),
              number, IN_LINE, "step %d: %.2g", step, most);
    svg_describe(svg, "%s step %d: %.2g, %.2g", number > 0 ? ";" : "", step, most, rough);
}

/* A scale for this line of frames, since errors fall. */
static void begin_line(struct svg *svg, struct frame *frame, int number)
{
    double rough;
    frame->most = largest(frame->values, &rough);
    svg->height += number > 0 ? SVG_MARGIN : 0;
    svg_scale(svg, svg_signs(), SVG_SIGNS, -frame->most, frame->most);
    svg->height -= SVG_MARGIN;
}

enum qp_status draw_frames(struct drawing *drawing)
{
    struct svg *svg = &drawing->svg;
    struct frame frame = {0};
    enum qp_status status = start(drawing);
    svg_title(svg, "Error of %s, %d x %d", drawing->variant->name, drawing->problem.width,
              drawing->problem.height);
    svg_note(svg, "the largest error after each step; weight %g", drawing->problem.weight);
    svg_note(svg, "orange: below 0; blue: above; each line has a scale of its own");
    svg_describe(svg,
                 "Orange is below 0, blue above, to a scale a line. Largest error, and largest "
                 "difference of neighbours in a row, at");
    for (int i = 0; i < FRAMES && status == QP_OK; i++) {
        struct qp_result result;
        const int steps = i == 0 ? 0 : 1 << (i - 1);
        const struct qp_walk_desc desc = {.iterations = steps, .keep_solution = true};
        status = draw_run(drawing, NULL, &desc, &result);
        frame.values = &result.solution;
        if (status == QP_OK && i % IN_LINE == 0)
            begin_line(svg, &frame, i);
        if (status == QP_OK)
            draw_frame(svg, &frame, i, steps);
        qp_matrix_destroy(&result.solution);
    }
    return status;
}
