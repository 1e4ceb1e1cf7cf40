/* SPDX-License-Identifier: MIT */
/* Kernels for programs of one's own: shaders whose names are checked when they are made, and before
 * anything is drawn (pass.h). */
#ifndef QUADPASS_KERNEL_H
#define QUADPASS_KERNEL_H

#include <quadpass/array.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

enum {
    QP_KERNEL_INPUTS = 8,   /* arrays that a kernel reads, at most */
    QP_KERNEL_NUMBERS = 16, /* names of numbers, at most */
    QP_KERNEL_OUTPUTS = 4   /* arrays that a kernel writes at once, at most */
};

/* A compiled program and the names that it asks for. It belongs to its context. */
struct qp_kernel;

/* GLSL from memory or from a file, which is read once, when the kernel is made; `text` comes
 * first. */
struct qp_shader_source {
    const char *text;
    const char *file;
};

/* An array that a kernel reads. In a shader of one's own a sampler2DRect has its name
 * (isampler2DRect and usampler2DRect for integers, the latter for doubles too), texel = the array's
 * cell plus `NAME_origin` where it declares that vec2. */
struct qp_kernel_input {
    const char *name; /* NULL ends the list */
    enum qp_array_type type;
    int channels; /* 0: 1 */
    /* Reach of NAME_at in the short form, cells each way; 0: as far as the text says, if it does
     * (below). Beyond another reach, numbers in the text are refused, and offsets that are computed
     * are held at it. */
    int reach;
};

enum qp_number_type {
    QP_NUMBER_FLOAT,
    QP_NUMBER_INT,
    QP_NUMBER_VEC2,
    QP_NUMBER_VEC3,
    QP_NUMBER_VEC4,
    QP_NUMBER_UINT,
    QP_NUMBER_DOUBLE, /* these need QP_CAN_DOUBLE */
    QP_NUMBER_DVEC2,
    QP_NUMBER_DVEC3,
    QP_NUMBER_DVEC4
};

/* A uniform. */
struct qp_kernel_number {
    const char *name; /* NULL ends the list */
    enum qp_number_type type;
    /* Length of an array of floats or doubles, 2 to 64; 0: no array. Each element takes a register
     * of the device, as other numbers do: a shader has GL_MAX_FRAGMENT_UNIFORM_COMPONENTS / 4. */
    int elements;
};

/* A value of a number. */
struct qp_pass_number {
    const char *name; /* NULL ends the list */
    /* Values, as many as the type has; an int or uint, of 32 bits, is rounded towards zero. */
    double value[4];
    const double *list; /* elements of an array; read when the pass runs */
};

/* ---- Kernels as functions ---- */

/* An input as a function finds it: width x height cells, row by row without gaps, of `channels`
 * values side by side. */
struct qp_kernel_array {
    int width, height, channels;
    enum qp_outside outside;
    double value; /* with QP_OUTSIDE_VALUE */
    /* Values of the input's type, but doubles for a reference; NULL: the pass has no such input. */
    const void *values;
};

/* Arguments of a function. Arrays of inputs and numbers are in the order of the kernel's lists. */
struct qp_kernel_grid {
    int width, height, channels; /* size of the outputs */
    struct qp_kernel_array input[QP_KERNEL_INPUTS];
    const struct qp_pass_number *number; /* as the device has them: what their types hold */
    void *user;
};

/* The value of an input's cell, or what its description says of one outside, for references:
 * `values` are doubles. Errors: NaN for NULL and for a channel that it does not have. Owner: none.
 * Threads: any. */
double qp_kernel_array_at(const struct qp_kernel_array *input, int x, int y, int channel);

/* A step as a function in C: writes every value of every output. Arrays hold floats (for halves,
 * too), int32_t, uint32_t or doubles, as the kernel's types say. */
typedef void qp_kernel_sweep(const struct qp_kernel_grid *grid, void *const output[]);

/* A step as kernels of your own on CUDA. `values` and outputs are device memory with the first cell
 * at a multiple of 256 bytes; all else is the host's. Launches on `stream` (a cudaStream_t of the
 * current device) without waiting, and returns cudaGetLastError(), which is 0 if all is well. */
typedef int qp_kernel_launch(const struct qp_kernel_grid *grid, void *const output[], void *stream);

/* ---- Descriptions ---- */

/* Either `body`, or `fragment` with or without `vertex`, or `compute`. Texts are copied.
 *
 * `body` is the short form: a function `float kernel(vec2 here)`. It returns a vec2 or vec4 for as
 * many channels, and an int, uint or double (ivec2, uvec4, ...) for outputs of these types. `here`
 * is the cell that it computes, in whole numbers: (0.0, 0.0) the first, (1.0, 0.0) the one beside
 * it. Before it the library declares, for each input x,
 *
 *     x_at(dx, dy)   the value of x at dx cells to the right of `here` and dy above it: of the same
 *                    cell with (0, 0), also where x has another size than the output (nothing is
 *                    scaled); dx and dy are floats
 *     x_cell(cell)   the value of any cell, a vec2 of whole numbers; no reach, and so not of arrays
 *                    in tiles (array.h)
 *     x_size         its width and height, a vec2
 *
 * with the input's type and channels; for each number its uniform; and `size`, the output's cells,
 * a vec2. With several outputs it is a function `void kernel(vec2 here)` that sets out0, out1 and
 * so on. GLSL 1.20 in effect, 1.30 where the body has words of it (%, bits, switch, isnan), 3.30
 * where an array holds integers, 4.00 where one holds doubles.
 *
 * Where outputs are doubles, literals without a suffix are doubles too, and numbers of doubles
 * become floats where GLSL takes only floats: in offsets of x_at, in arguments of sin, and where a
 * float is set. Cells outside an array have the value that its description says, however far an
 * offset reaches.
 *
 * The library reads from the text how far x_at looks if its offsets are sums and products of
 * numbers, of variables that are set where they are declared (`const int n = 2;`), of counters of
 * loops between such values, `for (int i = -n; i <= n; i++)`, and of parameters of functions, which
 * take the values of all calls. Macros and vectors are not followed. Only arrays in tiles need this
 * reach (pass.h). A body declares no uniforms and no varyings.
 *
 * A body may have `vec2 place(float i)` in place of kernel(): then it draws points (qp_pass.points
 * says how many). It sets `value`, which the library declares in the output's type and as 0, and
 * returns the cell into which point i goes, 0 the first: whole numbers as `here` has them, others
 * mean the nearest cell. Points outside are dropped. What is there and `value` are combined as
 * qp_pass.blend says. x_cell and x_size are as above; there is no x_at, for points have no cell.
 * It is a vertex shader, has one output, and takes no arrays in tiles:
 *
 *     vec2 place(float i)
 *     {
 *         float row = floor((i + 0.5) / x_size.x);
 *         value = 1.0;
 *         return vec2(floor(x_cell(vec2(i - row * x_size.x, row))), 0.0);
 *     }
 *
 * A body is drawn `precise` where the device has QP_CAN_PRECISE: floats are computed as it says and
 * in that order, which drivers do not promise otherwise, so that on llvmpipe + - * / sqrt give the
 * bits of C. `fast` leaves that out.
 *
 * Software drivers of Mesa 22.3 end all loops of an invocation after 65535 rounds together, without
 * an error. For a body, the next function that waits for its passes finds this and returns
 * QP_BAD_INPUT.
 *
 * A whole shader is of any version from GLSL 1.10 to 4.60. Its own cell is at gl_FragCoord.xy if
 * the output is not a view. An output takes the first channels of what the shader writes:
 * gl_FragColor.r if it has one channel. Where the shader declares them, it finds the vec2s `size`
 * and `origin`, the output's cells and the texel of its first one, and `NAME_size` and
 * `NAME_origin`, each input's.
 *
 * A compute shader writes any cells of its outputs, and its invocations share memory in groups. It
 * needs QP_CAN_COMPUTE. It is GLSL 4.30, whatever a #version in its first line says, and before it
 * the library declares
 *
 *     layout(local_size_x = GROUP_X, local_size_y = GROUP_Y) in;
 *     layout(r32f) writeonly uniform image2DRect out0;
 *
 * GROUP_X and GROUP_Y are macros of the values group_x and group_y. Each output has a line like the
 * second, in its format; int outputs have iimage2DRect there, uint and double uimage2DRect.
 *
 * It declares the rest as other whole shaders do, and may declare the vec4 `region`, too: x, y,
 * width and height of the cells that are computed. Each of them has an invocation, (0, 0) for the
 * first cell; further invocations only fill the last groups:
 *
 *     uniform sampler2DRect x;
 *     uniform vec2 x_origin, origin;
 *     uniform vec4 region;
 *     void main()
 *     {
 *         vec2 cell = vec2(gl_GlobalInvocationID.xy) + region.xy;
 *         if (any(greaterThanEqual(cell, region.xy + region.zw)))
 *             return;
 *         imageStore(out0, ivec2(cell + origin), 2.0 * texture(x, cell + x_origin + 0.5));
 *     }
 *
 * Where barrier() is called, all of a group must come to it: then that `if` guards the store alone.
 * A text with imageLoad or imageAtomic gets outputs that can be read too, and runs in_place alone
 * (pass.h). */
struct qp_kernel_desc {
    const char *name; /* for messages; NULL: the file, or "kernel" and what its text begins with */
    const char *body;
    struct qp_shader_source fragment, vertex;
    struct qp_kernel_input input[QP_KERNEL_INPUTS + 1];
    struct qp_kernel_number number[QP_KERNEL_NUMBERS + 1];
    int outputs;                    /* 0: 1 */
    enum qp_array_type output_type; /* type of all outputs */
    int output_channels;            /* 0: 1 */
    struct qp_shader_source compute;
    /* Invocations of a group of `compute`; 0: 1 beside the other, both: 8 x 8. */
    int group_x, group_y;
    bool fast; /* a body's floats are computed as the driver likes, not as the text says */

    /* Functions in place of a text, for trials alone (trial.h): C on the host, or CUDA. */
    qp_kernel_sweep *sweep;
    qp_kernel_launch *launch;
};

/* Compiles and links, and compares every uniform and sampler with the lists, by name and type; a
 * name that the shader does not use is no mistake. A whole fragment shader must write each of the
 * kernel's outputs and no other: at the locations from 0 on, in floats, ints or uints as
 * output_type says (uints for doubles), at least output_channels of them, twice as many for
 * doubles; a driver that lists no outputs (neither OpenGL 4.3 nor GL_ARB_program_interface_query)
 * cannot compare them. The same text in the same context is compiled once. Errors: QP_BAD_USE for
 * an invalid description, with the name that is wrong; QP_BAD_INPUT for a file that cannot be read,
 * a text that the driver does not compile (with file, line, that line and the driver's words), a
 * shader's name that is not listed (with the nearest that is) or has another type, or an output
 * that is wrong or missing; QP_UNSUPPORTED for a body whose numbers take more registers than the
 * device has, or whose place() reads more arrays than its vertex shaders do; QP_DEVICE;
 * QP_NO_MEMORY; then *out is NULL. Owner: the caller, by qp_kernel_destroy. Threads: the
 * context's. */
enum qp_status qp_kernel_create(struct qp_context *context, const struct qp_kernel_desc *desc,
                                struct qp_kernel **out);

/* Takes NULL and leaves *kernel NULL. Its programs stay for kernels of the same text: a context
 * keeps the last 64 programs that no kernel uses any more, and deletes older ones. Errors: none.
 * Owner: none. Threads: the context's. */
void qp_kernel_destroy(struct qp_kernel **kernel);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
