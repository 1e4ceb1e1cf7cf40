/* SPDX-License-Identifier: MIT */
/* The commands in one table, from which the program's help, each command's own, and refusals
 * follow. */
#include <stdlib.h>

#include "tools/cmd/options.h"

/* `walk` of a variant and of a kernel file differ in their words alone. */
#define WALK                                                                       \
    .name = "walk", .summary = "follow one small matrix through the ten stages",   \
    .purpose = "Follows one small matrix through the ten stages.", .set = IN_WALK, \
    .examples = "quadpass walk jacobi9/luminance -n 8", .does = COMMAND_COMPUTES, .ranks = true

static const struct command_row walk_file = {WALK, .words = "VARIANT|FILE.frag",
                                             .run = cmd_walk_file};

const struct command_row command_rows[] = {
    {.name = "list",
     .run = cmd_list,
     .set = IN_LIST,
     .does = COMMAND_TELLS,
     .summary = "every variant, where it comes from and what it does",
     .words = "[PATTERN...]",
     .purpose =
         "Lists the variants in the papers' order: their names, or of those that match what each "
         "is and does; or the kinds of problem of their operations. A text that no name matches is "
         "looked for in their places in papers, such as 'implementation 5'.",
     .examples = "quadpass list 'jacobi9/*rgba*'\n  quadpass list --kinds reduce"},

    {.name = "info",
     .run = cmd_info,
     .set = IN_INFO,
     .does = COMMAND_COMPUTES,
     .summary = "the OpenGL device and what it can do, found by doing it",
     .purpose = "Prints the OpenGL device, its limits, and abilities found by probes; with --prove "
                "whether it computes what is known, with --precision how precisely.",
     .examples = "quadpass info --device llvmpipe\n  quadpass info --prove --json proofs.json"},

    {.name = "check",
     .run = cmd_check,
     .set = IN_CHECK,
     .does = COMMAND_SHARES,
     .ranks = true,
     .summary = "run variants against the reference",
     .words = "[PATTERN...|FILE.frag...]",
     .purpose =
         "Runs variants on awkward problems and compares each with the reference; or a "
         "kernel file of your own (.frag, .comp, .c or .cu), and compiles the reference that "
         "its head names.",
     .examples = "quadpass check 'jacobi9/*rgba*'\n  quadpass check reduce --json r.json\n"
                 "  quadpass check --junit check.xml --tap check.tap"},

    {.name = "bench",
     .run = cmd_bench,
     .set = IN_BENCH,
     .does = COMMAND_COMPUTES,
     .ranks = true,
     .summary = "check and time variants, interleaved",
     .words = "[PATTERN...|FILE.frag...]",
     .purpose =
         "Checks and times variants: all in turn, then again those that are noisy; medians and, as "
         "+-%, the width of the middle half of all runs. With --paper a paper's tables, ours "
         "beside its own figures; --size leaves out larger grids.",
     .examples =
         "quadpass bench jacobi9 --size 1024 --csv r.csv\n  quadpass bench --paper 1 --budget 1\n"
         "  quadpass bench --paper 4 --from r.json --markdown"},

    {.name = "accuracy",
     .run = cmd_accuracy,
     .set = IN_ACCURACY,
     .does = COMMAND_COMPUTES,
     .summary = "how far rounding takes variants from double, step by step",
     .words = "[PATTERN...]",
     .purpose =
         "Compares variants with the reference in double, step by step: the largest error "
         "and its root mean square, in units of 2^-24 of the largest sum that one update "
         "forms. Variants that solve Poisson's equation, eliminations, and those of Jacobi with "
         "--problem bidomain, unless steps are asked for, are compared with the exact "
         "solution instead: digits reached, plain and refined in double, and seconds.",
     .examples = "quadpass accuracy jacobi9/rgba -n 64\n"
                 "  quadpass accuracy gauss_jordan/blocked --problem hilbert"},

    {WALK, .words = "VARIANT", .run = cmd_walk, .of_file = &walk_file},

    {.name = "shaders",
     .run = cmd_shaders,
     .set = IN_SHADERS,
     .does = COMMAND_TELLS,
     .summary = "list the built-in shaders, print them, or write them out",
     .words = "[PATTERN...]",
     .purpose = "Lists the built-in shaders with the variants that use them, prints their texts, "
                "or writes them into a folder that QUADPASS_SHADER_DIR may name. PATTERN is a "
                "shader's name or a variant's.",
     .examples =
         "quadpass shaders --text jacobi9/luminance\n  quadpass shaders --write mine 'jacobi9/*'"},

    {.name = "run",
     .run = cmd_run,
     .set = IN_RUN,
     .does = COMMAND_COMPUTES,
     .summary = "run a fragment shader of your own over arrays",
     .words = "SHADER.frag...",
     .purpose =
         "Runs a fragment shader of your own over arrays: a whole shader, or the short form, a "
         "function 'float kernel(vec2 here)' that reads x_at(dx, dy) of each input x. Each step "
         "writes x anew. Options may be in the shader, too, as lines such as '//@ outside wrap' in "
         "its first comments; those given here take precedence.",
     .examples = "quadpass run life.frag --outside wrap --steps 100 -o life.png\n"
                 "  quadpass run heat.frag --set rate=0.2 --steps 99 --every 9 --reduce max\n"
                 "  quadpass run blur.frag --input x=photo.png -o blurred.png --watch\n"
                 "  quadpass run blur.frag --steps 5 --check blur.c\n"
                 "  quadpass run wave.frag --every 2 --frames - | ffmpeg -f pam_pipe -i - w.mp4"},

    {.name = "generate",
     .run = cmd_generate,
     .set = IN_GENERATE,
     .does = COMMAND_TELLS,
     .summary = "write a program of its own that computes a kernel file",
     .words = "FILE.frag|FILE.conf",
     .purpose = "Writes programs that compute a kernel file in the short form, or a configuration "
                "of the thesis's, with the same numbers: sources, a Makefile, a page, and a check "
                "against a reference of its own. They need nothing of quadpass.",
     .examples = "quadpass generate heat.frag --target c -o heat && make -C heat/c check\n"
                 "  quadpass generate poisson.conf --print"},

    {.name = "tune",
     .run = cmd_tune,
     .set = IN_TUNE,
     .does = COMMAND_COMPUTES,
     .summary = "find the fastest configuration of a kernel's program",
     .words = "[FILE.frag|OP/VARIANT]",
     .purpose =
         "Searches the configurations of a kernel's program, or those of a recorded space, for the "
         "fastest. Each is judged before it is timed; what was tried is kept as T4 results.",
     .examples = "quadpass tune heat.frag --target c --runs 50 -o heat.json\n"
                 "  quadpass tune --simulate heat.json --strategy random --seed 2"},

    {.name = "solve",
     .run = cmd_solve,
     .set = IN_SOLVE,
     .does = COMMAND_SHARES,
     .ranks = true,
     .summary = "solve a system from a Matrix Market file",
     .words = "A.mtx [b.mtx]",
     .purpose =
         "Solves A x = b on the GPU for any square matrix, column by column of b by an iteration "
         "(conjugate gradients, BiCGSTAB, or on a grid Jacobi), or all columns in one elimination, "
         "by what is expected to be the quickest. Without b it is A times ones, so that x is 1 "
         "everywhere; --rhs ones is a uniform load. With the name of its operation in place of a "
         "file it solves Poisson's equation on a grid.",
     .examples = "quadpass solve A.mtx b.mtx -o x.mtx --picture x.png\n"
                 "  quadpass solve A.mtx --rhs ones --picture x.png\n"
                 "  quadpass solve A.mtx --refine --tolerance 1e-12 -o - >x.mtx\n"
                 "  quadpass solve poisson5 --size 255 --problem spike --picture u.png\n"
                 "  quadpass solve A.mtx --refine -o x.mtx --checkpoint c.qpc\n"
                 "  quadpass solve A.mtx --refine -o x.mtx --checkpoint c.qpc --resume c.qpc"},

    {.name = "invert",
     .run = cmd_invert,
     .set = IN_INVERT,
     .does = COMMAND_SHARES,
     .summary = "invert a matrix from a Matrix Market file",
     .words = "A.mtx",
     .purpose = "Inverts a matrix by one elimination of [A | I] on the GPU.",
     .examples = "quadpass invert A.mtx -o inverse.mtx"},

    {.name = "model",
     .run = cmd_model,
     .set = IN_MODEL,
     .does = COMMAND_COMPUTES,
     .summary = "how a grid is best shared between CPU and GPU, predicted and measured",
     .words = "[PATTERN...]",
     .purpose =
         "Models how rows of a grid are best shared between CPU and GPU: times each part with "
         "grids of several heights and both with a few splits, predicts the best split, and "
         "measures a sweep of splits beside it. 'solve', 'check' and 'bench' take the split that "
         "was learned here.",
     .examples = "quadpass model poisson5/hybrid_rgba --picture split.svg\n"
                 "  quadpass model poisson5/hybrid_rgba --size 512 --slow 18"},

    {.name = "draw",
     .run = cmd_draw,
     .set = IN_DRAW,
     .does = COMMAND_COMPUTES,
     .summary = "draw how a variant lays out its arrays and what it touches, as SVG",
     .words = "KIND [VARIANT|FILE.csv]",
     .purpose = "Draws what a variant does, or a file of figures or dates, as SVG, and prints what "
                "is seen. Kinds, and what they draw by default:",
     .kinds = cmd_draw_kinds,
     .examples = "quadpass draw layout jacobi9/rgba -o layout.svg\n"
                 "  quadpass draw layout gauss_jordan/quads -n 6 -o - >layout.svg\n"
                 "  quadpass draw bars speeds.csv --width 1200 -o speeds.svg"},

    {.name = "report",
     .run = cmd_report,
     .set = IN_REPORT,
     .does = COMMAND_COMPUTES,
     .summary = "the papers' claims and tables, then and now, as a page of HTML",
     .purpose =
         "Measures the papers' tables, and the variants of their other experiments, and writes one "
         "page: claims with a verdict for each device, tables, ours beside the papers' own "
         "figures, and the record of each figure. Records that are built in or given are shown "
         "beside those that are measured.",
     .examples = "quadpass report --quick\n  quadpass report --measured-only -o page\n"
                 "  quadpass report --measured-only --with r.json -o page"},

    {.name = "demo",
     .run = cmd_demo,
     .set = IN_DEMO,
     .does = COMMAND_SHARES,
     .summary = "three stories of the papers, with pictures, in a minute",
     .words = "[DATA [PICTURES]]",
     .purpose =
         "Tells three stories, a few variants each: Jacobi on a heart model, Gauss-Jordan on a "
         "random matrix, Poisson's equation on a spike; and draws the heart, the spike and the "
         "solution of GR_30_30. DATA is the folder of gr_30_30.mtx, by default the one built in; "
         "PICTURES "
         "the folder for the PNGs, by default the current one.",
     .examples = "quadpass demo\n  quadpass demo data /tmp"},

    {.name = NULL}};

int command_run(int argc, char **argv)
{
    struct options options;
    struct command command = {.options = &options, .code = EXIT_GOOD};
    options_read(command_rows, argc, argv, &options);
    const enum qp_status status = options.command->run(&options, &command);
    qp_context_destroy(&command.context);
    free(command.records);
    return status == QP_OK ? command.code : cmd_failed(status);
}
