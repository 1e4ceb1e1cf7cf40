/* SPDX-License-Identifier: MIT */
/* The interpreter's variables, arrays and functions. */
#include <math.h>
#include <string.h>

#include "support/interpreter_run.h"

/* ---- Variables ---- */

struct variable *interpreter_declare(struct run *r, int name, int elements)
{
    const int count = elements > 0 ? elements : 1;
    if (r->variables == MOST_VARIABLES || r->values + count > MOST_VALUES)
        interpreter_stop(r, "too many variables");
    struct variable *variable = &r->variable[r->variables++];
    *variable = (struct variable){name, elements, &r->value[r->values]};
    r->values += count;
    return variable;
}

static struct variable *find(struct run *r, int name)
{
    for (int i = r->variables - 1; i >= r->first; i--) {
        if (r->variable[i].name == name)
            return &r->variable[i];
    }
    for (int i = r->globals - 1; i >= 0; i--) {
        if (r->variable[i].name == name)
            return &r->variable[i];
    }
    interpreter_stop(r, "a name that nothing declares");
}

void interpreter_store(struct run *r, const struct place *place, const struct value *value)
{
    if (place->of == NULL || (value->n != place->n))
        interpreter_stop(r, "an assignment to what is no variable of this type");
    if (place->of->base < value->base)
        interpreter_stop(r, "an assignment that loses a part of the number");
    const struct value as = value_as(place->of->base, value);
    for (int i = 0; i < place->n; i++) {
        place->of->v[place->part[i]] = as.v[i];
        place->of->e[place->part[i]] = as.e[i];
    }
}

struct value interpreter_load(const struct place *place)
{
    struct value out = {.base = place->of->base, .n = place->n};
    for (int i = 0; i < place->n; i++) {
        out.v[i] = place->of->v[place->part[i]];
        out.e[i] = place->of->e[place->part[i]];
    }
    return out;
}

/* .xy and the like, of what is at the place; words, not places, get a copy. */
void interpreter_members(struct run *r, struct place *place)
{
    static const char *const sets[] = {"xyzw", "rgba", "stpq"};
    while (take(r, '.')) {
        const char *name = r->text->name[word(r)->id];
        const struct place whole = *place;
        const int n = (int)strlen(name);
        if (word(r)->kind != WORD_NAME || n > 4)
            interpreter_stop(r, "no member");
        for (int i = 0; i < n; i++) {
            const char *found = NULL;
            for (int k = 0; k < 3 && found == NULL; k++) {
                found = strchr(sets[k], name[i]);
                if (found != NULL && found - sets[k] < whole.n)
                    place->part[i] = whole.part[found - sets[k]];
                else if (found != NULL)
                    interpreter_stop(r, "a member that the vector does not have");
            }
            if (found == NULL)
                interpreter_stop(r, "no member");
        }
        place->n = n;
        r->at++;
    }
}

struct place interpreter_place(struct value *of)
{
    return (struct place){.of = of, .n = of->n, .part = {0, 1, 2, 3}};
}

struct value interpreter_variable(struct run *r)
{
    struct variable *variable = find(r, word(r)->id);
    struct value *of = variable->at;
    int component = -1;
    r->at++;
    if (take(r, '[')) {
        const struct value index = interpreter_expression(r);
        const int i = (int)index.v[0], most = variable->elements > 0 ? variable->elements : of->n;
        need(r, ']');
        r->doubt = r->doubt || index.e[0] > 0.0;
        if (!value_is_whole(index.base) || i < 0 || i >= most)
            interpreter_stop(r, "an index outside of the array");
        if (variable->elements > 0)
            of += i;
        else
            component = i;
    } else if (variable->elements > 0) {
        interpreter_stop(r, "an array without an index");
    }
    struct place place = interpreter_place(of);
    if (component >= 0) {
        place.part[0] = component;
        place.n = 1;
    }
    interpreter_members(r, &place);
    place.end = r->at;
    r->place = place;
    return interpreter_load(&place);
}

/* ---- Calls ---- */

/* The value of an array dx and dy cells away. */
static struct value read_cell(struct run *r, int k, const struct value *dx, const struct value *dy)
{
    const struct interpreter_grid *grid = r->grid;
    const struct interpreter_array *array = &grid->array[k];
    const int size[2] = {array->width > 0 ? array->width : grid->width,
                         array->height > 0 ? array->height : grid->height};
    int cell[2] = {r->x + (int)dx->v[0], r->y + (int)dy->v[0]};
    const enum base base = interpreter_base(grid->type);
    const double value = array->outside == QP_OUTSIDE_VALUE ? array->value : 0.0;
    struct value out =
        value_of(base, value_is_whole(base) ? rint(value) + 0.0 : value_rounded(base, value));
    r->doubt = r->doubt || dx->e[0] + dy->e[0] > 0.0;
    for (int i = 0; i < 2; i++) {
        const bool outside = cell[i] < 0 || cell[i] >= size[i];
        if (outside && (array->outside == QP_OUTSIDE_ZERO || array->outside == QP_OUTSIDE_VALUE))
            return out;
        if (outside && array->outside == QP_OUTSIDE_CLAMP)
            cell[i] = cell[i] < 0 ? 0 : size[i] - 1;
        if (outside && array->outside == QP_OUTSIDE_WRAP)
            cell[i] = (cell[i] % size[i] + size[i]) % size[i];
    }
    const int at = cell[1] * size[0] + cell[0];
    out.v[0] = array->cells[at];
    out.e[0] = k < grid->states ? array->error[at] : 0.0;
    return out;
}

static struct value construct(struct run *r, enum base base, int n, const struct value *arguments,
                              int count)
{
    struct value out = {.base = base, .n = n};
    int filled = 0;
    for (int k = 0; k < count; k++) {
        const struct value as = value_as(base, &arguments[k]);
        for (int i = 0; i < as.n && filled < n; i++, filled++) {
            out.v[filled] = as.v[i];
            out.e[filled] = as.e[i];
        }
    }
    if (filled < n && (count != 1 || arguments[0].n != 1))
        interpreter_stop(r, "a constructor of too few values");
    for (; filled < n; filled++) {
        out.v[filled] = out.v[0];
        out.e[filled] = out.e[0];
    }
    return out;
}

/* 2: the arguments are of the function's types; 1: they become that; 0: they do not. */
static int fits(const struct function *function, const struct value *arguments, int count)
{
    int same = 2;
    for (int k = 0; k < count && function->count == count; k++) {
        const struct parameter *p = &function->parameter[k];
        if (p->n != arguments[k].n ||
            (p->base != arguments[k].base &&
             (p->base < arguments[k].base || arguments[k].base == IS_BOOL)))
            return 0;
        same = p->base != arguments[k].base ? 1 : same;
    }
    return function->count == count ? same : 0;
}

static struct value call(struct run *r, const struct function *function, struct value *arguments,
                         const struct place *places)
{
    const int at = r->at, first = r->first, variables = r->variables, values = r->values;
    if (++r->calls == MOST_CALLS)
        interpreter_stop(r, "a function that calls itself");
    r->first = variables;
    for (int k = 0; k < function->count; k++) {
        const struct parameter *p = &function->parameter[k];
        *interpreter_declare(r, p->name, 0)->at = value_as(p->base, &arguments[k]);
    }
    r->returned = (struct value){.n = 0};
    r->at = function->body;
    interpreter_statement(r);
    struct value returned = r->returned;
    r->returned.n = 0;
    if (function->n != returned.n)
        interpreter_stop(r, "a function that returns nothing, or another type");
    if (function->n > 0)
        returned = value_as(function->base, &returned);
    r->at = at;
    for (int k = 0; k < function->count; k++) {
        if (function->parameter[k].way != THE_IN)
            interpreter_store(r, &places[k], r->variable[variables + k].at);
    }
    r->first = first;
    r->variables = variables;
    r->values = values;
    r->calls--;
    return returned;
}

struct value interpreter_call(struct run *r)
{
    const int name = word(r)->id;
    struct value argument[16];
    struct place place[16];
    const struct function *found = NULL;
    enum base base;
    int count = 0, n, best = 0;
    const bool is_type = text_type(r->text, r->at, &base, &n);
    r->at++;
    need(r, '(');
    while (!is_sign(r, ')')) {
        r->place.of = NULL;
        argument[count] = interpreter_expression(r);
        place[count] = r->place;
        if (place[count].end != r->at)
            place[count].of = NULL;
        if (++count == 16 || (!is_sign(r, ')') && !take(r, ',')))
            interpreter_stop(r, "arguments that do not end");
    }
    r->at++;
    r->place.of = NULL;
    if (is_type)
        return construct(r, base, n, argument, count);
    if (r->array[name] >= 0 && count == 2)
        return read_cell(r, r->array[name], &argument[0], &argument[1]);
    for (int k = 0; k < r->text->functions; k++) {
        const struct function *function = &r->text->function[k];
        const int fit =
            function->name == name && function->body > 0 ? fits(function, argument, count) : 0;
        if (fit > best) {
            found = function;
            best = fit;
        }
    }
    if (found != NULL)
        return call(r, found, argument, place);
    if (r->built_in[name] == NULL)
        interpreter_stop(r, "a function that is not known");
    const struct value got = built_in_call(r->built_in[name], argument, count);
    if (got.n == 0)
        interpreter_stop(r, "a function that does not take these arguments");
    return got;
}
