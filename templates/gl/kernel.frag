#version 400
/*@ origin */
/* heat.frag as a fragment shader: the kernel, and several steps of it in a block of cells. */
/*@ end */
/*@ texels */
#define texel vec4 // CELLS values, side by side
#define sampler sampler2DRect
/*@ end */
/*@ shader description */
#define real float // a value of an array
#define REACH 1
#define STATES 1
#define ARRAYS 1
const int VALUE = 0, CLAMP = 1, WRAP = 2, outside[ARRAYS] = int[](CLAMP);
const real beyond[ARRAYS] = real[](0.0);
uniform float rate;
/*@ end */

// ---- A block and its tile ----

// An array has ROWS sheets: row ROWS * Y + r of its cells is row Y of sheet r, CELLS values a texel. A fragment computes
// its texel of all sheets: a block of CELLS x ROWS cells. Its tile has HALO rows more below and above, and ASIDE texels
// more on either side. Each step leaves REACH cells less of it on every side, and moves what it computes as many cells
// down and to the left, where nothing is read any more. Arrays that are only read stay where they are.
#ifndef STEPS // defined by steps.c, in front of this line
#define STEPS 2
#define ROWS 8
#define CELLS 4
#define EDGE true // some of the tile may be outside of the grid
#endif
#define HALO (STEPS * REACH)
#define ASIDE ((HALO + CELLS - 1) / CELLS)
#define SKIPPED (ASIDE * CELLS - HALO) // cells of a texel that no step needs
#define ACROSS (CELLS * (1 + 2 * ASIDE))
#define SIZE (ACROSS * (ROWS + 2 * HALO)) // of a tile
#define MOVE (REACH * ACROSS + REACH)

uniform sampler sheets[ARRAYS * ROWS];
uniform ivec2 size; // of the grid
layout(location = 0) out texel to[STATES * ROWS];

real tile[ARRAYS * SIZE];
int at, moved = 0; // the cell that is computed, and how far all of them are moved
ivec2 corner = ivec2(gl_FragCoord.xy) * ivec2(CELLS, ROWS) - ivec2(ASIDE * CELLS, HALO); // the tile's cell 0 in the grid
precise bool qp_holds; // a condition

#define STATE_AT(k, dx, dy) tile[at + k * SIZE + int(dy) * ACROSS + int(dx)]
#define INPUT_AT(k, dx, dy) tile[at + k * SIZE + int(dy) * ACROSS + int(dx) + moved]

/*@ reads */
#define x_at(dx, dy) STATE_AT(0, dx, dy)
/*@ end */

/*@ shader body */
float kernel(vec2 here)
{
    precise float old = x_at(0.0, 0.0);
    precise float around = x_at(-1.0, 0.0) + x_at(1.0, 0.0) + x_at(0.0, -1.0) + x_at(0.0, 1.0);
    { precise float qp_value = old + rate * (around - 4.0 * old); return qp_value; }
}
/*@ end */

// ---- What steps.c makes main() of ----

#if CELLS == 2
double part(texel v, int i) { return packDouble2x32(i == 0 ? v.xy : v.zw); }
texel whole(int i) { return texel(unpackDouble2x32(tile[i]), unpackDouble2x32(tile[i + 1])); }
#else
real part(texel v, int i) { return v[i]; }
texel whole(int i) { return texel(tile[i], tile[i + 1], tile[i + 2], tile[i + 3]); }
#endif

// Texel t of the tile's row r, which is so many blocks up in its sheet.
#define LOAD(k, r, t) load(k * SIZE + r * ACROSS + t * CELLS, k * ROWS + SHEET(r) % ROWS, vec2(t - ASIDE, SHEET(r) / ROWS - HALO));
#define SHEET(r) (r + ROWS * HALO - HALO)
void load(int i, int sheet, vec2 away)
{
    texel v = texture(sheets[sheet], gl_FragCoord.xy + away);
    for (int c = 0; c < CELLS; c++)
        tile[i + c] = part(v, c);
}

// Cell (r, c) of an array that wraps.
#define LOAD_CELL(k, r, c) load_cell(k * SIZE + r * ACROSS + c, k * ROWS, wrapped(corner + ivec2(c, r)));
ivec2 wrapped(ivec2 cell)
{
    return (cell + 16 * size) % size;
}
void load_cell(int i, int sheet, ivec2 cell)
{
    for (int r = 0; r < ROWS; r++)
        if (r == cell.y % ROWS)
            tile[i] = part(texture(sheets[sheet + r], vec2(cell / ivec2(CELLS, ROWS)) + 0.5), cell.x % CELLS);
}

// A cell after the next step.
void keep(int state, real value)
{
    tile[at + state * SIZE - MOVE] = value;
}

#define CELL(r, c) at = r * ACROSS + c + MOVE; cell(vec2(PLACE(corner + ivec2(c, r) + REACH)));
#define PLACE(cell) (EDGE ? wrapped(cell) : cell)
void cell(vec2 here)
{
    /*@ shader calls */
    keep(0, kernel(here));
    /*@ end */
}

#define NEXT moved += MOVE; corner += REACH;

// Outside of an array a cell has the array's value there, or its neighbour's: from the grid outwards.
#define LEFT(k, r, c) HOLD(k, r * ACROSS + c, 1, corner.x < -c)
#define RIGHT(k, r, c) HOLD(k, r * ACROSS + c, -1, corner.x >= size.x - c)
#define BELOW(k, r, c) HOLD(k, r * ACROSS + c, ACROSS, corner.y < -r)
#define ABOVE(k, r, c) HOLD(k, r * ACROSS + c, -ACROSS, corner.y >= size.y - r)
#define HOLD(k, i, step, is_outside) tile[k * SIZE + i] = is_outside ? outside[k] == VALUE ? beyond[k] : tile[k * SIZE + i + step] : tile[k * SIZE + i];

#ifndef LINES // line by line, as steps.c writes them, since drivers do not unroll loops and then keep tiles in memory
#define LINES \
    for (int k = 0; k < ARRAYS; k++) \
        for (int r = 0; r < ROWS + 2 * HALO; r++) \
            for (int t = 0; t < 1 + 2 * ASIDE; t++) \
                { LOAD(k, r, t) } \
    for (int left = HALO - REACH; left >= 0; left -= REACH) { \
        for (int r = 0; r < ROWS + 2 * left; r++) \
            for (int c = SKIPPED; c < SKIPPED + CELLS + 2 * left; c++) \
                { CELL(r, c) } \
        NEXT \
    }
#endif

void main()
{
    LINES
    for (int k = 0; k < STATES; k++)
        for (int r = 0; r < ROWS; r++)
            to[k * ROWS + r] = whole(k * SIZE + r * ACROSS + SKIPPED);
}
