#version 430
/*@ origin */
/* heat.frag as a compute shader: the kernel, and several steps of it in a block of cells. */
/*@ end */
const int VALUE = 0, CLAMP = 1, WRAP = 2;
uniform vec2 size; // of the grid
/*@ shader description */
#define qp_real float // a value of an array
#define REACH 1    // cells that a cell looks, each way
#define STATES 1
#define ARRAYS 1
const int qp_outside[ARRAYS] = int[](CLAMP);
const qp_real qp_beyond[ARRAYS] = qp_real[](0.0);
uniform float rate;
/*@ end */

// ---- A block and its tile ----

// A group computes a block of WIDE x HIGH cells. The first step reads the arrays, and computes HALO cells more on every side;
// each later one reads what the one before left in shared memory, and computes REACH cells less; the last writes the block.
#ifndef STEPS // defined by steps.c, in front of this line
#define STEPS 2
#define EDGE true // some of what is read may be outside of the grid
#endif
#define WIDE 32
#define HIGH 32
#define THREADS 256
#define HALO ((STEPS - 1) * REACH)
#define ACROSS (WIDE + 2 * HALO)
#define SIZE (ACROSS * (HIGH + 2 * HALO))

layout(local_size_x = THREADS) in;
layout(std430, binding = 0) readonly buffer qp_given { qp_real values[]; } qp_from[ARRAYS];
layout(std430, binding = ARRAYS) writeonly buffer qp_made { qp_real values[]; } qp_to[STATES];
uniform ivec2 qp_size, qp_first; // of the grid; the first block
#if STEPS > 1
shared qp_real qp_tile[2 * STATES * SIZE]; // after the odd steps, and after the others
#endif

int qp_done = 0; // steps
ivec2 qp_at = ivec2(0); // the cell that is computed, in the grid or in a copy of it beside it
ivec2 qp_corner = (qp_first + ivec2(gl_WorkGroupID.xy)) * ivec2(WIDE, HIGH) - HALO;
precise bool qp_holds; // a condition

int qp_place(int array, ivec2 cell, int done)
{
    cell -= qp_corner;
    return (done % 2 * STATES + array) * SIZE + cell.y * ACROSS + cell.x;
}

qp_real qp_value_of(int array, ivec2 cell)
{
#if STEPS > 1
    if (array < STATES && qp_done > 0)
        return qp_tile[qp_place(array, cell, qp_done)];
#endif
    cell = EDGE ? (cell + 64 * qp_size) % qp_size : cell;
    return qp_from[array].values[cell.y * qp_size.x + cell.x];
}

// The value of an array beside the cell. Outside of the copy that the cell is in it has the array's own.
qp_real qp_value_at(int array, int dx, int dy)
{
    ivec2 cell = qp_at + ivec2(dx, dy);
    if (!EDGE || qp_outside[array] == WRAP)
        return qp_value_of(array, cell);
    ivec2 low = qp_at - (qp_at + 64 * qp_size) % qp_size, held = clamp(cell, low, low + qp_size - 1);
    return qp_outside[array] == VALUE && held != cell ? qp_beyond[array] : qp_value_of(array, held);
}

void qp_keep(int state, qp_real value)
{
#if STEPS > 1
    if (qp_done + 1 < STEPS) {
        qp_tile[qp_place(state, qp_at, qp_done + 1)] = value;
        return;
    }
#endif
    qp_to[state].values[qp_at.y * qp_size.x + qp_at.x] = value;
}

#define STATE_AT(k, dx, dy) qp_value_at(k, int(dx), int(dy))
#define INPUT_AT(k, dx, dy) qp_value_at(k, int(dx), int(dy))

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

// Whether a cell is computed: in the grid, or in a copy of it where a later step needs that.
bool qp_is_needed()
{
    bool wraps = false;
    for (int k = 0; k < STATES; k++)
        wraps = wraps || qp_outside[k] == WRAP;
    return !EDGE || qp_at == clamp(qp_at, ivec2(0), qp_size - 1) || (wraps && qp_done + 1 < STEPS);
}

void main()
{
    for (int left = HALO; left >= 0; left -= REACH) {
        int wide = WIDE + 2 * left, cells = wide * (HIGH + 2 * left);
        for (int i = int(gl_LocalInvocationIndex); i < cells; i += THREADS) {
            qp_at = qp_corner + HALO - left + ivec2(i % wide, i / wide);
            if (qp_is_needed()) {
                vec2 here = vec2(EDGE ? (qp_at + 64 * qp_size) % qp_size : qp_at);
                /*@ shader calls */
                qp_keep(0, kernel(here));
                /*@ end */
            }
        }
        barrier();
        qp_done++;
    }
}
