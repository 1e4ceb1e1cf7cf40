/*@ origin */
/* heat.frag on OpenGL: many steps by fragments. */
/*@ end */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "opengl.h"

/* A fragment's block, as in kernel.frag: a texel of each sheet. Fragments have 8 targets, and 32
 * textures. */
enum {
    CELLS = 16 / sizeof(real),
    ROWS = STATES == 1 && ARRAYS <= 4 ? 8
           : STATES <= 2              ? 4
                                      : 2,
    MOST_HALO = 4
};
/*@ most at once */
enum { MOST = 4 }; /* steps at once that drivers compile in seconds */
/*@ end */

/* All arrays in sheets, on two sides: steps read the one and write the other. */
struct machine {
    struct grid grid; /* its size and numbers */
    struct blocks blocks;
    GLuint sheets[2][ARRAYS * ROWS], framebuffer[2];
    int side;
};

/* ---- Steps ---- */

void machine_draw(int x, int y, int end_x, int end_y)
{
    glScissor(x, y, end_x - x, end_y - y);
    glDrawArrays(GL_TRIANGLES, 0, 3);
}

/* Reads this side and writes the other. */
static void bind(const struct machine *m)
{
    glBindFramebuffer(GL_FRAMEBUFFER, m->framebuffer[1 - m->side]);
    for (int i = 0; i < ARRAYS * ROWS; i++) {
        glActiveTexture(GL_TEXTURE0 + (GLenum)i);
        glBindTexture(GL_TEXTURE_RECTANGLE, m->sheets[m->side][i]);
    }
    glViewport(0, 0, m->blocks.across, m->blocks.up);
    glEnable(GL_SCISSOR_TEST);
}

void machine_go(struct machine *m, int steps)
{
    bind(m);
    opengl_cover(&m->grid, &m->blocks, steps);
    m->side = 1 - m->side;
}

/* ---- Programs ---- */

/* Cells outside of an array, in the part of a tile that is so many rows and columns larger than
 * a block on every side. */
static void put_outside(FILE *out, int k, int left, int skipped)
{
    const int rows = ROWS + 2 * left, columns = CELLS + 2 * left;
    for (int r = 0; r < rows; r++) {
        for (int c = left - 1; c >= 0; c--)
            fprintf(out, "LEFT(%d, %d, %d) ", k, r, skipped + c);
        for (int c = left + 1; c < columns; c++)
            fprintf(out, "RIGHT(%d, %d, %d) ", k, r, skipped + c);
    }
    for (int c = 0; c < columns; c++) {
        for (int r = left - 1; r >= 0; r--)
            fprintf(out, "BELOW(%d, %d, %d) ", k, r, skipped + c);
        for (int r = left + 1; r < rows; r++)
            fprintf(out, "ABOVE(%d, %d, %d) ", k, r, skipped + c);
    }
}

/* The lines of main() in kernel.frag. */
static void put_lines(FILE *out, int steps, bool edge)
{
    const int halo = steps * REACH, aside = (halo + CELLS - 1) / CELLS,
              skipped = aside * CELLS - halo;
    for (int k = 0; k < ARRAYS; k++) {
        const bool wraps = edge && arrays[k].outside == WRAP;
        for (int r = 0; r < ROWS + 2 * halo; r++)
            for (int t = 0; t < (1 + 2 * aside) * (wraps ? CELLS : 1); t++)
                fprintf(out, "LOAD%s(%d, %d, %d) ", wraps ? "_CELL" : "", k, r, t);
        if (edge && !wraps)
            put_outside(out, k, halo, skipped);
    }
    for (int left = halo - REACH; left >= 0; left -= REACH) {
        for (int r = 0; r < ROWS + 2 * left; r++)
            for (int c = 0; c < CELLS + 2 * left; c++)
                fprintf(out, "CELL(%d, %d) ", r, skipped + c);
        fputs("NEXT ", out);
        for (int k = 0; k < STATES && edge && left > 0; k++)
            if (arrays[k].outside != WRAP)
                put_outside(out, k, left, skipped);
    }
}

GLuint machine_program(const struct machine *m, int steps, bool edge)
{
    static const char vertex[] =
        "#version 400\nvoid main()\n{\n    gl_Position = vec4(gl_VertexID == 1 ? 3.0 : -1.0, "
        "gl_VertexID == 2 ? 3.0 : -1.0, 0.0, 1.0);\n}\n";
    char *defines = NULL;
    GLint units[ARRAYS * ROWS];
    size_t length = 0;
    FILE *out = open_memstream(&defines, &length);
    if (out == NULL)
        fail("no memory for a shader");
    fprintf(out,
            "#define STEPS %d\n#define ROWS %d\n#define CELLS %d\n#define EDGE %s\n#define LINES ",
            steps, ROWS, CELLS, edge ? "true" : "false");
    put_lines(out, steps, edge);
    fputs("\n", out);
    fclose(out);
    const GLuint program = opengl_program(GL_FRAGMENT_SHADER, defines, vertex);
    free(defines);
    for (int i = 0; i < ARRAYS * ROWS; i++)
        units[i] = i;
    glUniform1iv(glGetUniformLocation(program, "qp_sheets"), ARRAYS * ROWS, units);
    bind(m);
    machine_draw(0, 0, 1, 1);
    return program;
}

/* ---- The machine, for program.c ---- */

enum { IS_DOUBLE = CELLS == 2 };
static const GLenum stored = IS_DOUBLE  ? GL_RGBA32UI
                             : IS_WHOLE ? GL_RGBA32I
                                        : GL_RGBA32F,
                    format = IS_DOUBLE || IS_WHOLE ? GL_RGBA_INTEGER : GL_RGBA,
                    type = IS_DOUBLE  ? GL_UNSIGNED_INT
                           : IS_WHOLE ? GL_INT
                                      : GL_FLOAT;

static void make_sheets(struct machine *m, int side)
{
    GLenum targets[STATES * ROWS];
    glGenFramebuffers(1, &m->framebuffer[side]);
    glBindFramebuffer(GL_FRAMEBUFFER, m->framebuffer[side]);
    for (int i = 0; i < ARRAYS * ROWS; i++) {
        GLuint *sheet = &m->sheets[side][i];
        *sheet = m->sheets[0][i]; /* of arrays that are only read */
        if (side == 0 || i < STATES * ROWS) {
            glGenTextures(1, sheet);
            glBindTexture(GL_TEXTURE_RECTANGLE, *sheet);
            glTexStorage2D(GL_TEXTURE_RECTANGLE, 1, stored, m->blocks.across, m->blocks.up);
            glTexParameteri(GL_TEXTURE_RECTANGLE, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
            glTexParameteri(GL_TEXTURE_RECTANGLE, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
        }
        if (i < STATES * ROWS) {
            targets[i] = GL_COLOR_ATTACHMENT0 + (GLenum)i;
            glFramebufferTexture2D(GL_FRAMEBUFFER, targets[i], GL_TEXTURE_RECTANGLE, *sheet, 0);
        }
    }
    glDrawBuffers(STATES * ROWS, targets);
    opengl_check();
}

struct machine *machine_create(const struct grid *grid)
{
    GLuint vertices = 0;
    GLint most = 0;
    struct machine *m = (struct machine *)allocate(1, sizeof *m);
    memset(m, 0, sizeof *m);
    m->grid = *grid;
    m->blocks = opengl_blocks(grid, CELLS, ROWS);
    opengl_open();
    glGetIntegerv(GL_MAX_RECTANGLE_TEXTURE_SIZE, &most);
    if (m->blocks.across > most || m->blocks.up > most)
        fail("the grid takes %d x %d texels, and this driver's textures have %d x %d at most",
             m->blocks.across, m->blocks.up, most, most);
    glGenVertexArrays(1, &vertices);
    glBindVertexArray(vertices);
    make_sheets(m, 0);
    make_sheets(m, 1);
    return m;
}

void machine_destroy(struct machine *m)
{
    glDeleteTextures(ARRAYS * ROWS, m->sheets[0]);
    glDeleteTextures(STATES * ROWS, m->sheets[1]);
    glDeleteFramebuffers(2, m->framebuffer);
    free(m);
}

/* Cells beyond the side of a state that wraps are those of the other side once more. They find
 * the same neighbours there only if all arrays wrap. */
static bool takes_several(void)
{
    int wrapping = 0, states = 0;
    for (int k = 0; k < ARRAYS; k++) {
        wrapping += arrays[k].outside == WRAP;
        states += k < STATES && arrays[k].outside == WRAP;
    }
    return states == 0 || wrapping == ARRAYS;
}

int machine_at_once(const struct machine *m, int asked)
{
    int at_once = asked > 0 ? asked : MOST;
    (void)m;
    while (at_once > 1 && (at_once > MOST || at_once * REACH > MOST_HALO || !takes_several()))
        at_once /= 2;
    return at_once;
}

/* Copies an array's rows to or from its sheets. */
static void copy(const struct machine *m, int array, real *cells, bool reads)
{
    const size_t width = (size_t)m->grid.width, height = (size_t)m->grid.height,
                 pitch = (size_t)m->blocks.across * CELLS;
    real *rows = (real *)allocate(pitch * (size_t)m->blocks.up * ROWS, sizeof *rows);
    memset(rows, 0, pitch * (size_t)m->blocks.up * ROWS * sizeof *rows);
    for (size_t y = 0; y < height && !reads; y++)
        memcpy(rows + y * pitch, cells + y * width, width * sizeof *rows);
    glPixelStorei(GL_UNPACK_ROW_LENGTH, m->blocks.across * ROWS);
    glPixelStorei(GL_PACK_ROW_LENGTH, m->blocks.across * ROWS);
    for (int r = 0; r < ROWS; r++) {
        glBindTexture(GL_TEXTURE_RECTANGLE, m->sheets[m->side][array * ROWS + r]);
        if (reads)
            glGetTexImage(GL_TEXTURE_RECTANGLE, 0, format, type, rows + (size_t)r * pitch);
        else
            glTexSubImage2D(GL_TEXTURE_RECTANGLE, 0, 0, 0, m->blocks.across, m->blocks.up, format,
                            type, rows + (size_t)r * pitch);
    }
    opengl_check();
    for (size_t y = 0; y < height && reads; y++)
        memcpy(cells + y * width, rows + y * pitch, width * sizeof *rows);
    free(rows);
}

void machine_write(struct machine *m, const struct grid *grid)
{
    for (int k = 0; k < ARRAYS; k++)
        copy(m, k, grid->cells[k], false);
}

void machine_read(const struct machine *m, struct grid *grid)
{
    for (int k = 0; k < STATES; k++)
        copy(m, k, grid->cells[k], true);
}
