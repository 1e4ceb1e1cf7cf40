#version 430 compatibility
// SPDX-License-Identifier: MIT
// The columns of a block, factored by one group: an invocation has ROWS rows in its registers. For each column
//
//     every team of 32 proposes its largest candidate, and that row
//     all teams take the largest proposal, the first row among equal ones: the pivot
//     rows change places with the pivot's row as LAPACK's do, but only their numbers change
//     rows below become  row - l pivot row,  and keep l = element / pivot
//
// Arrays stay in registers only where compilers know the indices, so loops over a row are lists,
// and each step turns a row by one: the column searched is always the first, and finished columns
// are at the end. After as many steps as there are columns all are back in their places. A step's
// shared values have two copies, used in turn, so one barrier a column is enough.
#ifndef GROUP_X // defined by the engine, in front of this file
#define GROUP_X 64
#define ROWS 1
#define COLUMNS 8
#define EACH_FOUR(F) F(0) F(1)
#endif
#pragma optionNV(unroll all) // for NVIDIA's compiler: a turn then costs nothing
#ifdef SUBGROUPS // subgroups of 32 invocations
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_arithmetic : require
#define TEAM_OF_MINE int(gl_SubgroupID)
#define PLACE_IN_TEAM int(gl_SubgroupInvocationID)
#else
#define TEAM_OF_MINE int(gl_LocalInvocationIndex / 32u)
#define PLACE_IN_TEAM int(gl_LocalInvocationIndex % 32u)
#endif
layout(local_size_x = GROUP_X) in;
layout(r32f) writeonly uniform image2DRect a;      // target of the block's U
layout(r32f) readonly uniform image2DRect source;  // the block's columns, transposed: x is the row
layout(r32f) writeonly uniform image2DRect next;   // the factors, transposed, rows exchanged: L, and U above
layout(r32f) writeonly uniform image2DRect moves;  // four values of each column, one above the other
const int WITH = 0, PIVOT = 1; // the row that changes places with row k + c, and the pivot: the log
const int FROM = 2, TO = 3;    // old number of the row that is now k + c, and new number of row k + c
uniform vec2 origin;           // corner of the matrix in a
uniform int k;                 // the block's first column
uniform int columns;           // columns of the block, COLUMNS at most
uniform int n;

const int TEAM = 32, TEAMS = GROUP_X / TEAM, FOURS = COLUMNS / 4, LAST = FOURS - 1;
const int NO_ROW = 0x3fffffff;

// A candidate for the pivot: a larger size is better, or with equal sizes the lower row.
struct candidate {
    uint size; // bits of the magnitude, which sort as it does, plus 1; 0: no candidate
    int row;
};

shared candidate proposal[2][TEAMS];
shared float proposed[2][TEAMS];        // pivot of a team's proposal
shared vec4 rest[2][TEAMS][FOURS];      // columns to the right of that pivot
vec4 own[ROWS][FOURS];
int at[ROWS]; // present numbers of the invocation's rows

candidate better(candidate p, candidate q)
{
    bool second = q.size > p.size || (q.size == p.size && q.row < p.row);
    return candidate(second ? q.size : p.size, second ? q.row : p.row);
}

// The best candidate of a team, and of all teams: every invocation gets the same.
#ifdef SUBGROUPS
candidate best_of_team(candidate mine)
{
    uint size = subgroupMax(mine.size);
    return candidate(size, subgroupMin(mine.size == size ? mine.row : NO_ROW));
}

candidate best_of_all(int turn, out int team)
{
    int other = min(PLACE_IN_TEAM, TEAMS - 1);
    candidate p = proposal[turn][other];
    uint size = subgroupMax(p.size);
    int both = subgroupMin(p.size == size ? p.row * TEAM + other : 0x7fffffff);
    team = both % TEAM;
    return candidate(size, both / TEAM);
}
#else
shared candidate vote[GROUP_X];

candidate best_of_team(candidate mine)
{
    vote[TEAM * TEAM_OF_MINE + PLACE_IN_TEAM] = mine;
    barrier();
    for (int i = 0; i < TEAM; i++)
        mine = better(mine, vote[TEAM * TEAM_OF_MINE + i]);
    return mine;
}

candidate best_of_all(int turn, out int team)
{
    candidate best = candidate(0u, NO_ROW);
    for (int i = 0; i < TEAMS; i++) {
        best = better(best, proposal[turn][i]);
        team = best.row == proposal[turn][i].row ? i : team;
    }
    return best;
}
#endif

// Four values of a row, one place further than q; `last` follows the row's end.
vec4 turned(int r, int q, float last)
{
    return vec4(own[r][q].yzw, q < LAST ? own[r][min(q + 1, LAST)].x : last);
}

// Factors of finished columns follow the remaining columns: zeros there keep these factors as they are.
#define PROPOSE(q) rest[turn][TEAM_OF_MINE][q] = \
    mix(vec4(0.0), turned(r, q, 0.0), lessThan(4 * q + ivec4(0, 1, 2, 3), ivec4(COLUMNS - 1 - c)));

void propose(int c, int turn)
{
    candidate best = candidate(0u, NO_ROW);
    for (int r = 0; r < ROWS; r++)
        if (at[r] >= k + c && at[r] < n)
            best = better(best, candidate(floatBitsToUint(abs(own[r][0].x)) + 1u, at[r]));
    best = best_of_team(best);
    if (PLACE_IN_TEAM == 0)
        proposal[turn][TEAM_OF_MINE] = best;
    for (int r = 0; r < ROWS; r++)
        if (at[r] == best.row && best.row < n) {
            proposed[turn][TEAM_OF_MINE] = own[r][0].x;
            EACH_FOUR(PROPOSE)
        }
}

#define ELIMINATE(q) own[r][q] = turned(r, q, kept) - l * rest[turn][team][q];

void eliminate(int c, int turn)
{
    int team = 0;
    candidate best = best_of_all(turn, team);
    float pivot = proposed[turn][team];
    for (int r = 0; r < ROWS; r++) {
        at[r] = at[r] == best.row ? k + c : at[r] == k + c ? best.row : at[r];
        bool below = at[r] > k + c;
        float l = below && pivot != 0.0 ? own[r][0].x / pivot : 0.0;
        float kept = below ? l : own[r][0].x;
        EACH_FOUR(ELIMINATE)
    }
    if (gl_LocalInvocationIndex == 0u) {
        imageStore(moves, ivec2(k + c, WITH), vec4(best.row));
        imageStore(moves, ivec2(k + c, PIVOT), vec4(pivot));
    }
}

#define TURN(q) own[r][q] = turned(r, q, first);

// Turns without reading, where the last block has fewer columns.
void turn_only()
{
    for (int r = 0; r < ROWS; r++) {
        float first = own[r][0].x;
        EACH_FOUR(TURN)
    }
}

float load(int row, int c)
{
    return row < n && c < columns ? imageLoad(source, ivec2(row, c)).x : 0.0;
}

void store(int row, int c, float value)
{
    if (c < columns)
        imageStore(next, ivec2(row, c), vec4(value));
    if (c < columns && row < k + columns)
        imageStore(a, ivec2(origin) + ivec2(k + c, row), vec4(value));
}

void tell(int from, int to)
{
    if (to < k + columns)
        imageStore(moves, ivec2(to, FROM), vec4(from));
    if (from < k + columns)
        imageStore(moves, ivec2(from, TO), vec4(to));
}

#define LOAD(q) own[r][q] = vec4(load(row, 4 * q), load(row, 4 * q + 1), load(row, 4 * q + 2), \
                                 load(row, 4 * q + 3));
#define STORE(q) store(at[r], 4 * q, own[r][q].x); store(at[r], 4 * q + 1, own[r][q].y); \
    store(at[r], 4 * q + 2, own[r][q].z); store(at[r], 4 * q + 3, own[r][q].w);

void main()
{
    int first = k + int(gl_LocalInvocationIndex);
    for (int r = 0; r < ROWS; r++) {
        int row = first + r * GROUP_X;
        at[r] = row < n ? row : NO_ROW;
        EACH_FOUR(LOAD)
    }
    for (int c = 0; c < COLUMNS; c++) {
        if (c >= columns) {
            turn_only();
            continue;
        }
        propose(c, c % 2);
        barrier();
        eliminate(c, c % 2);
    }
    for (int r = 0; r < ROWS; r++) {
        int row = first + r * GROUP_X;
        if (row >= n)
            continue;
        EACH_FOUR(STORE)
        tell(row, at[r]);
    }
}
