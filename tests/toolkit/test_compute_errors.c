/* SPDX-License-Identifier: MIT */
/* Refusals of compute shaders as kernels, each with its sentence. */
#include "support/toolkit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "toolkit/gl/context/context.h"

static const char twice[] = "uniform sampler2DRect x;\n"
                            "void main()\n{\n"
                            "    ivec2 cell = ivec2(gl_GlobalInvocationID.xy);\n"
                            "    imageStore(out0, cell, 2.0 * texelFetch(x, cell));\n}\n";

#define EMPTY "void main() { imageStore(out0, ivec2(0), vec4(1.0)); }\n"

CLEAN_TEST(descriptions)
{
    static const struct {
        struct qp_kernel_desc desc;
        enum qp_status status;
        const char *words;
    } cases[] = {
        {{.compute = {.text = EMPTY}, .body = "float kernel(vec2 here) { return 0.0; }"},
         QP_BAD_USE,
         "kernel has a compute shader and a body, and a compute shader is alone"},
        {{.compute = {.text = EMPTY}, .fragment = {.text = "void main() {}"}},
         QP_BAD_USE,
         "kernel has a compute shader and a fragment shader"},
        {{.compute = {.text = EMPTY}, .vertex = {.text = "void main() {}"}},
         QP_BAD_USE,
         "kernel has a compute shader and a vertex shader"},
        {{.body = "float kernel(vec2 here) { return 0.0; }", .group_x = 8},
         QP_BAD_USE,
         "kernel has groups of 8 x 0 and no compute shader"},
        {{.compute = {.text = EMPTY}, .group_x = -1}, QP_BAD_USE, "groups of -1 x 0; take 1 or"},
        {{.compute = {.text = EMPTY}, .group_x = 4096, .group_y = 4096},
         QP_BAD_USE,
         "together at most"},
        {{.compute = {.text = EMPTY}, .group_x = 1 << 16, .group_y = 1 << 16},
         QP_BAD_USE,
         "together at most"},
        {{.compute = {.text = EMPTY}, .input = {{"region"}}},
         QP_BAD_USE,
         "'region' cannot name an input of a compute shader"},
        {{.compute = {.text = EMPTY}, .number = {{"GROUP_X"}}},
         QP_BAD_USE,
         "'GROUP_X' cannot name a number of a compute shader"},
        {{.compute = {.text = EMPTY}, .outputs = 2},
         QP_BAD_USE,
         "has 2 outputs, and its shader never writes out1"},
        {{.compute = {.file = "/nowhere/step.comp"}}, QP_BAD_INPUT, "/nowhere/step.comp"},
        {{.name = "wrong", .compute = {.text = "void main()\n{\n    nothing = 1;\n}\n"}},
         QP_BAD_INPUT,
         "wrong:3: 'nothing = 1;': "},
        {{.name = "wrong",
          .compute = {.text = "#version 430\nvoid main()\n{\n    nothing = 1;\n}\n"}},
         QP_BAD_INPUT,
         "wrong:4: 'nothing = 1;': "},
        {{.compute = {.text = "uniform float wieght;\n"
                              "void main() { imageStore(out0, ivec2(0), vec4(wieght)); }"},
          .number = {{"weight"}}},
         QP_BAD_INPUT,
         "kernel 'uniform float wieght;':1: 'uniform float wieght;': nothing sets 'wieght', a "
         "float; did you mean "
         "'weight'?"},
        {{.compute = {.text = "layout(r32i) uniform iimage2DRect other;\n"
                              "void main() { imageStore(out0, ivec2(0), vec4(1.0));\n"
                              "imageStore(other, ivec2(0), ivec4(1)); }"}},
         QP_BAD_INPUT,
         "nothing sets 'other', an iimage2DRect"},
        {{.compute = {.text = "uniform isampler2DRect x;\nvoid main()\n"
                              "{ imageStore(out0, ivec2(0), vec4(texelFetch(x, ivec2(0)))); }"},
          .input = {{"x"}}},
         QP_BAD_INPUT,
         "'x' is an isampler2DRect and must be a sampler2DRect"},
    };
    need_compute(state);
    for (int i = 0; i < COUNT(cases); i++) {
        struct qp_kernel *made;
        const enum qp_status status = qp_kernel_create(context, &cases[i].desc, &made);
        if (status != cases[i].status || made != NULL || !strstr(qp_error(), cases[i].words))
            fail_msg("case %d: %d, '%s'", i, (int)status, qp_error());
    }
}

CLEAN_TEST(passes)
{
    need_compute(state);
    struct qp_array *x = grid(3, 1, NULL), *out = grid(3, 1, NULL);
    struct qp_array *half =
        make((struct qp_array_desc){.width = 3, .height = 1, .type = QP_ARRAY_HALF}, NULL);
    struct qp_mask *mask;
    assert_ok(qp_mask_create(context, 3, 1, &mask));
    const struct {
        struct qp_pass pass;
        const char *words;
    } cases[] = {
        {{.output = {out}, .blend = QP_BLEND_ADD}, "twice: a compute shader does not blend"},
        {{.output = {out}, .points = 5}, "twice: a compute shader has no points"},
        {{.output = {half}},
         "twice: output 0 is of halves, and a compute shader for floats does not convert"},
        {{.output = {out}, .mask = mask}, "twice: a compute shader draws nothing that a mask"},
        {{.output = {NULL}}, "twice has 1 output; output 0 is missing"},
        {{.output = {out}, .region = {1, 0, 3, 1}}, "twice: region"},
    };
    struct qp_kernel *doubled = kernel(
        (struct qp_kernel_desc){.name = "twice", .compute = {.text = twice}, .input = {{"x"}}});
    for (int i = 0; i < COUNT(cases); i++) {
        struct qp_pass pass = cases[i].pass;
        pass.kernel = doubled;
        pass.input[0] = (struct qp_pass_input){"x", x};
        assert_int_equal(qp_pass_run(&pass), QP_BAD_USE);
        support_assert_sentence(cases[i].words);
    }
    qp_kernel_destroy(&doubled);
    qp_mask_destroy(&mask);
    qp_array_destroy(&half);
    qp_array_destroy(&out);
    qp_array_destroy(&x);
}

CLEAN_TEST(without_compute_shaders)
{
    context = support_need_context(state);
    const unsigned abilities = context->device.abilities;
    struct qp_kernel *made;
    context->device.abilities &= ~(unsigned)QP_CAN_COMPUTE;
    const enum qp_status status = qp_kernel_create(
        context, &(struct qp_kernel_desc){.name = "step", .compute = {.text = EMPTY}}, &made);
    context->device.abilities = abilities;
    assert_int_equal(status, QP_UNSUPPORTED);
    assert_null(made);
    support_assert_sentence("step: this device has no compute shaders (OpenGL 4.3); take a "
                            "fragment shader");
}

/* A texture of the caller's that is no rectangle. */
CLEAN_TEST(flat_outputs)
{
    GLuint name;
    need_compute(state);
    glGenTextures(1, &name);
    glBindTexture(GL_TEXTURE_2D, name);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_R32F, 3, 1, 0, GL_RED, GL_FLOAT, NULL);
    glBindTexture(GL_TEXTURE_2D, 0);
    struct qp_array *x = grid(3, 1, NULL), *out;
    assert_ok(qp_array_adopt(context, name, GL_TEXTURE_2D, &out));
    struct qp_kernel *doubled = kernel(
        (struct qp_kernel_desc){.name = "twice", .compute = {.text = twice}, .input = {{"x"}}});
    assert_int_equal(
        qp_pass_run(&(struct qp_pass){.kernel = doubled, .input = {{"x", x}}, .output = {out}}),
        QP_UNSUPPORTED);
    support_assert_sentence("twice: output 0 is a GL_TEXTURE_2D, and compute shaders write "
                            "rectangles; copy from another array (qp_array_copy)");
    qp_kernel_destroy(&doubled);
    qp_array_destroy(&out);
    qp_array_destroy(&x);
    glDeleteTextures(1, &name);
}

/* Messages have the file's name where the kernel has none. */
CLEAN_TEST(files)
{
    char path[] = "/tmp/quadpass-compute-XXXXXX", words[100];
    struct qp_kernel *made;
    need_compute(state);
    FILE *file = fdopen(mkstemp(path), "w");
    assert_non_null(file);
    fputs(twice, file);
    fflush(file);
    const struct qp_kernel_desc desc = {.compute = {.file = path}, .input = {{"x"}}};
    made = kernel(desc);
    qp_kernel_destroy(&made);
    fputs("error\n", file);
    fclose(file);
    assert_int_equal(qp_kernel_create(context, &desc, &made), QP_BAD_INPUT);
    snprintf(words, sizeof words, "%s:", path);
    support_assert_sentence(words);
    assert_int_equal(unlink(path), 0);
}

GROUP(support_open_context, support_close_context)
