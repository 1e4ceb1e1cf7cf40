/* SPDX-License-Identifier: MIT */
/* The nearest of many by depths, against plain C: Voronoi diagrams and scattered points. */
#include "support/toolkit.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "toolkit/base/random.h"

enum { WIDTH = 37, HEIGHT = 23, CELLS = WIDTH * HEIGHT, SITES = 20 };

/* ---- Voronoi diagrams, after Hoff and others 1999 ---- */

/* Sites at whole cells, so that squares of distances are exact and many are equal. */
static float site[SITES][2];

static void place_sites(void)
{
    uint64_t seed = 7;
    for (int i = 0; i < SITES; i++) {
        site[i][0] = floorf((float)qp_random(&seed, 0.0, WIDTH));
        site[i][1] = floorf((float)qp_random(&seed, 0.0, HEIGHT));
    }
}

static float square_of_distance(int k, int cell)
{
    const float x = (float)(cell % WIDTH) - site[k][0], y = (float)(cell / WIDTH) - site[k][1];
    return x * x + y * y;
}

/* How one of equal sites is chosen. */
enum tie { FIRST, LAST };

static void voronoi_in_c(enum qp_depth_keeps keeps, enum tie tie, float *label)
{
    for (int cell = 0; cell < CELLS; cell++) {
        int best = 0;
        for (int k = 1; k < SITES; k++) {
            const float now = square_of_distance(k, cell), then = square_of_distance(best, cell);
            const bool better = keeps == QP_DEPTH_NEAREST ? now < then : now > then;
            if (better || (tie == LAST && now == then))
                best = k;
        }
        label[cell] = (float)best;
    }
}

static struct qp_kernel *voronoi_kernel(void)
{
    return kernel((struct qp_kernel_desc){
        .body = "float kernel(vec2 here)\n"
                "{\n"
                "    vec2 way = here - site;\n"
                "    gl_FragDepth = (dot(way, way) + 1.0) / 4096.0;\n" /* between 0 and 1 */
                "    return label;\n"
                "}\n",
        .number = {{"site", QP_NUMBER_VEC2}, {"label"}}});
}

/* Each site draws its distance over all cells. */
static void list_sites(struct qp_pass passes[SITES], const struct qp_kernel *draws,
                       struct qp_array *out, struct qp_depth *depth)
{
    for (int k = 0; k < SITES; k++)
        passes[k] = (struct qp_pass){.kernel = draws,
                                     .number = {{.name = "site", .value = {site[k][0], site[k][1]}},
                                                {.name = "label", .value = {k}}},
                                     .output = {out},
                                     .depth = depth};
}

static void voronoi(enum qp_depth_keeps keeps)
{
    static float got[CELLS], expected[CELLS], wrong[CELLS];
    struct qp_pass passes[SITES];
    struct qp_list *list;
    struct qp_array *out = field(WIDTH, HEIGHT, 1, NULL);
    struct qp_depth *depth = depth_of(WIDTH, HEIGHT, keeps);
    struct qp_kernel *draws = voronoi_kernel();
    voronoi_in_c(keeps, FIRST, expected);
    voronoi_in_c(keeps, LAST, wrong);
    list_sites(passes, draws, out, depth);
    assert_ok(qp_list_create(passes, SITES, &list));
    assert_ok(qp_list_run(list, 1));
    assert_ok(qp_array_read(out, NULL, got, 0));
    assert_true(same(got, expected, CELLS));
    assert_false(same(got, wrong, CELLS));
    voronoi_in_c((enum qp_depth_keeps) !keeps, FIRST, wrong);
    assert_false(same(got, wrong, CELLS));

    /* Depths stay: nothing is nearer the second time, but after they were cleared. */
    assert_ok(qp_array_fill(out, NULL, -1.0));
    assert_ok(qp_list_run(list, 1));
    assert_ok(qp_array_read(out, NULL, got, 0));
    for (int i = 0; i < CELLS; i++)
        assert_true(got[i] == -1.0f);
    assert_ok(qp_depth_clear(depth));
    assert_ok(qp_list_run(list, 3));
    assert_ok(qp_array_read(out, NULL, got, 0));
    assert_true(same(got, expected, CELLS));

    /* Without depths the last site has all. */
    list_sites(passes, draws, out, NULL);
    for (int k = 0; k < SITES; k++)
        assert_ok(qp_pass_run(&passes[k]));
    assert_ok(qp_array_read(out, NULL, got, 0));
    assert_false(same(got, expected, CELLS));
    qp_list_destroy(&list);
    qp_kernel_destroy(&draws);
    qp_depth_destroy(&depth);
    qp_array_destroy(&out);
}

CLEAN_TEST(voronoi_diagrams)
{
    context = support_need_context(state);
    place_sites();
    voronoi(QP_DEPTH_NEAREST);
    voronoi(QP_DEPTH_FARTHEST);
}

/* The same by planes, whose z the device interpolates: |p - s|^2 - |p|^2 is linear in p. Squares of
 * distances are whole, so that a slack below 1 lets equal sites be chosen at will and no other. */
CLEAN_TEST(voronoi_by_planes)
{
    static const char vertex[] =
        "#version 120\n"
        "uniform vec2 site;\n"
        "void main()\n"
        "{\n"
        "    vec2 way = gl_Vertex.xy - 0.5;\n" /* corners lie half a cell outside */
        "    float z = dot(site, site) - 2.0 * dot(way, site);\n"
        "    gl_Position = gl_ModelViewProjectionMatrix * vec4(gl_Vertex.xy, 0.5 + z / 8192.0, "
        "1.0);\n"
        "}\n";
    static const float slack = 0.5f;
    static float got[CELLS];
    struct qp_pass passes[SITES];
    context = support_need_context(state);
    place_sites();
    struct qp_array *out = field(WIDTH, HEIGHT, 1, NULL);
    struct qp_depth *depth = depth_of(WIDTH, HEIGHT, QP_DEPTH_NEAREST);
    struct qp_kernel *draws = kernel((struct qp_kernel_desc){
        .fragment = {.text = "#version 120\n"
                             "uniform float label;\n"
                             "void main() { gl_FragColor = vec4(label); }\n"},
        .vertex = {.text = vertex},
        .number = {{"site", QP_NUMBER_VEC2}, {"label"}}});
    assert_ok(qp_array_fill(out, NULL, -1.0));
    list_sites(passes, draws, out, depth);
    for (int k = 0; k < SITES; k++)
        assert_ok(qp_pass_run(&passes[k]));
    assert_ok(qp_array_read(out, NULL, got, 0));
    for (int cell = 0; cell < CELLS; cell++) {
        assert_true(got[cell] >= 0.0f && got[cell] < SITES);
        for (int k = 0; k < SITES; k++)
            assert_true(square_of_distance((int)got[cell], cell) <=
                        square_of_distance(k, cell) + slack);
    }
    qp_kernel_destroy(&draws);
    qp_depth_destroy(&depth);
    qp_array_destroy(&out);
}

/* ---- Scattered points ---- */

enum { ROW = 64, POINTS = ROW * 40, STEPS = 64 };

/* Column, row, depth and value of each point; of STEPS depths, so that many are equal in a cell.
 * Some are outside, and some depths are beyond what counts. */
static float point[POINTS][4];

static void place_points(void)
{
    uint64_t seed = 11;
    for (int i = 0; i < POINTS; i++) {
        point[i][0] = floorf((float)qp_random(&seed, -2.0, WIDTH + 2));
        point[i][1] = floorf((float)qp_random(&seed, -2.0, HEIGHT + 2));
        point[i][2] = floorf((float)qp_random(&seed, -3.0, STEPS + 3)) / STEPS;
        point[i][3] = (float)i;
    }
}

/* `dropped`: points in front of 0 are, rather than pulled there. */
static void scatter_in_c(bool dropped, const struct qp_rect *region, float *value, float *depth)
{
    for (int i = 0; i < CELLS; i++) {
        value[i] = -1.0f;
        depth[i] = 1.0f;
    }
    for (int i = 0; i < POINTS; i++) {
        const int x = (int)point[i][0], y = (int)point[i][1];
        const float z = point[i][2] < 0.0f ? 0.0f : point[i][2];
        const int cell = (y + region->y) * WIDTH + x + region->x;
        if (x < 0 || y < 0 || x >= region->width || y >= region->height ||
            (dropped && point[i][2] < 0.0f) || z >= depth[cell])
            continue;
        depth[cell] = z;
        value[cell] = point[i][3];
    }
}

/* The depth goes by z, or on to the fragment shader; two outputs have value and depth. */
static struct qp_kernel *scatter_kernel(bool by_z)
{
    static const char by_vertex[] =
        "#version 120\n"
        "#extension GL_ARB_texture_rectangle : require\n"
        "uniform sampler2DRect points;\n"
        "uniform float first;\n"
        "varying vec2 told;\n"
        "void main()\n"
        "{\n"
        "    float i = gl_Vertex.x + first;\n"
        "    vec4 at = texture2DRect(points, vec2(mod(i, 64.0), floor(i / 64.0)) + 0.5);\n"
        "    told = at.ba;\n"
        "    gl_Position = gl_ModelViewProjectionMatrix * vec4(at.rg + 0.5, DEPTH, 1.0);\n"
        "}\n";
    char vertex[sizeof by_vertex + 16];
    const char *hole = strstr(by_vertex, "DEPTH");
    snprintf(vertex, sizeof vertex, "%.*s%s%s", (int)(hole - by_vertex), by_vertex,
             by_z ? "at.b" : "0.0", hole + 5);
    return kernel((struct qp_kernel_desc){
        .fragment = {.text = by_z ? "#version 120\n"
                                    "varying vec2 told;\n"
                                    "void main()\n"
                                    "{\n"
                                    "    gl_FragData[0] = vec4(told.y);\n"
                                    "    gl_FragData[1] = vec4(max(told.x, 0.0));\n"
                                    "}\n"
                                  : "#version 120\n"
                                    "varying vec2 told;\n"
                                    "void main()\n"
                                    "{\n"
                                    "    gl_FragData[0] = vec4(told.y);\n"
                                    "    gl_FragData[1] = vec4(max(told.x, 0.0));\n"
                                    "    gl_FragDepth = clamp(told.x, 0.0, 1.0);\n"
                                    "}\n"},
        .vertex = {.text = vertex},
        .input = {{"points", .channels = 4}},
        .number = {{"first"}},
        .outputs = 2});
}

/* The points in `parts` passes; with `forgetful` depths are cleared between them. */
static bool scatter_is_right(bool by_z, const struct qp_rect *region, int parts, bool forgetful)
{
    static float value[CELLS], depth[CELLS], got[2][CELLS];
    const int each = POINTS / parts;
    struct qp_array *points = field(ROW, POINTS / ROW, 4, point[0]),
                    *out[2] = {field(WIDTH, HEIGHT, 1, NULL), field(WIDTH, HEIGHT, 1, NULL)};
    struct qp_depth *nearest = depth_of(WIDTH, HEIGHT, QP_DEPTH_NEAREST);
    struct qp_kernel *scatters = scatter_kernel(by_z);
    scatter_in_c(by_z, region, value, depth);
    assert_ok(qp_array_fill(out[0], NULL, -1.0));
    assert_ok(qp_array_fill(out[1], NULL, 1.0));
    for (int i = 0; i < parts; i++) {
        if (forgetful)
            assert_ok(qp_depth_clear(nearest));
        assert_ok(qp_pass_run(&(struct qp_pass){.kernel = scatters,
                                                .input = {{"points", points}},
                                                .number = {{.name = "first", .value = {i * each}}},
                                                .output = {out[0], out[1]},
                                                .region = *region,
                                                .points = each,
                                                .depth = nearest}));
    }
    for (int i = 0; i < 2; i++)
        assert_ok(qp_array_read(out[i], NULL, got[i], 0));
    qp_kernel_destroy(&scatters);
    qp_depth_destroy(&nearest);
    qp_array_destroy(&points);
    qp_array_destroy(&out[0]);
    qp_array_destroy(&out[1]);
    return same(got[0], value, CELLS) && same(got[1], depth, CELLS);
}

CLEAN_TEST(scattered_points)
{
    const struct qp_rect all = {0, 0, WIDTH, HEIGHT}, part = {5, 3, 20, 17};
    context = support_need_context(state);
    place_points();
    for (int by_z = 0; by_z < 2; by_z++) {
        for (int parts = 1; parts <= 4; parts *= 2) {
            assert_true(scatter_is_right(by_z, &all, parts, false));
            assert_true(scatter_is_right(by_z, &part, parts, false));
            assert_true(scatter_is_right(by_z, &all, parts, true) == (parts == 1));
        }
    }
}

GROUP(support_open_context, support_close_context)
