/*@ origin */
/* heat.frag on OpenGL: a context without a window, its program, and its buffers. */
/*@ end */
#ifndef OPENGL_H
#define OPENGL_H

#include <stdbool.h>
#include <stddef.h>

#include <GL/glew.h>

/* Functions of opengl.c, which templates/opengl/opengl.h describes. */
void opengl_open(const char *renderer);
GLuint opengl_program(GLenum kind, const char *head, const char *vertex);
void opengl_check(void);
extern bool opengl_counts;
int opengl_count(void);

/* Ends the program with a sentence. */
__attribute__((noreturn, format(printf, 1, 2))) void fail(const char *format, ...);

#endif
