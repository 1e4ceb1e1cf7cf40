/*@ origin */
/* heat.frag on OpenGL: its arrays as textures, and steps in blocks of cells. */
/*@ end */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "opengl.h"

/*@ tune fetch = 0 1 */
/*@ tune edges = 1 0 */
#ifndef FETCH
#define FETCH 0 /* 1: by whole numbers */
#endif
#ifndef EDGES
#define EDGES 1 /* cells at the grid's sides have a program of their own */
#endif
#define COUNTS "#extension GL_ARB_shader_storage_buffer_object : require\n#define COUNTS\n"
enum { IS_DOUBLE = sizeof(real) == sizeof(double) };

/* ---- Programs ---- */

/* Cells outside of an array, in the part of a tile that is `left` rows and columns larger than a
 * block on every side. */
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

/* The lines of main() in kernel.glsl. */
static void put_lines(FILE *out, int steps, bool edge)
{
    const int halo = steps * REACH, aside = (halo + CELLS - 1) / CELLS,
              skipped = aside * CELLS - halo;
    for (int k = 0; k < ARRAYS; k++) {
        const bool wraps = edge && arrays[k].outside == WRAP;
        const int first = wraps ? skipped : 0, texels = 1 + 2 * aside,
                  end = wraps ? CELLS * texels - skipped : texels;
        for (int r = 0; r < ROWS + 2 * halo; r++)
            for (int t = first; t < end; t++)
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

/* Prints a warning if the driver gets thousands of reads to compile: each cell of a tile that wraps
 * may be in any sheet. */
static void tell_of_reads(int steps)
{
    const int halo = steps * REACH;
    int reads = 0;
    for (int k = 0; k < ARRAYS; k++)
        reads +=
            arrays[k].outside == WRAP ? (ROWS + 2 * halo) * (CELLS + 2 * halo) * target.sheets : 0;
    if (reads > 2000)
        fprintf(stderr,
                NAME ": compiles a shader of %d reads, as arrays wrap; on a processor that takes "
                     "minutes, and target c or compute has none of them\n",
                reads);
}

/* The program for `steps` steps at once, tried if the driver compiles when it draws. With `edge`
 * some of the cells that it reads may be outside of the grid. */
static GLuint make_program(const struct machine *m, int steps, bool edge)
{
    char *head = NULL;
    GLint units[ARRAYS * ROWS];
    size_t length = 0;
    FILE *out = open_memstream(&head, &length);
    if (out == NULL)
        fail("no memory for a shader");
    if (edge)
        tell_of_reads(steps);
    fprintf(out, "%s%s%s#define STEPS %d\n#define ROWS %d\n#define CELLS %d\n#define SHEETS %d\n",
            target.head, opengl_counts ? COUNTS : "", IS_DOUBLE ? "#define DOUBLES\n" : "", steps,
            ROWS, CELLS, target.sheets);
    fprintf(out, "#define FETCH %d\n#define EDGE %s\n#define LINES ", FETCH,
            edge ? "true" : "false");
    put_lines(out, steps, edge);
    fputs("\n", out);
    fclose(out);
    const GLuint program = opengl_program(target.kind, head, target.vertex);
    free(head);
    for (int i = 0; i < ARRAYS * ROWS; i++)
        units[i] = i;
    glUniform1iv(glGetUniformLocation(program, "qp_sheets"), ARRAYS * target.sheets, units);
    glUniform1iv(glGetUniformLocation(program, "qp_to"), STATES, units);
    target_begin(m);
    target_draw(0, 0, 1, 1);
    opengl_count(); /* this draw counts for no step */
    return program;
}

/* Programs for each number of steps, without or with `edge`: all machines share them, as compilers
 * take their time. */
static GLuint programs[MOST_AT_ONCE + 1][2];

static void use(GLuint program, const struct grid *grid)
{
    glUseProgram(program);
    glUniform2i(glGetUniformLocation(program, "qp_size"), grid->width, grid->height);
    glUniform2fv(glGetUniformLocation(program, "size"), 1, (const float *)&grid->set.size);
    /*@ set uniforms */
    glUniform1fv(glGetUniformLocation(program, "rate"), 1, (const float *)&grid->set.rate);
    /*@ end */
}

/* ---- Steps ---- */

/* Returns the first block without a cell outside, and sets *end to the first after these: both are
 * multiples of 4, as devices compute at least 4 x 4 blocks together. */
static int inside(int halo, int block, int cells, int blocks, int *end)
{
    const int side = 4 * block, first = (halo + side - 1) / side * 4,
              last = cells > halo ? (cells - halo) / side * 4 : 0,
              begin = first < blocks ? first : blocks;
    *end = last > begin ? last : begin;
    return begin;
}

static void draw(int x, int y, int end_x, int end_y)
{
    if (x < end_x && y < end_y)
        target_draw(x, y, end_x, end_y);
}

/* Takes `steps` steps in one go: by one program where no cell that they read is outside of the
 * grid, by another at its sides. */
static void go(struct machine *m, int steps, int beyond)
{
    (void)beyond; /* the grid is one part */
    int right, above;
    const int halo = EDGES ? steps * REACH : m->grid.width + m->grid.height,
              left = inside(halo, CELLS, m->grid.width, m->across, &right),
              below = inside(halo, ROWS, m->grid.height, m->up, &above);
    for (int i = 0; i < ARRAYS * target.sheets; i++) {
        glActiveTexture(GL_TEXTURE0 + (GLenum)i);
        glBindTexture(GL_TEXTURE_RECTANGLE, m->texture[m->side][i]);
    }
    target_begin(m);
    if (EDGES) {
        use(programs[steps][false], &m->grid);
        draw(left, below, right, above);
    }
    use(programs[steps][true], &m->grid);
    draw(0, 0, m->across, below);
    draw(0, above, m->across, m->up);
    draw(0, below, left, above);
    draw(right, below, m->across, above);
    target_end();
    m->side = 1 - m->side;
}

static void finish(struct machine *m)
{
    (void)m;
    glFinish();
    opengl_check();
    if (opengl_count() != 0)
        fail("this driver ends all loops of a block of cells after 65535 rounds together, and a "
             "block has more; take fewer rounds, or plain C (the target c, --backend cpu)");
}

/* ---- The machine, for program.c ---- */

/* Formats of 1, 2 or 4 words. */
static const GLenum formats[2][5] = {{0, GL_RED, GL_RG, 0, GL_RGBA},
                                     {0, GL_RED_INTEGER, GL_RG_INTEGER, 0, GL_RGBA_INTEGER}},
                    texel_formats[3][5] = {{0, GL_R32F, GL_RG32F, 0, GL_RGBA32F},
                                           {0, GL_R32I, GL_RG32I, 0, GL_RGBA32I},
                                           {0, 0, GL_RG32UI, 0, GL_RGBA32UI}},
                    types[3] = {GL_FLOAT, GL_INT, GL_UNSIGNED_INT};
enum { WORDS = CELLS * (IS_DOUBLE ? 2 : 1), KIND = IS_DOUBLE ? 2 : IS_WHOLE };

GLenum texel_format(void)
{
    return texel_formats[KIND][WORDS];
}

static struct machine *create(const struct grid *grid)
{
    GLint most = 0;
    struct machine *m = (struct machine *)allocate(1, sizeof *m);
    memset(m, 0, sizeof *m);
    m->grid = *grid;
    m->across = (grid->width + CELLS - 1) / CELLS;
    m->up = (grid->height + ROWS - 1) / ROWS;
    const int height = m->up * (ROWS / target.sheets); /* height of a texture */
    opengl_open(NULL);
    glGetIntegerv(GL_MAX_RECTANGLE_TEXTURE_SIZE, &most);
    if (m->across > most || height > most)
        fail("the grid takes %d x %d texels, and this driver's textures have %d x %d at most",
             m->across, height, most, most);
    for (int i = 0; i < (ARRAYS + STATES) * target.sheets; i++) {
        const int k = i < ARRAYS * target.sheets ? i : i - ARRAYS * target.sheets;
        GLuint *texture = &m->texture[i > k][k];
        glGenTextures(1, texture);
        m->texture[1][k] = *texture; /* at first, and for arrays that are only read */
        glBindTexture(GL_TEXTURE_RECTANGLE, *texture);
        glTexStorage2D(GL_TEXTURE_RECTANGLE, 1, texel_format(), m->across, height);
        glTexParameteri(GL_TEXTURE_RECTANGLE, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
        glTexParameteri(GL_TEXTURE_RECTANGLE, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    }
    target_open(m);
    opengl_check();
    return m;
}

static void destroy(struct machine *m)
{
    glDeleteTextures(ARRAYS * target.sheets, m->texture[0]);
    glDeleteTextures(STATES * target.sheets, m->texture[1]);
    glDeleteFramebuffers(2, m->framebuffer);
    free(m);
}

static int at_once(const struct machine *m, int asked)
{
    (void)m;
    return asked > 0 && asked < MOST ? asked : MOST;
}

static void load(struct machine *m, int steps)
{
    for (int edge = EDGES ? 0 : 1; edge < 2; edge++)
        if (programs[steps][edge] == 0)
            programs[steps][edge] = make_program(m, steps, edge);
}

/* Copies all rows of an array to or from its textures. */
static void copy(const struct machine *m, int array, real *cells, bool reads)
{
    const size_t width = (size_t)m->grid.width, height = (size_t)m->grid.height,
                 pitch = (size_t)m->across * CELLS;
    real *rows = (real *)allocate(pitch * (size_t)m->up * ROWS, sizeof *rows);
    memset(rows, 0, pitch * (size_t)m->up * ROWS * sizeof *rows);
    for (size_t y = 0; y < height && !reads; y++)
        memcpy(rows + y * pitch, cells + y * width, width * sizeof *rows);
    const GLenum format = formats[KIND > 0][WORDS], type = types[KIND];
    glPixelStorei(GL_UNPACK_ROW_LENGTH, m->across * target.sheets);
    glPixelStorei(GL_PACK_ROW_LENGTH, m->across * target.sheets);
    for (int r = 0; r < target.sheets; r++) {
        real *sheet = rows + (size_t)r * pitch;
        glBindTexture(GL_TEXTURE_RECTANGLE, m->texture[m->side][array * target.sheets + r]);
        if (reads)
            glGetTexImage(GL_TEXTURE_RECTANGLE, 0, format, type, sheet);
        else
            glTexSubImage2D(GL_TEXTURE_RECTANGLE, 0, 0, 0, m->across,
                            m->up * (ROWS / target.sheets), format, type, sheet);
    }
    opengl_check();
    for (size_t y = 0; y < height && reads; y++)
        memcpy(cells + y * width, rows + y * pitch, width * sizeof *rows);
    free(rows);
}

static void put(struct machine *m, int array, int first, int count, const real *rows)
{
    (void)first, (void)count; /* the grid is one part */
    copy(m, array, (real *)(uintptr_t)rows, false);
}

static void get(struct machine *m, int state, int first, int count, real *rows)
{
    (void)first, (void)count;
    copy(m, state, rows, true);
}

static const char *name(struct machine *m)
{
    (void)m;
    return (const char *)glGetString(GL_RENDERER);
}

/* Steps are drawn by 4 blocks, and by as many at the grid's sides. */
static void sides(int *across, int *up)
{
    *across = CELLS * (8 + target.across);
    *up = ROWS * (8 + target.up);
}

const struct engine ENGINE = {create, destroy, at_once, put,  get,  load, go,
                              finish, name,    NULL,    NULL, NULL, NULL, sides};
