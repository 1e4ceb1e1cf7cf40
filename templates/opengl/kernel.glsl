/*@ origin */
/* heat.frag as a shader: the kernel, and several steps of it in a block of cells. */
/*@ end */
const int VALUE = 0, CLAMP = 1, WRAP = 2;
uniform vec2 size; // cells of the grid, across and up
/*@ shader description */
#define qp_real float // a value of an array
#define qp_texel vec4 // CELLS values, side by side
#define qp_sampler sampler2DRect
#define qp_image image2DRect
#define REACH 1 // distance of the farthest cell that a cell reads
#define STATES 1
#define ARRAYS 1
const int qp_outside[ARRAYS] = int[](CLAMP);
const qp_real qp_beyond[ARRAYS] = qp_real[](0.0);
uniform float rate;
/*@ end */

// ---- A block and its tile ----

// An array has SHEETS textures: row SHEETS * Y + r of its cells is row Y of sheet r, CELLS values a texel. An invocation
// computes a block of CELLS x ROWS cells. Its tile has HALO rows more below and above, and ASIDE texels more on either
// side. Each step leaves REACH cells less of it on every side, and stores its results as many cells further down and to
// the left, where nothing is read any more. Arrays that are only read stay where they are.
#ifndef STEPS // defined by machine.c, in front of these lines
#define STEPS 2
#define ROWS 8
#define CELLS 4
#define SHEETS 8
#define FETCH 0 // 1: by whole numbers, without a sampler's filter
#define EDGE true // some of the tile may be outside of the grid
#endif
#define HALO (STEPS * REACH)
#define ASIDE ((HALO + CELLS - 1) / CELLS)
#define SKIPPED (ASIDE * CELLS - HALO) // cells of a texel that no step needs
#define ACROSS (CELLS * (1 + 2 * ASIDE))
#define SIZE (ACROSS * (ROWS + 2 * HALO)) // cells of a tile
#define MOVE (REACH * ACROSS + REACH)

uniform qp_sampler qp_sheets[ARRAYS * SHEETS];
uniform ivec2 qp_size; // cells of the grid, across and up
#ifdef GROUP_X // only in a compute shader
layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;
uniform ivec2 qp_first, qp_end; // first of the blocks to compute, and their end
writeonly uniform qp_image qp_to[STATES];
ivec2 qp_block = qp_first + ivec2(gl_GlobalInvocationID.xy);
#else
layout(location = 0) out qp_texel qp_to[STATES * ROWS];
ivec2 qp_block = ivec2(gl_FragCoord.xy);
#endif

#ifdef COUNTS // a software driver ends all loops of an invocation after 65535 rounds together
buffer qp_rounds_of { int qp_ended; };
#define buffer qp_buffer // words of later versions may be a kernel's names
#define coherent qp_coherent
#define restrict qp_restrict
#define readonly qp_readonly
#define writeonly qp_writeonly
#endif

#ifdef DOUBLES // doubles as two words: NVIDIA's driver 580 rounds doubles in arrays to floats
#define qp_kept uvec2
#define UNPACK(kept) packDouble2x32(kept)
#define PACK(value) unpackDouble2x32(value)
#else
#define qp_kept qp_real
#define UNPACK(kept) kept
#define PACK(value) value
#endif
qp_kept qp_tile[ARRAYS * SIZE];
int qp_at = 0, qp_moved = 0; // the cell that is computed, and the distance that all cells have moved
ivec2 qp_corner = qp_block * ivec2(CELLS, ROWS) - ivec2(ASIDE * CELLS, HALO); // the tile's cell 0 in the grid
precise bool qp_holds; // condition of a loop or a branch

#define STATE_AT(k, dx, dy) UNPACK(qp_tile[qp_at + k * SIZE + int(dy) * ACROSS + int(dx)])
#define INPUT_AT(k, dx, dy) UNPACK(qp_tile[qp_at + k * SIZE + int(dy) * ACROSS + int(dx) + qp_moved])

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

// ---- Pieces of main(), which machine.c joins ----

#define KEPT(c) qp_tile[i + (c) % CELLS]
#ifdef DOUBLES
qp_kept qp_part(qp_texel v, int i) { return i == 0 ? v.xy : v.zw; }
qp_texel qp_whole(int i) { return qp_texel(KEPT(0), KEPT(1)); }
#else
qp_kept qp_part(qp_texel v, int i) { return v[i]; }
qp_texel qp_whole(int i) { return qp_texel(KEPT(0), KEPT(1), KEPT(2), KEPT(3)); }
#endif

qp_texel qp_fetch(int sheet, ivec2 at)
{
    return FETCH == 1 ? texelFetch(qp_sheets[sheet], at) : texture(qp_sheets[sheet], vec2(at) + 0.5);
}

// Texel t of the tile's row r, which is SHEET(r) / SHEETS rows up in its sheet.
#define LOAD(k, r, t) qp_load(k * SIZE + r * ACROSS + t * CELLS, k * SHEETS + SHEET(r) % SHEETS, \
    ivec2(t - ASIDE, SHEET(r) / SHEETS - HALO));
#define SHEET(r) (r + SHEETS * HALO - HALO)
void qp_load(int i, int sheet, ivec2 away)
{
    qp_texel v = qp_fetch(sheet, qp_block * ivec2(1, ROWS / SHEETS) + away);
    for (int c = 0; c < CELLS; c++)
        qp_tile[i + c] = qp_part(v, c);
}

// Cell (r, c) of an array that wraps.
#define LOAD_CELL(k, r, c) qp_load_cell(k * SIZE + r * ACROSS + c, k * SHEETS, qp_wrapped(qp_corner + ivec2(c, r)));
ivec2 qp_wrapped(ivec2 cell)
{
    return (cell + 16 * qp_size) % qp_size;
}
void qp_load_cell(int i, int sheet, ivec2 cell)
{
    for (int r = 0; r < SHEETS; r++)
        if (r == cell.y % SHEETS)
            qp_tile[i] = qp_part(qp_fetch(sheet + r, cell / ivec2(CELLS, SHEETS)), cell.x % CELLS);
}

// A cell after the next step.
void qp_keep(int state, qp_real value)
{
    qp_tile[qp_at + state * SIZE - MOVE] = PACK(value);
}

#define CELL(r, c) qp_at = r * ACROSS + c + MOVE; qp_cell(vec2(PLACE(qp_corner + ivec2(c, r) + REACH)));
#define PLACE(cell) (EDGE ? qp_wrapped(cell) : cell)
void qp_cell(vec2 here)
{
    /*@ shader calls */
    qp_keep(0, kernel(here));
    /*@ end */
}

#define NEXT qp_moved += MOVE; qp_corner += REACH;

// A cell outside of an array gets the array's value there, or its neighbour's: from the grid outwards.
#define LEFT(k, r, c) HOLD(k, r * ACROSS + c, 1, qp_corner.x < -c)
#define RIGHT(k, r, c) HOLD(k, r * ACROSS + c, -1, qp_corner.x >= qp_size.x - c)
#define BELOW(k, r, c) HOLD(k, r * ACROSS + c, ACROSS, qp_corner.y < -r)
#define ABOVE(k, r, c) HOLD(k, r * ACROSS + c, -ACROSS, qp_corner.y >= qp_size.y - r)
#define HOLD(k, i, step, is_outside) \
    qp_tile[k * SIZE + i] = is_outside ? qp_outside[k] == VALUE ? PACK(qp_beyond[k]) : qp_tile[k * SIZE + i + step] : qp_tile[k * SIZE + i];

#ifndef LINES // machine.c writes each line itself, since drivers do not unroll loops, and then keep tiles in memory
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
#ifdef GROUP_X
    if (any(greaterThanEqual(qp_block, qp_end)))
        return;
#endif
    LINES
#if defined COUNTS && defined qp_loops
    int qp_rounds = 0; // rounds: 2, but only 1 if the driver has ended the loops before
    for (; qp_rounds < min(qp_size.x, 1) + 1; qp_rounds++)
        ;
    if (qp_rounds < 2)
        qp_ended = 1;
#endif
    for (int k = 0; k < STATES; k++)
        for (int r = 0; r < ROWS; r++)
#ifdef GROUP_X
            imageStore(qp_to[k], qp_block * ivec2(1, ROWS) + ivec2(0, r), qp_whole(k * SIZE + r * ACROSS + SKIPPED));
#else
            qp_to[k * ROWS + r] = qp_whole(k * SIZE + r * ACROSS + SKIPPED);
#endif
}
