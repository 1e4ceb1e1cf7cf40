/* SPDX-License-Identifier: MIT */
#include "cmd/run/program.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/status.h"
#include "base/watch.h"
#include "base/whole.h"
#include "cmd/options_run.h"
#include "gl/shaders.h"
#include "toolkit/kernel.h"

/* ---- The shader's file ---- */

static enum qp_status find_form(struct run_shader *out)
{
    struct qp_glsl_function function;
    if (qp_glsl_find(&out->tokens, "main", &function))
        return QP_OK;
    if (!qp_glsl_find(&out->tokens, "kernel", &function))
        return qp_fail(
            QP_BAD_INPUT,
            "%s is neither a fragment shader with a main() nor the short form, a function "
            "'float kernel(vec2 here)'",
            out->path);
    out->is_short = true;
    const struct qp_token *type = &out->tokens.of[function.type];
    out->channels = qp_token_is(type, "vec4") ? 4 : qp_token_is(type, "vec2") ? 2 : 1;
    if (out->channels > 1 || qp_token_is(type, "float"))
        return QP_OK;
    return qp_fail(QP_BAD_INPUT,
                   "%s: the kernel must be a function 'float kernel(vec2 here)', or vec2 or vec4, "
                   "and returns %.*s",
                   out->path, type->length, type->at);
}

enum qp_status run_shader_read(const char *path, struct run_shader *out)
{
    *out = (struct run_shader){.path = path};
    enum qp_status status = qp_shader_read_file(path, &out->text);
    if (status != QP_OK)
        return status;
    status = qp_tokens_read(out->text, &out->tokens);
    if (status == QP_OK)
        status = find_form(out);
    if (status != QP_OK)
        run_shader_destroy(out);
    return status;
}

void run_shader_destroy(struct run_shader *shader)
{
    free(shader->text);
    qp_tokens_destroy(&shader->tokens);
    *shader = (struct run_shader){0};
}

/* ---- Names and types ---- */

static enum qp_status check_read(const struct run_shader *shader, const char *pair,
                                 const char *option, bool gathers)
{
    char name[64], near[QP_GLSL_LETTERS];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(pair, "="), pair);
    if (qp_glsl_has(&shader->tokens, name) ||
        (gathers && shader->is_short && qp_glsl_reads(&shader->tokens, name)))
        return QP_OK;
    qp_glsl_nearest(&shader->tokens, name, near);
    return qp_fail(QP_BAD_USE, "%s %s: %s reads no '%s'%s%s%s", option, pair, shader->path, name,
                   near[0] != '\0' ? "; did you mean '" : "", near, near[0] != '\0' ? "'?" : "");
}

/* How many values a type has; 0 for none, and for one that --set does not set. */
static int values_of(const struct qp_token *type)
{
    static const char *const types[] = {"float", "vec2", "vec3", "vec4"};
    for (int i = 0; i < 4 && type != NULL; i++) {
        if (qp_token_is(type, types[i]))
            return i + 1;
    }
    return type != NULL && qp_token_is(type, "int");
}

/* Of a whole shader: as many values as it declares. */
static enum qp_status check_values(const struct run_shader *shader, const char *pair)
{
    char name[64];
    double values[MOST_NUMBERS_OF_ONE];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(pair, "="), pair);
    const struct qp_glsl_uniform declared = qp_glsl_uniform(&shader->tokens, name);
    const int count = options_numbers(options_value_of(pair), values, MOST_NUMBERS_OF_ONE),
              wanted = values_of(declared.type);
    if (declared.list || wanted == 0 || wanted == count)
        return QP_OK;
    return qp_fail(QP_BAD_USE, "--set %s: %s declares '%s' as %.*s, which takes %d number%s", pair,
                   shader->path, name, declared.type->length, declared.type->at, wanted,
                   wanted > 1 ? "s" : "");
}

/* Of a short one: arrays that nobody gave. */
static enum qp_status check_gathers(const struct run_inputs *inputs,
                                    const struct run_shader *shader)
{
    char name[QP_GLSL_LETTERS];
    for (int i = 0; shader->is_short && qp_glsl_next_gather(&shader->tokens, &i, name);) {
        int k = 0;
        while (k < inputs->count && strcmp(inputs->at[k].name, name) != 0)
            k++;
        if (k == inputs->count)
            return qp_fail(QP_BAD_USE,
                           "%s reads an array '%s', which is not given; name it by --input %s=FILE",
                           shader->path, name, name);
    }
    return QP_OK;
}

static enum qp_status check_names(const struct options *options, const struct run_inputs *inputs,
                                  const struct run_shader *shader)
{
    enum qp_status status = QP_OK;
    for (int k = 0; k < options->inputs && status == QP_OK; k++) {
        if (strncmp(options->input[k], "x=", 2) != 0) /* what is written need not be read */
            status = check_read(shader, options->input[k], "--input", true);
    }
    for (int k = 0; k < options->numbers && status == QP_OK; k++) {
        status = check_read(shader, options->number[k], "--set", false);
        if (status == QP_OK)
            status = check_values(shader, options->number[k]);
    }
    return status == QP_OK ? check_gathers(inputs, shader) : status;
}

/* The type of a number: what the shader declares, or else what so many values make. */
static struct qp_kernel_number type_of(const struct run_shader *shader, const char *name,
                                       int values)
{
    static const enum qp_number_type types[] = {QP_NUMBER_FLOAT, QP_NUMBER_FLOAT, QP_NUMBER_VEC2,
                                                QP_NUMBER_VEC3, QP_NUMBER_VEC4};
    const struct qp_glsl_uniform declared = qp_glsl_uniform(&shader->tokens, name);
    struct qp_kernel_number number = {.name = name};
    if (declared.list || values > 4)
        number.elements = values;
    else
        number.type = values == 1 && declared.type != NULL && qp_token_is(declared.type, "int")
                          ? QP_NUMBER_INT
                          : types[values];
    return number;
}

/* ---- The kernel and its pass ---- */

/* Without textures of floats no device is usable. */
static enum qp_status check_device(const struct run_input *input, unsigned abilities)
{
    static const unsigned needs[] = {0, QP_CAN_R32F, QP_CAN_RG32F, 0, QP_CAN_RGBA32F};
    return (abilities & needs[input->channels]) != 0
               ? QP_OK
               : qp_fail(QP_NO_DEVICE,
                         "'%s' needs textures of %d x 32 bits a texel, which this device cannot "
                         "draw into; take another --device",
                         input->name, input->channels);
}

static enum qp_status describe_inputs(const struct run_inputs *inputs, struct run_program *program,
                                      struct qp_kernel_desc *desc)
{
    const unsigned abilities = qp_context_device(program->context)->abilities;
    enum qp_status status = QP_OK;
    for (int k = 0; k < inputs->count && status == QP_OK; k++) {
        const struct run_input *input = &inputs->at[k];
        desc->input[k] = (struct qp_kernel_input){.name = input->name, .channels = input->channels};
        program->pass.input[k].name = input->name;
        status = check_device(input, abilities);
    }
    desc->output_channels = inputs->at[0].channels;
    return status;
}

static void describe_number(const struct run_shader *shader, int k, int values,
                            struct run_program *program, struct qp_kernel_desc *desc)
{
    program->values[k] = values;
    desc->number[k] = type_of(shader, program->name[k], values);
    program->pass.number[k] =
        (struct qp_pass_number){.name = program->name[k], .list = program->value[k]};
    for (int i = 0; i < 4 && i < values; i++)
        program->pass.number[k].value[i] = program->value[k][i];
}

static void describe_numbers(const struct options *options, const struct run_shader *shader,
                             struct run_program *program, struct qp_kernel_desc *desc)
{
    for (int k = 0; k < options->numbers; k++) {
        const char *pair = options->number[k];
        snprintf(program->name[k], sizeof program->name[k], "%.*s", (int)strcspn(pair, "="), pair);
        const int values =
            options_numbers(options_value_of(pair), program->value[k], MOST_NUMBERS_OF_ONE);
        describe_number(shader, k, values, program, desc);
    }
}

static struct qp_array_desc describe_array(const struct options *options,
                                           const struct run_input *input)
{
    return (struct qp_array_desc){.width = input->width,
                                  .height = input->height,
                                  .channels = input->channels,
                                  .outside = options->outside,
                                  .value = options->outside_value};
}

/* Grids that need several textures are copied as far as a kernel looks, which its text must say. */
static enum qp_status upload(const struct options *options, const struct run_inputs *inputs,
                             struct run_program *program)
{
    const int limit = qp_context_device(program->context)->rectangle_limit;
    enum qp_status status = QP_OK;
    for (int k = 0; k < inputs->count && status == QP_OK; k++) {
        const struct qp_array_desc desc = describe_array(options, &inputs->at[k]);
        if (qp_most(desc.width, desc.height) > limit)
            status = qp_reach_check(program->kernel, k,
                                    "in grids above this device's limit of textures take numbers, "
                                    "or counters of loops between numbers");
        if (status == QP_OK)
            status =
                qp_array_create(program->context, &desc, inputs->at[k].values, &program->array[k]);
        program->pass.input[k].array = program->array[k];
        if (status == QP_OK && k == 0)
            status = qp_array_create(program->context, &desc, NULL, &program->next);
    }
    return status;
}

/* Where a name is missing it tells by which option it comes. */
static enum qp_status create_kernel(struct qp_context *context, const struct qp_kernel_desc *desc,
                                    struct qp_kernel **out)
{
    char sentence[1536];
    qp_watch_library = "the shader's compiler";
    const enum qp_status status = qp_kernel_create(context, desc, out);
    qp_watch_library = NULL;
    snprintf(sentence, sizeof sentence, "%s", qp_error());
    if (status == QP_OK ||
        (strstr(sentence, "nothing sets") == NULL && strstr(sentence, "undeclared") == NULL &&
         strstr(sentence, "undefined") == NULL))
        return status;
    return qp_fail(status,
                   "%s (numbers are given by --set NAME=VALUE, arrays by --input NAME=FILE)",
                   sentence);
}

enum qp_status run_program_make(struct qp_context *context, const struct options *options,
                                const struct run_shader *shader, const struct run_inputs *inputs,
                                struct run_program *out)
{
    struct qp_kernel_desc desc = {.name = shader->path};
    *out = (struct run_program){.context = context, .all = options->steps};
    if (shader->is_short)
        desc.body = shader->text;
    else
        desc.fragment.file = shader->path;
    enum qp_status status = describe_inputs(inputs, out, &desc);
    describe_numbers(options, shader, out, &desc);
    if (status == QP_OK)
        status = check_names(options, inputs, shader);
    if (status == QP_OK)
        status = create_kernel(context, &desc, &out->kernel);
    if (status == QP_OK)
        status = upload(options, inputs, out);
    out->pass.kernel = out->kernel;
    if (status != QP_OK)
        run_program_destroy(out);
    return status;
}

void run_program_destroy(struct run_program *program)
{
    for (int k = 0; k < QP_KERNEL_INPUTS; k++)
        qp_array_destroy(&program->array[k]);
    qp_array_destroy(&program->next);
    qp_kernel_destroy(&program->kernel);
    *program = (struct run_program){0};
}

/* ---- Steps ---- */

static int even(double number)
{
    return 2 * (int)(fmin(number, 1 << 24) / 2.0);
}

/* Draws the next part of the step under way, about `*cells` cells, and subtracts them: whole rows, or some cells of the rows
 * of a band. No pass reads what it writes, and corners are even, so that derivatives, of two by two fragments, are those of
 * one piece. */
static enum qp_status draw_part(struct run_program *program, double *cells)
{
    const struct qp_array_desc x = qp_array_describe(program->array[0]);
    struct qp_rect part = program->part;
    if (part.x == 0)
        part.height = qp_least(qp_most(2, even(*cells / x.width)), x.height - part.y);
    part.width = qp_least(qp_most(2, even(*cells / part.height)), x.width - part.x);
    program->pass.input[0].array = program->array[0];
    program->pass.output[0] = program->next;
    program->pass.region = part;
    const enum qp_status status = qp_pass_run(&program->pass);
    *cells -= (double)part.width * part.height;
    part.x = (part.x + part.width) % x.width;
    part.y = (part.y + (part.x == 0 ? part.height : 0)) % x.height;
    program->part = part;
    program->drawn = (double)part.y / x.height;
    if (part.x == 0 && part.y == 0) {
        qp_array_swap(&program->array[0], &program->next);
        program->steps++;
    }
    return status;
}

/* Passes do not wait, so as many cells are asked for at a time as take a moment: an interrupt is looked for between them. Few
 * cells may take long at first, when their cost is not known, and later when they are costly. */
enum qp_status run_program_step(struct run_program *program, int steps)
{
    static const double moment = 0.05, long_moment = 0.2, few = 64.0; /* seconds, cells */
    const int end = program->steps + steps;
    enum qp_status status = QP_OK;
    while (program->steps < end && status == QP_OK) {
        if (qp_watch_leaves((program->steps + program->drawn) / program->all))
            return qp_watch_fail();
        const double start = qp_clock(), slice = program->slice > 0.0 ? program->slice : few;
        double left = slice;
        qp_watch_library = slice > few ? NULL : "the device";
        while (left > 0.0 && program->steps < end && status == QP_OK)
            status = draw_part(program, &left);
        if (status == QP_OK)
            status = qp_context_finish(program->context);
        qp_watch_library = NULL;
        const double took = qp_clock() - start;
        if (took > long_moment)
            program->slice = (slice - left) * moment / took;
        else if (took < moment && left <= 0.0)
            program->slice = slice * (took < 0.25 * moment ? 16.0 : 2.0);
    }
    return status;
}

enum qp_status run_program_read(const struct run_program *program, float *values)
{
    return qp_array_read(program->array[0], NULL, values, 0);
}
