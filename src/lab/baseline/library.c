/* SPDX-License-Identifier: MIT */
#include "lab/baseline/library.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Folders in which libraries are looked for: dlopen's own first, and then the one where CUDA's
 * installer puts them. */
static const char *const folders[] = {"", "/usr/local/cuda/lib64/"};

enum { FOLDERS = sizeof folders / sizeof folders[0] };

static void *open_file(const char *file)
{
    void *opened = NULL;
    for (int i = 0; i < FOLDERS && opened == NULL; i++) {
        char path[256];
        snprintf(path, sizeof path, "%s%s", folders[i], file);
        opened = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    }
    return opened;
}

static enum qp_status fail_to_find(const struct baseline_library *library)
{
    char looked[256] = "";
    for (int i = 0; library->files[i] != NULL; i++) {
        size_t used = strlen(looked);
        snprintf(looked + used, sizeof looked - used, "%s%s", i > 0 ? ", " : "", library->files[i]);
    }
    return qp_fail(QP_UNSUPPORTED,
                   "found no %s (looked for %s); install it, or name its folder in LD_LIBRARY_PATH",
                   library->title, looked);
}

static struct {
    const char *title;
    char file[96];
} loaded[8];

enum { LOADED = sizeof loaded / sizeof loaded[0] };

/* Keeps the name of the file that a function came from. */
static void remember(const char *title, const void *symbol)
{
    Dl_info info;
    char path[PATH_MAX];
    int i = 0;
    while (i < LOADED && loaded[i].title != NULL && strcmp(loaded[i].title, title) != 0)
        i++;
    if (i == LOADED || dladdr(symbol, &info) == 0 || realpath(info.dli_fname, path) == NULL)
        return;
    loaded[i].title = title;
    snprintf(loaded[i].file, sizeof loaded[i].file, "%s", strrchr(path, '/') + 1);
}

const char *baseline_loaded(const char *title)
{
    for (int i = 0; i < LOADED && loaded[i].title != NULL; i++) {
        if (strcmp(loaded[i].title, title) == 0)
            return loaded[i].file;
    }
    return NULL;
}

enum qp_status baseline_load(const struct baseline_library *library, void *pointers)
{
    void *opened = NULL;
    int i = 0;
    while (library->files[i] != NULL && (opened = open_file(library->files[i])) == NULL)
        i++;
    if (opened == NULL)
        return fail_to_find(library);
    for (const struct baseline_function *f = library->functions; f->name != NULL; f++) {
        const bool may_lack = f->name[0] == '?';
        void *symbol = dlsym(opened, f->name + may_lack);
        if (symbol == NULL && !may_lack)
            return qp_fail(QP_UNSUPPORTED, "%s has no %s; install another %s", library->files[i],
                           f->name, library->title);
        memcpy((char *)pointers + f->at, &symbol, sizeof symbol);
        if (f == library->functions)
            remember(library->title, symbol);
    }
    return QP_OK;
}
