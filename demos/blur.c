/* SPDX-License-Identifier: MIT */
/* A picture at half its size: each cell is the mean of a box of 4 x 4. Compared with the same in
 * plain C. */
#include <math.h>
#include <stdio.h>

#include <quadpass/quadpass.h>

enum { WIDTH = 320, HEIGHT = 200, HALF_WIDTH = WIDTH / 2, HALF_HEIGHT = HEIGHT / 2 };

static const char box[] = "float kernel(vec2 here) {\n"
                          "    float sum = 0.0;\n"
                          "    for (int j = -1; j <= 2; j++)\n"
                          "        for (int i = -1; i <= 2; i++)\n"
                          "            sum += x_cell(2.0 * here + vec2(i, j));\n"
                          "    return sum / 16.0;\n"
                          "}\n";

/* The output's size says how many cells are computed; which cells of x they read, the body says. */
static bool halve(struct qp_context *context, const float *picture, float *half)
{
    const struct qp_array_desc whole = {
        .width = WIDTH, .height = HEIGHT, .outside = QP_OUTSIDE_CLAMP};
    const struct qp_array_desc small = {.width = HALF_WIDTH, .height = HALF_HEIGHT};
    const struct qp_kernel_desc text = {.name = "box", .body = box, .input = {{.name = "x"}}};
    struct qp_array *x = NULL, *y = NULL;
    struct qp_kernel *blur = NULL;
    bool done = qp_array_create(context, &whole, picture, &x) == QP_OK &&
                qp_array_create(context, &small, NULL, &y) == QP_OK &&
                qp_kernel_create(context, &text, &blur) == QP_OK;
    const struct qp_pass pass = {.kernel = blur, .input = {{"x", x}}, .output = {y}};
    done = done && qp_pass_run(&pass) == QP_OK && qp_array_read(y, NULL, half, 0) == QP_OK;
    qp_kernel_destroy(&blur);
    qp_array_destroy(&y);
    qp_array_destroy(&x);
    return done;
}

static int within(int i, int size)
{
    return i < 0 ? 0 : i < size ? i : size - 1;
}

/* The mean around cell (x, y) of the half in plain C. */
static double expected(const float *picture, int x, int y)
{
    double sum = 0.0;
    for (int j = -1; j <= 2; j++) {
        for (int i = -1; i <= 2; i++)
            sum += (double)picture[within(2 * y + j, HEIGHT) * WIDTH + within(2 * x + i, WIDTH)];
    }
    return sum / 16.0;
}

int main(void)
{
    static float picture[WIDTH * HEIGHT], half[HALF_WIDTH * HALF_HEIGHT];
    struct qp_context *context = NULL;
    double worst = 0.0;
    for (int i = 0; i < WIDTH * HEIGHT; i++)
        picture[i] = (float)(i * 7919 % 256); /* 0 to 255, as in pictures: sums of 16 are exact */
    if (qp_context_create(NULL, &context) != QP_OK || !halve(context, picture, half)) {
        fprintf(stderr, "%s\n", qp_error());
        qp_context_destroy(&context);
        return 1;
    }
    for (int i = 0; i < HALF_WIDTH * HALF_HEIGHT; i++)
        worst =
            fmax(worst, fabs((double)half[i] - expected(picture, i % HALF_WIDTH, i / HALF_WIDTH)));
    printf("%d x %d cells of %d x %d; off by %g at most\n", HALF_WIDTH, HALF_HEIGHT, WIDTH, HEIGHT,
           worst);
    qp_context_destroy(&context);
    return worst != 0.0;
}
