/* SPDX-License-Identifier: MIT */
/* A step alone: every kind of value reaches its name, whatever comes between them. */
#include "support/support.h"

#include "toolkit/gl/render_texture.h"
#include "toolkit/gl/step.h"

enum { SUM_OF, WHOLE, SWITCH, NUMBER, PAIR, UNUSED, NAMES };

static const struct qp_uniform names[NAMES + 1] = {
    {"sum_of", QP_SAMPLER, 2}, {"whole", QP_INT, 0},   {"switched", QP_BOOL, 0},
    {"number", QP_FLOAT, 0},   {"pair", QP_VECTOR, 0}, {"unused", QP_SAMPLER, 0}};

static const char asking[] =
    "#version 120\n"
    "#extension GL_ARB_texture_rectangle : require\n"
    "uniform sampler2DRect sum_of[2];\n"
    "uniform int whole;\n"
    "uniform bool switched;\n"
    "uniform float number;\n"
    "uniform vec2 pair;\n"
    "void main()\n"
    "{\n"
    "    float sum = texture2DRect(sum_of[0], vec2(0.5)).r +\n"
    "                10.0 * texture2DRect(sum_of[1], vec2(0.5)).r;\n"
    "    sum += 100.0 * float(whole) + 1000.0 * number + 1e4 * pair.x + 1e5 * pair.y;\n"
    "    gl_FragColor = vec4(switched ? sum : -sum);\n"
    "}\n";

static enum qp_status make(struct qp_context *context, const char *text, struct qp_step *step)
{
    const struct qp_program_source source = {.fragment = {.name = "step.frag", .text = text},
                                             .target = GL_TEXTURE_RECTANGLE_ARB};
    return qp_step_make(context, &source, names, step);
}

static void open_texel(struct qp_context *context, float value, struct qp_render_texture *out)
{
    *out = (struct qp_render_texture){0};
    assert_ok(
        qp_render_texture_create(context, GL_TEXTURE_RECTANGLE_ARB, QP_R32F, 1, 1, 0, &value, out));
}

/* 1, 2, 3, 4, 5 and 6, a digit each; then again with others. */
CLEAN_TEST(values_reach_their_names)
{
    struct qp_context *context = support_need_context(state);
    struct qp_render_texture texel[3];
    struct qp_step step;
    float got;
    for (int i = 0; i < 3; i++)
        open_texel(context, (float)(i + 1), &texel[i]);
    const struct qp_texture pair[] = {texel[0].texture, texel[1].texture};
    struct qp_step_value values[NAMES] = {[SUM_OF] = {.texture = pair},
                                          [WHOLE] = {.x = 3.0},
                                          [SWITCH] = {.x = 1.0},
                                          [NUMBER] = {.x = 4.0},
                                          [PAIR] = {.x = 5.0, .y = 6.0}};
    struct qp_gl_pass pass = qp_render_texture_pass(&texel[2]);
    pass.geometry = qp_quad(0.0f, 0.0f, 1.0f, 1.0f);
    assert_ok(make(context, asking, &step));
    assert_true(qp_step_uses(&step, SUM_OF, 0) && qp_step_uses(&step, SUM_OF, 1));
    assert_false(qp_step_uses(&step, SUM_OF, 2) || qp_step_uses(&step, UNUSED, 0));
    pass.step = &step;
    pass.values = values;
    qp_step_run(context, &pass);
    assert_ok(qp_render_texture_read(&texel[2], &got));
    assert_float_equal(got, 654321.0f, 0.0f);
    values[SWITCH].x = 0.0;
    values[WHOLE].x = 7.0;
    qp_step_run(context, &pass);
    assert_ok(qp_render_texture_read(&texel[2], &got));
    assert_float_equal(got, -654721.0f, 0.0f);
    for (int i = 0; i < 3; i++)
        qp_render_texture_destroy(&texel[i]);
}

/* Numbers reach the program, each part in its place. */
CLEAN_TEST(numbers_are_set)
{
    static const char text[] =
        "#version 120\nuniform float a;\nuniform vec2 b;\nuniform vec2 pair;\nuniform vec3 c;\n"
        "uniform vec4 d;\nuniform int n;\nuniform vec4 e;\nvoid main()\n{\n"
        "    gl_FragColor = vec4(a + b.x + b.y, pair.x + pair.y, c.x + c.y + c.z, float(n)) + d + "
        "e;\n"
        "}\n";
    static const struct qp_uniform asked[] = {
        {"a", QP_FLOAT, 0},    {"b", QP_VECTOR, 0},   {"pair", QP_PAIR, 0}, {"c", QP_VECTOR_3, 0},
        {"d", QP_VECTOR_4, 0}, {"e", QP_VECTOR_4, 0}, {"n", QP_INT, 0},     {0}};
    const struct qp_step_value values[] = {{.x = 1.5},
                                           {.x = 2.0, .y = 3.0},
                                           {.x = 1.0 + 0x1p-40},
                                           {.list = (const double[]){4.0, 5.0, 6.0}},
                                           {.list = (const double[]){7.0, 8.0, 9.0, 10.0}},
                                           {.x = 11.0},
                                           {.x = -12.0}};
    static const float wanted[][4] = {{1.5f},
                                      {2.0f, 3.0f},
                                      {1.0f, 0x1p-40f},
                                      {4.0f, 5.0f, 6.0f},
                                      {7.0f, 8.0f, 9.0f, 10.0f},
                                      {11.0f, 11.0f, 11.0f, 11.0f},
                                      {-12.0f}};
    const struct qp_program_source source = {.fragment = {.name = "numbers.frag", .text = text},
                                             .target = GL_TEXTURE_RECTANGLE_ARB};
    struct qp_context *context = support_need_context(state);
    struct qp_render_texture texel;
    struct qp_step step;
    GLint id;
    open_texel(context, 0.0f, &texel);
    struct qp_gl_pass pass = qp_render_texture_pass(&texel);
    pass.geometry = qp_quad(0.0f, 0.0f, 1.0f, 1.0f);
    assert_ok(qp_step_make(context, &source, asked, &step));
    pass.step = &step;
    pass.values = values;
    qp_step_run(context, &pass);
    qp_program_use(step.program);
    glGetIntegerv(GL_CURRENT_PROGRAM, &id);
    for (int i = 0; i < COUNT(values); i++) {
        GLfloat got[4] = {0.0f};
        glGetUniformfv((GLuint)id, step.location[i], got);
        for (int k = 0; k < 4; k++)
            assert_float_equal(got[k], wanted[i][k], 0.0f);
    }
    qp_render_texture_destroy(&texel);
}

/* Inputs of another name or type are refused. */
CLEAN_TEST(what_nobody_gives_is_refused)
{
    struct qp_context *context = support_need_context(state);
    struct qp_step step;
    assert_int_equal(make(context,
                          "#version 120\nuniform float nobodys;\n"
                          "void main() { gl_FragColor = vec4(nobodys); }\n",
                          &step),
                     QP_BAD_INPUT);
    support_assert_sentence("nobodys");
    assert_null(step.program);
    assert_int_equal(make(context,
                          "#version 120\nuniform vec2 number;\n"
                          "void main() { gl_FragColor = number.xyxy; }\n",
                          &step),
                     QP_BAD_INPUT);
    support_assert_sentence("number");
    assert_int_equal(make(context,
                          "#version 120\nuniform mat2x3 nobodys;\n"
                          "void main() { gl_FragColor = nobodys[0].xyzx; }\n",
                          &step),
                     QP_BAD_INPUT);
    support_assert_sentence("nothing sets 'nobodys', of a type that is never set");
}

/* A pass to a render texture leaves its guard alone. */
CLEAN_TEST(guards_are_not_drawn_to)
{
    struct qp_context *context = support_need_context(state);
    struct qp_render_texture into = {.guard = 1};
    float texels[3 * 4] = {0.0f};
    struct qp_step step;
    assert_ok(qp_render_texture_create(context, GL_TEXTURE_RECTANGLE_ARB, QP_R32F, 3, 4, 0, texels,
                                       &into));
    assert_ok(make(context, "#version 120\nvoid main() { gl_FragColor = vec4(1.0); }\n", &step));
    struct qp_gl_pass pass = qp_render_texture_pass(&into);
    pass.geometry = qp_quad(-9.0f, -9.0f, 9.0f, 9.0f);
    pass.step = &step;
    pass.values = (const struct qp_step_value[NAMES]){{0}};
    qp_step_run(context, &pass);
    assert_ok(qp_render_texture_read(&into, texels));
    for (int i = 0; i < COUNT(texels); i++)
        assert_float_equal(texels[i], i == 4 || i == 7, 0.0f);
    qp_render_texture_destroy(&into);
}

GROUP(support_open_context, support_close_context)
