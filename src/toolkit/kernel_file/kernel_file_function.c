/* SPDX-License-Identifier: MIT */
/* Kernels in C and CUDA: the function of a file, whose parameters say what it reads and writes. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "toolkit/arrays/array.h"
#include "toolkit/base/caller.h"
#include "toolkit/base/nearest.h"
#include "toolkit/kernel_file/kernel_file.h"

/* ---- Languages ---- */

static const struct {
    const char *ending, *called;
} languages[] = {[QP_IN_FRAGMENTS] = {"", "fragment shaders"},
                 [QP_IN_COMPUTE] = {".comp", "compute shaders"},
                 [QP_IN_CUDA] = {".cu", "CUDA"},
                 [QP_IN_C] = {".c", "C"}};

enum qp_kernel_language qp_kernel_file_language(const char *path)
{
    const char *end = strrchr(path, '.');
    int k = QP_IN_C;
    while (k > QP_IN_FRAGMENTS && (end == NULL || strcmp(end, languages[k].ending) != 0))
        k--;
    return (enum qp_kernel_language)k;
}

const char *qp_kernel_file_called(enum qp_kernel_language language)
{
    return languages[language].called;
}

const struct qp_kernel_function *qp_kernel_file_function(const struct qp_kernel_file *file)
{
    return &((const struct qp_kernel_file_owner *)file)->function;
}

bool qp_kernel_file_is_function(const struct qp_kernel_file *file)
{
    return qp_kernel_file_function(file)->language != QP_IN_FRAGMENTS;
}

/* ---- Lines of the head ---- */

static enum qp_status take_name(struct qp_kernel_function *function, const char *name, int line)
{
    size_t length = strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789");
    if (function->language == QP_IN_COMPUTE)
        return qp_fail(QP_BAD_INPUT, "kernel names a function in C or CUDA; a compute shader "
                                     "begins in main()");
    if (function->name_line > 0)
        return qp_fail(QP_BAD_INPUT, "kernel is given twice");
    if (name[length] != '\0' || length >= QP_KERNEL_LETTERS || strspn(name, "0123456789") > 0)
        return qp_fail(QP_BAD_INPUT, "kernel takes a function's name, not '%s'", name);
    strcpy(function->name, name);
    function->name_line = line;
    return QP_OK;
}

static enum qp_status take_group(struct qp_kernel_function *function, const char *value, int line)
{
    enum { MOST_THREADS = 1024 };
    int across = 0, up = 0, end = 0;
    if (function->language == QP_IN_C)
        return qp_fail(QP_BAD_INPUT, "group is of kernels on a device; a function in C computes "
                                     "all cells in one call");
    if (function->group_line > 0)
        return qp_fail(QP_BAD_INPUT, "group is given twice");
    if (sscanf(value, "%4dx%4d%n", &across, &up, &end) != 2 || value[end] != '\0' || across < 1 ||
        up < 1 || across * up > MOST_THREADS)
        return qp_fail(QP_BAD_INPUT,
                       "group takes threads across and up, such as 16x16, at most "
                       "%d together, not '%s'",
                       MOST_THREADS, value);
    function->group[0] = across;
    function->group[1] = up;
    function->group_line = line;
    return QP_OK;
}

enum qp_status qp_kernel_file_take_function(struct qp_kernel_file_owner *owner, const char *word,
                                            const char *value, int line)
{
    struct qp_kernel_function *function = &owner->function;
    static const char *const others[] = {"then", "sync", "tuned", NULL};
    const char *called = qp_kernel_file_called(function->language);
    if (function->language == QP_IN_FRAGMENTS)
        return qp_fail(QP_BAD_INPUT,
                       "%s is for kernels in C, CUDA and compute shaders; leave it out here", word);
    if (strcmp(word, "kernel") == 0)
        return take_name(function, value, line);
    if (strcmp(word, "group") == 0)
        return take_group(function, value, line);
    if (strcmp(word, "include") == 0 && function->language >= QP_IN_CUDA)
        return qp_fail(QP_BAD_INPUT,
                       "include is for shaders; write '#include', which the compiler "
                       "of %s knows",
                       called);
    if (strcmp(word, "outside") == 0)
        return qp_fail(QP_BAD_INPUT,
                       "outside is for fragment shaders; arrays in %s are plain, and "
                       "the kernel decides itself what is beyond them",
                       called);
    for (int k = 0; others[k] != NULL; k++) {
        if (strcmp(word, others[k]) == 0)
            return qp_fail(QP_BAD_INPUT, "%s is for fragment shaders, and not for kernels in %s",
                           word, called);
    }
    return QP_OK;
}

/* ---- Functions ---- */

/* A function with a body at the top of the text, or in a block extern "C". */
struct found {
    int begin, name, open; /* first token of its declaration, its name, the bracket after that */
    bool in_c;             /* it is or stands in extern "C" */
};

static bool is_linkage(const struct qp_token *of, int i)
{
    return i >= 4 && qp_token_is(&of[i - 4], "extern") && qp_token_is(&of[i - 3], "\"") &&
           qp_token_is(&of[i - 2], "C");
}

static bool has_word(const struct qp_tokens *tokens, int begin, int end, const char *word)
{
    while (begin < end && !qp_token_is(&tokens->of[begin], word))
        begin++;
    return begin < end;
}

/* Finds the next function from token *i on, where it ends. */
static bool find_next(const struct qp_tokens *tokens, int *i, struct found *out)
{
    const struct qp_token *of = tokens->of;
    static const char *const ends[] = {";", "{", "}", NULL};
    for (; *i < tokens->count; ++*i) {
        if (qp_token_is(&of[*i], "{") && of[*i].match > *i && !is_linkage(of, *i))
            *i = of[*i].match;
        const int close =
            of[*i].kind == QP_TOKEN_WORD && qp_token_is(&of[*i + 1], "(") ? of[*i + 1].match : -1;
        if (close < 0 || !qp_token_is(&of[close + 1], "{"))
            continue;
        *out = (struct found){*i, *i, *i + 1, false};
        while (out->begin > 0 && !qp_token_is_one_of(&of[out->begin - 1], ends) &&
               of[out->begin - 1].kind != QP_TOKEN_LINE)
            out->begin--;
        out->in_c = has_word(tokens, out->begin, *i, "extern");
        for (int k = 0; k < out->begin; k++)
            out->in_c =
                out->in_c || (is_linkage(of, k) && qp_token_is(&of[k], "{") && of[k].match > *i);
        *i = close + 1;
        return true;
    }
    return false;
}

/* QP_BAD_INPUT for a function in C which the program around the kernel would call in place of the
 * system's. */
static enum qp_status check_name(const struct qp_kernel_file_owner *owner, const struct found *one)
{
    static const char *const taken[] = {"read",      "write",  "mmap",  "mprotect",
                                        "fstat",     "prctl",  "_exit", "sigaltstack",
                                        "sigaction", "signal", "fork",  NULL};
    const struct qp_tokens *tokens = owner->tokens;
    const struct qp_token *name = &tokens->of[one->name];
    if (owner->function.language != QP_IN_C || !qp_token_is_one_of(name, taken) ||
        has_word(tokens, one->begin, one->name, "static"))
        return QP_OK;
    return qp_fail(QP_BAD_INPUT,
                   "%s:%d: '%.*s' is also a function of the system, which programs call; write "
                   "'static' before it, or give it another name",
                   owner->path, name->line, name->length, name->at);
}

/* True for what a kernel may be: without a name in the head, by the words before its name. */
static bool may_be_kernel(const struct qp_kernel_file_owner *owner, const struct found *found)
{
    const struct qp_tokens *tokens = owner->tokens;
    if (owner->function.name_line > 0)
        return qp_token_is(&tokens->of[found->name], owner->function.name);
    if (owner->function.language == QP_IN_CUDA)
        return has_word(tokens, found->begin, found->name, "__global__");
    return has_word(tokens, found->begin, found->name, "void") &&
           !has_word(tokens, found->begin, found->name, "static");
}

static enum qp_status lack(const struct qp_kernel_file_owner *owner)
{
    const struct qp_kernel_function *function = &owner->function;
    const char *before = function->language == QP_IN_CUDA ? "extern \"C\" __global__ " : "";
    if (function->name_line > 0)
        return qp_fail(QP_BAD_INPUT, "%s:%d: kernel %s: the file has no such function", owner->path,
                       function->name_line, function->name);
    return qp_fail(QP_BAD_INPUT,
                   "%s has no kernel, a function '%svoid NAME(int width, int height, const float "
                   "*x, float *out)'",
                   owner->path, before);
}

/* QP_BAD_INPUT for a function that cannot be called by its name. */
static enum qp_status check_function(const struct qp_kernel_file_owner *owner,
                                     const struct found *found)
{
    const struct qp_tokens *tokens = owner->tokens;
    const int line = tokens->of[found->name].line;
    const bool cuda = owner->function.language == QP_IN_CUDA;
    const char *name = owner->function.name,
               *why = !has_word(tokens, found->begin, found->name, "void") ? "must return void"
                      : cuda && !has_word(tokens, found->begin, found->name, "__global__")
                          ? "is no kernel: write '__global__' before void"
                      : cuda && !found->in_c
                          ? "has a name in C++; write 'extern \"C\"' before __global__"
                      : has_word(tokens, found->begin, found->name, "static") && !cuda
                          ? "is static, and nobody else can call it; leave 'static' out"
                      : strcmp(name, "main") == 0 ? "begins a program; call the kernel otherwise"
                                                  : NULL;
    return why == NULL ? QP_OK
                       : qp_fail(QP_BAD_INPUT, "%s:%d: '%s' %s", owner->path, line, name, why);
}

/* ---- Parameters ---- */

/* Reads the parameter of the tokens from `begin` up to `end`. */
static enum qp_status read_parameter(const struct qp_kernel_file_owner *owner, int begin, int end,
                                     struct qp_kernel_parameter *out)
{
    static const struct {
        const char *word;
        enum qp_array_type type;
    } types[] = {{"float", QP_ARRAY_FLOAT},   {"double", QP_ARRAY_DOUBLE},
                 {"unsigned", QP_ARRAY_UINT}, {"uint32_t", QP_ARRAY_UINT},
                 {"uint", QP_ARRAY_UINT},     {"int", QP_ARRAY_INT},
                 {"int32_t", QP_ARRAY_INT}};
    enum { TYPES = sizeof types / sizeof types[0] };
    const struct qp_tokens *tokens = owner->tokens;
    const struct qp_token *of = tokens->of;
    int name = end - 1, star = begin, stars = 0, k = 0;
    if (name > begin && qp_token_is(&of[name], "]") && of[name].match > begin) {
        name = of[name].match - 1;
        stars++;
    }
    while (star < name && !qp_token_is(&of[star], "*"))
        star++;
    for (int i = star; i < name; i++)
        stars += qp_token_is(&of[i], "*");
    while (k < TYPES && !has_word(tokens, begin, star, types[k].word))
        k++;
    const int length = name >= begin ? of[name].length : 0;
    *out = (struct qp_kernel_parameter){.number = -1, .line = of[begin].line};
    if (k == TYPES || stars > 1 || name <= begin || of[name].kind != QP_TOKEN_WORD ||
        length >= QP_KERNEL_LETTERS || has_word(tokens, begin, star, "long") ||
        has_word(tokens, begin, star, "short") || has_word(tokens, begin, star, "char"))
        return qp_fail(QP_BAD_INPUT,
                       "%s:%d: parameter '%.*s' of %s is neither an array nor a number of float, "
                       "double, int or unsigned",
                       owner->path, out->line,
                       end > begin ? (int)(qp_token_end(&of[end - 1]) - of[begin].at) : 0,
                       of[begin].at, owner->function.name);
    snprintf(out->name, sizeof out->name, "%.*s", length, of[name].at);
    out->type = types[k].type;
    out->use = stars == 0                               ? QP_USE_NUMBER
               : has_word(tokens, begin, star, "const") ? QP_USE_READ
                                                        : QP_USE_WRITTEN;
    return QP_OK;
}

static enum qp_status read_parameters(struct qp_kernel_file_owner *owner, int open)
{
    struct qp_kernel_function *function = &owner->function;
    const int close = owner->tokens->of[open].match;
    bool sized = true;
    for (int i = open + 1, k = -2, end; i < close; i = end + 1, k++) {
        struct qp_kernel_parameter size = {.line = 0},
                                   *out = k < 0 ? &size : &function->parameter[k];
        if (k == QP_KERNEL_PARAMETERS)
            return qp_fail(QP_BAD_INPUT, "%s:%d: %s takes too many parameters", owner->path,
                           owner->tokens->of[i].line, function->name);
        end = qp_tokens_until(owner->tokens, i, ",", ",");
        if (read_parameter(owner, i, end, out) != QP_OK)
            return QP_BAD_INPUT;
        sized = sized && (k >= 0 || (out->use == QP_USE_NUMBER && out->type == QP_ARRAY_INT));
        function->parameters = k + 1;
    }
    if (function->parameters > 0 && sized)
        return QP_OK;
    return qp_fail(QP_BAD_INPUT,
                   "%s:%d: the parameters of %s begin with 'int width, int height', and its arrays "
                   "come after them",
                   owner->path, owner->tokens->of[open].line, function->name);
}

/* Counts arrays, and gives them their places. */
static enum qp_status number_arrays(struct qp_kernel_file_owner *owner)
{
    struct qp_kernel_function *function = &owner->function;
    struct qp_kernel_desc *desc = &owner->file.desc;
    int count[3] = {0};
    const char *why = NULL;
    desc->output_channels = 1;
    for (int k = 0; k < function->parameters; k++) {
        struct qp_kernel_parameter *one = &function->parameter[k];
        if (one->use == QP_USE_NUMBER)
            continue;
        if (one->use == QP_USE_WRITTEN && count[QP_USE_WRITTEN] == 0)
            desc->output_type = one->type;
        one->number = count[one->use]++;
        why = why != NULL || one->use == QP_USE_READ || one->type == desc->output_type
                  ? why
                  : "writes arrays of several types";
    }
    for (int k = 0; k < function->parameters && why == NULL; k++) {
        const struct qp_kernel_parameter *one = &function->parameter[k];
        if (one->use == QP_USE_READ && one->number < count[QP_USE_WRITTEN] &&
            one->type != desc->output_type)
            why = "writes an array of another type than the state that it is in the next step";
    }
    desc->outputs = owner->file.states = count[QP_USE_WRITTEN];
    owner->file.inputs = count[QP_USE_READ];
    if (desc->outputs == 0)
        why = "writes no array, as in 'float *out'; arrays that it reads are const";
    else if (desc->outputs > QP_KERNEL_OUTPUTS || owner->file.inputs > QP_KERNEL_INPUTS)
        why = "writes more than 4 arrays, or reads more than 8";
    else if (owner->file.inputs < desc->outputs)
        why = "writes more arrays than it reads: the first that it reads are what it has written "
              "in the step before";
    return why == NULL ? QP_OK
                       : qp_fail(QP_BAD_INPUT, "%s:%d: %s %s", owner->path,
                                 function->parameter[0].line, function->name, why);
}

enum qp_status qp_kernel_file_find_function(struct qp_kernel_file_owner *owner)
{
    struct qp_kernel_function *function = &owner->function;
    struct found one, first = {.name = 0}, second = {.name = 0};
    const struct qp_token *of = owner->tokens->of;
    enum qp_status status = QP_OK;
    if (function->language == QP_IN_COMPUTE) {
        status = qp_kernel_file_find_shader(owner);
        return status == QP_OK ? number_arrays(owner) : status;
    }
    for (int i = 0; find_next(owner->tokens, &i, &one);) {
        if (check_name(owner, &one) != QP_OK)
            return QP_BAD_INPUT;
        if (!may_be_kernel(owner, &one) || (first.in_c && !one.in_c))
            continue;
        const bool better = first.open == 0 || (one.in_c && !first.in_c);
        if (better)
            second.open = 0;
        else if (second.open == 0)
            second = one;
        first = better ? one : first;
    }
    if (second.open > 0 && function->name_line == 0)
        return qp_fail(QP_BAD_INPUT,
                       "%s:%d: the file has several functions, such as '%.*s' and '%.*s'; name "
                       "the kernel by a line '//@ kernel NAME'",
                       owner->path, of[second.name].line, of[first.name].length, of[first.name].at,
                       of[second.name].length, of[second.name].at);
    if (first.open == 0)
        return lack(owner);
    if (of[first.name].length >= QP_KERNEL_LETTERS)
        return qp_fail(QP_BAD_INPUT, "%s:%d: the kernel's name is too long", owner->path,
                       of[first.name].line);
    snprintf(function->name, sizeof function->name, "%.*s", of[first.name].length,
             of[first.name].at);
    status = check_function(owner, &first);
    if (status == QP_OK)
        status = read_parameters(owner, first.open);
    return status == QP_OK ? number_arrays(owner) : status;
}

/* ---- The description ---- */

/* The parameter of this name and use; NULL: there is none. */
static struct qp_kernel_parameter *find_parameter(struct qp_kernel_file_owner *owner,
                                                  const char *name, enum qp_kernel_use use)
{
    struct qp_kernel_function *function = &owner->function;
    int k = 0;
    while (k < function->parameters &&
           (function->parameter[k].use != use || strcmp(function->parameter[k].name, name) != 0))
        k++;
    return k < function->parameters ? &function->parameter[k] : NULL;
}

static enum qp_status lack_parameter(const struct qp_kernel_file_owner *owner, const char *name,
                                     enum qp_kernel_use use)
{
    const char *names[QP_KERNEL_PARAMETERS], *near;
    const struct qp_kernel_function *function = &owner->function;
    int count = 0;
    for (int k = 0; k < function->parameters; k++) {
        if (function->parameter[k].use == use)
            names[count++] = function->parameter[k].name;
    }
    near = qp_nearest(name, names, count);
    return qp_fail(QP_BAD_INPUT, "%s has no %s '%s'%s%s%s", function->name,
                   use == QP_USE_NUMBER ? "parameter" : "parameter 'const TYPE *' called", name,
                   near != NULL ? "; did you mean '" : "", near != NULL ? near : "",
                   near != NULL ? "'?" : "");
}

/* Fills in the inputs, the states first, and what the head says of them. */
static enum qp_status describe_arrays(struct qp_kernel_file_owner *owner)
{
    struct qp_kernel_file *file = &owner->file;
    const struct qp_kernel_file_head *head = &file->head;
    bool outside = head->has_outside;
    for (int k = 0; k < owner->function.parameters; k++) {
        const struct qp_kernel_parameter *one = &owner->function.parameter[k];
        if (one->use != QP_USE_READ)
            continue;
        struct qp_kernel_file_array *array = &file->array[one->number];
        *array = (struct qp_kernel_file_array){.from = NULL};
        strcpy(array->name, one->name);
        file->desc.input[one->number] =
            (struct qp_kernel_input){.name = array->name, .type = one->type, .channels = 1};
    }
    for (int k = 0; k < head->states; k++) {
        if (head->states != file->states || strcmp(head->state[k], file->array[k].name) != 0)
            return qp_fail(QP_BAD_INPUT,
                           "%s: the head names %d state%s, and %s reads '%s' first and writes %d "
                           "array%s; let both say the same, or leave the line 'state' out",
                           file->path, head->states, head->states > 1 ? "s" : "",
                           owner->function.name, file->array[0].name, file->states,
                           file->states > 1 ? "s" : "");
    }
    for (int k = 0; k < head->arrays; k++) {
        const struct qp_kernel_file_array *said = &head->array[k];
        const struct qp_kernel_parameter *one = find_parameter(owner, said->name, QP_USE_READ);
        outside = outside || said->has_outside;
        if (one == NULL && lack_parameter(owner, said->name, QP_USE_READ) != QP_OK)
            return qp_kernel_file_fail_at(owner, owner->array_line[k], "input", said->name);
        file->array[one->number].from = said->from;
        file->array[one->number].made = said->made;
    }
    return !outside ? QP_OK
                    : qp_fail(QP_BAD_USE,
                              "outside is for fragment shaders; arrays in %s are plain, and the "
                              "kernel decides itself what is beyond them",
                              qp_kernel_file_called(owner->function.language));
}

/* QP_BAD_INPUT for a value that the parameter's type has not. */
static enum qp_status check_value(const struct qp_kernel_parameter *one, double value)
{
    const double least = one->type == QP_ARRAY_INT ? INT32_MIN : 0.0,
                 most = one->type == QP_ARRAY_INT ? INT32_MAX : UINT32_MAX;
    const bool good = qp_array_is_whole(one->type)
                          ? value == floor(value) && value >= least && value <= most
                          : one->type == QP_ARRAY_DOUBLE || isfinite((float)value);
    return good ? QP_OK
                : qp_fail(QP_BAD_INPUT, "the parameter's type does not have the value %g", value);
}

/* The next number of the description, with `values` values, all of which its type has. */
static enum qp_status add_number(struct qp_kernel_file_owner *owner, int k, const char *name,
                                 const double *value, int values)
{
    static const enum qp_number_type types[] = {[QP_ARRAY_FLOAT] = QP_NUMBER_FLOAT,
                                                [QP_ARRAY_DOUBLE] = QP_NUMBER_DOUBLE,
                                                [QP_ARRAY_INT] = QP_NUMBER_INT,
                                                [QP_ARRAY_UINT] = QP_NUMBER_UINT};
    struct qp_kernel_parameter *one = find_parameter(owner, name, QP_USE_NUMBER);
    if (one == NULL)
        return lack_parameter(owner, name, QP_USE_NUMBER);
    if (k == QP_KERNEL_NUMBERS || one->number >= 0)
        return qp_fail(QP_BAD_INPUT, k == QP_KERNEL_NUMBERS ? "a kernel has 16 numbers at most"
                                                            : "it is given twice");
    one->number = k;
    owner->file.desc.number[k] = (struct qp_kernel_number){.name = name, .type = types[one->type]};
    owner->file.number[k] =
        (struct qp_pass_number){.name = name, .value = {value != NULL ? value[0] : 0.0}};
    enum qp_status status = QP_OK;
    for (int i = 0; i < values && status == QP_OK; i++)
        status = check_value(one, value[i]);
    return status;
}

static enum qp_status describe_numbers(struct qp_kernel_file_owner *owner)
{
    static const char *const of_step[] = {"step_number", "step_count"};
    struct qp_kernel_file *file = &owner->file;
    const struct qp_kernel_file_head *head = &file->head;
    int count = 0;
    for (int k = 0; k < head->numbers; k++) {
        const struct qp_kernel_file_number *said = &head->number[k];
        if ((said->values > 1 && qp_fail(QP_BAD_INPUT, "a parameter is one number") != QP_OK) ||
            add_number(owner, count++, said->name, said->value, 1) != QP_OK)
            return qp_kernel_file_fail_at(owner, owner->number_line[k], "set", said->name);
    }
    for (int k = 0; k < 2; k++) {
        if (find_parameter(owner, of_step[k], QP_USE_NUMBER) != NULL &&
            !qp_kernel_file_gives(head, of_step[k]) &&
            add_number(owner, count++, of_step[k], NULL, 0) != QP_OK)
            return qp_fail_within(QP_BAD_INPUT, "%s: %s", file->path, of_step[k]);
    }
    for (int k = 0; k < head->schedules; k++) {
        const struct qp_kernel_file_schedule *said = &head->schedule[k];
        if (add_number(owner, count++, said->name, head->scheduled + said->first, said->values) !=
            QP_OK)
            return qp_kernel_file_fail_at(owner, owner->schedule_line[k], "schedule", said->name);
    }
    file->desc.number[count].name = file->number[count].name = NULL;
    return QP_OK;
}

enum qp_status qp_kernel_file_describe_function(struct qp_kernel_file_owner *owner)
{
    struct qp_kernel_function *function = &owner->function;
    for (int k = 0; k < function->parameters; k++) {
        if (function->parameter[k].use == QP_USE_NUMBER)
            function->parameter[k].number = -1;
    }
    enum qp_status status = describe_arrays(owner);
    if (status == QP_OK)
        status = describe_numbers(owner);
    for (int k = 0; k < function->parameters && status == QP_OK; k++) {
        const struct qp_kernel_parameter *one = &function->parameter[k];
        if (one->number < 0)
            status = qp_fail(QP_BAD_INPUT,
                             "%s:%d: nothing sets the parameter '%s' of %s; add a line '//@ set "
                             "%s=VALUE' to its head",
                             owner->path, one->line, one->name, function->name, one->name);
    }
    if (status == QP_OK)
        qp_kernel_file_step(&owner->file, 0, 1, owner->file.number);
    return status;
}
