/* SPDX-License-Identifier: MIT */
/* References as objects, which the system's C compiler makes. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "toolkit/base/status.h"
#include "tools/cmd/run/reference.h"

static enum qp_status compile(const char *path, const char *source, struct run_object *object)
{
    enum { FLAGS = 11 };
    const char *const flags[FLAGS] = {"-O1",        "-Werror=implicit-function-declaration",
                                      "-fPIC",      "-shared",
                                      "-x",         "c",
                                      source,       "-o",
                                      object->file, "-lm",
                                      NULL};
    char words[1024], what[4096 + 32];
    const char *argv[QP_COMPILER_WORDS + FLAGS];
    memcpy(argv + qp_compiler_words(words, argv), flags, sizeof flags);
    snprintf(what, sizeof what, "%s does not compile", path);
    const enum qp_status status = qp_compile(argv, object->file, what);
    return status == QP_BAD_USE
               ? qp_fail(status,
                         "--check compiles the reference by the system's compiler, but %s; install "
                         "a C compiler, or name it by CC",
                         qp_error())
               : status;
}

/* Looks at the function's type: it may take inputs as doubles. A text after the reference's own
 * compiles then alone. */
static enum qp_status look_at_inputs(const char *source, struct run_object *out)
{
    static const char text[] =
        "_Static_assert(_Generic(&reference, void (*)(int, int, const double *const *, const "
        "double *, const double *, double *): 1, default: 0), \"\");\n";
    char words[1024], path[sizeof out->scratch.folder + 8];
    const char *argv[QP_COMPILER_WORDS + 8];
    const char *const flags[] = {"-fsyntax-only", "-x", "c", "-include", source, path, NULL};
    snprintf(path, sizeof path, "%s/look.c", out->scratch.folder);
    FILE *file = fopen(path, "w");
    const bool written = file != NULL && fputs(text, file) >= 0;
    if (file == NULL || fclose(file) != 0 || !written)
        return qp_fail(QP_BAD_INPUT, "%s cannot be written: %s", path, strerror(errno));
    memcpy(argv + qp_compiler_words(words, argv), flags, sizeof flags);
    const enum qp_status status = qp_compile(argv, path, "");
    out->reads_doubles = status == QP_OK;
    return status == QP_UNSUPPORTED ? status : QP_OK;
}

enum qp_status run_reference_compile(const char *path, bool reads, struct run_object *out)
{
    char source[sizeof out->file];
    *out = (struct run_object){.file = ""};
    signal(SIGCHLD, SIG_DFL); /* where that is ignored, nobody learns how a process ended */
    if (access(path, R_OK) != 0)
        return qp_fail(QP_BAD_INPUT, "%s: cannot be read: %s", path, strerror(errno));
    enum qp_status status = qp_scratch_make(&out->scratch);
    snprintf(out->file, sizeof out->file, "%s/reference.so", out->scratch.folder);
    /* to a compiler `-` begins an option, and `@` the name of a file of them */
    snprintf(source, sizeof source, "%s%s", strchr("-@", path[0]) != NULL ? "./" : "", path);
    if (status == QP_OK)
        status = compile(path, source, out);
    if (status == QP_OK && reads)
        status = look_at_inputs(source, out);
    if (status != QP_OK)
        run_reference_forget(out);
    return status;
}

void run_reference_forget(struct run_object *object)
{
    qp_scratch_remove(&object->scratch);
    *object = (struct run_object){.file = ""};
}
