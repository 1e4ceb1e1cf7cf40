/* SPDX-License-Identifier: MIT */
/* quadpass draw: pictures of variants, as SVG. */
#include "tools/cmd/draw/draw.h"

#include <string.h>

#include "lab/engines/choose.h"
#include "lab/ops/transpose/transpose.h"
#include "lab/plan/op.h"
#include "toolkit/base/status.h"
#include "tools/cmd/options.h"

static const struct kind {
    const char *name, *row; /* the variant that it draws by default; NULL: it draws a file */
    int size, most;         /* cells each way: by default, and at most */
    bool runs;              /* needs the variant's device */
    enum qp_status (*draw)(struct drawing *);
    const char *text;
} kinds[] = {
    {"layout", "jacobi9/luminance", 8, 32, false, draw_layout,
     "where each cell goes in its texture, padding, guards"},
    {"fetches", "jacobi9/luminance", 8, 12, true, draw_fetches,
     "texels that an output depends on, measured with NaN in one texel at a time"},
    {"walk", "jacobi9/luminance", 8, 32, true, draw_walk,
     "a matrix in the ten stages, on the host and on the card, with its numbers"},
    {"banks", "transpose/cuda_tiled_32", 256, 4096, false, draw_banks,
     "threads of a warp on memory banks and segments, reckoned by the kernel's own indices"},
    {"async", "poisson5/chaotic", 12, 32, true, draw_async,
     "which cells found new values beside them in a step in place"},
    {"passes", "jacobi9/multipass", 8, 16, true, draw_passes,
     "the texels that each draw of a step writes"},
    {"frames", "poisson5/luminance", 32, 40, true, draw_frames,
     "the error of an iteration after 0, 1, 2, 4 ... 256 steps"},
    {"halos", "poisson5/parts_rgba", 8, 32, true, draw_halos,
     "what each part of a grid owns, and what it takes from its neighbours"},
    {"pingpong", "poisson5/luminance", 6, 8, true, draw_pingpong,
     "a step of one row by two textures, and in place, with numbers"},
    {"elimination", "gauss_jordan/basic", 3, 8, true, draw_elimination,
     "a matrix and its right-hand side after each column, with numbers"},
    {"bands", "jacobi9/luminance", 3, 3, false, draw_bands,
     "a matrix with nine bands, and each band as a texture"},
    {"bars", NULL, 0, 0, false, draw_bars,
     "bars of the columns label, value, and note and group if there are such"},
    {"timeline", NULL, 0, 0, false, draw_timeline,
     "the columns year, such as 2004, 2004.9 or 2006-2010, and what, to scale"},
};

enum { KINDS = sizeof kinds / sizeof kinds[0], LEAST_SHOWN = 200, MOST_SHOWN = 4000 };

void cmd_draw_kinds(char *text, size_t size)
{
    size_t used = 0;
    for (int i = 0; i < KINDS && used < size; i++) {
        const bool reads = kinds[i].row == NULL;
        used += (size_t)snprintf(text + used, size - used, "\n  %s: %s (%s", kinds[i].name,
                                 kinds[i].text,
                                 reads ? "of FILE.csv, or - for standard input)" : kinds[i].row);
        if (!reads && used < size)
            used += (size_t)snprintf(text + used, size - used, " -n %d)", kinds[i].size);
    }
}

/* The kind that is asked for; what no kind draws is refused. */
static const struct kind *find_kind(struct options *options)
{
    const char *names[KINDS];
    for (int i = 0; i < KINDS; i++)
        names[i] = kinds[i].name;
    if (options->word_count == 0) {
        options_refuse(options, "takes a kind of picture, such as %s", names[0]);
        return NULL;
    }
    const struct kind *kind = &kinds[options_one_of(options->words[0], names, KINDS, "", options)];
    if (options->output == NULL)
        options_refuse(options, "writes a file: add -o %s.svg", kind->name);
    if (svg_check_name(options->output) != QP_OK)
        options_refuse(options, "%s", qp_error());
    if (options->shown != 0 && (options->shown < LEAST_SHOWN || options->shown > MOST_SHOWN))
        options_refuse(options, "--width takes %d to %d pixels, not %d", LEAST_SHOWN, MOST_SHOWN,
                       options->shown);
    if (kind->row == NULL && options->word_count < 2)
        options_refuse(options, "%s takes a CSV file, or - for standard input", kind->name);
    else if (kind->row == NULL && (options->width > 0 || options->problem != NULL))
        options_refuse(options, "%s draws a file: --size and --problem are for variants",
                       kind->name);
    else if (options->width > kind->most || options->height > kind->most)
        options_refuse(options, "%s draws %d x %d cells at most, not %d x %d", kind->name,
                       kind->most, kind->most, options->width, options->height);
    if (kind->draw != draw_halos && (options->parts.count > 0 || options->parts.depth > 0))
        options_refuse(options, "--parts and --depth go with halos");
    return kind;
}

/* Variant, device and problem. */
static enum qp_status prepare(const struct kind *kind, struct command *command,
                              struct drawing *drawing)
{
    const struct options *options = drawing->options;
    if (kind->row == NULL)
        return QP_OK;
    const char *name = options->word_count > 1 ? options->words[1] : kind->row;
    drawing->variant = qp_variant_find(name);
    if (drawing->variant == NULL)
        return cmd_unknown_variant(name);
    const bool arranges = qp_engine_of(drawing->variant)->arrange != NULL;
    enum qp_status status =
        kind->runs || arranges ? command_open_for(command, drawing->variant) : QP_OK;
    drawing->context = command->context;
    if (status != QP_OK)
        return status;
    status = cmd_problem(options, drawing->variant->op, cmd_kind(options, &drawing->variant, 1),
                         options->width > 0 ? options->width : kind->size,
                         options->width > 0 ? options->height : kind->size,
                         qp_variant_systems(drawing->variant), &drawing->problem);
    const struct qp_op *op = status == QP_OK ? drawing->problem.op : NULL;
    drawing->upright = op != NULL && (drawing->problem.sparse != NULL || op == &qp_op_transpose ||
                                      (op->judge != NULL && op->judge->order == NULL));
    return status;
}

/* Says on the page and in the description which way up it is. */
static void tell_way_up(struct svg *svg, bool upright)
{
    const char *where = upright ? "top" : "bottom";
    const size_t length = strlen(svg->description);
    svg_note(svg, "row 0 is at the %s", where);
    svg_describe(svg, "%s Row 0 is at the %s.",
                 length > 0 && svg->description[length - 1] != '.' ? "." : "", where);
}

static enum qp_status draw(const struct kind *kind, struct drawing *drawing)
{
    struct svg *svg = &drawing->svg;
    char told[sizeof svg->title + sizeof svg->description + 4];
    enum qp_status status = svg_begin(svg);
    svg->across = drawing->options->shown;
    if (status == QP_OK)
        status = kind->draw(drawing);
    if (status == QP_OK && kind->draw != draw_banks && kind->draw != draw_pingpong &&
        kind->row != NULL)
        tell_way_up(svg, drawing->upright);
    snprintf(told, sizeof told, "%s. %s", svg->title, svg->description);
    status = svg_end(svg, status, drawing->options->output);
    if (status == QP_OK)
        fprintf(drawing->options->table, "%s\n", told);
    return status;
}

enum qp_status cmd_draw(struct options *options, struct command *command)
{
    const struct kind *kind = find_kind(options);
    if (options->refused)
        return command_end(command, EXIT_USAGE);
    struct drawing drawing = {.options = options};
    enum qp_status status = prepare(kind, command, &drawing);
    if (status == QP_OK)
        status = draw(kind, &drawing);
    qp_problem_destroy(&drawing.problem);
    return status;
}
