/*@ origin */
/* heat.frag on OpenGL: a context without a window, the shader as programs, arrays as textures. */
/*@ end */
#ifndef OPENGL_H
#define OPENGL_H

#include <GL/glew.h>

#include "stencil.h"

/*@ block */
#define ROWS 8 /* rows of the block of cells that an invocation computes */
#define MOST 4 /* steps at once */
/*@ end */
/*@ tune rows = 1 2 4 8 */
/*@ tune steps = 1 2 3 4 6 */
/*@ tune cells = 4 2 1 */
/*@ tune not steps > 1 with several < 1 */
/*@ tune not cells * bytes > 16 */
/*@ tune not steps = 6 with rows = 8 */
/*@ term bytes = arrays / steps + states / steps */
/*@ term fetches = 1 / cells / steps + 2 * reach / cells / cells + 2 * reach / rows / cells */
/*@ term arithmetic = 1 + reach * steps / cells + reach * steps / rows */
/*@ term launches = 1 / steps */
#ifndef CELLS
#define CELLS (16 / (int)sizeof(real)) /* cells of a row in a texel; a block is one texel wide */
#endif

/* ---- Contexts and programs (opengl.c) ---- */

/* Makes a context current, once, on the first device, or one with a renderer of this name; ends the
 * program where there is none. */
void opengl_open(const char *renderer);

/* Makes a program of these lines and the kernel's shader, with a vertex shader or NULL, and uses
 * it. */
GLuint opengl_program(GLenum kind, const char *head, const char *vertex);

/* Ends the program if OpenGL has met an error. */
void opengl_check(void);

/* True where the driver ends all loops of an invocation after 65535 rounds together, without an
 * error, as drivers on processors do. The function waits for the shaders, and returns 1 if one of
 * them has met such an end since the last call, else 0. */
extern bool opengl_counts;
int opengl_count(void);

/* ---- Arrays as textures (machine.c) ---- */

/* All arrays on two sides: steps read one side and write the other. */
struct machine {
    struct grid grid; /* size and numbers of the grid */
    int across, up;   /* blocks of the grid */
    GLuint texture[2][ARRAYS * ROWS], framebuffer[2];
    int side;
};
GLenum texel_format(void);

/* ---- The target (steps.c): blocks as fragments, or as invocations of a compute shader ---- */

struct target {
    const char *head;   /* lines in front of the shader */
    const char *vertex; /* vertex shader, or NULL */
    GLenum kind;        /* kind of the shader */
    int sheets;         /* textures of an array: row r is in texture r % sheets */
    int across, up;     /* blocks that are computed together */
};
extern const struct target target;

/* Makes what the target needs besides textures. */
void target_open(struct machine *machine);

/* Lets blocks be written to the side that is not read; before they are computed. */
void target_begin(const struct machine *machine);

/* Computes the blocks from (x, y) up to (end_x, end_y) by the program in use. */
void target_draw(int x, int y, int end_x, int end_y);

/* Lets blocks be read, after they are computed. */
void target_end(void);

#endif
