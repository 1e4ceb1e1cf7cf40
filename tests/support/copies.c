/* SPDX-License-Identifier: MIT */
/* Counter of framebuffer copies, loaded before OpenGL: at the end it prints how many went into a
 * texture. All styles of ping-pong compute the same bits, so only this shows which one a command
 * took. */
#include <dlfcn.h>
#include <stdio.h>

#include <GL/gl.h>

static int copies;

void glCopyTexSubImage2D(GLenum target, GLint level, GLint to_x, GLint to_y, GLint x, GLint y,
                         GLsizei width, GLsizei height)
{
    __typeof__(&glCopyTexSubImage2D) copy;
    *(void **)&copy = dlsym(RTLD_NEXT, "glCopyTexSubImage2D");
    copies++;
    copy(target, level, to_x, to_y, x, y, width, height);
}

__attribute__((destructor)) static void tell(void)
{
    fprintf(stderr, "%d copies\n", copies);
}
