/* SPDX-License-Identifier: MIT */
#include "tools/cmd/options.h"

#include <stddef.h>
#include <string.h>

static const char *const backends[] = {"gl", "cpu", "compute", "cuda", "all"};
static const char *const reductions[] = {"sum", "mean", "min", "max", "norm1", "norm2", "largest"};

const char *options_reduction(enum reduction reduction)
{
    return reductions[reduction - 1];
}

const char *options_backend(enum backend backend)
{
    return backends[backend];
}

enum {
    IN_SOLVES = IN_SOLVE | IN_INVERT,
    IN_RECORDS = IN_LIST | IN_INFO | IN_CHECK | IN_BENCH | IN_ACCURACY | IN_SOLVES | IN_DEMO |
                 IN_MODEL | IN_RUN,
    IN_RUNS = IN_CHECK | IN_BENCH | IN_ACCURACY | IN_WALK, /* commands that run variants */
    IN_FILES = IN_RUN | IN_CHECK | IN_BENCH | IN_WALK,     /* commands that run kernel files */
};

/* How an option is taken: into which member, from which names, with "all" besides; and whether the
 * choice of the tuner gives way to it. */
#define AT(member)     .place = offsetof(struct options, member)
#define FLAG(member)   .take = take_flag, AT(member)
#define TEXT(member)   .take = take_text, AT(member)
#define OUTPUT(member) .take = take_output, AT(member)
#define WHOLE(member)  .take = take_whole, AT(member)
#define COUNT(member)  .take = take_count, AT(member)
#define NUMBER(member) .take = take_number, AT(member)
#define CHOICE(member) .take = take_choice, AT(member)
#define NAMES(names)   .choices = (names), .count = sizeof(names) / sizeof(names)[0]
#define ONE_OF(...)    NAMES(((const char *const[]){__VA_ARGS__}))
#define ALL(member)    .all = offsetof(struct options, member)
#define STYLE          .style = true
#define AS_ABOVE       .take = NULL

const struct option_row option_rows[] = {
    /* Variants and problems. */
    {"variant", 0, "NAME", "one variant, with or without its operation",
     IN_LIST | IN_CHECK | IN_BENCH | IN_ACCURACY | IN_WALK | IN_MODEL, TEXT(variant)},
    {"variant", 0, "NAME",
     "the variant that solves, and with it the method; by default both are chosen", IN_SOLVE,
     AS_ABOVE},
    {"variant", 0, "NAME", "the variant of gauss_jordan; by default the fastest here", IN_INVERT,
     AS_ABOVE},
    {"problem", 0, "KIND", "a kind of problem, as 'quadpass list --kinds' explains it:",
     IN_LIST | IN_CHECK | IN_WALK | IN_MODEL | IN_DRAW, .take = take_problem, ALL(all_problems)},
    {"problem", 0, "KIND",
     "all, or a kind of problem, as 'quadpass list --kinds' explains it:", IN_BENCH, AS_ABOVE},
    {"problem", 0, "KIND",
     "of poisson5: spike, sine, or field, the default, as 'quadpass list --kinds' explains them",
     IN_SOLVE, AS_ABOVE},
    {"problem", 0, "KIND",
     "one of those that 'quadpass list --kinds' explains; by default three of jacobi9, of "
     "gauss_jordan hilbert",
     IN_ACCURACY, AS_ABOVE},
    {"size", 0, "N|WxH", "cells of the grid, N means N x N; by default several sizes", IN_CHECK,
     .take = take_size},
    {"size", 0, "N|WxH",
     "cells of the grid, N means N x N; by default several sizes. With --paper none is larger",
     IN_BENCH, AS_ABOVE},
    {"size", 0, "N|WxH",
     "cells of the grid, N means N x N; by default 256, of whole solves several sizes", IN_ACCURACY,
     AS_ABOVE},
    {"size", 0, "N|WxH", "cells of the grid, N means N x N; by default 8", IN_WALK, AS_ABOVE},
    {"size", 0, "N|WxH", "cells of the grid, N means N x N; by default 1024", IN_MODEL, AS_ABOVE},
    {"size", 0, "N|WxH", "nodes of the heart, N means N x N; by default 512", IN_DEMO, AS_ABOVE},
    {"size", 0, "N|WxH", "of poisson5: unknowns across and up, N means N x N", IN_SOLVE, AS_ABOVE},
    {"size", 0, "N|WxH",
     "cells of the state x and of inputs that are made, N means N x N; by default those of x's "
     "file, of the first other file, or 256",
     IN_RUN | IN_GENERATE, AS_ABOVE},
    {"size", 0, "N|WxH", "cells of the grid, N means N x N; by default the head's, or 1024",
     IN_TUNE, AS_ABOVE},
    {"size", 0, "N|WxH", "cells of the grid, N means N x N; by default the kind's own", IN_DRAW,
     AS_ABOVE},
    {NULL, 'n', "N", "the same as --size N",
     IN_RUNS | IN_DEMO | IN_SOLVE | IN_MODEL | IN_RUN | IN_TUNE | IN_DRAW, .take = take_size},
    {"iterations", 0, "K", "steps of each run; by default several numbers", IN_CHECK,
     WHOLE(iterations)},
    {"iterations", 0, "K", "steps of a run; by default enough to be timed", IN_BENCH, AS_ABOVE},
    {"iterations", 0, "K", "steps of a run; by default 32", IN_MODEL, AS_ABOVE},
    {"all", 0, NULL, "every variant of these operations, in whole tables: some minutes", IN_DEMO,
     FLAG(all)},
    {"iterations", 0, "K", "steps; by default 1, 10, 100 and 1000", IN_ACCURACY, AS_ABOVE},
    {"iterations", 0, "K", "steps; by default 2, of an elimination 1", IN_WALK, AS_ABOVE},
    {"iterations", 0, "K", "steps on the heart; by default 100", IN_DEMO, AS_ABOVE},
    {"iterations", 0, "K", "the same as --max-iterations", IN_SOLVE, AS_ABOVE},
    {"repeats", 0, "R",
     "timed runs of each variant, by default until their spread is below 2 % or time is over; with "
     "--paper three, or one in papers 3 and 4",
     IN_BENCH, WHOLE(repeats)},
    {"repeats", 0, "R", "timed runs of each split, by default 5; the median counts", IN_MODEL,
     AS_ABOVE},
    {"jobs", 0, "N",
     "processes that check variants at the same time; by default one for four processors, 4 at "
     "most",
     IN_CHECK, WHOLE(jobs)},
    {"seed", 0, "S", "of random problems; by default 1; of a kernel file by default a fresh one",
     IN_CHECK, .take = take_seed},
    {"seed", 0, "S", "of random problems; by default 1",
     (IN_RUNS & ~IN_CHECK) | IN_DEMO | IN_SOLVE | IN_MODEL, AS_ABOVE},
    {"fixed", 0, NULL,
     "a kernel file at the usual sizes alone, its random inputs by seed 1 or the head's; else "
     "three "
     "sizes are drawn anew, too, by the seed, which is printed",
     IN_CHECK, FLAG(fixed)},
    {"seed", 0, "S", "of arrays that are random; by default 1", IN_RUN | IN_GENERATE, AS_ABOVE},
    {"seed", 0, "S", "of the search's choices; by default 1", IN_TUNE, AS_ABOVE},
    {"weight", 0, "W",
     "of the Jacobi step, above 0 and below 2; by default 1 where the matrix allows",
     IN_RUNS | IN_SOLVE | IN_DEMO, NUMBER(weight)},
    {"condition", 0, "C", "of random problems of the kind 'ill'; by default 1e4",
     IN_CHECK | IN_BENCH | IN_WALK, .take = take_condition},
    {"parameter", 0, "P", "of access: an offset, a stride ...", IN_CHECK | IN_WALK | IN_DRAW,
     .take = take_parameter, ALL(all_parameters)},
    {"parameter", 0, "P", "of access: an offset, a stride ..., a list such as 1,2,4, or all",
     IN_BENCH, AS_ABOVE},

    /* Device and way of running. */
    {"device", 0, "NAME", "auto, llvmpipe, nvidia or a number; by default QUADPASS_DEVICE or auto",
     IN_INFO | IN_RUNS | IN_SOLVES | IN_DEMO | IN_MODEL | IN_RUN | IN_DRAW, .take = take_device,
     ONE_OF("auto", "llvmpipe", "nvidia", "a number")},
    {"pingpong", 0, "STYLE", "copy, two_fbos, reattach or two_attachments, the default",
     IN_CHECK | IN_ACCURACY | IN_WALK | IN_SOLVES, CHOICE(pingpong),
     ONE_OF("two_attachments", "two_fbos", "reattach", "copy", "all"), ALL(all_pingpongs), STYLE},
    {"pingpong", 0, "STYLE", "copy, two_fbos, reattach, two_attachments, the default, or all",
     IN_BENCH, AS_ABOVE},
    {"target", 0, "KIND", "rect, the default, or 2d textures",
     IN_CHECK | IN_ACCURACY | IN_WALK | IN_SOLVES, CHOICE(target), ONE_OF("rect", "2d", "all"),
     ALL(all_targets), STYLE},
    {"target", 0, "KIND", "rect, the default, or 2d textures, or all", IN_BENCH, AS_ABOVE},
    {"target", 0, "MACHINE",
     "the machine that the program is for: c (a processor's cores), gl (OpenGL, by fragments), "
     "compute (its compute shaders), cuda, gpus (CUDA on several devices), hybrid (a processor "
     "and a device with CUDA), mpi, or all, the default; of a configuration its own",
     IN_GENERATE, TEXT(machine)},
    {"target", 0, "MACHINE", "the machine that a kernel file's program is for, as of generate",
     IN_TUNE, AS_ABOVE},
    {"group", 0, "WxH", "invocations of a compute shader's group, or all; by default the fastest",
     IN_BENCH, .take = take_group, ALL(all_groups), STYLE},
    {"block", 0, "B",
     "texels each way of a block of the matrix, rows of a piece or of a CUDA block", IN_WALK,
     WHOLE(block), ALL(all_blocks), STYLE},
    {"block", 0, "B",
     "texels each way of a block of the matrix, rows of a piece or of a CUDA block, or all",
     IN_BENCH, AS_ABOVE},
    {"parts", 0, "N", "strips of the grid, of variants that compute it in parts; by default 2",
     IN_CHECK | IN_BENCH | IN_WALK | IN_SOLVE | IN_DRAW, WHOLE(parts.count), STYLE},
    {"depth", 0, "K", "steps from one exchange of borders to the next, of such variants",
     IN_CHECK | IN_BENCH | IN_WALK | IN_SOLVE | IN_MODEL | IN_DRAW, WHOLE(parts.depth), STYLE},
    {"split", 0, "ROWS",
     "lines of the grid for the CPU, of variants that share it with a GPU; by default what 'model' "
     "has learned here, or else half of them",
     IN_CHECK | IN_BENCH | IN_WALK | IN_SOLVE, COUNT(parts.split), STYLE},
    {"alpha", 0, "A",
     "async factor, of asynchronous variants: a launch, one iteration, takes A + 1 steps; by "
     "default 6",
     IN_CHECK | IN_BENCH | IN_WALK, COUNT(parts.alpha)},
    {"slow", 0, "K",
     "plays a slower device: the lower part takes each step so many times; by default once",
     IN_MODEL, WHOLE(parts.slow)},
    {"require", 0, "LIST", "gl, cuda, blas: skips of that kind fail; by default QUADPASS_REQUIRE",
     IN_CHECK | IN_BENCH | IN_DEMO | IN_MODEL, .take = take_require},
    {"paper", 0, "N", "the tables of paper 1, 2, 3, 4 or 5, beside its own figures", IN_BENCH,
     .take = take_paper},
    {"from", 0, "FILE",
     "with --paper: records of --json in place of runs, by the options that the run had; may be "
     "given again",
     IN_BENCH, .take = take_from},
    {"with", 0, "FILE",
     "records of --json, in place of those that are built in; may be given again", IN_REPORT,
     .take = take_from},
    {"papers", 0, "LIST", "those of 1, 2, 3, 4 and 5 that are measured; by default all", IN_REPORT,
     .take = take_papers},
    {"quick", 0, NULL, "measure small grids, in some three minutes on two cores", IN_REPORT,
     FLAG(quick)},
    {"measured-only", 0, NULL, "measure nothing: a page of the records that there are", IN_REPORT,
     FLAG(measured_only)},
    {"budget", 0, "MINUTES",
     "with --paper: fewer steps, or of paper 2 fewer sizes (4 minutes), to end in time", IN_BENCH,
     NUMBER(budget)},
    {"budget", 0, "SECONDS", "begins no configuration after so long; by default there is no limit",
     IN_TUNE, AS_ABOVE},
    {"runs", 0, "N", "configurations that are tried; by default all", IN_TUNE, WHOLE(runs)},
    {"strategy", 0, "NAME",
     "guided, the default (by guesses from what was tried), random or exhaustive", IN_TUNE,
     CHOICE(strategy), NAMES(qp_strategies)},
    {"simulate", 0, "SPACE.json",
     "takes the times from a file of T4 results, and no device; the file names the kernel", IN_TUNE,
     TEXT(simulate)},
    {"list", 0, NULL, "print the space: parameters, what excludes what, and its size", IN_TUNE,
     FLAG(list)},
    {"stall", 0, "SECONDS",
     "under mpirun: all end when one makes no progress for so long; by default 30",
     IN_CHECK | IN_BENCH | IN_WALK | IN_SOLVE, NUMBER(stall)},

    /* Solving. */
    {"grid", 0, "WxH", "the grid of the matrix; by default it is found", IN_SOLVE,
     .take = take_grid},
    {"tolerance", 0, "T", "of ||b - Ax|| / ||b||, below 1; by default 1e-5", IN_SOLVES,
     .take = take_tolerance},
    {"max-iterations", 0, "K", "steps at most; by default 100000, of poisson5 10000000", IN_SOLVE,
     WHOLE(max_iterations)},
    {"method", 0, "NAME",
     "jacobi, multigrid, cg, minres, bicgstab, chebyshev or direct (sparse elimination on the "
     "host), of poisson5 jacobi, sor, chebyshev or multigrid; by default the one that is expected "
     "to be the fastest",
     IN_SOLVE, TEXT(method),
     ONE_OF("jacobi", "sor", "chebyshev", "cg", "minres", "bicgstab", "direct", "multigrid")},
    {"precondition", 0, "NAME",
     "of cg, minres, bicgstab and chebyshev: none or jacobi (by the diagonal, the default), and of "
     "cg also block-jacobi (by blocks of 12 x 12), chebyshev (by a polynomial) or multigrid (a "
     "cycle over grids)",
     IN_SOLVE, TEXT(precondition),
     ONE_OF("none", "jacobi", "block-jacobi", "chebyshev", "multigrid")},
    {"double", 0, NULL, "of poisson5: by a variant that computes in double", IN_SOLVE,
     FLAG(in_double)},
    {"rhs", 0, "FILE",
     "ones: a right-hand side of ones, a uniform load; of poisson5 also a file with f, .mtx, .npy "
     "or .png, a line of the grid in each row",
     IN_SOLVE, TEXT(rhs)},
    {"refine", 0, NULL, "residual in double, correction in float, as far as double allows",
     IN_SOLVES, FLAG(refine)},
    {"x0", 0, "FILE", "where to start, .mtx or .npy; by default at 0", IN_SOLVE, TEXT(start)},
    {"checkpoint", 0, "FILE",
     "written anew now and then, and at an interrupt: what --resume needs; it stays at the end",
     IN_SOLVES, TEXT(checkpoint)},
    {"every", 0, "SECONDS",
     "from one checkpoint to the next, by default 60; 0: whenever the residual is looked at",
     IN_SOLVES, .take = take_seconds},
    {"resume", 0, "FILE", "goes on from a checkpoint of this solve; it may be that of --checkpoint",
     IN_SOLVES, TEXT(resume)},

    /* Shaders of one's own. */
    {"input", 0, "NAME=FILE",
     "an array that the shader reads by this name: a .mtx, .npy or .png file, or zeros, ones, "
     "random (from 0 to 1), gradient (0 at the left, 1 at the right), impulse (1 in the middle, "
     "else 0); may be given again. The state is x, by default random",
     IN_FILES | IN_GENERATE, .take = take_head},
    {"set", 0, "NAME=VALUE",
     "a number that the shader reads by this name; 0.1,0.2 is a vec2; may be given again",
     IN_FILES | IN_GENERATE, .take = take_head},
    {"schedule", 0, "NAME=V,V,...",
     "a number that the shader reads by this name, with another value in each step; may be given "
     "again",
     IN_FILES, .take = take_head},
    {"outside", 0, "WHAT",
     "what is outside every array: zero, the default, clamp, wrap, or a number; or "
     "NAME=WHAT, outside one; may be given again",
     IN_FILES | IN_GENERATE, .take = take_head},
    {"points", 0, "N",
     "points that a shader with place() puts into cells, up to 2^24; by default as many as its "
     "first array that is no state has cells, or else the state",
     IN_FILES, WHOLE(head.points)},
    {"blend", 0, "HOW",
     "what such points do with what is in their cells: add, the default, min or max", IN_FILES,
     .take = take_blend, ONE_OF("add", "min", "max")},
    {"steps", 0, "N", "steps, each from the last one's x; by default 1", IN_RUN | IN_GENERATE,
     WHOLE(head.steps)},
    {"check", 0, "[REF.c]",
     "judges the kernel by this reference, or by the one that the shader's head names, which the "
     "system's compiler (CC, or cc) compiles: void reference(int width, int height, const float "
     "*const *input, const double *numbers, const double *before, double *after)",
     IN_RUN | IN_CHECK | IN_BENCH, .take = take_check},
    {"tolerance", 0, "T",
     "of a kernel file that is judged: error allowed after a step, in parts of the largest value; "
     "by default 2^-20, of doubles 2^-48, of integers none",
     IN_RUN | IN_CHECK | IN_BENCH | IN_GENERATE, AS_ABOVE},
    {"backend", 0, "NAME",
     "the machine of a kernel file: gl (OpenGL, the default), or, by its generated program, which "
     "is compiled when it is not in the user's cache: cpu (by the system's compiler), compute "
     "(compute shaders) or cuda (by NVRTC)",
     IN_RUN, .take = take_backends, NAMES(backends)},
    {"backend", 0, "LIST",
     "machines of a kernel file, each a variant: gl (OpenGL, the default), cpu, compute, cuda, as "
     "'run' "
     "has them, or all; may be given again",
     IN_CHECK | IN_BENCH, AS_ABOVE},
    {"time-limit", 0, "SECONDS",
     "of each step, by a reference or another machine of a kernel file, in which its process keeps "
     "a "
     "processor busy, or ten times as many by the clock; by default 60",
     IN_RUN | IN_CHECK | IN_BENCH, NUMBER(time_limit)},
    {"memory-limit", 0, "GIB",
     "of data that a reference, or the program of the backend cpu beside its arrays, may take; by "
     "default 4",
     IN_RUN | IN_CHECK | IN_BENCH, NUMBER(memory_limit)},
    {"untuned", 0, NULL,
     "programs and variants are not as 'quadpass tune' found them to be the fastest here",
     IN_RUN | IN_BENCH | IN_GENERATE | IN_SOLVE, FLAG(untuned)},
    {"fast", 0, NULL,
     "a kernel in the short form is drawn without 'precise': floats as the driver likes, and not "
     "to the bits of C",
     IN_FILES, FLAG(fast)},
    {"disguise", 0, NULL,
     "of a kernel file: draws it in other words too, which must give the same numbers", IN_CHECK,
     FLAG(disguise)},
    {"mutants", 0, NULL,
     "of a kernel file: spoils each read, index, sign, operand, comparison and constant, and says "
     "which of these mutants its reference does not notice, and what inputs show them",
     IN_CHECK, FLAG(mutants)},
    {"no-tries", 0, NULL, "with --mutants: looks for no inputs that show them, which takes longest",
     IN_CHECK, FLAG(no_tries)},
    {"no-reference", 0, NULL,
     "of a kernel file: does not compile the reference that its head names, and so judges nothing",
     IN_BENCH, FLAG(no_reference)},
    {"watch", 0, NULL, "runs again whenever the shader is saved, until Ctrl-C", IN_RUN,
     FLAG(watch)},

    /* Measurements of info. */
    {"prove", 0, NULL,
     "computes what has a known answer, in a tenth of a second: exit code 1 if one is wrong",
     IN_INFO, FLAG(prove)},
    {"precision", 0, NULL,
     "measures how far functions of kernels are off what C computes, each over a range", IN_INFO,
     FLAG(precision)},

    /* Outputs. */
    {"output", 'o', "FILE",
     "x after the last step, as .mtx, .npy or .png by the name's end, in colour where x has four "
     "values a cell; with --every an animation, as .png; - is .mtx on standard output",
     IN_RUN, OUTPUT(output)},
    {"every", 0, "K", "steps from one frame or reduction to the next", IN_RUN, WHOLE(each)},
    {"frames", 0, "FOLDER",
     "x every K steps, from the start on, as 000000.png and so on, black 0 and white 1; - is PAM "
     "on "
     "standard output, which ffmpeg reads",
     IN_RUN, OUTPUT(frames)},
    {"reduce", 0, "NAME",
     "prints one number of x, in 9 digits: sum, mean, min, max, norm1, norm2 or largest "
     "(magnitude); computed on the device, sums with their roundings where it can",
     IN_RUN, .take = take_reduce, NAMES(reductions)},
    {"output", 'o', "FILE", "the solution, as .mtx or .npy; - is .mtx on standard output", IN_SOLVE,
     AS_ABOVE},
    {"output", 'o', "FILE", "the inverse, as .mtx or .npy; - is .mtx on standard output", IN_INVERT,
     AS_ABOVE},
    {"output", 'o', "FOLDER", "writes them there; a file that differs is not overwritten",
     IN_SHADERS, TEXT(folder)},
    {"output", 'o', "FOLDER", "the page's folder; by default report", IN_REPORT, AS_ABOVE},
    {"output", 'o', "FOLDER",
     "writes the program to FOLDER/MACHINE; files that were not generated are not written over",
     IN_GENERATE, AS_ABOVE},
    {"output", 'o', "SPACE.json",
     "what was tried, as T4 results; a search goes on from a file that is there", IN_TUNE,
     OUTPUT(output)},
    {"output", 'o', "FILE.svg", "the drawing; - is standard output", IN_DRAW, AS_ABOVE},
    {"width", 0, "N",
     "pixels that the drawing is shown in from left to right: 360, a phone's, unless 200 to 4000 "
     "are asked for, such as 1200 for a projector",
     IN_DRAW, WHOLE(shown)},
    {"print", 0, NULL,
     "print the kernel file as it is, or what a configuration becomes; write nothing", IN_GENERATE,
     FLAG(print)},
    {"write", 0, "FOLDER", "the same as -o FOLDER", IN_SHADERS, TEXT(folder)},
    {"text", 0, NULL, "print the texts of the shaders", IN_SHADERS | IN_WALK, FLAG(text)},
    {"picture", 0, "P.png", "the solution on its grid in false colour", IN_SOLVE, OUTPUT(picture)},
    {"picture", 0, "P.png", "x after the last step in false colour, of several values the first",
     IN_RUN, AS_ABOVE},
    {"picture", 0, "P.svg", "times against splits", IN_MODEL, AS_ABOVE},
    {"json", 0, "FILE", "records as JSON; - is standard output", IN_RECORDS, OUTPUT(json)},
    {"csv", 0, "FILE", "records as CSV; - is standard output", IN_RECORDS, OUTPUT(csv)},
    {"junit", 0, "FILE", "a test case a variant as JUnit XML, for CI; - is standard output",
     IN_CHECK, OUTPUT(junit)},
    {"tap", 0, "FILE", "a test point a variant as TAP 14, for CI; - is standard output", IN_CHECK,
     OUTPUT(tap)},
    {"kinds", 0, NULL, "the kinds of problem in place of variants", IN_LIST, FLAG(kinds)},
    {"long", 0, NULL, "where each comes from, what it needs and does; so it is with names", IN_LIST,
     FLAG(wordy)},
    {"markdown", 0, NULL, "all of that, or kinds, as tables in Markdown", IN_LIST, FLAG(markdown)},
    {"markdown", 0, NULL, "with --paper: tables in Markdown", IN_BENCH, AS_ABOVE},
    {"help", '?', NULL, "this list", IN_HELP, .take = NULL},
    {"usage", 0, NULL, "a short list", IN_HELP, .take = NULL},
    {"version", 'V', NULL, "the version", IN_HELP, .take = NULL},
    {.text = NULL}};

bool option_is_same(const struct option_row *a, const struct option_row *b)
{
    return a->name != NULL && b->name != NULL ? strcmp(a->name, b->name) == 0
                                              : a->letter == b->letter;
}

int option_belongs(const struct option_row *option)
{
    int set = 0;
    for (const struct option_row *row = option_rows; row->text != NULL; row++)
        set |= option_is_same(row, option) ? row->commands : 0;
    return set;
}
