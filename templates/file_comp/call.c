/*@ origin */
/* heat.frag as a process that quadpass drives: its buffers, and its steps. */
/*@ end */
#include "call.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "buffers.h"
#include "opengl.h"

/*@ shader facts */
#define ASKS_LENGTH 0                          /* 1: it asks for the length of an array */
static const size_t value[] = {4, 4};          /* bytes of a value of each array */
static const char *const numbers[] = {"rate"}; /* uniforms */
enum {
    INPUTS = 1,     /* arrays that are read */
    ALL = 2,        /* all arrays */
    NUMBERS = 1,    /* numbers */
    FRONT = 1 << 16 /* bytes of a member that the text has in front of each array */
};
/*@ end */

/* Indices below 0 lead into the guard in front of the cells, for which there is that member: the
 * range that is bound begins FRONT bytes before the cells, and a buffer has as many before its
 * block. The range ends with the guard after the cells, or with the cells where the text asks for
 * the length of an array. Reads beyond a range are undefined, and often give 0. */
enum { MOST = 16, TEXT = 4 /* the descriptor of the text */ };

static struct {
    char *block; /* its address, and its copy on the host */
    size_t bytes;
    GLuint id;
} buffers[MOST];
static int count;

static const char *path;
static GLuint program;
static GLint group[3];

void fail(const char *format, ...)
{
    char text[1024];
    va_list rest;
    va_start(rest, format);
    vsnprintf(text, sizeof text, format, rest);
    va_end(rest);
    text[strcspn(text, "\n")] = '\0'; /* a driver says several lines */
    fprintf(stderr, "\n%s: %s\n", path, text);
    fflush(stderr);
    _exit(1);
}

/* ---- The program ---- */

static const char *read_text(void)
{
    struct stat of;
    char *text = fstat(TEXT, &of) == 0 ? (char *)calloc((size_t)of.st_size + 1, 1) : NULL;
    if (text == NULL || pread(TEXT, text, (size_t)of.st_size, 0) != of.st_size)
        fail("no text is handed over");
    return text;
}

void buffers_begin(const char *of)
{
    path = of;
    opengl_open(getenv("QUADPASS_RENDERER")); /* the device that quadpass has */
    if (glDispatchCompute == NULL)
        fail("the driver has no compute shaders, which are in OpenGL 4.3");
    program = opengl_program(GL_COMPUTE_SHADER, read_text(), NULL);
    glGetProgramiv(program, GL_COMPUTE_WORK_GROUP_SIZE, group);
    opengl_check();
}

/* Sets a number as the uniform that the text declares; one that it does not use is left out. */
static void set_number(const char *name, double number)
{
    const GLint place = glGetUniformLocation(program, name);
    GLuint index = GL_INVALID_INDEX;
    GLint type = 0;
    glGetUniformIndices(program, 1, &name, &index);
    if (place < 0 || index == GL_INVALID_INDEX)
        return;
    glGetActiveUniformsiv(program, 1, &index, GL_UNIFORM_TYPE, &type);
    if (type == GL_FLOAT)
        glUniform1f(place, (float)number);
    else if (type == GL_DOUBLE)
        glUniform1d(place, number);
    else if (type == GL_UNSIGNED_INT)
        glUniform1ui(place, (GLuint)number);
    else
        glUniform1i(place, (GLint)number);
}

void buffers_finish(void)
{
    glFinish();
    opengl_check();
}

const char *buffers_name(void)
{
    return (const char *)glGetString(GL_RENDERER);
}

int buffers_group(int way)
{
    return group[way];
}

/* ---- Buffers ---- */

/* The number of the buffer with this address, and the place in it. */
static int find(const char *at, size_t *place)
{
    int k = 0;
    while (k + 1 < count && (at < buffers[k].block || at >= buffers[k].block + buffers[k].bytes))
        k++;
    *place = FRONT + (size_t)(at - buffers[k].block);
    return k;
}

char *buffer_make(size_t bytes)
{
    GLint64 most = 0;
    glGetInteger64v(GL_MAX_SHADER_STORAGE_BLOCK_SIZE, &most);
    if ((GLint64)(FRONT + bytes) > most)
        fail(
            "an array takes %zu bytes with its guards, and this driver's buffers have %lld at most",
            bytes, (long long)most);
    static unsigned char front[FRONT];
    char *block = (char *)aligned_alloc(64, bytes);
    if (block == NULL || count == MOST)
        fail("no memory for an array of %zu bytes", bytes);
    memset(front, 0xff, FRONT);
    buffers[count].block = block;
    buffers[count].bytes = bytes;
    glGenBuffers(1, &buffers[count].id);
    glBindBuffer(GL_SHADER_STORAGE_BUFFER, buffers[count].id);
    glBufferData(GL_SHADER_STORAGE_BUFFER, (GLsizeiptr)(FRONT + bytes), NULL, GL_STATIC_COPY);
    glBufferSubData(GL_SHADER_STORAGE_BUFFER, 0, FRONT, front);
    opengl_check();
    count++;
    return block;
}

void buffer_put(const char *at, const char *from, size_t bytes)
{
    size_t place;
    glBindBuffer(GL_SHADER_STORAGE_BUFFER, buffers[find(at, &place)].id);
    glBufferSubData(GL_SHADER_STORAGE_BUFFER, (GLintptr)place, (GLsizeiptr)bytes, from);
    opengl_check();
}

/* Nobody may write to the bytes before a block either. */
void buffer_see(const char *block, size_t bytes)
{
    static unsigned char front[FRONT];
    size_t place;
    const int k = find(block, &place);
    glBindBuffer(GL_SHADER_STORAGE_BUFFER, buffers[k].id);
    glGetBufferSubData(GL_SHADER_STORAGE_BUFFER, 0, FRONT, front);
    glGetBufferSubData(GL_SHADER_STORAGE_BUFFER, (GLintptr)place, (GLsizeiptr)bytes,
                       buffers[k].block + (block - buffers[k].block));
    opengl_check();
    for (size_t i = 0; i < FRONT; i++)
        if (front[i] != 0xff)
            fail("the kernel writes far in front of an array");
}

/* ---- Steps ---- */

static void bind(int binding, const char *array, size_t cells)
{
    size_t place;
    const int k = find(array, &place);
    const size_t end = ASKS_LENGTH ? place + cells * value[binding] : FRONT + buffers[k].bytes;
    glBindBufferRange(GL_SHADER_STORAGE_BUFFER, (GLuint)binding, buffers[k].id,
                      (GLintptr)(place - FRONT), (GLsizeiptr)(end - (place - FRONT)));
}

static GLuint groups(int cells, int k)
{
    GLint most = 0;
    const GLuint needed = (GLuint)((cells + group[k] - 1) / group[k]);
    glGetIntegeri_v(GL_MAX_COMPUTE_WORK_GROUP_COUNT, (GLuint)k, &most);
    if (needed > (GLuint)most)
        fail("%d cells one way are %u groups, and this driver has %d at most", cells, needed, most);
    return needed;
}

/* Sets what has changed since the last step; at the first one all. */
static void set_numbers(int width, int height, const double *number)
{
    static double kept[NUMBERS + 1];
    static bool is_set;
    if (!is_set) {
        set_number("width", width);
        set_number("height", height);
    }
    for (int k = 0; k < NUMBERS; k++) {
        if (!is_set || kept[k] != number[k])
            set_number(numbers[k], number[k]);
        kept[k] = number[k];
    }
    is_set = true;
}

void call_kernel(int width, int height, void *const *read, void *const *written,
                 const double *number)
{
    static GLuint across, up;
    const size_t cells = (size_t)width * (size_t)height;
    across = across > 0 ? across : groups(width, 0);
    up = up > 0 ? up : groups(height, 1);
    for (int k = 0; k < ALL; k++)
        bind(k, (const char *)(k < INPUTS ? read[k] : written[k - INPUTS]), cells);
    set_numbers(width, height, number);
    glDispatchCompute(across, up, 1);
    glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT | GL_BUFFER_UPDATE_BARRIER_BIT);
    opengl_check();
}
