/* SPDX-License-Identifier: MIT */
#include "toolkit/gl/step.h"

#include "toolkit/base/pairs.h"
#include "toolkit/gl/buffer.h"

enum qp_status qp_step_make(struct qp_context *context, const struct qp_program_source *source,
                            const struct qp_uniform *names, struct qp_step *out)
{
    int place = 0;
    *out = (struct qp_step){.group = source->group};
    for (; names[out->names].name != NULL; out->names++) {
        const struct qp_uniform *name = &names[out->names];
        const int elements = name->elements > 0 ? name->elements : 1;
        out->name[out->names].type = name->type;
        out->name[out->names].elements = elements;
        out->name[out->names].place = place;
        place += elements;
    }
    return qp_program_make(context, source, names, out->location, &out->program);
}

bool qp_step_uses(const struct qp_step *step, int name, int element)
{
    return element < step->name[name].elements &&
           step->location[step->name[name].place + element] >= 0;
}

/* A texture takes the next unit, in each run of the step the same: `told` if the program knows. */
static void set_texture(const struct qp_step *step, int location, bool image, bool told,
                        const struct qp_texture *texture, struct qp_gl_pass *pass)
{
    const bool written = image && step->group.x > 0;
    if (!told)
        glUniform1i(location, written ? pass->written : pass->textures);
    if (written) {
        pass->image[pass->written++] = texture;
        return;
    }
    pass->images += image;
    pass->texture[pass->textures++] = texture;
}

static void set_number(enum qp_uniform_type type, int location, double number)
{
    if (type == QP_FLOAT)
        glUniform1f(location, (float)number);
    else if (type == QP_DOUBLE)
        glUniform1d(location, number);
    else
        glUniform2f(location, qp_pair_high(number), qp_pair_low(number));
}

static void set_value(const struct qp_step *step, int name, bool told,
                      const struct qp_step_value *value, struct qp_gl_pass *pass)
{
    const int *location = &step->location[step->name[name].place];
    const enum qp_uniform_type type = step->name[name].type;
    float vector[4];
    if (*location < 0 && step->name[name].elements == 1)
        return; /* a call saved: the program does not use it */
    switch (type) {
    case QP_INT:
    case QP_BOOL:
        glUniform1i(*location, (int)value->x);
        break;
    case QP_UINT:
        glUniform1ui(*location, (GLuint)value->x);
        break;
    case QP_STORAGE:
        glBindBufferBase(GL_SHADER_STORAGE_BUFFER, (GLuint)*location, value->buffer->id);
        break;
    case QP_DOUBLE_2:
    case QP_DOUBLE_3:
    case QP_DOUBLE_4:
        (type == QP_DOUBLE_2   ? glUniform2dv
         : type == QP_DOUBLE_3 ? glUniform3dv
                               : glUniform4dv)(*location, 1, value->list);
        break;
    case QP_FLOAT:
    case QP_DOUBLE:
    case QP_PAIR:
        for (int i = 0; i < step->name[name].elements; i++) {
            if (location[i] >= 0)
                set_number(type, location[i], value->list != NULL ? value->list[i] : value->x);
        }
        break;
    case QP_VECTOR:
        glUniform2f(*location, (float)value->x, (float)value->y);
        break;
    case QP_VECTOR_3:
    case QP_VECTOR_4:
        for (int i = 0; i < (type == QP_VECTOR_3 ? 3 : 4); i++)
            vector[i] = (float)(value->list != NULL ? value->list[i] : value->x);
        (type == QP_VECTOR_3 ? glUniform3fv : glUniform4fv)(*location, 1, vector);
        break;
    default:
        for (int i = 0; i < step->name[name].elements; i++) {
            if (location[i] >= 0)
                set_texture(step, location[i], type >= QP_IMAGE && type <= QP_IMAGE_LAYERS, told,
                            value->texture + i, pass);
        }
    }
}

void qp_step_run(struct qp_context *context, const struct qp_gl_pass *pass)
{
    const struct qp_step *step = pass->step;
    struct qp_gl_pass set = *pass;
    const bool again = context->earlier.step == step;
    set.group = step->group;
    if (!again)
        qp_program_use(step->program);
    for (int i = 0; i < step->names; i++)
        set_value(step, i, again, &pass->values[i], &set);
    context->earlier.step = context->earlier.follows ? step : NULL;
    (step->group.x > 0 ? qp_pass_dispatch : qp_pass_draw)(context, &set);
}
