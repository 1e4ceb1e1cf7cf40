/* SPDX-License-Identifier: MIT */
/* Targets of programs: their folders of templates, the program's name, and the values of lines
 * `tuned` that they take. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "toolkit/base/nearest.h"
#include "toolkit/base/status.h"
#include "toolkit/base/text.h"
#include "tools/stencil/stencil.h"

enum qp_status qp_stencil_name(struct qp_stencil *s)
{
    static const char taken[] = "Makefile makefile GNUmakefile check clean"; /* by its folder */
    const char *slash = strrchr(s->file->path, '/');
    s->file_name = slash != NULL ? slash + 1 : s->file->path;
    const int length = (int)strcspn(s->file_name, ".");
    int used = 0;
    for (int i = 0, bytes; i < length && used + 5 < (int)sizeof s->name; i += bytes) {
        const unsigned char *at = (const unsigned char *)s->file_name + i;
        bytes = qp_text_character(at) > 1 ? qp_text_character(at) : 1;
        const bool keeps = bytes > 1 || qp_is_letter((char)*at) || (i > 0 && strchr("-+", *at));
        used += snprintf(s->name + used, 5, "%.*s", bytes, keeps ? (const char *)at : "_");
    }
    if (qp_word_number(taken, s->file_name, length) > 0 || length == 0)
        strcpy(s->name + used, length == 0 ? "kernel" : "_");
    return qp_text_check_name("the kernel file", s->file_name);
}

/* Targets, and the folders of templates/ that they take files of, as words: alone and with `sync`;
 * then the same where quadpass drives them. They take the earlier folder's one of two files with
 * the same name, and those in none last. */
static const struct {
    const char *name, *folders[2][2];
} targets[] = {
    {"c", {{"c", "async c"}, {"served c", "served async c"}}},
    {"compute", {{"compute opengl"}, {"served compute opengl"}}},
    {"cuda",
     {{"cuda_steps cuda", "async_cuda async cuda"},
      {"served served_cuda cuda_steps cuda", "served served_cuda async_cuda async cuda"}}},
    {"gl", {{"gl opengl"}, {"served gl opengl"}}},
    {"gpus", {{"devices parts cuda_steps cuda"}}},
    {"hybrid", {{"devices parts cuda_steps cuda c"}}},
    {"mpi", {{"mpi parts c"}}},
    {NULL, {{NULL}}}};

const char *qp_stencil_target(int k)
{
    return targets[k].name;
}

const char *qp_stencil_folders(const struct qp_stencil *s, const char *target)
{
    int k = 0;
    while (targets[k].name != NULL && strcmp(targets[k].name, target) != 0)
        k++;
    const bool syncs = qp_kernel_file_sync(s->file)->number > 0 && (!s->is_served || s->keeps_sync);
    return targets[k].folders[s->is_served][syncs];
}

bool qp_stencil_has(const struct qp_stencil *stencil, const char *target)
{
    return qp_stencil_folders(stencil, target) != NULL;
}

int qp_stencil_folder_of(const char *folders, const char *path)
{
    return qp_word_number(folders, path, (int)strcspn(path, "/"));
}

/* ---- Texts of templates ---- */

/* The next place of this text in a file after `at`, or its first for NULL; NULL after the last. */
static const char *find_next(const struct qp_own_file *file, const char *at, const char *text,
                             size_t length)
{
    const char *first = (const char *)file->text, *end = first + file->size - 1;
    at = at != NULL ? at + 1 : first;
    return memmem(at, (size_t)(end - at), text, length);
}

bool qp_template_defines(const struct qp_token *word)
{
    char line[QP_KERNEL_LETTERS + 16];
    bool found = false;
    const int length = snprintf(line, sizeof line, "#define %.*s", word->length, word->at);
    const bool may = *word->at >= 'A' && *word->at <= 'Z' && length < (int)sizeof line;
    for (const struct qp_own_file *file = qp_template_files; may && file->name != NULL; file++)
        for (const char *at = NULL;
             !found && (at = find_next(file, at, line, (size_t)length)) != NULL;)
            found = !qp_is_letter(at[length]);
    return found;
}

/* ---- Tuned values ---- */

/* A line of a template, `tune NAME = V V` or `takes NAME = LOW to HIGH`: values that a head may
 * give, those that a search tries or whole ones of a range, of which one up to 1 also has parts. */
struct tunable {
    char name[32], values[96];
    bool is_range;
};

enum { MOST_TUNABLES = 64 };

/* Lists what templates for the target say; alpha is the line sync's. */
static int list_tunables(const char *target, struct tunable tunable[MOST_TUNABLES])
{
    static const char mark[] = "/*@ t";
    const char *const *folders = NULL;
    char line[160];
    int count = 0;
    for (int k = 0; targets[k].name != NULL; k++)
        folders = strcmp(targets[k].name, target) == 0 ? targets[k].folders[0] : folders;
    for (const struct qp_own_file *file = qp_template_files; file->name != NULL; file++) {
        const char *end = (const char *)file->text + file->size, *at = NULL;
        if (qp_stencil_folder_of(folders[0], file->name) == 0 &&
            (folders[1] == NULL || qp_stencil_folder_of(folders[1], file->name) == 0))
            continue;
        while (count < MOST_TUNABLES && (at = find_next(file, at, mark, strlen(mark))) != NULL) {
            struct tunable *t = &tunable[count];
            snprintf(line, sizeof line, "%.*s", (int)(end - at < 159 ? end - at : 159),
                     at + strlen(mark) - 1);
            t->is_range = sscanf(line, "takes %31[a-z_] = %95[0-9 to]", t->name, t->values) == 2;
            count += (t->is_range ||
                      sscanf(line, "tune %31[a-z_] = %95[0-9 ]", t->name, t->values) == 2) &&
                     strcmp(t->name, "alpha") != 0;
        }
    }
    return count;
}

static bool is_borne(const struct tunable *tunable, double value)
{
    char *end;
    double one = strtod(tunable->values, &end);
    const double high = tunable->is_range ? strtod(end + strlen(" to"), NULL) : 0.0;
    if (tunable->is_range)
        return value >= one && value <= high && (high <= 1.0 || value == floor(value));
    bool found = end > tunable->values && one == value;
    for (const char *at = end; !found && (one = strtod(at, &end), end > at); at = end)
        found = one == value;
    return found;
}

enum qp_status qp_stencil_check_tuned(const struct qp_stencil *stencil)
{
    const struct qp_kernel_file_owner *owner = (const struct qp_kernel_file_owner *)stencil->file;
    struct tunable tunable[MOST_TUNABLES];
    const char *names[MOST_TUNABLES];
    for (int k = 0; k < owner->tunings; k++) {
        const struct qp_kernel_tuned *tuned = &owner->tuned[k];
        const int count = list_tunables(tuned->target, tunable);
        const struct tunable *found = NULL;
        bool good = false;
        for (int i = 0; i < count; i++) {
            const bool is_pair = strcmp(names[i] = tunable[i].name, "unknowns") == 0;
            if (strcmp(tunable[i].name, tuned->name) != 0)
                continue;
            found = found == NULL || tunable[i].is_range ? &tunable[i] : found;
            good = good ||
                   (is_borne(&tunable[i], tuned->value[0]) &&
                    (is_pair ? is_borne(&tunable[i], tuned->value[1]) : tuned->value[1] == 0.0));
        }
        const char *near = qp_nearest(tuned->name, names, count);
        if (found == NULL)
            return qp_fail(QP_BAD_INPUT, "%s:%d: tuned %s has no '%s'%s%s%s", owner->file.path,
                           tuned->line, tuned->target, tuned->name,
                           near != NULL ? "; did you mean '" : "", near != NULL ? near : "",
                           near != NULL ? "'?" : "");
        if (!good)
            return qp_fail(QP_BAD_INPUT, "%s:%d: tuned %s: %s takes %.*s, not %g", owner->file.path,
                           tuned->line, tuned->target, tuned->name, (int)strlen(found->values) - 1,
                           found->values, tuned->value[0]);
    }
    return QP_OK;
}
