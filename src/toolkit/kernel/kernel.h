/* SPDX-License-Identifier: MIT */
/* Kernels inside the library: a description that was checked, and the programs made of it. */
#ifndef QP_TOOLKIT_KERNEL_H
#define QP_TOOLKIT_KERNEL_H

#include <stdio.h>

#include <quadpass/kernel.h>

#include "toolkit/arrays/array.h"
#include "toolkit/gl/step.h"
#include "toolkit/glsl/facts.h"

/* Program for inputs with these values outside. Kernels in the short form have one for each
 * combination that was met; other kernels have a single one. */
struct qp_kernel_form {
    struct qp_kernel_form *next;
    unsigned outsides; /* three bits an input: enum qp_outside, and QP_KERNEL_PART */
    struct qp_step step;
};

/* Points of a pass at most: their numbers are floats one by one. */
enum { QP_KERNEL_POINTS = 1 << 24 };

/* Marks of an input. A part of its texture has other cells beside it. A window is read for tiles of
 * an array that wraps: beside its cells are those of the array's other side. */
enum { QP_KERNEL_PART = 4, QP_KERNEL_WINDOW = QP_OUTSIDE_WRAP | QP_KERNEL_PART };

/* Names of a step, in this order: the inputs' samplers, their places and the values outside; the
 * numbers; the output; and, of compute kernels, the region and the outputs' images. */
enum {
    QP_KERNEL_NAMES = 3 * QP_KERNEL_INPUTS + QP_KERNEL_NUMBERS + 2,
    QP_KERNEL_ALL_NAMES = QP_KERNEL_NAMES + 1 + QP_KERNEL_OUTPUTS
};

/* Reach of an input: how far x_at looks, cells each way. */
enum { QP_REACH_UNKNOWN = -1, QP_REACH_ROWS = 8 };
struct qp_reach {
    int cells;       /* the description's, or the text's; QP_REACH_UNKNOWN where neither says it */
    unsigned across; /* bit 8 + dy: cells look to their left or right in row dy, up to 8 each way */
    bool held;       /* offsets may be beyond the description's, and are held there */
    int parts; /* the line of a gather with a number in its offset that is not whole; 0: none */
    int line;  /* line of the first gather that the text leaves unknown */
    char offset[40]; /* its offset after a blank; "" for a gather by another name */
};

struct qp_kernel {
    struct qp_context *context;
    struct qp_kernel_desc desc;     /* names and texts are copies, in `strings` */
    char *strings, called[64];      /* the name of one that has none */
    char *drawn;                    /* the body as it is drawn; NULL before it was */
    const struct qp_tokens *tokens; /* its text's */
    int inputs, numbers, outputs, channels;
    struct qp_kernel_form *forms;
    GLuint framebuffer_id;                   /* for several outputs; 0 until there were some */
    struct qp_reach reach[QP_KERNEL_INPUTS]; /* reaches of the short form */
    bool stays_inside;  /* it reads cells alone, so that nothing is asked of what is outside */
    bool computes;      /* its text is desc.compute */
    bool precise;       /* the body is drawn so (precise.c) */
    bool places;        /* the body has place(), and so is a vertex shader */
    bool may_be_ended;  /* loops, by the driver (qp_gl_ends_loops) */
    bool counts;        /* rounds of the body's loops, which the driver may end */
    bool reads_outputs; /* by their images */
    struct qp_uniform uniforms[QP_KERNEL_ALL_NAMES + 1];
    char derived[2 * QP_KERNEL_INPUTS][80]; /* names of places and of values outside */
};

/* True if a shader has a text or a file. */
static inline bool qp_kernel_has(const struct qp_shader_source *source)
{
    return source->text != NULL || source->file != NULL;
}

/* The place of a copied description's text: a body, or a shader's. */
static inline const char **qp_kernel_text(struct qp_kernel_desc *desc)
{
    return desc->body != NULL           ? &desc->body
           : desc->compute.text != NULL ? &desc->compute.text
                                        : &desc->fragment.text;
}

/* Copies a description with all its words, and files as texts, into *strings, which the caller
 * frees; the text of a compute shader comes first. Errors: those of qp_shader_read_file, after
 * which *strings is NULL. */
enum qp_status qp_kernel_copy_desc(const struct qp_kernel_desc *desc, struct qp_kernel_desc *out,
                                   char **strings);

/* Checks a description, of a function too, as far as no device is needed. Errors: QP_BAD_USE, as of
 * qp_kernel_create. */
enum qp_status qp_kernel_check_desc(const struct qp_kernel_desc *desc);

/* Fills in `uniforms` and `derived`. */
void qp_kernel_list_names(struct qp_kernel *kernel);

/* QP_OK for a kernel that lives; `what` is the argument's name. */
enum qp_status qp_kernel_check(const struct qp_kernel *kernel, const char *what);

/* The program for arrays with these outsides, three bits an input. Errors: those of
 * qp_program_make. */
enum qp_status qp_kernel_form(struct qp_kernel *kernel, unsigned outsides,
                              struct qp_kernel_form **out);

/* ---- Compute shaders (compute.c) ---- */

/* Checks a description's compute shader, if it has one. Errors: QP_BAD_USE. */
enum qp_status qp_compute_check(const struct qp_kernel_desc *desc, const char *name);

/* Fills in groups and what the text says of images; a #version line becomes a comment in `text`,
 * the kernel's copy. Errors: QP_UNSUPPORTED without compute shaders; QP_BAD_USE for groups that the
 * device does not have. */
enum qp_status qp_compute_prepare(struct qp_kernel *kernel, char *text);

/* Adds the names that compute kernels alone have, and returns the end of the list. */
struct qp_uniform *qp_compute_names(const struct qp_kernel *kernel, struct qp_uniform *next);

/* Compiles. Errors: those of qp_step_make; QP_BAD_USE for a shader that does not use one of its
 * outputs. */
enum qp_status qp_compute_step(const struct qp_kernel *kernel, struct qp_step *out);

/* ---- The short form (kernel_text.c) ---- */

/* Number of the first line that precedes a body. No body has that many lines, so the driver's
 * messages about the one are not mistaken for messages about the other. */
enum { QP_KERNEL_HEAD_LINE = 100000 };

/* Makes the declarations that precede a body, as a string that the caller frees; NULL, with the
 * sentence, if there is no memory. With `beyond`, which has the value outside of each input, all
 * inputs have the output's origin and size, and no pass sets places. */
char *qp_kernel_head(const struct qp_kernel *kernel, unsigned outsides, const double *beyond);

/* Writes the fragment shader of a body with place(): it stores what the vertex shader sends. */
enum { QP_KERNEL_SENT = 512 };
void qp_kernel_write_sent(const struct qp_kernel *kernel, char text[QP_KERNEL_SENT]);

/* A text with `precise` wherever floats are computed, as a string that the caller frees. The head
 * of a body declares qp_holds; a whole fragment shader gets two lines more, in front of its code.
 * Errors: QP_NO_MEMORY, after which *out is NULL. */
enum qp_status qp_precise_text(const char *text, bool whole, char **out);

/* GLSL's functions that sum products, in the order of templates/glsl.hpp: drivers have others. ""
 * for a body that calls none, or has one of these names itself. */
const char *qp_sum_functions(const struct qp_tokens *tokens);

/* A body with qp_rest(a, b) for a % b, and qp_quotient(a, b) for a / b where b may be 0 or -1: of
 * integers, or with `quotients` of all. Macros are left as they are. NULL, with the sentence, if
 * there is no memory. Owner: the caller, by qp_tokens_release. */
const struct qp_tokens *qp_divide(const char *text, bool quotients);

/* The functions in GLSL that the divided text of a body may call; "" where it has no call. */
const char *qp_division_functions(const char *text);

/* ---- Doubles (doubles.c) ---- */

/* True for a token that GLSL may take as a double: an argument of a function that takes doubles,
 * and what a variable or output of doubles is set to, a function of doubles returns, or an `if`
 * asks. */
bool qp_glsl_in_double(const struct qp_tokens *tokens, int i);

/* True for a number with a point or an exponent, and without a suffix. */
bool qp_glsl_is_real(const struct qp_token *token);

/* Refuses a literal that its type does not hold, in a body of doubles or not. Errors: QP_BAD_INPUT,
 * with name, line and the largest that it holds. */
enum qp_status qp_glsl_check_literals(const struct qp_tokens *tokens, bool is_double,
                                      const char *name);

/* The body's text as it is drawn, as a string that the caller frees: of doubles with `lf` after
 * literals that may be doubles, and with the kernel's numbers of doubles as floats where they may
 * not; divided; and precise. No line moves. Errors: QP_NO_MEMORY, after which *out is NULL. */
enum qp_status qp_drawn_text(const struct qp_kernel_desc *desc, bool precise, char **out);

/* Declares what bodies find in the short form, in a compute shader whose arrays fill their
 * textures. An output's name is that of a variable, until the image of this name is stored. */
void qp_computed_declare(FILE *text, const struct qp_kernel_desc *desc);

/* Type that the body's function returns: void with several outputs. */
const char *qp_kernel_returns(const struct qp_kernel *kernel);

/* QP_BAD_INPUT for a body that sets what is no variable; QP_BAD_USE for one with several outputs
 * that never names one of them, with varyings, or with a place() that cannot be a vertex shader;
 * QP_UNSUPPORTED for one that reads more arrays than vertex shaders do on this device. */
enum qp_status qp_kernel_check_body(const struct qp_kernel *kernel);

/* Puts the thread's last sentence, about a kernel that could not be made, into words of the
 * toolkit. Returns `status`. */
enum qp_status qp_kernel_explain(const struct qp_kernel *kernel, enum qp_status status);

/* Words and numbers of a type, in the order of enum qp_array_type. */
struct qp_kernel_type {
    const char *values[3]; /* GLSL's types of 1, 2 and 4 */
    const char *letter;    /* letter of samplers and images: isampler2DRect */
    const char *outside;   /* GLSL's type of what is set for all cells outside, and its uniform's */
    enum qp_uniform_type beyond, sampler, image;
    GLenum texel; /* texel of outputs */
};
extern const struct qp_kernel_type qp_kernel_types[];

/* Likewise of a number, in the order of enum qp_number_type. */
struct qp_kernel_number_type {
    const char *name;
    enum qp_uniform_type uniform;
    int values;
};
enum { QP_NUMBER_TYPES = QP_NUMBER_DVEC4 + 1 };
extern const struct qp_kernel_number_type qp_kernel_number_types[QP_NUMBER_TYPES];

/* GLSL's type of `channels` values of this type. */
const char *qp_kernel_type(enum qp_array_type type, int channels);

/* ---- The reach of gathers (reach.c) ---- */

/* Fills in `reach`. Errors: QP_BAD_USE for offsets that are certainly beyond the description's,
 * with name and line. */
enum qp_status qp_reach_find(struct qp_kernel *kernel);

/* QP_UNSUPPORTED for an input whose reach is unknown, with the offset's place and what to do. */
enum qp_status qp_reach_check(const struct qp_kernel *kernel, int i, const char *advice);

/* True for a number, name or bracket that is certainly 0. */
bool qp_reach_is_zero(const struct qp_kernel *kernel, const struct qp_token *at);

/* True for loops that may have thousands of rounds. */
bool qp_reach_has_long_loops(const struct qp_kernel *kernel);

/* Adds why a kernel may have failed whose loops may be ended so, and do not say it themselves. */
void qp_kernel_note_loops(const struct qp_kernel *kernel, char *reason, size_t size);

/* ---- Built-in shaders (built_in.c) ---- */

/* Makes a kernel of one (toolkit/gl/shaders.h), whole or in the short form. Its `lines`, which
 * make it do for several types and kinds, come after its #version line, where it has one, whose
 * place `version` takes unless that is NULL; else before it. `desc` has the rest. Whole ones read
 * no cell outside their arrays. Errors: QP_BAD_INPUT, those of qp_kernel_create; then *out is
 * NULL. Owner: the caller. */
enum qp_status qp_kernel_built_in(struct qp_context *context, const char *shader,
                                  const char *version, const char *lines,
                                  const struct qp_kernel_desc *desc, struct qp_kernel **out);

/* Bodies that run as one compute shader: one with kernel(), one with `vec4 map(vec2 at)`, or both
 * one after the other. Their names are of built-in shaders, `lines` come before them. */
struct qp_compute_texts {
    const char *kernel, *lines; /* body NULL: map alone */
    const char *map, *map_lines;
    bool returns; /* kernel() returns its only output */
    bool totals;  /* a group adds up the input `last`, which is what total() returns */
};

/* Makes a compute kernel of bodies whose arrays fill their textures. A group's sum of what map()
 * makes goes into one cell of the last output, which has a cell for each group; groups have a power
 * of 4 invocations where they add up. Errors: those of qp_kernel_create. Owner: the caller. */
enum qp_status qp_kernel_computed(struct qp_context *context, const struct qp_compute_texts *of,
                                  const struct qp_kernel_desc *desc, struct qp_kernel **out);

#endif
