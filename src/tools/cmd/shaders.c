/* SPDX-License-Identifier: MIT */
/* quadpass shaders: the shaders that are built in, to be read, or written out and edited. */
#include "tools/cmd/cmd.h"

#include <errno.h>
#include <fnmatch.h>
#include <limits.h>
#include <string.h>

#include "lab/plan/engine.h"
#include "lab/plan/op.h"
#include "toolkit/gl/shaders.h"
#include "toolkit/io/output.h"

enum { MOST_FILES = 256 };

/* ---- Variants that use a shader ---- */

static bool is(const char *name, const char *shader)
{
    return name != NULL && strcmp(name, shader) == 0;
}

/* True if the variant's recipe names the shader, or if its engine brings it. Other shaders of
 * engines, for copies and logs, belong to no variant. */
static bool uses(const struct qp_variant *variant, const char *shader)
{
    const struct qp_recipe *recipe = variant->recipe;
    const struct qp_engine *engine = recipe->engine;
    bool found = engine != NULL && engine->uses != NULL && engine->uses(variant, shader);
    for (int i = 0; i < qp_recipe_draws(recipe); i++)
        found = found || is(recipe->draw[i].fragment, shader) ||
                is(recipe->draw[i].vertex, shader) || is(recipe->draw[i].compute, shader);
    return found;
}

/* ---- Shaders asked for ---- */

/* True if the pattern is the file's own name, or that of a variant that uses it. */
static bool matches(const struct qp_shader_file *file, const char *pattern)
{
    bool found = fnmatch(pattern, file->name, 0) == 0;
    for (size_t i = 0; i < qp_variant_count() && !found; i++)
        found = qp_variant_matches(qp_variant_at(i), pattern) && uses(qp_variant_at(i), file->name);
    return found;
}

/* Probes are the program's own: a folder that is read live has no say in what the device can do. */
static bool is_probe(const struct qp_shader_file *file)
{
    return strncmp(file->name, "probe/", 6) == 0;
}

/* The files that match the words, all if there are none; returns how many, -1 with a message if a
 * word matches nothing. */
static int choose(const struct options *options, const struct qp_shader_file *files[MOST_FILES])
{
    bool used[MOST_WORDS] = {false};
    int count = 0;
    for (const struct qp_shader_file *file = qp_shader_files; file->name != NULL; file++) {
        bool chosen = options->word_count == 0;
        for (int i = 0; i < options->word_count && !is_probe(file); i++) {
            const bool matched = matches(file, options->words[i]);
            used[i] = used[i] || matched;
            chosen = chosen || matched;
        }
        if (chosen && !is_probe(file) && count < MOST_FILES)
            files[count++] = file;
    }
    for (int i = 0; i < options->word_count; i++) {
        if (!used[i]) {
            fprintf(stderr, "quadpass: no shader matches '%s'; 'quadpass shaders' lists them\n",
                    options->words[i]);
            return -1;
        }
    }
    return count;
}

/* ---- Listing and writing ---- */

/* The variants of a shader, of its operation, in a line that ends at WIDTH. */
static void list_rows(FILE *out, const char *shader, int used)
{
    enum { WIDTH = 86 };
    int more = 0;
    const char *between = "  ";
    for (size_t i = 0; i < qp_variant_count(); i++) {
        if (!uses(qp_variant_at(i), shader))
            continue;
        const char *name = strchr(qp_variant_at(i)->name, '/') + 1;
        used += (int)strlen(name) + 2;
        if (used > WIDTH) {
            more++;
            continue;
        }
        fprintf(out, "%s%s", between, name);
        between = ", ";
    }
    if (more > 0)
        fprintf(out, " and %d more", more);
    fputc('\n', out);
}

/* Prints a file's name, where it is read from if that is not the program, and its variants. */
static void list(FILE *out, const struct qp_shader_file *file)
{
    enum { NAMES = 40 };
    char path[PATH_MAX];
    qp_shader_path(file->name, path, sizeof path);
    int used = fprintf(out, "%-*s", NAMES, file->name);
    if (strncmp(path, "shaders/", 8) != 0 || strcmp(path + 8, file->name) != 0)
        used += fprintf(out, "  read from %s;", path);
    list_rows(out, file->name, used);
}

/* Compares the path's contents with this text: 1 if equal, 0 if not, -1 if there is no file. */
static int compare(const char *path, const struct qp_shader_file *file)
{
    FILE *there = fopen(path, "rb");
    int same = 1;
    if (there == NULL)
        return errno == ENOENT || errno == ENOTDIR ? -1 : 0;
    for (unsigned i = 0; i < file->size && same; i++)
        same = getc(there) == file->text[i];
    same = same && getc(there) == EOF;
    fclose(there);
    return same;
}

/* FOLDER/op/name, and FOLDER/op. False if that is too long. */
static bool name_file(const char *folder, const struct qp_shader_file *file, char path[PATH_MAX],
                      char within[PATH_MAX])
{
    int length = snprintf(path, PATH_MAX, "%s/%s", folder, file->name);
    snprintf(within, PATH_MAX, "%s/%.*s", folder, (int)strcspn(file->name, "/"), file->name);
    return length < PATH_MAX;
}

/* Writes all files; edited ones are not overwritten, which is checked before anything is
 * written. */
static enum qp_status write_all(const char *folder, const struct qp_shader_file *const files[],
                                int count)
{
    char path[PATH_MAX], within[PATH_MAX];
    for (int i = 0; i < count; i++) {
        if (!name_file(folder, files[i], path, within))
            return qp_fail(QP_BAD_INPUT, "the name of the folder is too long");
        if (compare(path, files[i]) == 0)
            return qp_fail(
                QP_BAD_INPUT,
                "%s is there and is not the built-in text: nothing was written; remove it, or name "
                "another folder",
                path);
    }
    enum qp_status status = qp_output_folder(folder);
    for (int i = 0; i < count && status == QP_OK; i++) {
        name_file(folder, files[i], path, within);
        status = qp_output_folder(within);
        if (status == QP_OK)
            status = qp_output_write(path, files[i]->text, files[i]->size);
    }
    return status;
}

enum qp_status cmd_shaders(struct options *options, struct command *command)
{
    const struct qp_shader_file *files[MOST_FILES];
    int count = choose(options, files);
    enum qp_status status = QP_OK;
    if (count < 0)
        return command_end(command, EXIT_USAGE);
    if (options->folder != NULL)
        status = write_all(options->folder, files, count);
    for (int i = 0; i < count && options->folder == NULL; i++) {
        if (options->text)
            fwrite(files[i]->text, 1, files[i]->size, options->table);
        else
            list(options->table, files[i]);
    }
    if (options->folder != NULL && status == QP_OK)
        fprintf(options->table, "%d shader%s in %s; with QUADPASS_SHADER_DIR=%s %s read\n", count,
                count > 1 ? "s are" : " is", options->folder, options->folder,
                count > 1 ? "they are" : "it is");
    return status;
}
