#version 430 compatibility
// SPDX-License-Identifier: MIT
// Paper 5, chapter V: TunedSync of section 5.2 and Async 0 to 3 of figures 17 to 20. A dispatch takes
// alpha + 1 steps of blocks of 64 x UP unknowns by 64 invocations, each of which has a column; all but
// the last step stay in shared memory.
//
// Open points of the figures are decided as in async.cu. The fringe that blocks exchange is the outermost
// ring of each block's unknowns, stored in the grid that is read; results go to the other grid.
// Left and right fringes are moved by an invocation a row, as in figure 6, rows by an invocation a column.
// Async 1 copies the left and the right column into B2, beside the fringe: an invocation that moves a column
// may be ahead of the invocation that computes it, and then finds an earlier value.
#ifndef FIGURE // defined by the engine, in front of this file, as are RHS and SPIKE
#define FIGURE 17
#endif
#ifndef UP // defined by the engine, too
#define UP 8
#endif
#define ACROSS 64
layout(local_size_x = ACROSS) in;
#if FIGURE == 0 || FIGURE == 19
layout(r32f) readonly uniform image2DRect x;
#else
layout(r32f) coherent volatile uniform image2DRect x; // other groups write it meanwhile
#endif
layout(r32f) writeonly uniform image2DRect target;
#ifdef RHS
uniform sampler2DRect rhs; // h^2 f
#endif
#ifdef SPIKE
uniform vec2 spike; // the cell with h^2 f = 1
#endif
uniform vec2 origin, cells; // corner of the domain, in texels; cells of the grid, across and up
uniform float weight;
uniform int alpha;

#define B1 0
#define B2 1
#if FIGURE == 0 || FIGURE == 20
shared float b[1][UP + 2][ACROSS + 2];
#else
shared float b[2][UP + 2][ACROSS + 2];
#endif

int t;          // number of the invocation, and of its column in the block
int across, up; // unknowns of the block that lie in the domain
ivec2 corner;   // texel of the block's first unknown
float side[UP]; // h^2 f of the invocation's column

void sync_threads()
{
    memoryBarrierShared();
    memoryBarrierImage();
    barrier();
}

// A value of the grid at a place of the block, whose fringe begins at 0.
float load(int j, int i)
{
    return imageLoad(x, corner + ivec2(i - 1, j - 1)).x;
}

void fetch_unknowns(int to)
{
    for (int j = 0; j < UP; j++)
        if (t < across && j < up)
            b[to][j + 1][t + 1] = load(j + 1, t + 1);
}

// The fringe: values that the blocks around have in the grid, or the rim.
void fetch_fringe(int to)
{
    if (t < across) {
        b[to][0][t + 1] = load(0, t + 1);
        b[to][up + 1][t + 1] = load(up + 1, t + 1);
    }
    if (t < up)
        b[to][t + 1][0] = load(t + 1, 0);
    else if (t >= UP && t - UP < up)
        b[to][t - UP + 1][across + 1] = load(t - UP + 1, across + 1);
}

#if FIGURE >= 17 && FIGURE <= 19
// The fringe from one block into the other: each invocation copies values that it has fetched itself, so
// no barrier is needed.
void copy_fringe(int from, int to)
{
    if (t < across) {
        b[to][0][t + 1] = b[from][0][t + 1];
        b[to][up + 1][t + 1] = b[from][up + 1][t + 1];
    }
    if (t < up)
        b[to][t + 1][0] = b[from][t + 1][0];
    else if (t >= UP && t - UP < up)
        b[to][t - UP + 1][across + 1] = b[from][t - UP + 1][across + 1];
}
#endif

#if FIGURE == 18
void copy_outer_columns(int from, int to)
{
    for (int j = 0; j < UP; j++)
        if ((t == 0 || t == across - 1) && j < up)
            b[to][j + 1][t + 1] = b[from][j + 1][t + 1];
}
#endif

#if FIGURE == 17 || FIGURE == 18 || FIGURE == 20
void store(int from, int j, int i)
{
    imageStore(x, corner + ivec2(i - 1, j - 1), vec4(b[from][j][i]));
}

// The penultimate fringe, the outermost ring of unknowns.
void write_penultimate(int from)
{
    if (t < across) {
        store(from, 1, t + 1);
        store(from, up, t + 1);
    }
    if (t < up)
        store(from, t + 1, 1);
    else if (t >= UP && t - UP < up)
        store(from, t - UP + 1, across);
}
#endif

// A Jacobi step of the column's unknown in row j, with poisson5.c's order of sums, nothing contracted. No
// other invocation writes into the column, so it goes through registers.
float stepped(int from, int j, float below, float old, float above)
{
    precise float beside = b[from][j + 1][t] + b[from][j + 1][t + 2];
    precise float straight = below + above;
    precise float sum = beside + straight;
    precise float mean = (sum + side[j]) * 0.25;
    precise float change = weight * (mean - old);
    precise float relaxed = old + change;
    return weight == 1.0 ? mean : relaxed;
}

void compute(int from, int to)
{
    float below = b[from][0][t + 1], old = b[from][1][t + 1];
    for (int j = 0; j < UP; j++)
        if (t < across && j < up) {
            float above = b[from][j + 2][t + 1];
            float next = stepped(from, j, below, old, above);
            b[to][j + 1][t + 1] = next;
            below = from == to ? next : old;
            old = above;
        }
}

// The last step, whose results go to the other grid.
void finish(int from)
{
    float below = b[from][0][t + 1], old = b[from][1][t + 1];
    for (int j = 0; j < UP; j++)
        if (t < across && j < up) {
            float above = b[from][j + 2][t + 1];
            imageStore(target, corner + ivec2(t, j), vec4(stepped(from, j, below, old, above)));
            below = old;
            old = above;
        }
}

void find_block()
{
    ivec2 first = ivec2(gl_WorkGroupID.xy) * ivec2(ACROSS, UP);
    t = int(gl_LocalInvocationID.x);
    across = min(ACROSS, int(cells.x) - first.x);
    up = min(UP, int(cells.y) - first.y);
    corner = ivec2(origin) + first;
    for (int j = 0; j < UP; j++) {
        side[j] = 0.0;
#ifdef RHS
        if (t < across && j < up)
            side[j] = texture2DRect(rhs, vec2(corner + ivec2(t, j)) + 0.5).x;
#endif
#ifdef SPIKE
        side[j] = first + ivec2(t, j) == ivec2(spike) ? 1.0 : 0.0;
#endif
    }
}

void main()
{
    find_block();
    fetch_unknowns(B1);
    fetch_fringe(B1);
#if FIGURE == 0 // TunedSync
    sync_threads();

#elif FIGURE == 17 // Async 0
    copy_fringe(B1, B2);
    sync_threads();
    for (int v = 0; v < alpha / 2; v++) {
        compute(B1, B2);
        sync_threads();
        write_penultimate(B2);
        sync_threads();
        fetch_fringe(B2);
        sync_threads();
        compute(B2, B1);
        sync_threads();
        write_penultimate(B1);
        sync_threads();
        fetch_fringe(B1);
        sync_threads();
    }

#elif FIGURE == 18 // Async 1: 4 barriers of the 6 are gone
    copy_outer_columns(B1, B2);
    copy_fringe(B1, B2);
    sync_threads();
    for (int v = 0; v < alpha / 2; v++) {
        compute(B1, B2);
        write_penultimate(B2);
        fetch_fringe(B2);
        sync_threads();
        compute(B2, B1);
        write_penultimate(B1);
        fetch_fringe(B1);
        sync_threads();
    }

#elif FIGURE == 19 // Async 2: no fringe is written or read within the dispatch
    copy_fringe(B1, B2);
    sync_threads();
    for (int v = 0; v < alpha / 2; v++) {
        compute(B1, B2);
        sync_threads();
        compute(B2, B1);
        sync_threads();
    }

#else // Async 3: one block, and no barrier after this one
    sync_threads();
    for (int v = 0; v < alpha; v++) {
        compute(B1, B1);
        write_penultimate(B1);
        fetch_fringe(B1);
        memoryBarrierShared(); // makes stores visible, and waits for no invocation
        memoryBarrierImage();
    }
#endif
    finish(B1);
}
