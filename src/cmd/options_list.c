/* SPDX-License-Identifier: MIT */
#include "cmd/options_list.h"

#include <stddef.h>

const struct argp_option options_common[] = {
    {"size", KEY_SIZE, "N|WxH", 0, "cells of the grid; N means N x N", 0},
    {NULL, 'n', "N", 0, "the same as --size N", 0},
    {"grid", KEY_GRID, "WxH", 0, "the grid a matrix file stands for", 0},
    {"variant", KEY_VARIANT, "NAME", 0, "one variant, with or without its operation", 0},
    {"problem", KEY_PROBLEM, "KIND", 0,
     "random, wraps, symmetric, bidomain, diagonal; sum, squares, dot, max, index; dominant, "
     "inverse, exact, general, orthogonal, ill, permuted, hilbert, wilkinson; kinetics; round, up, "
     "down, overlap; offset and others of access; transpose, copy; bench: all",
     0},
    {"iterations", KEY_ITERATIONS, "K", 0, "steps", 0},
    {"repeats", KEY_REPEATS, "R", 0, "timed runs of each row; the median counts", 0},
    {"seed", KEY_SEED, "S", 0, "of random problems", 0},
    {"device", KEY_DEVICE, "NAME", 0, "auto, llvmpipe, nvidia or a number (QUADPASS_DEVICE)", 0},
    {"pingpong", KEY_PINGPONG, "STYLE", 0,
     "copy, two_fbos, reattach or two_attachments; bench: all", 0},
    {"target", KEY_TARGET, "KIND", 0, "rect or 2d textures; bench: all", 0},
    {"group", KEY_GROUP, "WxH", 0, "bench: invocations of a compute shader's group, or all", 0},
    {"block", KEY_BLOCK, "B", 0,
     "bench: texels each way of a block of the matrix, rows of a piece or of a CUDA block, or all",
     0},
    {"require", KEY_REQUIRE, "LIST", 0, "gl, cuda, blas: skips of that kind fail (REQUIRE)", 0},
    {"json", KEY_JSON, "FILE", 0, "records as JSON; - is standard output", 0},
    {"csv", KEY_CSV, "FILE", 0, "records as CSV; - is standard output", 0},
    {"markdown", KEY_MARKDOWN, NULL, 0, "list: as a table for the README", 0},
    {"paper", KEY_PAPER, "N", 0, "bench: the tables of paper 1, 2, 3 or 4", 0},
    {"budget", KEY_BUDGET, "MINUTES", 0,
     "bench --paper: fewer steps, or of paper 2 fewer sizes (4 minutes), to end in time", 0},
    {"weight", KEY_WEIGHT, "w", 0, "of the Jacobi step, between 0 and 2", 0},
    {"condition", KEY_CONDITION, "C", 0, "of random problems of the kind 'ill': 1e4", 0},
    {"parameter", KEY_PARAMETER, "P", 0,
     "of access: an offset, a stride ...; bench: a list such as 1,2,4, or all", 0},
    {"help", '?', NULL, 0, "this list", -1},
    {"usage", KEY_USAGE, NULL, 0, "a short list", -1},
    {"version", 'V', NULL, 0, "the version", -1},
    {0}};

const struct argp_option options_of_solve[] = {
    {"tolerance", KEY_TOLERANCE, "t", 0, "of ||b - Ax|| / ||b||; 1e-5", 1},
    {"max-iterations", KEY_MAX_ITERATIONS, "K", 0, "100000", 1},
    {"refine", KEY_REFINE, NULL, 0, "residual in double, correction in float", 1},
    {"output", 'o', "x.mtx", 0, "the solution; - is standard output", 1},
    {"x0", KEY_START, "x.mtx", 0, "where to start", 1},
    {"picture", KEY_PICTURE, "p.png", 0, "the solution on its grid in false colour", 1},
    {0}};
