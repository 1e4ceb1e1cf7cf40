/*@ origin */
/* heat.frag as a process that quadpass drives: arrays in buffers of OpenGL. */
/*@ end */
#ifndef MEMORY_H
#define MEMORY_H

#include "buffers.h"

static char *new_block(size_t bytes)
{
    return buffer_make(bytes);
}

static void put_block(char *block, const char *from, size_t bytes)
{
    buffer_put(block, from, bytes);
}

static const char *see_block(const char *block, size_t bytes)
{
    buffer_see(block, bytes);
    return block;
}

static void set_block(char *block, int byte, size_t bytes)
{
    memset(block, byte, bytes);
    buffer_put(block, block, bytes);
}

/* Nothing locks a buffer; a change is seen after the step. */
static void lock_block(const struct array *array, bool locked)
{
    (void)array, (void)locked;
}

static void finish(void)
{
    buffers_finish();
}

static void forget(void) /* shaders have no variables that last */
{
}

/* A size of two groups and a cell more. */
static void name_machine(struct answer *answer)
{
    answer->sizes[0][0] = 2 * buffers_group(0) + 1;
    answer->sizes[0][1] = 2 * buffers_group(1) + 1;
    snprintf(answer->name, sizeof answer->name, "%s", buffers_name());
}

static void begin(int device)
{
    (void)device;
    buffers_begin(PATH);
}

#endif
