/*@ origin */
/* heat.frag on OpenGL: a context without a window, and the kernel's shader as programs. */
/*@ end */
#ifndef OPENGL_H
#define OPENGL_H

#include <GL/glew.h>

#include "stencil.h"

/* Makes a context current, once; ends the program where there is none. */
void opengl_open(void);

/* The kernel's shader as a program with these lines after its #version, and with a vertex shader
 * or NULL; it is in use. */
GLuint opengl_program(GLenum kind, const char *defines, const char *vertex);

/* Ends the program if OpenGL has met an error. */
void opengl_check(void);

/* ---- The grid in blocks ---- */

struct blocks {
    int width, height, across, up; /* cells of a block, and blocks of the grid */
};

struct blocks opengl_blocks(const struct grid *grid, int width, int height);

/* Computes the blocks from (x, y) up to (end_x, end_y) by the program in use. */
void machine_draw(int x, int y, int end_x, int end_y);

/* Computes all blocks: by one program where no cell that so many steps look at is outside of the
 * grid, by another at its sides. */
void opengl_cover(const struct grid *grid, const struct blocks *blocks, int steps);

/* ---- What steps.c has for machine_advance ---- */

/* Makes the program for so many steps at once, and tries it if the driver compiles when it
 * draws. With `edge` some of the cells that it reads may be outside of the grid. */
GLuint machine_program(const struct machine *machine, int steps, bool edge);

/* Takes so many steps in one go. */
void machine_go(struct machine *machine, int steps);

#endif
