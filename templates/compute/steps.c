/*@ origin */
/* heat.frag on OpenGL: blocks of cells as invocations of a compute shader. */
/*@ end */
#include "opengl.h"

/*@ tune group_x = 8 1 2 4 16 32 */
/*@ tune group_y = 4 1 2 8 16 */
/*@ tile across = 8 * cells + group_x * cells */
/*@ tile up = 8 * rows + group_y * rows */
#ifndef GROUP_X
#define GROUP_X 8 /* invocations of a work group */
#endif
#ifndef GROUP_Y
#define GROUP_Y 4
#endif
#define TEXT(number)    #number
#define LINE(x, number) "#define " x " " TEXT(number) "\n"

const struct target target = {"#version 430\n" LINE("GROUP_X", GROUP_X) LINE("GROUP_Y", GROUP_Y),
                              NULL,
                              GL_COMPUTE_SHADER,
                              1,
                              GROUP_X,
                              GROUP_Y};

void target_open(struct machine *m)
{
    (void)m;
    if (glDispatchCompute == NULL)
        fail("the driver has no compute shaders, which are in OpenGL 4.3");
}

void target_begin(const struct machine *m)
{
    for (GLuint k = 0; k < STATES; k++)
        glBindImageTexture(k, m->texture[1 - m->side][k], 0, GL_FALSE, 0, GL_WRITE_ONLY,
                           texel_format());
}

void target_draw(int x, int y, int end_x, int end_y)
{
    GLint program = 0;
    glGetIntegerv(GL_CURRENT_PROGRAM, &program);
    glUniform2i(glGetUniformLocation((GLuint)program, "qp_first"), x, y);
    glUniform2i(glGetUniformLocation((GLuint)program, "qp_end"), end_x, end_y);
    glDispatchCompute((GLuint)((end_x - x + GROUP_X - 1) / GROUP_X),
                      (GLuint)((end_y - y + GROUP_Y - 1) / GROUP_Y), 1);
}

void target_end(void)
{
    glMemoryBarrier(GL_TEXTURE_FETCH_BARRIER_BIT | GL_TEXTURE_UPDATE_BARRIER_BIT |
                    GL_SHADER_IMAGE_ACCESS_BARRIER_BIT);
}
