/*@ origin */
/* heat.frag as a process that quadpass drives: arrays as buffers of OpenGL. */
/*@ end */
#ifndef BUFFERS_H
#define BUFFERS_H

#include <stddef.h>

/* Makes a context and compiles the shader. The path is for sentences. */
void buffers_begin(const char *path);

/* A buffer, by an address of its own, from which a copy of it can be read once it was seen. */
char *buffer_make(size_t bytes);
void buffer_see(const char *block, size_t bytes);

/* Writes to a buffer from an address in it on. */
void buffer_put(const char *at, const char *from, size_t bytes);

/* Waits; the driver's name; and invocations of a group across and up. */
void buffers_finish(void);
const char *buffers_name(void);
int buffers_group(int way);

#endif
