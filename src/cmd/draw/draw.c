/* SPDX-License-Identifier: MIT */
/* quadpass draw: pictures of rows, as SVG. */
#include "cmd/draw/draw.h"

#include <string.h>

#include "base/status.h"
#include "cmd/output/sentence.h"
#include "plan/op.h"

static const struct kind {
    const char *name, *row; /* the row that it draws by default */
    int size, most;         /* cells each way: by default, and at most */
    bool runs;              /* needs the row's device */
    enum qp_status (*draw)(struct drawing *);
    const char *text;
} kinds[] = {
    {"layout", "jacobi9/luminance", 8, 32, false, draw_layout,
     "the row's textures to scale: where each cell went, padding, guards"},
};

enum { KINDS = sizeof kinds / sizeof kinds[0] };

/* The kind that is asked for; NULL with a sentence. */
static const struct kind *find_kind(const struct options *options)
{
    const char *names[KINDS];
    char list[256] = "";
    for (int i = 0; i < KINDS; i++) {
        if (options->word_count > 0 && strcmp(options->words[0], kinds[i].name) == 0)
            return &kinds[i];
        names[i] = kinds[i].name;
        snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s",
                 i == 0          ? ""
                 : i < KINDS - 1 ? ", "
                                 : " or ",
                 names[i]);
    }
    if (options->word_count == 0)
        sentence_say("draw takes a kind of picture: %s", list);
    else
        sentence_say("draw knows no kind '%s'%s; it draws %s", options->words[0],
                     sentence_hint(options->words[0], names, KINDS), list);
    return NULL;
}

/* QP_BAD_USE: no such row, no file, or a size out of range. */
static enum qp_status find_row(const struct kind *kind, struct drawing *drawing)
{
    const struct options *options = drawing->options;
    const char *name = options->word_count > 1 ? options->words[1] : kind->row;
    const char *path = options->output, *end = path != NULL ? strrchr(path, '.') : NULL;
    drawing->row = qp_variant_find(name);
    drawing->width = options->width > 0 ? options->width : kind->size;
    drawing->height = options->width > 0 ? options->height : kind->size;
    if (drawing->row == NULL)
        return cmd_unknown_variant(name);
    if (path == NULL)
        return qp_fail(QP_BAD_USE, "draw writes a file: add -o %s.svg", kind->name);
    if (strcmp(path, "-") != 0 && (end == NULL || strcmp(end, ".svg") != 0))
        return qp_fail(QP_BAD_USE, "%s: drawings are SVG; name it so that it ends with .svg", path);
    if (drawing->width > kind->most || drawing->height > kind->most)
        return qp_fail(QP_BAD_USE, "%s draws %d x %d cells at most, not %d x %d", kind->name,
                       kind->most, kind->most, drawing->width, drawing->height);
    return QP_OK;
}

enum qp_status draw_open(struct drawing *drawing)
{
    static char why[512];
    enum qp_status status =
        cmd_open(drawing->options, &drawing->row, 1, &drawing->context, why, sizeof why);
    if (status == QP_OK && qp_variant_draws(drawing->row) && drawing->context == NULL)
        status = QP_NO_DEVICE;
    return status;
}

static enum qp_status prepare(const struct kind *kind, struct drawing *drawing)
{
    enum qp_status status = find_row(kind, drawing);
    if (status == QP_OK && kind->runs)
        status = draw_open(drawing);
    if (status == QP_OK)
        status = cmd_problem(drawing->options, drawing->row->op,
                             cmd_kind(drawing->options, &drawing->row, 1), drawing->width,
                             drawing->height, qp_variant_systems(drawing->row), &drawing->problem);
    return status == QP_OK ? svg_begin(&drawing->svg) : status;
}

static enum qp_status draw(const struct kind *kind, struct drawing *drawing)
{
    const struct options *options = drawing->options;
    struct svg *svg = &drawing->svg;
    char told[sizeof svg->title + sizeof svg->description + 4];
    enum qp_status status = kind->draw(drawing);
    snprintf(told, sizeof told, "%s: %s", svg->title, svg->description);
    status = svg_end(svg, status, options->output);
    if (status == QP_OK)
        fprintf(options->table, "%s\n", told);
    return status;
}

/* Help with a line for each kind. */
static struct options_form *form_of(void)
{
    static char text[2000];
    static struct options_form form = {"draw", "KIND [VARIANT]", text};
    int used = snprintf(text, sizeof text,
                        "Draws what a row does, as SVG, and prints what is seen. Kinds:\n");
    for (int i = 0; i < KINDS; i++)
        used += snprintf(text + used, sizeof text - (size_t)used, "\n  %-8s %s (%s, %d x %d)",
                         kinds[i].name, kinds[i].text, kinds[i].row, kinds[i].size, kinds[i].size);
    return &form;
}

int cmd_draw(int argc, char **argv)
{
    struct options options;
    options_read(argc, argv, form_of(), &options);
    const struct kind *kind = find_kind(&options);
    if (kind == NULL)
        return EXIT_USAGE;
    struct drawing drawing = {.options = &options};
    enum qp_status status = prepare(kind, &drawing);
    if (status == QP_OK)
        status = draw(kind, &drawing);
    qp_problem_destroy(&drawing.problem);
    qp_context_destroy(&drawing.context);
    return status == QP_OK ? EXIT_GOOD : cmd_failed(status);
}
