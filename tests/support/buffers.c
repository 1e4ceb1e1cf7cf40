/* SPDX-License-Identifier: MIT */
#include "support/buffers.h"

#include <GL/glew.h>

static long alive;
static PFNGLGENBUFFERSPROC generate;
static PFNGLDELETEBUFFERSPROC discard;

static void GLAPIENTRY count_generated(GLsizei count, GLuint *names)
{
    alive += count;
    generate(count, names);
}

static void GLAPIENTRY count_deleted(GLsizei count, const GLuint *names)
{
    alive -= count;
    discard(count, names);
}

void buffers_begin(void)
{
    alive = 0;
    generate = __glewGenBuffers, discard = __glewDeleteBuffers;
    __glewGenBuffers = count_generated, __glewDeleteBuffers = count_deleted;
}

long buffers_alive(void)
{
    return alive;
}

void buffers_end(void)
{
    __glewGenBuffers = generate, __glewDeleteBuffers = discard;
}
