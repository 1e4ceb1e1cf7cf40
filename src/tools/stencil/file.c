/* SPDX-License-Identifier: MIT */
/* Programs of kernel files in other languages than fragment shaders': they call the file's function
 * in place of steps that are generated. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "toolkit/base/clock.h"
#include "toolkit/base/status.h"
#include "toolkit/cuda/nvrtc.h"
#include "tools/stencil/machine.h"

/* Writes templates, which NULL ends, into one folder. */
static enum qp_status write_all(const struct qp_kernel_file *file, const char *const templates[],
                                const char *folder)
{
    char path[PATH_MAX];
    const struct qp_kernel_file_owner *owner = (const struct qp_kernel_file_owner *)file;
    struct qp_stencil stencil = {.file = file, .tokens = owner->tokens, .is_served = true};
    enum qp_status status = qp_stencil_name(&stencil);
    for (int k = 0; templates[k] != NULL && status == QP_OK; k++) {
        snprintf(path, sizeof path, "%s%s", folder, strrchr(templates[k], '/'));
        status = qp_stencil_write_one(&stencil, templates[k], path);
    }
    return status;
}

/* Texts of a compilation: of the program, and where it is made. */
struct build {
    const struct qp_kernel_file *file;
    char folder[QP_SCRATCH_LETTERS], program[PATH_MAX], main[PATH_MAX], source[PATH_MAX];
};

/* Runs the compiler with these options, which NULL ends, after $CC and flags. */
static enum qp_status run_compiler(const struct build *build, const char *flags,
                                   const char *const options[])
{
    const char *argv[2 * QP_COMPILER_WORDS + 16];
    char cc[1024], own[1024], what[PATH_MAX];
    int count = qp_compiler_words(cc, argv);
    count += qp_compiler_flags(flags, own, argv + count);
    for (int k = 0; k == 0 || options[k - 1] != NULL; k++)
        argv[count++] = options[k];
    snprintf(what, sizeof what, "%.4000s does not compile", build->file->path);
    const enum qp_status status = qp_compile(argv, build->program, what);
    return status == QP_BAD_USE
               ? qp_fail(QP_UNSUPPORTED, "%s: %s; install a C compiler, or name it by CC",
                         build->file->path, qp_error())
               : status;
}

/* The folder of the kernel file. */
static void put_folder(const struct build *build, char folder[PATH_MAX])
{
    const char *slash = strrchr(build->source, '/');
    snprintf(folder, PATH_MAX, "%.*s", slash != NULL ? (int)(slash + 1 - build->source) : 1,
             slash != NULL ? build->source : ".");
}

/* Writes the text of a mutant to a file, as the kernel file itself includes others. */
static enum qp_status write_mutant(const struct build *build, const char *path)
{
    FILE *out = fopen(path, "we");
    for (const char *at = "#line 1 \""; out != NULL && *at != '\0'; at++)
        fputc(*at, out);
    for (const char *at = build->source; out != NULL && *at != '\0'; at++)
        fprintf(out, strchr("\\\"", *at) != NULL ? "\\%c" : "%c", *at);
    const bool written = out != NULL && fprintf(out, "\"\n%s", build->file->text) > 0;
    return out != NULL && fclose(out) == 0 && written
               ? QP_OK
               : qp_fail(QP_BAD_INPUT, "%s cannot be written", path);
}

/* Compiles the program with the file's own function, or that of a text in its place. */
static enum qp_status compile_c(const struct build *build)
{
    static const char *const templates[] = {"file/program.c",  "file_c/call.c", "file_c/call.h",
                                            "file_c/memory.h", "served/link.h", NULL};
    const struct qp_kernel_file_owner *owner = (const struct qp_kernel_file_owner *)build->file;
    const bool is_mutant = build->file->text != owner->tokens->text;
    char call[PATH_MAX], mutant[PATH_MAX], folder[PATH_MAX];
    const char *const options[] = {"-Werror=implicit-function-declaration",
                                   "-iquote",
                                   folder,
                                   "-x",
                                   "c",
                                   build->main,
                                   call,
                                   is_mutant ? mutant : build->source,
                                   "-o",
                                   build->program,
                                   "-lm",
                                   qp_glsl_has(owner->tokens, "omp") ? "-fopenmp" : NULL,
                                   NULL};
    snprintf(call, sizeof call, "%s/call.c", build->folder);
    snprintf(mutant, sizeof mutant, "%s/mutant", build->folder); /* no header is beside it */
    if (is_mutant)
        mkdir(mutant, 0700);
    snprintf(mutant, sizeof mutant, "%s/mutant/mutant.c", build->folder);
    put_folder(build, folder);
    enum qp_status status = write_all(build->file, templates, build->folder);
    if (status == QP_OK && is_mutant)
        status = write_mutant(build, mutant);
    return status == QP_OK ? run_compiler(build, "-O3 -march=native", options) : status;
}

/* Compiles the kernel for the first device, as its author would, and the program around it. */
static enum qp_status compile_cuda(const struct build *build)
{
    static const char *const templates[] = {"file/program.c",     "file_cuda/call.h",
                                            "file_cuda/memory.h", "served_cuda/calls.h",
                                            "served/link.h",      NULL};
    static const char *const toolkit = "-I/usr/local/cuda/include";
    char arch[32], device[64], folder[PATH_MAX], include[PATH_MAX + 2], cubin[PATH_MAX];
    const char *const kernel[] = {arch, "-std=c++17", include, toolkit};
    const char *const options[] = {
        "-x",           "c++",  "-std=c++17",  "-fno-exceptions", "-fno-threadsafe-statics",
        "-w",           "-I",   build->folder, build->main,       "-o",
        build->program, "-ldl", NULL};
    enum qp_status status = qp_nvrtc_kind(arch, device);
    put_folder(build, folder);
    snprintf(include, sizeof include, "-I%s", folder);
    snprintf(cubin, sizeof cubin, "%s/cubin", build->folder);
    if (status == QP_OK)
        status = qp_cubin_compile(build->file->path, build->file->text, kernel, 4, cubin);
    if (status == QP_OK)
        status = write_all(build->file, templates, build->folder);
    return status == QP_OK ? run_compiler(build, "-O2", options) : status;
}

/* Compiles the program that dispatches a text, which it gets when it runs. */
static enum qp_status compile_shader(const struct build *build)
{
    static const char *const templates[] = {"file/program.c",       "file_c/call.h",
                                            "served/link.h",        "file_comp/call.c",
                                            "file_comp/memory.h",   "file_comp/buffers.h",
                                            "opengl/opengl.c",      "file_comp/opengl.h",
                                            "file_comp/kernel.inc", NULL};
    char call[PATH_MAX], opengl[PATH_MAX];
    const char *const options[] = {
        "-std=gnu11", "-w",           "-x",    "c",      build->main, call, opengl,
        "-o",         build->program, "-lEGL", "-lGLEW", "-lOpenGL",  NULL};
    snprintf(call, sizeof call, "%s/call.c", build->folder);
    snprintf(opengl, sizeof opengl, "%s/opengl.c", build->folder);
    enum qp_status status = write_all(build->file, templates, build->folder);
    if (status == QP_OK)
        status = run_compiler(build, "-O1", options);
    return status == QP_BAD_INPUT
               ? qp_fail(QP_UNSUPPORTED,
                         "%s; what judges it takes the headers of EGL, OpenGL and GLEW", qp_error())
               : status;
}

enum qp_status qp_build_file(const struct qp_kernel_file *file, struct qp_build *out)
{
    struct qp_scratch scratch = {.lock = -1};
    const enum qp_kernel_language language = qp_kernel_file_function(file)->language;
    struct build build = {.file = file};
    const double start = qp_clock();
    *out = (struct qp_build){.file = 0};
    enum qp_status status = qp_scratch_make(&scratch);
    memcpy(build.folder, scratch.folder, sizeof build.folder);
    snprintf(build.program, sizeof build.program, "%s/program", scratch.folder);
    snprintf(build.main, sizeof build.main, "%s/program.c", scratch.folder);
    /* to a compiler `-` begins an option, and `@` the name of a file of them */
    snprintf(build.source, sizeof build.source, "%s%.4000s",
             strchr("-@", file->path[0]) != NULL ? "./" : "", file->path);
    if (status == QP_OK)
        status = language == QP_IN_COMPUTE ? compile_shader(&build)
                 : language == QP_IN_CUDA  ? compile_cuda(&build)
                                           : compile_c(&build);
    if (status == QP_OK)
        status = qp_cache_put(build.program, "", out);
    if (status == QP_OK && language == QP_IN_COMPUTE)
        status = qp_build_take_shader(file, out, &(bool){false});
    if (status != QP_OK)
        qp_build_forget(out);
    qp_scratch_remove(&scratch);
    out->seconds = qp_clock() - start;
    return status;
}
