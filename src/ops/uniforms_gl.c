/* SPDX-License-Identifier: MIT */
#include "ops/uniforms_gl.h"

#include <stdio.h>
#include <string.h>

static bool is_array(const struct qp_plan *plan, const char *name)
{
    const struct qp_op *op = plan->problem->op;
    bool found = strcmp(name, op->field_names[op->state]) == 0;
    for (int i = 0; i < plan->inputs; i++)
        found = found || strcmp(name, plan->variant->recipe->input[i].name) == 0;
    return found;
}

static bool is_parameter(const struct qp_op *op, const char *name)
{
    bool found = false;
    for (int i = 0; i < qp_op_parameters(op); i++)
        found = found || strcmp(name, op->parameters[i].name) == 0;
    return found;
}

static bool is_place(const char *name)
{
    static const char *const places[] = {"origin", "size", "cells", "left", "right"};
    bool found = false;
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++)
        found = found || strcmp(name, places[i]) == 0;
    return found;
}

/* The type that a uniform of this name is set with; 0 for a name that nothing stands for. */
static GLenum type_of(const struct qp_plan *plan, const char *name)
{
    if (is_array(plan, name))
        return plan->target == QP_2D ? GL_SAMPLER_2D : GL_SAMPLER_2D_RECT;
    if (is_parameter(plan->problem->op, name))
        return GL_FLOAT;
    return is_place(name) ? GL_FLOAT_VEC2 : 0;
}

static const char *type_name(GLenum type)
{
    return type == GL_FLOAT ? "a float" : type == GL_FLOAT_VEC2 ? "a vec2" : "a sampler2DRect";
}

/* Of arrays and parameters, with commas between. */
static void list_names(const struct qp_plan *plan, char *list, size_t size)
{
    const struct qp_op *op = plan->problem->op;
    size_t used = (size_t)snprintf(list, size, "%s", op->field_names[op->state]);
    for (int i = 0; i < plan->inputs && used < size; i++)
        used += (size_t)snprintf(list + used, size - used, ", %s",
                                 plan->variant->recipe->input[i].name);
    for (int i = 0; i < qp_op_parameters(op) && used < size; i++)
        used += (size_t)snprintf(list + used, size - used, ", %s", op->parameters[i].name);
}

static enum qp_status check_uniform(const struct qp_plan *plan, const char *shader,
                                    const char *name, GLenum type)
{
    char list[256];
    GLenum wanted = type_of(plan, name);
    if (wanted == type || strncmp(name, "gl_", 3) == 0)
        return QP_OK;
    if (wanted != 0)
        return qp_fail(QP_BAD_INPUT, "room 4, program: %s: the uniform '%s' must be %s", shader,
                       name, type_name(wanted));
    list_names(plan, list, sizeof list);
    return qp_fail(QP_BAD_INPUT,
                   "room 4, program: %s reads '%s', which %s does not have; it has %s", shader,
                   name, plan->problem->op->name, list);
}

static enum qp_status check_read(const struct qp_plan *plan, const char *array,
                                 const struct qp_program *const programs[], int count)
{
    for (int i = 0; i < count; i++) {
        if (qp_program_location(programs[i], array) >= 0)
            return QP_OK;
    }
    return qp_fail(QP_BAD_INPUT,
                   "room 4, program: no shader of %s reads the array '%s': there is no sampler of "
                   "that name, or its value changes nothing",
                   plan->variant->name, array);
}

enum qp_status qp_uniforms_check(const struct qp_plan *plan,
                                 const struct qp_program *const programs[], int count)
{
    const struct qp_recipe *recipe = plan->variant->recipe;
    char name[128];
    GLenum type;
    enum qp_status status = QP_OK;
    for (int i = 0; i < count; i++) {
        for (int k = 0; qp_program_uniform(programs[i], k, name, sizeof name, &type); k++) {
            status = check_uniform(plan, recipe->draw[i].fragment, name, type);
            if (status != QP_OK)
                return status;
        }
    }
    for (int i = 0; i < plan->inputs && status == QP_OK; i++)
        status = check_read(plan, recipe->input[i].name, programs, count);
    return status;
}
