/* SPDX-License-Identifier: MIT */
/* The functions that generated programs call in place of GLSL's, templates/glsl.h and glsl.hpp,
 * against llvmpipe: over a million values and all corners the same bits, or as near as docs/bits.md
 * has it. */
#include "support/shell.h"
#include "support/toolkit.h"

#include <dlfcn.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "toolkit/base/random.h"

enum { SIDE = 1024, CELLS = SIDE * SIDE, OUTPUTS = QP_KERNEL_OUTPUTS };

/* An expression of the floats a, b and c, in GLSL, C and C++ alike. */
struct expression {
    const char *text;
    bool has_vectors; /* which C does not have */
    double ulps;      /* ulps that the two may be apart; 0: no bit */
    float low, high;  /* range of a where ulps are given */
};

static const struct expression expressions[] = {
    {.text = "a + b"},
    {.text = "a - b"},
    {.text = "a * b"},
    {.text = "a / b"},
    {.text = "-a"},
    {.text = "a < b ? a : c"},
    {.text = "a == b || b >= c ? c : a"},
    {.text = "sqrt(a)"},
    {.text = "floor(a)"},
    {.text = "ceil(a)"},
    {.text = "fract(a)"},
    {.text = "mod(a, b)"},
    {.text = "mix(a, b, c)"},
    {.text = "min(a, b)"},
    {.text = "max(a, b)"},
    {.text = "abs(a)"},
    {.text = "sign(a)"},
    {.text = "step(a, b)"},
    {.text = "clamp(a, b, c)"},
    {.text = "dot(a, b)"},
    {.text = "length(a)"},
    {.text = "min(a, sqrt(b))"}, /* operands that are not numbers */
    {.text = "max(sqrt(a), b)"},
    {.text = "clamp(a, sqrt(b), sqrt(c))"},
    {.text = "step(sqrt(a), b)"},
    {.text = "pow(-abs(a), b)"},
    {.text = "float(a > b)", .has_vectors = true}, /* in C a cast */
    {"dot(vec2(a, b), vec2(b, c))", true, 0, 0, 0},
    {"dot(vec3(a, b, c), vec3(b, c, a))", true, 0, 0, 0},
    {"dot(vec4(a, b, c, a), vec4(c, a, b, b))", true, 0, 0, 0},
    {"length(vec2(a, b))", true, 0, 0, 0},
    {"length(vec3(a, b, c))", true, 0, 0, 0},
    {"length(vec4(a, b, c, a))", true, 0, 0, 0},
    {"distance(vec3(a, b, c), vec3(b, c, a))", true, 0, 0, 0},
    {"cross(vec3(a, b, c), vec3(c, a, b)).x", true, 0, 0, 0},
    {"cross(vec3(a, b, c), vec3(c, a, b)).z", true, 0, 0, 0},
    {"(vec2(a, b) * c - vec2(c)).y", true, 0, 0, 0},
    {"(a / vec3(b, c, a)).y", true, 0, 0, 0},
    {"(-vec4(vec2(a, b), c, a)).z", true, 0, 0, 0},
    {"mod(vec2(a, b), c).x", true, 0, 0, 0},
    {"mix(vec3(a, b, c), vec3(c, a, b), vec3(b, c, a)).y", true, 0, 0, 0},
    {"mix(vec2(a, b), vec2(b, c), c).x", true, 0, 0, 0},
    {"clamp(vec4(a, b, c, a), b, c).w", true, 0, 0, 0},
    {"min(vec2(a, b), c).y + max(vec2(a, b), vec2(c)).x", true, 0, 0, 0},
    {"step(a, vec2(b, c)).y - sign(vec3(a, b, c)).z", true, 0, 0, 0},
    {"floor(vec2(a, b)).y + fract(vec3(c)).z", true, 0, 0, 0},
    {"all(lessThan(vec2(a, b), vec2(b, c))) ? a : b", true, 0, 0, 0},
    {"any(greaterThanEqual(vec3(a, b, c), vec3(b, c, a))) ? a : b", true, 0, 0, 0},
    {"vec2(a, b) == vec2(b, c) || any(equal(vec2(a, b), vec2(c))) ? a : b", true, 0, 0, 0},
    {"inversesqrt(a)", false, 3, 1e-3f, 1e3f},
    {"smoothstep(0.0f, 1.0f, a)", false, 5, 1e-3f, 1.0f},
    {"sin(a)", false, 3, -3.0f, 3.0f},
    {"cos(a)", false, 3, -1.5f, 1.5f},
    {"exp(a)", false, 12, -10.0f, 10.0f},
    {"pow(a, 2.5f)", false, 32, 1e-3f, 1e3f},
    {"log(a)", false, 3, 2.0f, 1e3f},
    {"log(a)", false, 5, 1.001f, 2.0f},
};
enum { EXPRESSIONS = sizeof expressions / sizeof expressions[0] };

/* An expression of a million values, as compiled. */
typedef void compiled(int count, const float *a, const float *b, const float *c, float *out);

/* ---- Values ---- */

static const float corners[] = {
    0.0f,          -0.0f,          1.0f,      -1.0f,      0.5f,     -0.5f,     1.5f,
    2.0f,          -2.5f,          3.0f,      1e-3f,      1e7f,     -1e7f,     8388608.5f,
    16777216.0f,   FLT_MIN,        -FLT_MIN,  FLT_MAX,    -FLT_MAX, 0x1p-100f, 0x1p100f,
    0x1.fffffep0f, 0x1.fffffep-1f, 0x1p-140f, -0x1p-127f, INFINITY, -INFINITY};
enum { CORNERS = sizeof corners / sizeof corners[0] };

static float values[3][CELLS], drawn[CELLS], computed[CELLS];

/* Corners against each other first; then numbers of like size, and of all sizes. */
static void fill(void)
{
    uint64_t seed = 34;
    for (int i = 0; i < CELLS; i++) {
        const int place[] = {i % CORNERS, i / CORNERS % CORNERS, i / CORNERS / CORNERS};
        for (int k = 0; k < 3; k++)
            values[k][i] = i < CORNERS * CORNERS * CORNERS ? corners[place[k]]
                           : i % 2 == 0                    ? (float)qp_random(&seed, -4.0, 4.0)
                                        : ldexpf((float)qp_random(&seed, -1.0, 1.0),
                                                 (int)qp_random(&seed, -60.0, 60.0));
    }
}

/* ---- The two sides ---- */

/* The functions of a shared object in C or C++, which leaves out what the language does not
 * have. */
static void write_source(const char *name, bool has_vectors)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *out = fopen(path, "w");
    assert_non_null(out);
    fputs("#ifdef __SSE__\n#include <xmmintrin.h>\n#endif\n#include \"glsl.h\"\n"
          "#ifdef __SSE__\n#define FLUSH const unsigned mode = _mm_getcsr(); _mm_setcsr(mode | "
          "0x8040);\n"
          "#define RESTORE _mm_setcsr(mode);\n#else\n#define FLUSH\n#define RESTORE\n#endif\n"
          "#ifdef __cplusplus\nnamespace glsl { extern \"C\" {\n#endif\n",
          out);
    for (int i = 0; i < EXPRESSIONS; i++) {
        if (!expressions[i].has_vectors || has_vectors)
            fprintf(
                out,
                "void e%d(int count, const float *pa, const float *pb, const float *pc, float "
                "*out)\n{\nFLUSH\n"
                "for (int i = 0; i < count; i++) {\nconst float a = pa[i], b = pb[i], c = pc[i];\n"
                "(void)a, (void)b, (void)c;\nout[i] = %s;\n}\nRESTORE\n}\n",
                i, expressions[i].text);
    }
    fputs("#ifdef __cplusplus\n} }\n#endif\n", out);
    fclose(out);
}

/* With the flags of the program's own Makefile. */
static void *compile(const char *name, const char *compiler, bool has_vectors)
{
    char command[1024], path[512];
    write_source(name, has_vectors);
    snprintf(command, sizeof command,
             "cd %s && %s -O1 -shared -fPIC -w $(sed -n 's/^EXACT := //p' %s/templates/c/Makefile) "
             "-I %s/templates %s -lm -o %s.so",
             folder, compiler, QP_SOURCE_DIR, QP_SOURCE_DIR, name, name);
    expect(command, 0, "");
    snprintf(path, sizeof path, "%s/%s.so", folder, name);
    void *library = dlopen(path, RTLD_NOW);
    if (library == NULL)
        fail_msg("%s", dlerror());
    return library;
}

/* A kernel of four expressions at once. */
static struct qp_kernel *kernel_of(const int four[OUTPUTS])
{
    char body[2048];
    snprintf(
        body, sizeof body,
        "void kernel(vec2 here)\n{\n    float a = a_at(0, 0), b = b_at(0, 0), c = c_at(0, 0);\n"
        "    out0 = %s;\n    out1 = %s;\n    out2 = %s;\n    out3 = %s;\n}\n",
        expressions[four[0]].text, expressions[four[1]].text, expressions[four[2]].text,
        expressions[four[3]].text);
    return kernel((struct qp_kernel_desc){
        .body = body, .outputs = OUTPUTS, .input = {{.name = "a"}, {.name = "b"}, {.name = "c"}}});
}

/* ---- The comparison ---- */

static bool agree(float got, float want, double ulps)
{
    int exponent;
    if (ulps == 0.0)
        return memcmp(&got, &want, sizeof got) == 0 || (isnan(got) && isnan(want));
    frexp((double)want, &exponent);
    return fabs((double)got - (double)want) <= ulps * ldexp(1.0, exponent - 24);
}

static int count_apart(const struct expression *of, const char *language)
{
    int apart = 0;
    for (int i = 0; i < CELLS; i++) {
        if (!agree(drawn[i], computed[i], of->ulps) && apart++ == 0)
            print_message("%s of %a, %a, %a: llvmpipe %a (%.9g), %s %a (%.9g)\n", of->text,
                          (double)values[0][i], (double)values[1][i], (double)values[2][i],
                          (double)drawn[i], (double)drawn[i], language, (double)computed[i],
                          (double)computed[i]);
    }
    return apart;
}

/* How many of the four are not alike in one of the languages. */
static int compare_four(const int four[OUTPUTS], struct qp_array *const input[3],
                        struct qp_array *const result[OUTPUTS], void *const library[2])
{
    static const char *const languages[] = {"C", "C++"};
    struct qp_kernel *made = kernel_of(four);
    struct qp_pass pass = {.kernel = made,
                           .input = {{"a", input[0]}, {"b", input[1]}, {"c", input[2]}}};
    int wrong = 0;
    memcpy(pass.output, result, sizeof(struct qp_array *) * OUTPUTS);
    assert_ok(qp_pass_run(&pass));
    for (int k = 0; k < OUTPUTS; k++) {
        char name[16];
        snprintf(name, sizeof name, "e%d", four[k]);
        assert_ok(qp_array_read(result[k], NULL, drawn, 0));
        for (int l = 0; l < 2; l++) {
            compiled *function;
            *(void **)&function = dlsym(library[l], name);
            assert_true((function != NULL) == (l == 1 || !expressions[four[k]].has_vectors));
            if (function == NULL)
                continue;
            function(CELLS, values[0], values[1], values[2], computed);
            wrong += count_apart(&expressions[four[k]], languages[l]) > 0;
        }
    }
    qp_kernel_destroy(&made);
    return wrong;
}

/* Functions that must agree in every bit, four at a time; then the others, each with numbers of its
 * own. */
TEST(functions_are_those_of_llvmpipe)
{
    struct qp_array *input[3], *result[OUTPUTS];
    int wrong = 0;
    context = support_need_context(state);
    if (strstr(qp_context_device(context)->renderer, "llvmpipe") == NULL ||
        (qp_context_device(context)->abilities & QP_CAN_PRECISE) == 0)
        skip();
    void *library[] = {compile("c.c", "cc -std=c11", false),
                       compile("cxx.cc", "c++ -std=c++17", true)};
    fill();
    for (int k = 0; k < 3; k++)
        input[k] = grid(SIDE, SIDE, values[k]);
    for (int k = 0; k < OUTPUTS; k++)
        result[k] = grid(SIDE, SIDE, NULL);
    for (int i = 0; i < EXPRESSIONS;) {
        const struct expression *of = &expressions[i];
        int four[OUTPUTS] = {i, i, i, i};
        for (int k = 1; k < OUTPUTS && i + k < EXPRESSIONS && of->ulps == 0.0 && of[k].ulps == 0.0;
             k++)
            four[k] = i + k;
        for (int cell = 0; cell < CELLS && of->ulps > 0.0; cell++)
            values[0][cell] = of->low + (of->high - of->low) * (float)cell / (float)CELLS;
        if (of->ulps > 0.0)
            assert_ok(qp_array_write(input[0], NULL, values[0], 0));
        wrong += compare_four(four, input, result, library);
        i += of->ulps > 0.0 ? 1 : four[3] - i + 1;
    }
    assert_int_equal(wrong, 0);
    for (int k = 0; k < 3; k++)
        qp_array_destroy(&input[k]);
    for (int k = 0; k < OUTPUTS; k++)
        qp_array_destroy(&result[k]);
    dlclose(library[0]);
    dlclose(library[1]);
}

static int begin(void **state)
{
    return make_folder(state) != 0 ? -1 : support_open_context(state);
}

static int end(void **state)
{
    support_close_context(state);
    return remove_folder(state);
}

GROUP(begin, end)
