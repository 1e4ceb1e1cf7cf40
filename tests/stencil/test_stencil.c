/* SPDX-License-Identifier: MIT */
/* Kernel files that become stencils, and those that no program is written of. */
#include "support/kernel_text.h"
#include "support/support.h"

#include <string.h>

#include "stencil/stencil.h"

static const char plain[] = "float kernel(vec2 here)\n{\n    return x_at(1.0, 0.0);\n}\n";

static void reaches(void **state)
{
    static const struct {
        const char *text;
        int reach;
    } rows[] = {
        {plain, 1},
        {"float kernel(vec2 here)\n{\n    return here.x;\n}\n", 0},
        {"float f(float a)\n{\n    return x_at(a, 0.0) + y_at(0.0, -3.0);\n}\n"
         "float kernel(vec2 here)\n{\n    return f(-8.0) + f(2.0);\n}\n",
         8},
        {"int kernel(vec2 here)\n{\n    int s = 0;\n    for (int i = -2; i <= 2; i++)\n"
         "        s += x_at(float(i), 0.0);\n    return s;\n}\n",
         2},
    };
    (void)state;
    for (int k = 0; k < COUNT(rows); k++) {
        struct qp_kernel_file *file = kernel_text_read(rows[k].text);
        struct qp_stencil stencil;
        assert_non_null(file);
        assert_ok(qp_stencil_read(file, &stencil));
        assert_int_equal(stencil.reach, rows[k].reach);
        qp_kernel_file_destroy(&file);
    }
}

/* What stands in place of the line `return x_at(1.0, 0.0);` of a kernel, and the reason why there is no program. */
static void refused_lines(void **state)
{
    static const char *const rows[][2] = {
        {"discard;", ":3: no program is generated with 'discard': "},
        {"return gl_FragCoord.x;", ":3: no program is generated with 'gl_FragCoord': "},
        {"return x_cell(here);", ":3: no program is generated with 'x_cell': "},
        {"return x_at(1.0, 0.0) + size.x;", ":3: no program is generated with 'size': "},
        {"mat2 m;", ":3: no program is generated with 'mat2': programs have no matrices"},
        {"return dot(here.yx, here);",
         ":3: no program is generated with 'yx': vectors are read by "},
        {"vec2 v = here;", ":3: no program is generated with 'vec2': vectors are read by member"},
        {"return vec2(1.0).x;",
         ":3: no program is generated with 'vec2': vectors are read by member"},
        {"return tan(x_at(0.0, 0.0));", ":3: no program is generated with 'tan': programs do not "},
        {"uint u = 1u;", ":3: no program is generated with 'uint': programs have float, double "},
        {"float register = 1.0;", ":3: no program is generated with 'register': C has this word"},
        {"return x_at(1.0, 0.0) / 0.0;", ":3: a division by zero"},
        {"int i = 3 % 0;", ":3: a division by zero"},
        {"return x_at(here.x, 0.0);", ":3: the offset here.x of x_at is computed; programs are "},
        {"return x_at(0.0, -9.0);", ": x is read 9 cells away, and programs read 8 at most"},
        {"#define a 1",
         ":3: no program is generated with '#define a 1': lines of the preprocessor "},
    };
    (void)state;
    for (int k = 0; k < COUNT(rows); k++) {
        char text[256], sentence[320];
        struct qp_stencil stencil;
        snprintf(text, sizeof text, "float kernel(vec2 here)\n{\n%s\nreturn x_at(0.0, 0.0);\n}\n",
                 rows[k][0]);
        struct qp_kernel_file *file = kernel_text_read(text);
        assert_non_null(file);
        assert_int_equal(qp_stencil_read(file, &stencil), QP_BAD_INPUT);
        snprintf(sentence, sizeof sentence, "%s%s", kernel_text_path, rows[k][1]);
        if (strncmp(qp_error(), sentence, strlen(sentence)) != 0)
            fail_msg("'%s' gave '%s'", rows[k][0], qp_error());
        qp_kernel_file_destroy(&file);
    }
}

/* Whole texts. */
static void refused_texts(void **state)
{
    static const char *const rows[][2] = {
        {"void main()\n{\n    gl_FragColor = vec4(0.0);\n}\n",
         ": no program is generated of a whole "},
        {"vec2 kernel(vec2 here)\n{\n    return x_at(0.0, 0.0);\n}\n",
         "of a kernel of several values"},
        {"uint kernel(vec2 here)\n{\n    return x_at(0.0, 0.0);\n}\n",
         "of a kernel of unsigned integ"},
        {"float f(float a)\n{\n    return a;\n}\nfloat f(int a)\n{\n    return 1.0;\n}\n"
         "float kernel(vec2 here)\n{\n    return x_at(0.0, 0.0);\n}\n",
         "two functions have this name, which needs C++"},
        {"void f(out float a)\n{\n    a = 1.0;\n}\nfloat kernel(vec2 here)\n{\n    return "
         "1.0;\n}\n",
         ":1: no program is generated with 'out': a parameter that is handed out needs C++"},
        {"float a = 1.0;\nfloat kernel(vec2 here)\n{\n    return a;\n}\n",
         ":1: no program is generated with 'a': outside of functions it takes constants that are "},
        {"const float a = 1.0 + 2.0;\nfloat kernel(vec2 here)\n{\n    return a;\n}\n",
         ":1: no program is generated with 'a': outside of functions it takes constants that are "},
    };
    (void)state;
    for (int k = 0; k < COUNT(rows); k++) {
        struct qp_stencil stencil;
        struct qp_kernel_file *file = kernel_text_read(rows[k][0]);
        assert_non_null(file);
        assert_int_equal(qp_stencil_read(file, &stencil), QP_BAD_INPUT);
        if (strstr(qp_error(), rows[k][1]) == NULL)
            fail_msg("'%s' gave '%s'", rows[k][0], qp_error());
        qp_kernel_file_destroy(&file);
    }
}

/* The text of a kernel as a program has it, and as its reference has it. */
static void bodies(void **state)
{
    static const char text[] =
        "//@ set rate=0.2\n"
        "const float half = 0.5; // a number\n"
        "float f(const float a);\n"
        "float f(const float a)\n{\n    return a * 2.0e0 + float(3) + x_at(1.0, 0.0);\n}\n"
        "float one()\n{\n    return 1.;\n}\n"
        "float kernel(vec2 here)\n{\n    return f(half) + one() * rate + here.x;\n}\n",
                      in_c[] = "static const float half = 0.5f; // a number\n"
                               "static inline float f(struct cell *at, const float a);\n"
                               "static inline float f(struct cell *at, const float a)\n{\n"
                               "    return a * 2.0e0f + float(3) + x_at(1.0f, 0.0f);\n}\n"
                               "static inline float one(struct cell *at)\n{\n    return 1.f;\n}\n"
                               "static inline float kernel(struct cell *at, vec2 here)\n{\n"
                               "    return f(at, half) + one(at) * at->set->rate + here.x;\n}\n",
                      in_double[] =
                          "static const double half = 0.5; // a number\n"
                          "static double f(struct cell *at, const double a);\n"
                          "static double f(struct cell *at, const double a)\n{\n"
                          "    return a * 2.0e0 + double(3) + x_at(1.0, 0.0);\n}\n"
                          "static double one(struct cell *at)\n{\n    return 1.;\n}\n"
                          "static double kernel(struct cell *at, vec2 here)\n{\n"
                          "    return f(at, half) + one(at) * at->set->rate + here.x;\n}\n";
    (void)state;
    struct qp_kernel_file *file = kernel_text_read(text);
    struct qp_stencil stencil;
    assert_non_null(file);
    assert_ok(qp_stencil_read(file, &stencil));
    for (int form = QP_BODY_C; form <= QP_BODY_REFERENCE; form++) {
        char got[2048] = "";
        FILE *out = fmemopen(got, sizeof got, "w");
        assert_non_null(out);
        qp_stencil_put_body(&stencil, (enum qp_body_form)form, out);
        fclose(out);
        assert_string_equal(got, form == QP_BODY_C ? in_c : in_double);
    }
    qp_kernel_file_destroy(&file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(reaches), cmocka_unit_test(refused_lines),
                                       cmocka_unit_test(refused_texts), cmocka_unit_test(bodies)};
    return cmocka_run_group_tests(tests, kernel_text_open, kernel_text_close);
}
