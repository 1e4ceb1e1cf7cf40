/* SPDX-License-Identifier: MIT */
/* Conway's Game of Life on a torus: 100 generations on the device, compared with the same in plain
 * C. */
#include <stdio.h>
#include <string.h>

#include <quadpass/quadpass.h>

enum { WIDTH = 200, HEIGHT = 150, CELLS = WIDTH * HEIGHT, GENERATIONS = 100 };

static const char rule[] =
    "float kernel(vec2 here) {\n"
    "    float around = -x_at(0, 0);\n"
    "    for (int dy = -1; dy <= 1; dy++)\n"
    "        for (int dx = -1; dx <= 1; dx++)\n"
    "            around += x_at(dx, dy);\n"
    "    return around == 3.0 || (around == 2.0 && x_at(0, 0) == 1.0) ? 1.0 : 0.0;\n"
    "}\n";

/* A list of two passes, there and back, is two generations. */
static bool live(struct qp_context *context, float *cells)
{
    const struct qp_array_desc torus = {
        .width = WIDTH, .height = HEIGHT, .outside = QP_OUTSIDE_WRAP};
    const struct qp_kernel_desc text = {
        .name = "life", .body = rule, .input = {{.name = "x", .reach = 1}}};
    struct qp_array *x = NULL, *y = NULL;
    struct qp_kernel *life = NULL;
    struct qp_list *two = NULL;
    bool done = qp_array_create(context, &torus, cells, &x) == QP_OK &&
                qp_array_create(context, &torus, NULL, &y) == QP_OK &&
                qp_kernel_create(context, &text, &life) == QP_OK;
    const struct qp_pass there_and_back[] = {
        {.kernel = life, .input = {{"x", x}}, .output = {y}},
        {.kernel = life, .input = {{"x", y}}, .output = {x}},
    };
    done = done && qp_list_create(there_and_back, 2, &two) == QP_OK &&
           qp_list_run(two, GENERATIONS / 2) == QP_OK && qp_array_read(x, NULL, cells, 0) == QP_OK;
    qp_list_destroy(&two);
    qp_kernel_destroy(&life);
    qp_array_destroy(&y);
    qp_array_destroy(&x);
    return done;
}

/* A generation in plain C. */
static void step(float *cells)
{
    static float next[CELLS];
    for (int i = 0; i < CELLS; i++) {
        int around = 0;
        for (int k = 0; k < 9; k++) {
            const int x = (i % WIDTH + k % 3 - 1 + WIDTH) % WIDTH;
            const int y = (i / WIDTH + k / 3 - 1 + HEIGHT) % HEIGHT;
            around += k != 4 && cells[y * WIDTH + x] == 1.0f;
        }
        next[i] = around == 3 || (around == 2 && cells[i] == 1.0f) ? 1.0f : 0.0f;
    }
    memcpy(cells, next, sizeof next);
}

int main(void)
{
    static float cells[CELLS], expected[CELLS];
    struct qp_context *context = NULL;
    int alive = 0, wrong = 0;
    for (unsigned i = 0, random = 1; i < CELLS; i++) {
        random = 1664525u * random + 1013904223u;
        cells[i] = expected[i] = random >> 30 == 0 ? 1.0f : 0.0f;
    }
    if (qp_context_create(NULL, &context) != QP_OK || !live(context, cells)) {
        fprintf(stderr, "%s\n", qp_error());
        qp_context_destroy(&context);
        return 1;
    }
    for (int k = 0; k < GENERATIONS; k++)
        step(expected);
    for (int i = 0; i < CELLS; i++) {
        alive += cells[i] == 1.0f;
        wrong += cells[i] != expected[i];
    }
    printf("%d cells live after %d generations; %d of %d differ from plain C\n", alive, GENERATIONS,
           wrong, CELLS);
    qp_context_destroy(&context);
    return wrong != 0;
}
