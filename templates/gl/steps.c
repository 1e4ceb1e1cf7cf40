/*@ origin */
/* heat.frag on OpenGL: blocks of cells as fragments. */
/*@ end */
#include "opengl.h"

/*@ tune framebuffers = 2 1 */
/*@ tune corners = 3 4 */
/*@ tune not corners = 4 with steps > 2 */
/*@ tile across = 9 * cells */
/*@ tile up = 9 * rows */
#ifndef FRAMEBUFFERS
#define FRAMEBUFFERS 2 /* framebuffers that take turns; 1: its textures change */
#endif
#ifndef CORNERS
#define CORNERS 3 /* corners of a triangle around the grid, or of a strip of two */
#endif
/* A fragment computes a row of its block for each of its render targets. */
const struct target target = {
    "#version 400\n",
    CORNERS == 3
        ? "#version 400\nvoid main()\n{\n    gl_Position = vec4(gl_VertexID == 1 ? 3.0 : "
          "-1.0, gl_VertexID == 2 ? 3.0 : -1.0, 0.0, 1.0);\n}\n"
        : "#version 400\nvoid main()\n{\n    gl_Position = vec4(gl_VertexID % 2 == 1 ? 1.0 "
          ": -1.0, gl_VertexID > 1 ? 1.0 : -1.0, 0.0, 1.0);\n}\n",
    GL_FRAGMENT_SHADER,
    ROWS,
    1,
    1};

/* Lets the states of one side be written. */
static void attach(const struct machine *m, int side)
{
    for (int i = 0; i < STATES * ROWS; i++)
        glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0 + (GLenum)i,
                               GL_TEXTURE_RECTANGLE, m->texture[side][i], 0);
}

void target_open(struct machine *m)
{
    GLenum targets[STATES * ROWS];
    GLuint vertices = 0;
    for (int i = 0; i < STATES * ROWS; i++)
        targets[i] = GL_COLOR_ATTACHMENT0 + (GLenum)i;
    glGenFramebuffers(FRAMEBUFFERS, m->framebuffer);
    for (int side = 0; side < FRAMEBUFFERS; side++) {
        glBindFramebuffer(GL_FRAMEBUFFER, m->framebuffer[side]);
        attach(m, side);
        glDrawBuffers(STATES * ROWS, targets);
    }
    glGenVertexArrays(1, &vertices);
    glBindVertexArray(vertices);
}

void target_begin(const struct machine *m)
{
    const int side = 1 - m->side;
    glBindFramebuffer(GL_FRAMEBUFFER, m->framebuffer[FRAMEBUFFERS == 2 ? side : 0]);
    if (FRAMEBUFFERS == 1)
        attach(m, side);
    glViewport(0, 0, m->across, m->up);
    glEnable(GL_SCISSOR_TEST);
}

void target_draw(int x, int y, int end_x, int end_y)
{
    glScissor(x, y, end_x - x, end_y - y);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, CORNERS);
}

void target_end(void)
{
}
