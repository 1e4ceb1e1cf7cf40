/*@ origin */
/* heat.frag on OpenGL: many steps by compute shaders. */
/*@ end */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "opengl.h"

enum { WIDE = 32, HIGH = 32 }; /* a block, as in kernel.comp */

/* All arrays as buffers, on two sides: steps read the one and write the other. */
struct machine {
    struct grid grid; /* its size and numbers */
    struct blocks blocks;
    GLuint buffers[2][ARRAYS];
    size_t bytes;
    int side;
};

/* ---- Steps ---- */

void machine_draw(int x, int y, int end_x, int end_y)
{
    GLint program = 0;
    glGetIntegerv(GL_CURRENT_PROGRAM, &program);
    glUniform2i(glGetUniformLocation((GLuint)program, "qp_first"), x, y);
    glDispatchCompute((GLuint)(end_x - x), (GLuint)(end_y - y), 1);
}

GLuint machine_program(const struct machine *m, int steps, bool edge)
{
    char defines[64];
    (void)m;
    snprintf(defines, sizeof defines, "#define STEPS %d\n#define EDGE %s\n", steps,
             edge ? "true" : "false");
    return opengl_program(GL_COMPUTE_SHADER, defines, NULL);
}

void machine_go(struct machine *m, int steps)
{
    for (GLuint k = 0; k < ARRAYS; k++)
        glBindBufferBase(GL_SHADER_STORAGE_BUFFER, k, m->buffers[m->side][k]);
    for (GLuint k = 0; k < STATES; k++)
        glBindBufferBase(GL_SHADER_STORAGE_BUFFER, ARRAYS + k, m->buffers[1 - m->side][k]);
    opengl_cover(&m->grid, &m->blocks, steps);
    glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT | GL_BUFFER_UPDATE_BARRIER_BIT);
    m->side = 1 - m->side;
}

/* ---- The machine, for program.c ---- */

struct machine *machine_create(const struct grid *grid)
{
    struct machine *m = (struct machine *)allocate(1, sizeof *m);
    memset(m, 0, sizeof *m);
    m->grid = *grid;
    m->blocks = opengl_blocks(grid, WIDE, HIGH);
    m->bytes = (size_t)grid->width * (size_t)grid->height * sizeof(real);
    opengl_open();
    if (glDispatchCompute == NULL)
        fail("the driver has no compute shaders, which are in OpenGL 4.3");
    glGenBuffers(ARRAYS, m->buffers[0]);
    memcpy(m->buffers[1], m->buffers[0], sizeof m->buffers[0]); /* arrays that are only read */
    glGenBuffers(STATES, m->buffers[1]);
    for (int k = 0; k < ARRAYS + STATES; k++) {
        glBindBuffer(GL_SHADER_STORAGE_BUFFER,
                     k < ARRAYS ? m->buffers[0][k] : m->buffers[1][k - ARRAYS]);
        glBufferData(GL_SHADER_STORAGE_BUFFER, (GLsizeiptr)m->bytes, NULL, GL_DYNAMIC_COPY);
    }
    opengl_check();
    return m;
}

void machine_destroy(struct machine *m)
{
    glDeleteBuffers(ARRAYS, m->buffers[0]);
    glDeleteBuffers(STATES, m->buffers[1]);
    free(m);
}

/* As many as leave a block larger than the cells around it, and fit a group's memory; by default
 * at most 4. */
int machine_at_once(const struct machine *m, int asked)
{
    int at_once = asked > 0 ? asked : 1; /* the fastest on what was measured */
    GLint memory = 0;
    (void)m;
    glGetIntegerv(GL_MAX_COMPUTE_SHARED_MEMORY_SIZE, &memory);
    for (; at_once > 1; at_once /= 2) {
        const int halo = (at_once - 1) * REACH;
        if (2 * at_once * REACH < HIGH &&
            2 * STATES * (WIDE + 2 * halo) * (HIGH + 2 * halo) * (int)sizeof(real) <= memory)
            break;
    }
    return at_once;
}

void machine_write(struct machine *m, const struct grid *grid)
{
    for (int k = 0; k < ARRAYS; k++) {
        glBindBuffer(GL_SHADER_STORAGE_BUFFER, m->buffers[m->side][k]);
        glBufferSubData(GL_SHADER_STORAGE_BUFFER, 0, (GLsizeiptr)m->bytes, grid->cells[k]);
    }
    opengl_check();
}

void machine_read(const struct machine *m, struct grid *grid)
{
    for (int k = 0; k < STATES; k++) {
        glBindBuffer(GL_SHADER_STORAGE_BUFFER, m->buffers[m->side][k]);
        glGetBufferSubData(GL_SHADER_STORAGE_BUFFER, 0, (GLsizeiptr)m->bytes, grid->cells[k]);
    }
    opengl_check();
}
