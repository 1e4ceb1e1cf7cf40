/* SPDX-License-Identifier: MIT */
/* Programs of kernel files in C and CUDA: they call the file's function in place of steps that are
 * generated. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "toolkit/base/clock.h"
#include "toolkit/base/status.h"
#include "tools/stencil/machine.h"

/* Writes templates, which NULL ends, into one folder. */
static enum qp_status write_all(const struct qp_kernel_file *file, const char *const templates[],
                                const char *folder)
{
    char path[PATH_MAX];
    struct qp_stencil stencil = {.file = file, .is_served = true};
    enum qp_status status = qp_stencil_name(&stencil);
    for (int k = 0; templates[k] != NULL && status == QP_OK; k++) {
        snprintf(path, sizeof path, "%s%s", folder, strrchr(templates[k], '/'));
        status = qp_stencil_write_one(&stencil, templates[k], path);
    }
    return status;
}

/* Compiles the program with the file's own function. */
static enum qp_status compile_c(const struct qp_kernel_file *file, const char *folder,
                                const char *program)
{
    static const char *const templates[] = {"file/program.c",  "file_c/call.c", "file_c/call.h",
                                            "file_c/memory.h", "served/link.h", NULL};
    const struct qp_kernel_file_owner *owner = (const struct qp_kernel_file_owner *)file;
    const char *argv[2 * QP_COMPILER_WORDS + 16];
    char cc[1024], own[1024], main[PATH_MAX], call[PATH_MAX], source[PATH_MAX], what[PATH_MAX];
    const char *const rest[] = {"-Werror=implicit-function-declaration",
                                "-x",
                                "c",
                                main,
                                call,
                                source,
                                "-o",
                                program,
                                "-lm",
                                qp_glsl_has(owner->tokens, "omp") ? "-fopenmp" : NULL,
                                NULL};
    const enum qp_status status = write_all(file, templates, folder);
    if (status != QP_OK)
        return status;
    snprintf(main, sizeof main, "%s/program.c", folder);
    snprintf(call, sizeof call, "%s/call.c", folder);
    /* to a compiler `-` begins an option, and `@` the name of a file of them */
    snprintf(source, sizeof source, "%s%.4000s", strchr("-@", file->path[0]) != NULL ? "./" : "",
             file->path);
    snprintf(what, sizeof what, "%.4000s does not compile", file->path);
    int count = qp_compiler_words(cc, argv);
    count += qp_compiler_flags("-O3 -march=native", own, argv + count);
    memcpy(argv + count, rest, sizeof rest);
    const enum qp_status made = qp_compile(argv, program, what);
    return made == QP_BAD_USE
               ? qp_fail(QP_UNSUPPORTED, "%s: %s; install a C compiler, or name it by CC",
                         file->path, qp_error())
               : made;
}

enum qp_status qp_build_file(const struct qp_kernel_file *file, struct qp_build *out)
{
    struct qp_scratch scratch = {.lock = -1};
    char program[PATH_MAX];
    const double start = qp_clock();
    *out = (struct qp_build){.file = 0};
    enum qp_status status = qp_scratch_make(&scratch);
    snprintf(program, sizeof program, "%s/program", scratch.folder);
    if (status == QP_OK)
        status = compile_c(file, scratch.folder, program);
    if (status == QP_OK)
        status = qp_cache_put(program, "", out);
    qp_scratch_remove(&scratch);
    out->seconds = qp_clock() - start;
    return status;
}
