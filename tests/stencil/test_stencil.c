/* SPDX-License-Identifier: MIT */
/* Kernel files that become stencils, and those that no program is written of. */
#include "support/kernel_text.h"
#include "support/support.h"

#include <string.h>

#include "tools/stencil/stencil.h"

static const char plain[] = "float kernel(vec2 here)\n{\n    return x_at(1.0, 0.0);\n}\n";

TEST(reaches)
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
    for (int k = 0; k < COUNT(rows); k++) {
        struct qp_kernel_file *file = kernel_text_read(rows[k].text);
        struct qp_stencil stencil;
        assert_non_null(file);
        assert_ok(qp_stencil_read(file, &stencil));
        assert_int_equal(stencil.reach, rows[k].reach);
        qp_kernel_file_destroy(&file);
    }
}

/* Lines before `return x_at(0.0, 0.0);` of a kernel, and whether they need C++. */
TEST(languages)
{
    static const struct {
        const char *line;
        bool is_cxx;
    } rows[] = {
        {"float a = here.x + here.y;", false},
        {"float a = here.r, b = p.t, c = w[1], d = p.y;", false},
        {"float length = 1.0, d = size.x;", false},
        {"for (int i = 0; i < 3; i++) { if (i > 1) continue; }", false},
        {"vec2 v;", true},
        {"const ivec3 v = ivec3(1);", true},
        {"bvec2 v;", true},
        {"float a = here.yx.x;", true},
        {"float a = vec2(1.0).x;", true},
        {"float a = length(here);", true},
        {"float a = here[1];", true},
        {"float a = dot(p, size);", true},
        {"float a = one(here.x * 2.0, here / 2.0);", true},
        {"float a = distance(1.0, 2.0);", true},
        {"bool a = any(lessThan(p, p));", true},
    };
    for (int k = 0; k < COUNT(rows); k++) {
        char text[512];
        struct qp_stencil stencil;
        snprintf(text, sizeof text,
                 "//@ set p=1,2\n//@ set w=1,2,3,4,5\n"
                 "float one(float a, vec2 v)\n{\n    return a + v.x + p.x * w[0];\n}\n"
                 "float kernel(vec2 here)\n{\n%s\nreturn x_at(0.0, 0.0);\n}\n",
                 rows[k].line);
        struct qp_kernel_file *file = kernel_text_read(text);
        assert_non_null(file);
        assert_ok(qp_stencil_read(file, &stencil));
        if (stencil.is_cxx != rows[k].is_cxx)
            fail_msg("'%s': is_cxx %d", rows[k].line, stencil.is_cxx);
        qp_kernel_file_destroy(&file);
    }
}

/* Functions and constants before a kernel, likewise. */
TEST(language_of_functions)
{
    static const struct {
        const char *text;
        bool is_cxx;
    } rows[] = {
        {"const float a = 1.0, b = -2.5;", false},
        {"const float a = 1.0 + 2.0 / 3.0;", false},
        {"const int n = 3;\nfloat f(in float a);\nfloat f(in float a)\n{\n    return a;\n}", false},
        {"const float a = 1.0, b = a * 2.0;", true},
        {"const vec2 a = vec2(1.0, 0.0);", true},
        {"const float WIDTH = 3.0;", false},
        {"const float exp = 3.0;", false},
        {"void f(out float a)\n{\n    a = 1.0;\n}", true},
        {"void f(inout float a)\n{\n    a = 1.0;\n}", true},
        {"float f(float a)\n{\n    return a;\n}\nfloat f(int a)\n{\n    return 1.0;\n}", true},
        {"float hypot(float a, float b)\n{\n    return sqrt(a * a + b * b);\n}", false},
        {"float step_rows(float a)\n{\n    return a;\n}", false},
        {"float part_row(float a)\n{\n    return a;\n}", false},
        {"float put_part(float a)\n{\n    return a;\n}", false},
    };
    for (int k = 0; k < COUNT(rows); k++) {
        char text[512];
        struct qp_stencil stencil;
        snprintf(text, sizeof text, "%s\n%s", rows[k].text, plain);
        struct qp_kernel_file *file = kernel_text_read(text);
        assert_non_null(file);
        assert_ok(qp_stencil_read(file, &stencil));
        if (stencil.is_cxx != rows[k].is_cxx)
            fail_msg("'%s': is_cxx %d", rows[k].text, stencil.is_cxx);
        qp_kernel_file_destroy(&file);
    }
}

/* Text in place of the line `return x_at(1.0, 0.0);` of a kernel, and the reason why there is no
 * program. */
TEST(refused_lines)
{
    static const char *const rows[][2] = {
        {"discard;", ":3: no program is generated with 'discard': "},
        {"return gl_FragCoord.x;", ":3: no program is generated with 'gl_FragCoord': "},
        {"return x_cell(here);", ":3: no program is generated with 'x_cell': "},
        {"mat2 m;", ":3: no program is generated with 'mat2': programs have no matrices"},
        {"dmat3x2 m;", ":3: no program is generated with 'dmat3x2': programs have no matrices"},
        {"uvec2 v;", ":3: no program is generated with 'uvec2': programs have float, double and "},
        {"return here.xg;", ":3: no program is generated with 'xg': vectors have members such as "},
        {"int n = w.length();", ":3: no program is generated with 'length': vectors have members "},
        {"float a[2] = float[2](1.0, 2.0);",
         ":3: no program is generated with 'float': C has no arrays as values; declare TYPE NAME"},
        {"struct s { float a; };", ":3: no program is generated with 'struct': programs have numb"},
        {"bool a = true ^^ false;", ":3: no program is generated with '^^': C does not have it; "},
        {"vec2 v = here; v++;", ":3: no program is generated with '++': vectors are not counted; "},
        {"float size = 1.0;", ":3: no program is generated with 'size': the grid's size has this "},
        {"float w = 1.0;",
         ":3: no program is generated with 'w': a number of the kernel has this "},
        {"float a = 1.0; { float a = 2.0 * a; }",
         ":3: no program is generated with 'a': its value names it too; is a ';' missing at the "
         "end of this line?"},
        {"float delete = 1.0;",
         ":3: no program is generated with 'delete': C or C++ has this word"},
        {"float rows = 1.0;",
         ":3: no program is generated with 'rows': programs have this word fo"},
        {"const float o = 0.0; return 1.0 / o;", ":3: a division by zero"},
        {"int i = 3 % (2 - 2);", ":3: a division by zero"},
        {"float b = 1.0; b /= 0.0f;", ":3: a division by zero"},
        {"return tan(x_at(0.0, 0.0));", ":3: no program is generated with 'tan': programs do not "},
        {"uint u = 1u;", ":3: no program is generated with 'uint': programs have float, double "},
        {"float register = 1.0;", ":3: no program is generated with 'register': C or C++ has"},
        {"return x_at(1.0, 0.0) / 0.0;", ":3: a division by zero"},
        {"int i = 3 % 0;", ":3: a division by zero"},
        {"const float o = 0.0; return mod(x_at(1.0, 0.0), o);", ":3: a division by zero"},
        {"return mod(max(here.x, 1.0), 0.0);", ":3: a division by zero"},
        {"return x_at(here.x, 0.0);", ":3: the offset here.x of x_at is computed; programs are "},
        {"return x_at(0.5, 0.0);", ":3: x is read a part of a cell away; offsets are whole"},
        {"return x_at(0.5 * 4.0, 0.0);", ":3: x is read a part of a cell away"},
        {"return float(4294967295);", ":3: 4294967295 is beyond int, whose largest is 2147483647"},
        {"return float(0x80000000);", ":3: no program is generated with '0x80000000': integers"},
        {"float not_eq = 1.0;", ":3: no program is generated with 'not_eq': C or C++ has"},
        {"float _Bool = 1.0;", ":3: no program is generated with '_Bool': C or C++ has"},
        {"float HALO = 1.0;", ":3: no program is generated with 'HALO': programs have this word"},
        {"float TILE = 1.0;", ":3: no program is generated with 'TILE': programs have this word"},
        {"float TOGETHER = 1.0;", ":3: no program is generated with 'TOGETHER': programs have "},
        {"float double = 1.0;", ":3: no program is generated with 'double': a type has this name"},
        {"x_at(1.0, 0.0) = 2.0;", ":3: 'x_at(1.0, 0.0)' is set, but a kernel writes its own cell "},
        {"float d = 1.0; (d) = 7.0; return x_at(d, 0.0);", ":3: the offset d of x_at is computed"},
        {"return x_at(0.0, -9.0);", ": x is read 9 cells away, and programs read 8 at most"},
        {"#define a 1",
         ":3: no program is generated with '#define a 1': lines of the preprocessor "},
    };
    for (int k = 0; k < COUNT(rows); k++) {
        char text[256], sentence[320];
        struct qp_stencil stencil;
        snprintf(text, sizeof text,
                 "//@ set w=1\nfloat kernel(vec2 here) {\n%s\nreturn x_at(0.0, 0.0) * w;\n}\n",
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

/* Lines with names that are set and named again, and the one whose order is left open. */
TEST(effects)
{
    static const struct {
        const char *line, *name;
    } rows[] = {
        {"both(a, a);", "a"},
        {"both(v.x, v.r);", "v"},
        {"both(l[i], l[n]);", "l"},
        {"both(l[i], (l[i]));", "l"},
        {"a = a++;", "a"},
        {"b = a++ + a++;", "a"},
        {"b = a + (a = 2.0);", "a"},
        {"return (a += 1.0) * 10.0 + (a += 1.0);", "a"},
        {"return a + a++;", "a"},
        {"b = (a = 2.0) + a;", "a"},
        {"l[i] = float(i++);", "i"},
        {"l[i++] = float(i);", "i"},
        {"b = sum(float(i++), float(i));", "i"},
        {"b = sum(bump(a), a);", "a"},
        {"b = sum(bump(a), bump(a));", "a"},
        {"b = bump(a) + a;", "a"},
        {"a += bump(a);", "a"},
        {"bool c = b > 0.0 && a++ + a > 1.0;", "a"},
        {"a = float(b > 0.0 && a++ > 1.0);", "a"},
        {"both(v.x, v.y);", NULL},
        {"both(l[i], l[i + 1]);", NULL},
        {"both(l[0], l[1]);", NULL},
        {"both(l[i - 1], l[i + 1]);", NULL},
        {"both(l[i], a);", NULL},
        {"a = a + a; a += a; a = b = a;", NULL},
        {"a = bump(a);", NULL},
        {"count(i, i + 1);", NULL},
        {"l[i] = l[i - 1] + l[i];", NULL},
        {"bool c = a++ > 0.0 && a < 3.0;", NULL},
        {"b = a > 0.0 ? a++ : a--;", NULL},
        {"if (a++ > 0.0) a = 1.0; else a++;", NULL},
        {"for (int k = 0, m = k; k < 3; k++, m = k) a += float(k);", NULL},
        {"v.x = v.y = a; v = v.yx;", NULL},
        {"vec2 u = vec2(b); while (--i > 0) u.x += a;", NULL},
    };
    for (int k = 0; k < COUNT(rows); k++) {
        char text[1024], sentence[96];
        struct qp_stencil stencil;
        snprintf(text, sizeof text,
                 "void both(inout float a, inout float b) { a += 1.0; b *= 2.0; }\n"
                 "void count(inout int a, int b) { a += b; }\n"
                 "float bump(inout float a) { a += 1.0; return a; }\n"
                 "float sum(float a, float b) { return a + b; }\n"
                 "float kernel(vec2 here)\n{\n"
                 "float a = 1.0, b = 2.0, l[4];\nint i = 1, n = 2;\nvec2 v = here;\n%s\n"
                 "return x_at(0.0, 0.0);\n}\n",
                 rows[k].line);
        struct qp_kernel_file *file = kernel_text_read(text);
        assert_non_null(file);
        const enum qp_status status = qp_stencil_read(file, &stencil);
        snprintf(sentence, sizeof sentence, ":10: '%s' is set and named again",
                 rows[k].name != NULL ? rows[k].name : "");
        if ((status == QP_OK) != (rows[k].name == NULL) ||
            (status != QP_OK && strstr(qp_error(), sentence) == NULL))
            fail_msg("'%s': %s", rows[k].line, status == QP_OK ? "taken" : qp_error());
        qp_kernel_file_destroy(&file);
    }
}

/* Whole texts. */
TEST(refused_texts)
{
    static const char *const rows[][2] = {
        {"void main()\n{\n    gl_FragColor = vec4(0.0);\n}\n",
         ": no program is generated of a whole "},
        {"vec2 kernel(vec2 here)\n{\n    return x_at(0.0, 0.0);\n}\n",
         "of a kernel of several values"},
        {"void turn(inout vec2 w) { w *= 2.0; }\nfloat kernel(vec2 here)\n{\n    vec2 v = here;\n"
         "    turn(v.yx);\n    return x_at(0.0, 0.0);\n}\n",
         ":5: no program is generated with 'yx': several members at once are no 'out' argument"},
        {"uint kernel(vec2 here)\n{\n    return x_at(0.0, 0.0);\n}\n",
         "of a kernel of unsigned integ"},
        {"//@ input f=random\nfloat kernel(vec2 here) { return f_at(0.0, 0.0).y; }",
         "of an array of several values a cell"},
        {"float f(float a[2])\n{\n    return a[0];\n}\nfloat kernel(vec2 here)\n{\n    return "
         "x_at(0.0, 0.0);\n}\n",
         ":1: no program is generated with 'a': C does not hand over arrays as values"},
        {"float mix(float a)\n{\n    return a;\n}\nfloat kernel(vec2 here)\n{\n    return "
         "x_at(0.0, 0.0);\n}\n",
         ":1: no program is generated with 'mix': GLSL has a function of this name"},
        {"float a = 1.0;\nfloat kernel(vec2 here)\n{\n    return a;\n}\n",
         ":1: no program is generated with 'float': outside of functions it takes constants"},
        {"float kernel(vec2 here)\n{\n    return 1.0;\n}\nfloat a;\n",
         ":5: no program is generated with 'float': outside of functions it takes constants"},
        {"const float a = sqrt(2.0);\nfloat kernel(vec2 here)\n{\n    return a;\n}\n",
         ":1: no program is generated with 'sqrt': outside of functions it takes constants of num"},
    };
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

/* A kernel's text in a form. */
static void expect_body(const char *text, enum qp_body_form form, const char *wanted)
{
    char got[2048] = "";
    struct qp_kernel_file *file = kernel_text_read(text);
    struct qp_stencil stencil;
    assert_non_null(file);
    assert_ok(qp_stencil_read(file, &stencil));
    FILE *out = fmemopen(got, sizeof got, "w");
    assert_non_null(out);
    qp_stencil_put_body(&stencil, form, out);
    fclose(out);
    assert_string_equal(got, wanted);
    qp_kernel_file_destroy(&file);
}

/* The text of a kernel as a program has it, and as its reference has it. */
TEST(bodies)
{
    static const char text[] =
        "//@ set rate=0.2\n"
        "const float half = 0.5; // a number\n"
        "float f(const float a);\n"
        "float f(const float a)\n{\n    return a * 2.0e0 + float(3) + x_at(1.0, 0.0);\n}\n"
        "float one()\n{\n    return 1.;\n}\n"
        "float kernel(vec2 here)\n{\n    return f(half) + one() * rate + here.r - size.y;\n}\n";
    expect_body(text, QP_BODY_C,
                "static const float own_half = 0.5f; // a number\n"
                "static inline float own_f(struct cell *at, const float a);\n"
                "static inline float own_f(struct cell *at, const float a)\n{\n"
                "    return a * 2.0e0f + (float)(3) + x_at(1.0f, 0.0f);\n}\n"
                "static inline float own_one(struct cell *at)\n{\n    return 1.f;\n}\n"
                "static inline float kernel(struct cell *at, vec2 here)\n{\n"
                "    return own_f(at, own_half) + own_one(at) * at->set->rate + here.x - "
                "at->set->size.y;\n}\n");
    expect_body(text, QP_BODY_REFERENCE,
                "static const double own_half = 0.5; // a number\n"
                "static inline double own_f(struct cell *at, const double a);\n"
                "static inline double own_f(struct cell *at, const double a)\n{\n"
                "    return a * 2.0e0 + (double)(3) + x_at(1.0, 0.0);\n}\n"
                "static inline double own_one(struct cell *at)\n{\n    return 1.;\n}\n"
                "static inline double kernel(struct cell *at, vec2 here)\n{\n"
                "    return own_f(at, own_half) + own_one(at) * at->set->rate + here.x - "
                "at->set->size.y;\n}\n");
}

/* With vectors: C++. */
TEST(bodies_in_cxx)
{
    static const char text[] =
        "//@ set c=1,2\n"
        "const vec2 e = vec2(1.0);\n"
        "void f(out highp float a, inout vec2 v, in vec2 w)\n{\n"
        "    a = v.yx.x;\n    v.gr += w.xx * c;\n}\n"
        "float kernel(vec2 here)\n{\n    vec2 v = here;\n    float a;\n    f(a, v, v);\n"
        "    return a == v.x ? x_at(1.0, 0.0) : c.y + c.yx.x;\n}\n";
    expect_body(
        text, QP_BODY_C,
        "namespace glsl {\nnamespace text {\n\n"
        "static const vec2 e = vec2(1.0f);\n"
        "static inline void f(struct cell *at, highp float &a, vec2 &v, in vec2 w)\n{\n"
        "    a = v.get<'y', 'x'>().x;\n"
        "    v.set<'y', 'x'>() += w.get<'x', 'x'>() * vec2(at->set->c.x, at->set->c.y);\n}\n"
        "static inline float kernel(struct cell *at, vec2 here)\n{\n"
        "    vec2 v = here;\n    float a;\n    f(at, a, v, v);\n"
        "    return a == v.x ? x_at(1.0f, 0.0f) : at->set->c.y + "
        "vec2(at->set->c.x, at->set->c.y).get<'y', 'x'>().x;\n}\n\n}\n}\n\n"
        "using glsl::text::kernel;\n");
    expect_body("const float e = 1.0;\nfloat kernel(vec2 here)\n{\n    return x_at(0.0, e);\n}\n",
                QP_BODY_CUDA,
                "namespace glsl {\nnamespace text {\n\n"
                "static __device__ const float e = 1.0f;\n"
                "template <class CELL> static __device__ __forceinline__ float kernel(CELL *at, "
                "vec2 here)\n{\n"
                "    return x_at(0.0f, e);\n}\n\n}\n}\n\n"
                "using glsl::text::kernel;\n");
}

GROUP(kernel_text_open, kernel_text_close)
