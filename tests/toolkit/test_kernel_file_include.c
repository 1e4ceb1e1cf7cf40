/* SPDX-License-Identifier: MIT */
/* Files that kernel files include: the text of all of them, each once, the lines that sentences
 * name, and what is refused. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "support/files.h"
#include "support/shell.h"
#include "toolkit/kernel/kernel.h"
#include "toolkit/kernel_file/kernel_file.h"

#define BODY "float kernel(vec2 here) { return 1.0; }\n"

static int go_to_folder(void **state)
{
    return make_folder(state) != 0 || chdir(folder) != 0 || shell("mkdir sub") != 0 ? -1 : 0;
}

/* A file that is included by two others is there once, before both; the head's lines stay where
 * they are, and the whole text is a kernel file by itself. */
TEST(texts)
{
    static const char whole[] = "// A test.\n"
                                "//  include sub/a.glsl\n"
                                "//@ steps 2\n"
                                "//  include b.glsl\n"
                                "/* code */ \n"
                                "//# sub/../sub/../c.glsl:1\n"
                                "float c() { return f_at(3.0, 0.0); }\n"
                                "//# sub/a.glsl:1\n"
                                "// \tinclude ../sub/../c.glsl  \n"
                                "float a() { return c(); } // no end\n"
                                "//# b.glsl:1\n"
                                "//  include c.glsl\n"
                                "//# :5\n"
                                "float kernel(vec2 here) { return a() * rate; }\n";
    struct qp_kernel_file *file, *again;
    write_file("c.glsl", "float c() { return f_at(3.0, 0.0); }\n");
    write_file("sub/a.glsl",
               "//@\tinclude ../sub/../c.glsl  \nfloat a() { return c(); } // no end");
    write_file("b.glsl", "//@ include c.glsl\n");
    write_file("k.frag", "// A test.\n//@ include sub/a.glsl\n//@ steps 2\n//@ include b.glsl\n"
                         "/* code */ float kernel(vec2 here) { return a() * rate; }");
    assert_ok(qp_kernel_read("k.frag", &file));
    assert_string_equal(file->text, whole);
    assert_ptr_equal(file->desc.body, file->text);
    assert_int_equal(file->head.steps, 2);
    assert_int_equal(file->inputs, 2); /* x, and f of the included text */
    assert_string_equal(file->array[1].name, "f");
    const struct qp_kernel_file_owner *owner = (const struct qp_kernel_file_owner *)file;
    assert_int_equal(owner->includes, 3);
    assert_string_equal(owner->include[0].path, "sub/a.glsl");
    assert_string_equal(owner->include[1].path, "sub/../sub/../c.glsl");
    struct qp_kernel kernel = {.desc = file->desc, .tokens = owner->tokens, .inputs = 2};
    assert_ok(qp_reach_find(&kernel));
    assert_int_equal(kernel.reach[1].cells, 3);
    assert_ok(qp_kernel_file_make("k.frag", file->text, &again));
    assert_string_equal(again->text, file->text);
    assert_int_equal(((const struct qp_kernel_file_owner *)again)->includes, 0);
    qp_kernel_file_destroy(&again);
    qp_kernel_file_destroy(&file);
}

/* A whole shader's lines #version and #extension stay before what is included, and other lines of
 * the preprocessor come after it. */
TEST(whole_shaders)
{
    struct qp_kernel_file *file;
    write_file("c.glsl", "#ifndef C\n#define C\n#endif");
    write_file("w.frag", "//@ include c.glsl\n# version 120\n#extension all : warn\n#define D\n"
                         "void main() { gl_FragColor = vec4(1.0); }\n");
    assert_ok(qp_kernel_read("w.frag", &file));
    assert_string_equal(file->desc.fragment.text,
                        "//  include c.glsl\n# version 120\n#extension all : warn\n//# c.glsl:1\n"
                        "#ifndef C\n#define C\n#endif\n//# :4\n#define D\n"
                        "void main() { gl_FragColor = vec4(1.0); }\n");
    qp_kernel_file_destroy(&file);
}

/* Names with a slash in front are as they are; then a mark leads from the folder if it can. */
TEST(other_folders)
{
    struct qp_kernel_file *file;
    char text[512], place[QP_PLACE_LETTERS], wanted[512];
    write_file("c.glsl", "float c;\n");
    snprintf(text, sizeof text, "//@ include %s/c.glsl\n" BODY, folder);
    write_file("sub/k.frag", text);
    snprintf(wanted, sizeof wanted, "%s/c.glsl:1", folder);
    assert_ok(qp_kernel_read("sub/k.frag", &file));
    const struct qp_tokens *tokens = ((const struct qp_kernel_file_owner *)file)->tokens;
    assert_string_equal(qp_tokens_place(tokens, file->path, 3, place), wanted);
    assert_string_equal(qp_tokens_place(tokens, file->path, 5, place), "sub/k.frag:2");
    assert_string_equal(qp_tokens_place(tokens, file->path, 1, place), "sub/k.frag:1");
    qp_kernel_file_destroy(&file);
    write_file("sub/d.glsl", "float d;\n");
    write_file("sub/k.frag", "//@ include d.glsl\n" BODY);
    snprintf(text, sizeof text, "%s/sub/k.frag", folder);
    assert_ok(qp_kernel_read(text, &file));
    assert_non_null(strstr(file->text, "\n//# d.glsl:1\n"));
    qp_kernel_file_destroy(&file);
}

/* Sentences name the line of the file, and where it is included from. */
TEST(refusals)
{
    static const struct {
        const char *kernel, *a, *b, *sentence;
    } cases[] = {
        {"//@ include gone.glsl\n" BODY, "", "",
         "k.frag:1: cannot read the shader gone.glsl: No such file or directory (check its name "
         "and folder)"},
        {"\n//@ include a.glsl\n" BODY, "//\n//@ include gone.glsl\n", "",
         "a.glsl:2, included from k.frag:2: cannot read the shader gone.glsl: No such file or "
         "directory (check its name and folder)"},
        {"//@ include sub\n" BODY, "", "", "k.frag:1: sub is a folder; name a shader in it"},
        {"//@ include /dev/null\n" BODY, "", "", "k.frag:1: /dev/null is no plain file"},
        {"//@ include k.frag\n" BODY, "", "",
         "k.frag:1: k.frag is included in a circle, from k.frag:1 on"},
        {"//@ include a.glsl\n" BODY, "//@ include a.glsl\n", "",
         "a.glsl:1, included from k.frag:1: a.glsl is included in a circle, from a.glsl:1 on"},
        {"//@ include a.glsl\n" BODY, "\n//@ include b.glsl\n", "\n\n//@ include ./a.glsl\n",
         "b.glsl:3, included from a.glsl:2: ./a.glsl is included in a circle, from a.glsl:2 on"},
        {"//@ include b.glsl\n//@ include a.glsl\n" BODY, "\n//@ include k.frag\n", "",
         "a.glsl:2, included from k.frag:2: k.frag is included in a circle, from k.frag:2 on"},
        {"//@ include a.glsl\n" BODY, "//@ steps 2\n", "",
         "a.glsl:1, included from k.frag:1: 'steps' is for the head of a kernel file; a file that "
         "is included has lines '//@ include FILE' alone"},
        {"//@ include a.glsl\n" BODY, "//@ include\n", "",
         "a.glsl:1, included from k.frag:1: include is given no value"},
        {"//@ include a.glsl\n" BODY, "//@ include b.glsl \\\n", "",
         "a.glsl:1, included from k.frag:1: a line of the head ends in a backslash, which makes "
         "the next one a comment; write one line"},
        {"//@ include a.glsl\n" BODY, "float a;\n//@ include b.glsl\n", "",
         "a.glsl:2, included from k.frag:1: a line '//@' comes before the first line of code"},
        {BODY "//@ include a.glsl\n", "", "",
         "k.frag:2: a line '//@' comes before the first line of code"},
        {"//@ include\n" BODY, "", "", "k.frag:1: include is given no value"},
        {"//@ include b.glsl\n//@ include a.glsl\n" BODY, "\n/* float a;", "",
         "a.glsl:2, included from k.frag:2: the comment that begins here never ends"},
        {"//@ include a.glsl\n" BODY, "#define A\n#version 120\n", "",
         "a.glsl:2, included from k.frag:1: #version is for the kernel file"},
        {"//@ includes a.glsl\n" BODY, "", "",
         "k.frag:1: 'includes' is no word of a kernel file; did you mean 'include'?"},
        {"//@ include a.glsl\n", "\n\nvec3 kernel(vec2 here) { return vec3(1.0); }\n", "",
         "a.glsl:3: the kernel must be a function 'float kernel(vec2 here)', or of another type "
         "that arrays have, such as vec2, vec4, int, uint or double; void writes several outputs, "
         "out0, out1 and so on; and it returns vec3"},
        {"//@ set alpha=1\n//@ include b.glsl\n//@ include a.glsl\n" BODY,
         "float a() {\nreturn alpa; }\n", "",
         "a.glsl:2: the kernel reads 'alpa', which nothing sets; did you mean 'alpha', which is "
         "set and not read?"},
        {"//@ include a.glsl\n//@ set w=1\n" BODY, "float a;\n", "",
         "k.frag:2: set w: the shader reads no 'w'"},
    };
    struct qp_kernel_file *file;
    struct qp_kernel_file_head head = {.arrays = 0};
    faults = 0;
    for (int i = 0; i < COUNT(cases); i++) {
        write_file("k.frag", cases[i].kernel);
        write_file("a.glsl", cases[i].a);
        write_file("b.glsl", cases[i].b);
        const enum qp_status status = qp_kernel_read("k.frag", &file);
        if (status != QP_BAD_INPUT || strcmp(qp_error(), cases[i].sentence) != 0)
            fault("%d: %s\n", i, status == QP_OK ? "is read" : qp_error());
        qp_kernel_file_destroy(&file);
    }
    assert_int_equal(faults, 0);
    assert_int_equal(qp_kernel_file_say(&head, "include", "a.glsl"), QP_BAD_INPUT);
    assert_string_equal(qp_error(),
                        "include is a line of kernel files, which no other head changes");
}

/* Files lead sixteen deep, and are 64 together; their text is below 1 MiB. */
TEST(limits)
{
    struct qp_kernel_file *file;
    char name[32], text[4096] = "";
    for (int k = 1; k <= QP_KERNEL_DEPTH + 1; k++) {
        snprintf(name, sizeof name, "d%d.glsl", k);
        snprintf(text, sizeof text, k < QP_KERNEL_DEPTH ? "//@ include d%d.glsl\n" : "float a;\n",
                 k + 1);
        write_file(name, text);
    }
    write_file("k.frag", "//@ include d1.glsl\n" BODY);
    assert_ok(qp_kernel_read("k.frag", &file));
    assert_int_equal(((const struct qp_kernel_file_owner *)file)->includes, QP_KERNEL_DEPTH);
    qp_kernel_file_destroy(&file);
    write_file("d16.glsl", "//@ include d17.glsl\n");
    assert_int_equal(qp_kernel_read("k.frag", &file), QP_BAD_INPUT);
    assert_string_equal(qp_error(), "d16.glsl:1, included from d15.glsl:1: files that are included "
                                    "lead 16 deep at most, and d17.glsl is next");
    text[0] = '\0';
    for (int k = 0; k < QP_KERNEL_INCLUDED; k++) {
        sprintf(text + strlen(text), "//@ include e%d.glsl\n", k);
        snprintf(name, sizeof name, "e%d.glsl", k);
        write_file(name, "");
    }
    write_file("k.frag", strcat(text, BODY));
    assert_ok(qp_kernel_read("k.frag", &file));
    qp_kernel_file_destroy(&file);
    sprintf(text + strlen(text) - strlen(BODY), "//@ include d17.glsl\n" BODY);
    write_file("k.frag", text);
    assert_int_equal(qp_kernel_read("k.frag", &file), QP_BAD_INPUT);
    assert_string_equal(qp_error(), "k.frag:65: a kernel file includes 64 files at most");
    assert_int_equal(shell("printf '//@ include e0.glsl\\n//@ include e1.glsl\\n" BODY "' >k.frag; "
                           "yes '// line' | head -c 600000 | tee e0.glsl >e1.glsl"),
                     0);
    assert_int_equal(qp_kernel_read("k.frag", &file), QP_BAD_INPUT);
    assert_string_equal(qp_error(),
                        "k.frag: its text is under 1 MiB with all files that it includes");
}

GROUP(go_to_folder, remove_folder)
