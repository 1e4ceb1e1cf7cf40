/* SPDX-License-Identifier: MIT */
/* Programs of stencils that are compiled when they are needed. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "toolkit/base/clock.h"
#include "toolkit/cuda/nvrtc.h"
#include "toolkit/io/cache.h"
#include "toolkit/kernel_file/kernel_file.h"
#include "tools/stencil/machine.h"

/* ---- The key ---- */

/* A program to be made, of a stencil. Sizes and numbers that a process gets at run time, or never
 * asks for, are left out: other ones need no other program. */
struct making {
    struct qp_kernel_file_owner owner;
    struct qp_stencil stencil; /* stencil of this owner */
    const char *target;
    char arch[32], device[64]; /* CUDA's architecture and device */
};

static enum qp_status begin(const struct qp_stencil *stencil, const char *target,
                            struct making *out)
{
    struct qp_kernel_file *file = &out->owner.file;
    *out = (struct making){*(const struct qp_kernel_file_owner *)stencil->file, *stencil, target,
                           .device = ""};
    out->stencil.file = file;
    out->stencil.is_served = true;
    file->head.steps = file->head.width = file->head.height = 0;
    file->head.has_seed = false;
    file->head.tolerance = 0.0;
    for (int k = 0; k < file->head.numbers; k++)
        memset(file->head.number[k].value, 0, sizeof file->head.number[k].value);
    for (int k = 0; k < file->inputs; k++) {
        file->array[k].made = QP_MADE_NOT;
        file->array[k].from = NULL;
    }
    return strcmp(target, "cuda") == 0 ? qp_nvrtc_kind(out->arch, out->device) : QP_OK;
}

static uint64_t hash_text(uint64_t hash, const char *text)
{
    return qp_hash(hash, text != NULL ? text : "", text != NULL ? strlen(text) + 1 : 1);
}

/* The compiler's file: another version is another file. */
static uint64_t hash_compiler(uint64_t hash)
{
    char text[1024];
    const char *words[QP_COMPILER_WORDS];
    struct stat of;
    qp_compiler_words(text, words);
    hash = hash_text(hash, getenv("CC"));
    hash = hash_text(hash, getenv("CFLAGS"));
    return qp_process_find(words[0], &of) ? qp_hash(qp_hash(hash, &of.st_mtim, sizeof of.st_mtim),
                                                    &of.st_ino, sizeof of.st_ino)
                                          : hash;
}

/* The processor, for whose kind programs are compiled: a cache may be that of several. */
static uint64_t hash_processor(uint64_t hash)
{
    char line[4096];
    FILE *file = fopen("/proc/cpuinfo", "re");
    while (file != NULL && fgets(line, sizeof line, file) != NULL && line[0] != '\n') {
        if (strncmp(line, "model", 5) == 0 || strncmp(line, "flags", 5) == 0 ||
            strncmp(line, "Features", 8) == 0)
            hash = hash_text(hash, line);
    }
    if (file != NULL)
        fclose(file);
    return hash;
}

/* A program's key, of all that makes it what it is. */
static enum qp_status find_key(const struct making *m, uint64_t *key)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (out == NULL)
        return qp_fail(QP_NO_MEMORY, "no memory for a program's text");
    const enum qp_status status = qp_stencil_put(&m->stencil, m->target, out);
    fclose(out);
    *key = hash_processor(hash_compiler(hash_text(hash_text(0, m->target), m->device)));
    *key = qp_hash(*key, text, size);
    free(text);
    return status;
}

/* ---- Compiling ---- */

/* Runs make in the program's folder, free of another make around this process, and of a CC that is
 * empty. */
static enum qp_status run_make(const struct making *m, const char *folder, const char *made)
{
    char what[PATH_MAX];
    snprintf(what, sizeof what, "%s: its program for '%s' does not compile", m->owner.file.path,
             m->target);
    const char *cc = getenv("CC"),
               *other = cc == NULL || cc[strspn(cc, " \t")] == '\0' ? "CC" : "MFLAGS";
    const char *const argv[] = {"env", "-u",  "MAKEFLAGS", "-u",   other,           "make",
                                "-s",  "-j2", "-C",        folder, m->stencil.name, NULL};
    const enum qp_status status = qp_compile(argv, made, what);
    return status == QP_BAD_INPUT && strstr(qp_error(), "No such file or directory") != NULL
               ? qp_fail(QP_UNSUPPORTED,
                         "%s; install what is missing: make and a C compiler, which CC may name, "
                         "and for 'compute' the headers of EGL, OpenGL and GLEW",
                         qp_error())
               : status;
}

static enum qp_status compile(const struct making *m, const char *keep, struct qp_build *out)
{
    struct qp_scratch scratch = {.lock = -1};
    char folder[PATH_MAX], file[PATH_MAX];
    const double start = qp_clock();
    enum qp_status status = qp_scratch_make(&scratch);
    if (status == QP_OK)
        status = qp_stencil_write(&m->stencil, m->target, scratch.folder);
    snprintf(folder, sizeof folder, "%s/%s", scratch.folder, m->target);
    snprintf(file, sizeof file, "%.4000s/%s", folder, m->stencil.name);
    if (status == QP_OK && m->arch[0] != '\0')
        status = qp_cubin_add(folder, m->arch);
    if (status == QP_OK)
        status = run_make(m, folder, file);
    if (status == QP_OK)
        status = qp_cache_put(file, keep, out);
    qp_scratch_remove(&scratch);
    out->seconds = qp_clock() - start;
    return status;
}

enum qp_status qp_build_name(const struct qp_stencil *stencil, const char *target,
                             char name[QP_BUILD_NAME])
{
    struct making m;
    uint64_t key = 0;
    enum qp_status status = begin(stencil, target, &m);
    if (status != QP_OK)
        return status;
    if (!qp_stencil_has(&m.stencil, target))
        return qp_fail(QP_UNSUPPORTED, "no program of '%s' is tuned", target);
    m.owner.tunings = 0;
    status = find_key(&m, &key);
    snprintf(name, QP_BUILD_NAME, "%.40s %016llx", m.stencil.name, (unsigned long long)key);
    return status;
}

enum qp_status qp_build_tune(struct qp_stencil *stencil, const char *target,
                             char values[QP_WINNER_LETTERS])
{
    char line[QP_WINNER_LETTERS + 16], name[QP_BUILD_NAME];
    if (stencil->is_untuned || qp_kernel_file_tuned(stencil->file, target, NULL) != NULL ||
        qp_build_name(stencil, target, name) != QP_OK || !qp_winner_read(name, target, values)) {
        values[0] = '\0';
        return QP_OK;
    }
    snprintf(line, sizeof line, "%s %s", target, values);
    struct qp_kernel_file_owner *owner = (struct qp_kernel_file_owner *)(uintptr_t)stencil->file;
    const int before = owner->tunings;
    if (qp_kernel_file_tune(owner, line) != QP_OK || qp_stencil_check_tuned(stencil) != QP_OK) {
        owner->tunings = before; /* a file with values that no program takes is as none */
        values[0] = '\0';
    }
    return QP_OK;
}

enum qp_status qp_build_make(const struct qp_stencil *stencil, const char *target,
                             struct qp_build *out)
{
    struct making m;
    char keep[PATH_MAX];
    uint64_t key = 0;
    *out = (struct qp_build){.file = 0};
    enum qp_status status = begin(stencil, target, &m);
    if (status == QP_OK)
        status = qp_build_tune(&m.stencil, target, out->tuned);
    if (status == QP_OK)
        status = find_key(&m, &key);
    if (status == QP_OK)
        qp_cache_open(key, keep, out);
    if (status == QP_OK && out->file == 0)
        status = compile(&m, keep, out);
    if (status != QP_OK)
        qp_build_forget(out);
    return status;
}

void qp_build_forget(struct qp_build *build)
{
    if (build->file > 0)
        close(build->file);
    free(build->text);
    *build = (struct qp_build){.file = 0};
}
