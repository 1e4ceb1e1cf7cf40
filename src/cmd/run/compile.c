/* SPDX-License-Identifier: MIT */
/* References as shared objects, made by the system's C compiler. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/status.h"
#include "cmd/run/reference.h"

static enum qp_status compile(const char *path, const char *source, struct run_object *object)
{
    enum { FLAGS = 10 };
    const char *const flags[FLAGS] = {"-O1",  "-fPIC", "-shared",    "-x",  "c",
                                      source, "-o",    object->file, "-lm", NULL};
    char words[1024], what[4096 + 32];
    const char *argv[QP_COMPILER_WORDS + FLAGS];
    memcpy(argv + qp_compiler_words(words, argv), flags, sizeof flags);
    snprintf(what, sizeof what, "%s does not compile", path);
    const enum qp_status status = qp_compile(argv, what);
    return status == QP_BAD_USE
               ? qp_fail(status,
                         "--check compiles the reference by the system's compiler, but %s; install "
                         "a C compiler, or name it by CC",
                         qp_error())
               : status;
}

enum qp_status run_reference_compile(const char *path, struct run_object *out)
{
    char source[sizeof out->file];
    *out = (struct run_object){.folder = ""};
    signal(SIGCHLD, SIG_DFL); /* where that is ignored, nobody learns how a process ended */
    if (access(path, R_OK) != 0)
        return qp_fail(QP_BAD_INPUT, "%s: cannot be read: %s", path, strerror(errno));
    enum qp_status status = qp_scratch_make(out->folder);
    snprintf(out->file, sizeof out->file, "%s/reference.so", out->folder);
    /* to a compiler `-` begins an option, and `@` the name of a file of them */
    snprintf(source, sizeof source, "%s%s", strchr("-@", path[0]) != NULL ? "./" : "", path);
    if (status == QP_OK)
        status = compile(path, source, out);
    if (status != QP_OK)
        run_reference_forget(out);
    return status;
}

void run_reference_forget(struct run_object *object)
{
    qp_scratch_remove(object->folder);
    *object = (struct run_object){.folder = ""};
}
