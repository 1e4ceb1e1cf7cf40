/* SPDX-License-Identifier: MIT */
/* Gray and Scott's reaction of u and v, which feed on each other and diffuse, in a square dish:
 * reaction [FOLDER [SIZE [STEPS]]]. Both fields are outputs of one pass; how much is fed changes
 * with time; a histogram of v is made by a point for each cell, which adds 1 at the place of its
 * value; mean and extremes are reduced where the fields are. A frame v, as PNG, goes to FOLDER if
 * there is one. Functions return true if something failed, and qp_error says what. */
#include <math.h>
#include <png.h>
#include <stdio.h>
#include <stdlib.h>

#include <quadpass/quadpass.h>

enum {
    BINS = 32,  /* bins of the histogram, v from 0 to 1/2 */
    EVERY = 500 /* steps from look to look, an even number */
};

static const char react[] =
    "void kernel(vec2 here)\n"
    "{\n"
    "    float u = u_at(0, 0), v = v_at(0, 0), uvv = u * v * v;\n"
    "    float around_u = (u_at(-1, 0) + u_at(1, 0)) + (u_at(0, -1) + u_at(0, 1));\n"
    "    float around_v = (v_at(-1, 0) + v_at(1, 0)) + (v_at(0, -1) + v_at(0, 1));\n"
    "    out0 = u + (0.2 * (around_u - 4.0 * u) - uvv + feed * (1.0 - u));\n"
    "    out1 = v + (0.1 * (around_v - 4.0 * v) + uvv - (feed + kill) * v);\n"
    "}\n";

/* A point's number is its cell's, row by row. */
static const char scatter[] =
    "#version 120\n"
    "#extension GL_ARB_texture_rectangle : require\n"
    "uniform sampler2DRect v;\n"
    "uniform vec2 v_size;\n"
    "uniform float bins;\n"
    "void main()\n"
    "{\n"
    "    float row = floor((gl_Vertex.x + 0.5) / v_size.x);\n"
    "    vec2 cell = vec2(gl_Vertex.x - row * v_size.x, row) + 0.5;\n"
    "    float bin = floor(2.0 * bins * texture2DRect(v, cell).r);\n"
    "    vec2 place = vec2(clamp(bin, 0.0, bins - 1.0), 0.0) + 0.5;\n"
    "    gl_Position = gl_ModelViewProjectionMatrix * vec4(place, 0.0, 1.0);\n"
    "}\n",
                  one[] = "#version 120\nvoid main() { gl_FragColor = vec4(1.0); }\n";

struct world {
    struct qp_context *gpu;
    int size;
    struct qp_array *u[2], *v[2], *counts;
    struct qp_kernel *react, *scatter;
    struct qp_list *steps; /* there and back */
    struct qp_reduction *sum, *least, *most;
};

struct look {
    double mean, least, most;
    float counts[BINS];
};

static bool make_kernels(struct world *w)
{
    const struct qp_kernel_desc reaction = {
        .name = "react",
        .body = react,
        .input = {{.name = "u", .reach = 1}, {.name = "v", .reach = 1}},
        .number = {{.name = "feed"}, {.name = "kill"}},
        .outputs = 2};
    const struct qp_kernel_desc histogram = {.name = "scatter",
                                             .vertex = {.text = scatter},
                                             .fragment = {.text = one},
                                             .input = {{.name = "v"}},
                                             .number = {{.name = "bins"}}};
    struct qp_reduction_desc sum = {.what = QP_REDUCE_SUM, .of = qp_array_describe(w->v[0])},
                             least = sum, most = sum;
    least.what = QP_REDUCE_MIN;
    most.what = QP_REDUCE_MAX;
    return qp_kernel_create(w->gpu, &reaction, &w->react) ||
           qp_kernel_create(w->gpu, &histogram, &w->scatter) ||
           qp_reduction_create(w->gpu, &sum, &w->sum) ||
           qp_reduction_create(w->gpu, &least, &w->least) ||
           qp_reduction_create(w->gpu, &most, &w->most);
}

/* u = 1 and v = 0, but for a square in the middle. */
static bool make(struct world *w, int size)
{
    const struct qp_array_desc field = {size, size, .outside = QP_OUTSIDE_CLAMP},
                               bins = {BINS, 1, .channels = 1};
    const struct qp_rect middle = {size * 7 / 16, size * 7 / 16, (size + 7) / 8, (size + 7) / 8};
    w->size = size;
    bool failed = qp_array_create(w->gpu, &bins, NULL, &w->counts);
    for (int i = 0; i < 2 && !failed; i++)
        failed = qp_array_create(w->gpu, &field, NULL, &w->u[i]) ||
                 qp_array_create(w->gpu, &field, NULL, &w->v[i]);
    failed = failed || qp_array_fill(w->u[0], NULL, 1.0) || qp_array_fill(w->u[0], &middle, 0.5) ||
             qp_array_fill(w->v[0], &middle, 0.25) || make_kernels(w);
    struct qp_pass steps[2];
    for (int i = 0; i < 2; i++)
        steps[i] = (struct qp_pass){.kernel = w->react,
                                    .input = {{"u", w->u[i]}, {"v", w->v[i]}},
                                    .number = {{.name = "feed"}, {.name = "kill"}},
                                    .output = {w->u[1 - i], w->v[1 - i]}};
    return failed || qp_list_create(steps, 2, &w->steps);
}

static void destroy(struct world *w)
{
    qp_list_destroy(&w->steps);
    qp_reduction_destroy(&w->sum);
    qp_reduction_destroy(&w->least);
    qp_reduction_destroy(&w->most);
    qp_kernel_destroy(&w->react);
    qp_kernel_destroy(&w->scatter);
    qp_array_destroy(&w->counts);
    for (int i = 0; i < 2; i++) {
        qp_array_destroy(&w->u[i]);
        qp_array_destroy(&w->v[i]);
    }
}

/* An even number of steps. */
static bool advance(struct world *w, int steps, double feed, double kill)
{
    bool failed = false;
    for (int i = 0; i < 2 && !failed; i++)
        failed = qp_list_set(w->steps, i, &(struct qp_pass_number){"feed", {feed}, NULL}) ||
                 qp_list_set(w->steps, i, &(struct qp_pass_number){"kill", {kill}, NULL});
    return failed || qp_list_run(w->steps, steps / 2);
}

static bool look_at(struct world *w, struct look *out)
{
    const struct qp_pass_input v[] = {{"x", w->v[0]}, {NULL, NULL}};
    const struct qp_pass count = {.kernel = w->scatter,
                                  .input = {{"v", w->v[0]}},
                                  .number = {{"bins", {BINS}, NULL}},
                                  .output = {w->counts},
                                  .blend = QP_BLEND_ADD,
                                  .points = w->size * w->size};
    struct qp_reduced sum, least, most;
    if (qp_array_fill(w->counts, NULL, 0.0) || qp_pass_run(&count) ||
        qp_array_read(w->counts, NULL, out->counts, 0) || qp_reduce(w->sum, v, NULL, &sum) ||
        qp_reduce(w->least, v, NULL, &least) || qp_reduce(w->most, v, NULL, &most))
        return true;
    out->mean = sum.value / w->size / w->size;
    out->least = least.value;
    out->most = most.value;
    return false;
}

/* A line of numbers, and the logarithms of the histogram's as shades. */
static void tell(int step, double feed, const struct look *look)
{
    printf("%6d steps, feed %.4f: v from %.4f to %.4f, mean %.4f |", step, feed, look->least,
           look->most, look->mean);
    for (int i = 0; i < BINS; i++)
        putchar(" .:-=+*#%@"[(int)fmin(9.0, ceil(log2(1.0 + (double)look->counts[i]) / 1.5))]);
    puts("|");
}

static bool write_frame(struct world *w, const char *into, int step)
{
    const size_t cells = (size_t)w->size * (size_t)w->size;
    png_image image = {.version = PNG_IMAGE_VERSION,
                       .width = (png_uint_32)w->size,
                       .height = (png_uint_32)w->size,
                       .format = PNG_FORMAT_GRAY};
    char path[4096];
    float *v = malloc(cells * (sizeof *v + 1));
    if (v == NULL || qp_array_read(w->v[0], NULL, v, 0)) {
        free(v);
        return true;
    }
    unsigned char *grey = (unsigned char *)(v + cells);
    for (size_t i = 0; i < cells; i++)
        grey[i] = (unsigned char)(255.0f * fminf(2.0f * v[i], 1.0f));
    snprintf(path, sizeof path, "%s/v%06d.png", into, step);
    const bool written = png_image_write_to_file(&image, path, 0, grey, 0, NULL) != 0;
    if (!written)
        fprintf(stderr, "%s: %s\n", path, image.message);
    free(v);
    return !written;
}

int main(int argc, char **argv)
{
    const int size = argc > 2 ? atoi(argv[2]) : 128, steps = argc > 3 ? atoi(argv[3]) : 5000;
    struct world world = {0};
    struct look look;
    if (size < 8 || size > 4096 || steps < 0) {
        fprintf(stderr, "usage: reaction [FOLDER [SIZE, 8 to 4096 [STEPS]]]\n");
        return 2;
    }
    bool failed = qp_context_create(NULL, &world.gpu) || make(&world, size);
    for (int step = 0; step <= steps && !failed; step += EVERY) {
        const double feed = 0.030 + 0.010 * step / (steps + 1);
        failed = look_at(&world, &look) || (argc > 1 && write_frame(&world, argv[1], step)) ||
                 (step < steps && advance(&world, EVERY, feed, 0.060));
        if (!failed)
            tell(step, feed, &look);
    }
    if (failed && qp_error()[0] != '\0')
        fprintf(stderr, "%s\n", qp_error());
    destroy(&world);
    qp_context_destroy(&world.gpu);
    return failed;
}
