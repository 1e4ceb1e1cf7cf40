/* SPDX-License-Identifier: MIT */
/* Bodies and whole shaders drawn precise: their texts, and errors in them.
 * tests/toolkit/test_bits.c has the numbers. */
#include "support/toolkit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "toolkit/kernel/kernel.h"

TEST(texts_are_rewritten)
{
    static const char *const texts[][2] = {
        {"float f(float a, out vec2 b); void g(inout float[2]);",
         "float f(float a, precise out vec2 b); void g(precise inout float[2]);"},
        {"vec2 g; uniform float u; const float c = 1.0 > 0.5 ? 1.0 : 2.0; struct s { float v; } t;",
         "precise vec2 g; uniform float u; const float c = 1.0 > 0.5 ? 1.0 : 2.0; struct s { float "
         "v; } t;"},
        {"void f() { float[2] l; highp float h; s q; float(1); }",
         "void f() { precise float[2] l; precise highp float h; s q; float(1); }"},
        {"struct s { float v; };\nvoid f() { s q; }",
         "struct s { float v; };\nvoid f() { precise s q; }"},
        {"float f() { return a /* b; */ + b; }",
         "float f() { { precise float qp_value =  a /* b; */ + b; return qp_value; } }"},
        {"void f() { return; }", "void f() { return; }"},
        {"void f() { if (a + b < c) d(); while (e) { } }",
         "void f() { if ((qp_holds = (a + b < c))) d(); while (e) { } }"},
        {"void f() { int n = 2, k; for (int i = 0; i < n + 1; i++) { } if (n > 1) { } }",
         "void f() { int n = 2, k; for (int i = 0; i < n + 1; i++) { } if (n > 1) { } }"},
        {"void f() { for (float t = 0.0; t < n; t += h) { } for (;;) { } }",
         "void f() { for (precise float t = 0.0; (qp_holds = (t < n)); t += h) { } for (;;) { } }"},
        {"void f() { a = b < c ? d : e > 1.0 ? g(h < i ? 1 : 2) : k; }",
         "void f() { a = (qp_holds = (b < c)) ? d : (qp_holds = (e > 1.0)) ? g((qp_holds = (h < "
         "i)) ? 1 : 2) : k; }"},
        {"void f() { int n = int(a), m; const int c = a > b ? 1 : 2; }",
         "void f() { precise int n = int(a), m; const int c = a > b ? 1 : 2; }"},
        {"float f() { return a < b ? c : d; }", "float f() { { precise float qp_value =  (qp_holds "
                                                "= (a < b)) ? c : d; return qp_value; } }"},
        {"int f(int n) { if (n > 1) return n; while (bool b = a < c) { } }",
         "int f(int n) { if (n > 1) { precise int qp_value =  n; return qp_value; } while (precise "
         "bool b = a < c) { } }"},
        {"void f() { int n = 1; int m = 1; if (n > 1e1) { } if (n > 1.) { } if (m > 1) { } } void "
         "g(float m) { bvec2 b; }",
         "void f() { int n = 1; int m = 1; if ((qp_holds = (n > 1e1))) { } if ((qp_holds = (n > "
         "1.))) "
         "{ } if ((qp_holds = (m > 1))) { } } void g(float m) { precise bvec2 b; }"},
        {"void f() { if (s < b) { } } struct s { float v; };",
         "void f() { if ((qp_holds = (s < b))) { } } struct s { float v; };"},
        {"float f(float a, in vec2 b); float f(float a, highp vec2 b) { return a; } void g() { a = "
         "f(b + f(-c, d * 2.0), vec2(-1.0)) * f(x_at(a + b, 0.0), -a); }",
         "float f(float a, in vec2 b); float f(float a, highp vec2 b) { { precise float qp_value = "
         " "
         "a; return qp_value; } } void g() { precise float qp_argument35; precise vec2 "
         "qp_argument42; precise vec2 qp_argument47; a = f((qp_argument35 = (b + f(-c, "
         "(qp_argument42 = (d * 2.0))))), (qp_argument47 = (vec2(-1.0)))) * f(x_at(a + b, 0.0), "
         "-a); }"},
        {"void f(int n) { } void g() {\nint n = 1; if (a < b) f(a < b ? n : 2);\nf(n + 1); }",
         "void f(int n) { } void g() { precise int qp_argument26;\nint n = 1; if ((qp_holds = (a < "
         "b))) f((qp_argument26 = ((qp_holds = (a < b)) ? n : 2)));\nf(n + 1); }"},
        {"void f(float a) { } void f(vec2 a) { } void f(vec2 a, float b) { } void g() { f(a + b); "
         "f(a + b, c); f(a, b * c); h(a + b); }",
         "void f(float a) { } void f(vec2 a) { } void f(vec2 a, float b) { } void g() { precise "
         "vec2 qp_argument41; precise float qp_argument52; f(a + b); f((qp_argument41 = (a + b)), "
         "c); f(a, (qp_argument52 = (b * c))); h(a + b); }"},
        {"struct s { float v; }; void f(out float a, inout vec2 b, s c, float d[2], float[2] e) { "
         "} void g() { f(a.x, b.xy, s(a + b), d[1 + 1], float[2](a, b)); }",
         "struct s { float v; }; void f(precise out float a, precise inout vec2 b, s c, float "
         "d[2], "
         "float[2] e) { } void g() { f(a.x, b.xy, s(a + b), d[1 + 1], float[2](a, b)); }"},
        {"float f() { return a }", "float f() { return a }"},
        {"#define T float\nT f() { return a + b; }", "#define T float\nT f() { return a + b; }"},
        {"void f() { if { a + b; } while a + b; }", "void f() { if { a + b; } while a + b; }"},
        {"float f(", "float f("},
        {"float f() { return a", "float f() { return a"},
    };
    for (int i = 0; i < COUNT(texts); i++) {
        const struct qp_kernel_desc desc = {.body = texts[i][0]};
        char *text;
        assert_ok(qp_drawn_text(&desc, true, &text));
        assert_string_equal(text, texts[i][1]);
        free(text);
    }
}

/* Calls in place of % and, in programs, of / by what may be 0. */
TEST(texts_are_divided)
{
    static const struct {
        bool quotients;
        const char *text, *wanted;
    } rows[] = {
        {false, "a = b % 7;", "a = qp_rest(b, 7);"},
        {false, "a = -b % 7 + c;", "a = qp_rest(-b, 7) + c;"},
        {false, "a = c - b % -7;", "a = c - qp_rest(b, -7);"},
        {false, "a = c * b % 7 * d;", "a = qp_rest(c * b, 7) * d;"},
        {false, "a = b % c % d;", "a = qp_rest(qp_rest(b, c), d);"},
        {false, "a = b % (c % d);", "a = qp_rest(b, (qp_rest(c, d)));"},
        {false, "return f(b)[2].x % l[c % 3].y++;",
         "return qp_rest(f(b)[2].x, l[qp_rest(c, 3)].y++);"},
        {false, "return -f(a, b % 2) % 3;", "return qp_rest(-f(a, qp_rest(b, 2)), 3);"},
        {false, "a++ % 2; return ++a % 2;", "qp_rest(a++, 2); return qp_rest(++a, 2);"},
        {false, "for (a %= 5, b = a; ; l.x %= a + 1) { }",
         "for (a = qp_rest(a, 5), b = a; ; l.x = qp_rest(l.x, a + 1)) { }"},
        {false, "const int a = 7 % 3; case 7 % 3: int l[8 % 3]; l[7 % 3];",
         "const int a = 7 % 3; case 7 % 3: int l[8 % 3]; l[qp_rest(7, 3)];"},
        {false, "a / b; a /= b; a // % b\n", "a / b; a /= b; a // % b\n"},
        {false, "int a = 1, b = a; float c; a / b; a /= -b; a / 2; a / c; c / int(c);",
         "int a = 1, b = a; float c; qp_quotient(a, b); a = qp_quotient(a, -b); a / 2; a / c; "
         "c / int(c);"},
        {true, "a / b % c;", "qp_rest(qp_quotient(a, b), c);"},
        {true, "a / 2 / b / 3.0;", "qp_quotient(a / 2, b) / 3.0;"},
        {true, "a /= b; a /= 2;", "a = qp_quotient(a, b); a /= 2;"},
        {true, "a\n/ b", "qp_quotient(a\n, b)"},
        {true, "/ %", "/ %"},
    };
    for (int i = 0; i < COUNT(rows); i++) {
        const struct qp_tokens *divided = qp_divide(rows[i].text, rows[i].quotients);
        assert_non_null(divided);
        if (i < COUNT(rows) - 1)
            assert_string_equal(divided->text, rows[i].wanted);
        qp_tokens_release(&divided);
    }
}

/* GLSL leaves % of a negative number and divisors of 0 open: in bodies % is C's, in fragments and
 * in points; a / 0 is 0 and a % 0 is a. */
TEST(remainders_are_those_of_c)
{
    static const int wanted[] = {-1, 0, 1, -6, 5};
    int found[5]; /* Mesa's compiler divides the least integer by -1, and dies */
    struct qp_kernel *made;
    struct qp_array *out = NULL;
    context = support_need_context(state);
    for (int fast = 0; fast < 2; fast++) {
        const struct qp_kernel_desc desc = {
            .body =
                "int kernel(vec2 here)\n{\n    int a = int(here.x) - 1;\n    if (here.x > 2.5)"
                "\n        a = here.x > 3.5 ? 12 : -13;\n    uint b = 12u;\n    b %= 7u;\n"
                "    ivec2 v = ivec2(a, b) % ivec2(7, -7);\n"
                "    int m = -2147483647 - 1, z = -1, n = m;\n    n /= z;\n"
                "    ivec3 w = ivec3(m, 3, 5) / ivec3(z, -6, 1);\n    return v.x % 7 + v.y - 5 +\n"
                "        m / z + m % z + n + w.x + w.y + (w % z).x - w.z / 0 + n +\n"
                "        (ivec2(a, 4) / 0).x + int(b / uint(w.z - 5) + b % uint(w.z - 5)) - 5;\n}",
            .output_type = QP_ARRAY_INT,
            .fast = fast};
        assert_ok(qp_kernel_create(context, &desc, &made));
        assert_ok(qp_array_create(context, &(struct qp_array_desc){5, 1, .type = QP_ARRAY_INT},
                                  NULL, &out));
        assert_ok(qp_pass_run(&(struct qp_pass){.kernel = made, .output = {out}}));
        assert_ok(qp_array_read(out, NULL, found, 0));
        assert_memory_equal(found, wanted, sizeof wanted);
        qp_array_destroy(&out);
        qp_kernel_destroy(&made);
    }
}

/* Loops that a driver ended are found where their array is read; others have had all rounds. */
TEST(ended_loops_are_errors)
{
    static const char *const types[] = {"float", "float", "int", "uint"};
    struct qp_kernel *made;
    struct qp_array *out;
    context = support_need_context(state);
    for (int type = QP_ARRAY_FLOAT; type <= QP_ARRAY_UINT; type++) {
        union {
            float real;
            int whole;
        } found[2];
        char body[256];
        snprintf(body, sizeof body,
                 "%s kernel(vec2 here)\n{\n    %s s = %s(0);\n    float k = 0.0;\n    while (k < "
                 "(size.x < 2.5 ? 3.0 : 7e4)) { k += 1.0; s += %s(1); }\n    return s;\n}",
                 types[type], types[type], types[type], types[type]);
        const struct qp_kernel_desc desc = {.body = body, .output_type = type};
        assert_ok(qp_kernel_create(context, &desc, &made));
        for (int width = 2; width < 18; width += 14) {
            const struct qp_rect first = {0, 0, 2, 1};
            const int rounds = width == 2 ? 3 : 70000;
            const float real = rounds > 65504 && type == QP_ARRAY_HALF ? INFINITY : (float)rounds;
            assert_ok(qp_array_create(context, &(struct qp_array_desc){width, 1, .type = type},
                                      NULL, &out));
            assert_ok(qp_pass_run(&(struct qp_pass){.kernel = made, .output = {out}}));
            if (width > 2 && qp_gl_ends_loops(context)) {
                assert_int_equal(qp_array_read(out, &first, found, 0), QP_BAD_INPUT);
                support_assert_sentence("ends all loops of a cell after 65535 rounds together");
            } else {
                assert_ok(qp_array_read(out, &first, found, 0));
                if (type <= QP_ARRAY_HALF)
                    assert_true(found[1].real == real ||
                                (isinf(real) && found[1].real == 65504.0f)); /* the largest half */
                else
                    assert_int_equal(found[1].whole, rounds);
            }
            qp_array_destroy(&out);
        }
        qp_kernel_destroy(&made);
    }
}

/* Sentences quote the caller's line; what only precise text cannot have is said so. */
TEST(errors_quote_the_body)
{
    struct qp_kernel *made;
    context = support_need_context(state);
    if ((qp_context_device(context)->abilities & QP_CAN_PRECISE) == 0)
        skip();
    struct qp_kernel_desc desc = {
        .body = "float kernel(vec2 here)\n{\n    float a = 1.0 +* 2.0;\n    return a + 1.0;\n}\n"};
    assert_int_equal(qp_kernel_create(context, &desc, &made), QP_BAD_INPUT);
    assert_non_null(strstr(qp_error(), ":3: 'float a = 1.0 +* 2.0;': "));
    desc.body = "float kernel(vec2 here)\n{\n    float l[1.0 > 0.5 ? 2 : 3];\n    l[0] = 1.0;\n    "
                "return l[0];\n}\n";
    assert_int_equal(qp_kernel_create(context, &desc, &made), QP_BAD_INPUT);
    assert_non_null(strstr(qp_error(), "(drawn precise alone; set `fast` to leave that out)"));
    desc.fast = true;
    assert_ok(qp_kernel_create(context, &desc, &made));
    qp_kernel_destroy(&made);
}

/* The text's own #extension lines stay first. */
TEST(whole_texts_are_rewritten)
{
    static const char lines[] = "\n#extension GL_ARB_gpu_shader5 : enable\nprecise bool qp_holds; ";
    static const char *const texts[][3] = {
        {"#version 120\n#ifdef A\n#extension a : require\n#endif", "precise gl_FragColor;",
         "\nvoid main() { gl_FragColor = a; }"},
        {"", "precise gl_FragData;", "void main() {\n#if 1\ngl_FragData[0] = a;\n#endif\n}"},
        {"#version 330", ";", "\n#if 1\nuniform float a;\n#endif\nvoid main() { }"},
        {"#version 120", "precise gl_FragColor;",
         "\nvoid f(float a) { }\nvoid main() { f(a + b); gl_FragColor = a; }"}};
    for (int i = 0; i < COUNT(texts); i++) {
        char text[256], wanted[256], *found;
        snprintf(text, sizeof text, "%s%s", texts[i][0], texts[i][2]);
        snprintf(wanted, sizeof wanted, "%s%s%s%s", texts[i][0], lines, texts[i][1], texts[i][2]);
        assert_ok(qp_precise_text(text, true, &found));
        assert_string_equal(found, wanted);
        free(found);
    }
}

/* Products that a driver joins otherwise: the sum of each cell is C's. */
TEST(whole_shaders_compute_as_c)
{
    enum { CELLS = 256 };
    static const char *const texts[] = {
        "#version 120\n#extension GL_ARB_texture_rectangle : require\nuniform sampler2DRect x;\n"
        "void main()\n{\n    float a = texture2DRect(x, gl_FragCoord.xy).x;\n"
        "    gl_FragColor = vec4(a * 0.3 + a * 0.7);\n}\n",
        "#version 330\nuniform sampler2DRect x;\nlayout(location = 0) out vec4 o;\n"
        "void main()\n{\n    float a = texture(x, gl_FragCoord.xy).x;\n"
        "    o = vec4(a * 0.3 + a * 0.7);\n}\n"};
    float values[CELLS], found[CELLS];
    context = support_need_context(state);
    if ((qp_context_device(context)->abilities & QP_CAN_PRECISE) == 0)
        skip();
    for (int i = 0; i < CELLS; i++)
        values[i] = (float)(i + 1) / 7.0f;
    for (int t = 0; t < COUNT(texts); t++) {
        const struct qp_array_desc desc = {.width = CELLS, .height = 1};
        struct qp_kernel_desc kernel = {.input = {{"x"}}};
        struct qp_pass pass = {.input = {{.name = "x"}}};
        struct qp_array *x;
        struct qp_kernel *made;
        char *text;
        assert_ok(qp_precise_text(texts[t], true, &text));
        kernel.fragment.text = text;
        assert_ok(qp_kernel_create(context, &kernel, &made));
        assert_ok(qp_array_create(context, &desc, values, &x));
        assert_ok(qp_array_create(context, &desc, NULL, &pass.output[0]));
        pass.kernel = made;
        pass.input[0].array = x;
        assert_ok(qp_pass_run(&pass));
        assert_ok(qp_array_read(pass.output[0], NULL, found, 0));
        for (int i = 0; i < CELLS; i++) {
            volatile float one = values[i] * 0.3f, other = values[i] * 0.7f;
            if (found[i] != one + other)
                fail_msg("text %d, cell %d: %.9g and not %.9g", t, i, found[i], one + other);
        }
        qp_array_destroy(&x);
        qp_array_destroy(&pass.output[0]);
        qp_kernel_destroy(&made);
        free(text);
    }
}

/* In kernels of doubles literals and numbers are doubles, unless GLSL takes floats alone. */
TEST(doubles)
{
    static const char *const texts[][2] = {
        {"double kernel(vec2 here) { return 0.1 * x_at(1.0, 0.0) + rate; }",
         "double kernel(vec2 here) { return 0.1lf * x_at(1.0, 0.0) + rate; }"},
        {"const double a = 1.0 / 3.0; const float b = 0.1;",
         "const double a = 1.0lf / 3.0lf; const float b = 0.1;"},
        {"void f() { double a = sin(0.1) + max(0.1, w.x), b, c[2]; b = 0.1f + .5; c[1] *= 2e-1; }",
         "void f() { double a = sin(0.1) + max(0.1lf, w.x), b, c[2]; b = 0.1f + .5lf; "
         "c[1] *= 2e-1lf; }"},
        {"void f() { float a = rate, b = list[2]; vec2 v = w * 0.5; v.x += cos(w.y * 0.1); }",
         "void f() { float a = float(rate), b = float(list[2]); vec2 v = vec2(w) * 0.5; "
         "v.x += cos(vec2(w).y * 0.1); }"},
        {"float n(float a) { return a * 0.3; } double d(double a, float b) { return n(0.1) * 0.1; "
         "}\n"
         "double e() { return d(0.1, 0.1) + double(0.1) + dvec2(0.1).x + double(float(0.1)); }",
         "float n(float a) { return a * 0.3; } double d(double a, float b) { return n(0.1) * "
         "0.1lf; "
         "}\n"
         "double e() { return d(0.1lf, 0.1) + double(0.1lf) + dvec2(0.1lf).x + double(float(0.1)); "
         "}"},
        {"void f() { if (x_at(0.0, 0.0) > 0.1) out0 = 0.1; else out1 = (0.1 + 0.2) * 1e300lf; }",
         "void f() { if (x_at(0.0, 0.0) > 0.1lf) out0 = 0.1lf; else out1 = (0.1lf + 0.2lf) * "
         "1e300lf; }"},
        {"void f() { for (float i = 0.0; i < 0.3; i += 0.1) { double s = 0.3; s += list[int(i)]; } "
         "}",
         "void f() { for (float i = 0.0; i < 0.3; i += 0.1) { double s = 0.3lf; s += list[int(i)]; "
         "} }"},
        {"double n() { return a + qp_quotient(0.7 * (a - b), 0.1 + b); }",
         "double n() { return a + qp_quotient(0.7lf * (a - b), 0.1lf + b); }"},
        {"] = 0.1; [ ( 0.1", "] = 0.1; [ ( 0.1"}};
    struct qp_kernel_desc desc = {.output_type = QP_ARRAY_DOUBLE,
                                  .number = {{"rate", QP_NUMBER_DOUBLE, 0},
                                             {"w", QP_NUMBER_DVEC2, 0},
                                             {"list", QP_NUMBER_DOUBLE, 5}}};
    for (int i = 0; i < COUNT(texts); i++) {
        char *text;
        desc.body = texts[i][0];
        assert_ok(qp_drawn_text(&desc, false, &text));
        assert_string_equal(text, texts[i][1]);
        free(text);
    }
}

GROUP(support_open_context, support_close_context)
