/*@ origin */
/* heat.frag on OpenGL: blocks of cells as fragments. */
/*@ end */
#include "opengl.h"

/* A fragment computes a row of its block for each of its render targets. */
const struct target target = {
    "#version 400\n",
    "#version 400\nvoid main()\n{\n    gl_Position = vec4(gl_VertexID == 1 ? 3.0 : -1.0, "
    "gl_VertexID == 2 ? 3.0 : -1.0, 0.0, 1.0);\n}\n",
    GL_FRAGMENT_SHADER, ROWS};

void target_open(struct machine *m)
{
    GLenum targets[STATES * ROWS];
    GLuint vertices = 0;
    glGenFramebuffers(2, m->framebuffer);
    for (int side = 0; side < 2; side++) {
        glBindFramebuffer(GL_FRAMEBUFFER, m->framebuffer[side]);
        for (int i = 0; i < STATES * ROWS; i++) {
            targets[i] = GL_COLOR_ATTACHMENT0 + (GLenum)i;
            glFramebufferTexture2D(GL_FRAMEBUFFER, targets[i], GL_TEXTURE_RECTANGLE,
                                   m->texture[side][i], 0);
        }
        glDrawBuffers(STATES * ROWS, targets);
    }
    glGenVertexArrays(1, &vertices);
    glBindVertexArray(vertices);
}

void target_begin(const struct machine *m)
{
    glBindFramebuffer(GL_FRAMEBUFFER, m->framebuffer[1 - m->side]);
    glViewport(0, 0, m->across, m->up);
    glEnable(GL_SCISSOR_TEST);
}

void target_draw(int x, int y, int end_x, int end_y)
{
    glScissor(x, y, end_x - x, end_y - y);
    glDrawArrays(GL_TRIANGLES, 0, 3);
}

void target_end(void)
{
}
