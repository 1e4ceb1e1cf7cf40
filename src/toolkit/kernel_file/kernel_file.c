/* SPDX-License-Identifier: MIT */
/* Kernel files, from the text and its head to a description. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "toolkit/arrays/array.h"
#include "toolkit/base/caller.h"
#include "toolkit/gl/shaders.h"
#include "toolkit/kernel_file/kernel_file.h"

#define BLANKS " \t\r"

/* ---- The head ---- */

/* A file whose lines are taken: the kernel file itself, or one that another one includes. */
struct source {
    const struct source *by; /* the file that includes it; NULL: the kernel file */
    struct qp_kernel_included file;
    const struct qp_tokens *tokens;
    char *words; /* a copy of the text, whose head is cut into words */
    int line;    /* its line that is taken */
};

/* A kernel file, and the text of all that it includes, each file after those that it includes
 * itself. */
struct reading {
    struct qp_kernel_file_owner *owner;
    FILE *included;
};

static enum qp_status include(struct reading *r, const struct source *by, const char *name);

/* Puts the place of a line before the sentence, with that of the line which includes its file. */
static enum qp_status fail_at(enum qp_status status, const struct source *source)
{
    const struct source *by = source->by;
    if (by == NULL)
        return qp_fail_within(status, "%s:%d", source->file.path, source->line);
    return qp_fail(status, "%s:%d, included from %s:%d: %s", source->file.path, source->line,
                   by->file.path, by->line, qp_error());
}

static enum qp_status take_then(struct qp_kernel_file_owner *owner, const char *value)
{
    const char *end = strrchr(value, '.');
    if (owner->then != NULL)
        return qp_fail(QP_BAD_INPUT,
                       "then is given twice; b.frag may go on with a line of its own");
    if (end == NULL || strcmp(end, ".frag") != 0)
        return qp_fail(QP_BAD_INPUT, "then takes a kernel file, such as b.frag, not '%s'", value);
    owner->then = value;
    return QP_OK;
}

/* Takes a word of the kernel file itself, and what it says. */
static enum qp_status take_word(struct qp_kernel_file_owner *owner, const char *word,
                                const char *value, int number)
{
    struct qp_kernel_file_head *head = &owner->file.head;
    const bool is_own = strcmp(word, "kernel") == 0 || strcmp(word, "group") == 0;
    if ((is_own || owner->function.language != QP_IN_FRAGMENTS) && *value != '\0' &&
        qp_kernel_file_take_function(owner, word, value, number) != QP_OK)
        return QP_BAD_INPUT;
    enum qp_status status = is_own && *value != '\0' ? QP_OK
                            : strcmp(word, "tuned") == 0 && *value != '\0'
                                ? qp_kernel_file_tune(owner, value)
                            : strcmp(word, "then") == 0 && *value != '\0' ? take_then(owner, value)
                            : strcmp(word, "sync") == 0 && *value != '\0'
                                ? qp_kernel_file_take_sync(owner, value, number)
                                : qp_kernel_file_say(head, word, value);
    for (int k = 0; k < owner->tunings; k++)
        owner->tuned[k].line += owner->tuned[k].line == 0 ? number : 0;
    for (int k = 0; k < head->arrays; k++)
        owner->array_line[k] += owner->array_line[k] == 0 ? number : 0;
    if (head->numbers > 0 && owner->number_line[head->numbers - 1] == 0)
        owner->number_line[head->numbers - 1] = number;
    if (head->schedules > 0 && owner->schedule_line[head->schedules - 1] == 0)
        owner->schedule_line[head->schedules - 1] = number;
    return status;
}

/* A line `//@ WORD VALUE` from after its @ on, which ends there, as two strings. */
static enum qp_status take_line(struct reading *r, const struct source *source, char *line)
{
    char *word = line + strspn(line, BLANKS), *value = word + strcspn(word, BLANKS);
    char *end = word + strlen(word);
    while (end > word && strchr(BLANKS, end[-1]) != NULL)
        end--;
    const bool goes_on = end > word && end[-1] == '\\';
    *end = '\0';
    if (value < end)
        *value++ = '\0';
    value += strspn(value, BLANKS);
    const enum qp_kernel_language language = r->owner->function.language;
    const bool includes = strcmp(word, "include") == 0 && language < QP_IN_CUDA;
    if (includes && *value != '\0' && !goes_on)
        return include(r, source, value);
    const enum qp_status status =
        goes_on ? qp_fail(QP_BAD_INPUT, "a line of the head ends in a backslash, which makes the "
                                        "next one a comment; write one line")
        : source->by != NULL && !includes
            ? qp_fail(QP_BAD_INPUT,
                      "'%s' is for the head of a kernel file; a file that is included has lines "
                      "'//@ include FILE' alone",
                      word)
            : take_word(r->owner, word, value, source->line);
    return status == QP_OK ? status : fail_at(status, source);
}

/* Newlines after the head's lines become the ends of their texts. */
static enum qp_status read_head(struct reading *r, struct source *source)
{
    const struct qp_tokens *tokens = source->tokens;
    enum qp_status status = QP_OK;
    for (int i = 0; i < tokens->comments && status == QP_OK; i++) {
        const struct qp_token *comment = &tokens->comment[i];
        if (comment->match != 0 || strncmp(comment->at, "//@", 3) != 0)
            continue;
        source->line = comment->line;
        if (comment->at > tokens->of[0].at)
            return fail_at(
                qp_fail(QP_BAD_INPUT, "a line '//@' comes before the first line of code"), source);
        char *line = source->words + (comment->at - tokens->text);
        line[comment->length] = '\0';
        status = take_line(r, source, line + 3);
    }
    return status;
}

/* Names of files lead from the folder of the file that has them; others are as they are. */
static enum qp_status lead(const char *path, const char **name, char **led)
{
    const char *slash = strrchr(path, '/');
    if (slash == NULL || *name == NULL || (*name)[0] == '/')
        return QP_OK;
    const size_t folder = (size_t)(slash - path) + 1;
    *led = qp_alloc(folder + strlen(*name) + 1, 1, "a file's name");
    if (*led == NULL)
        return QP_NO_MEMORY;
    memcpy(*led, path, folder);
    strcpy(*led + folder, *name);
    *name = *led;
    return QP_OK;
}

static enum qp_status lead_all(struct qp_kernel_file_owner *owner)
{
    struct qp_kernel_file_head *head = &owner->file.head;
    enum qp_status status = lead(owner->path, &head->check, &owner->led[QP_KERNEL_INPUTS]);
    if (status == QP_OK)
        status = lead(owner->path, &owner->then, &owner->led[QP_KERNEL_INPUTS + 1]);
    for (int k = 0; k < head->arrays && status == QP_OK; k++) {
        if (head->array[k].made == QP_MADE_NOT)
            status = lead(owner->path, &head->array[k].from, &owner->led[k]);
    }
    return status;
}

/* ---- The description ---- */

/* Rounds the value outside of array k to one of its type, as arrays do (qp_array_create). */
static enum qp_status round_outside(struct qp_kernel_file *file, int k)
{
    double *value = &file->array[k].outside_value;
    const enum qp_array_type type = file->desc.input[k].type;
    union qp_cell_value cell;
    if (file->array[k].outside != QP_OUTSIDE_VALUE)
        return QP_OK;
    enum qp_status status = qp_array_cell(type, *value, &cell);
    if (type == QP_ARRAY_FLOAT && !isfinite((float)*value))
        status = qp_fail(QP_BAD_INPUT, "the value %g is beyond float", *value);
    if (status != QP_OK)
        return qp_fail_within(QP_BAD_INPUT, "%s: outside of %s", file->path, file->array[k].name);
    *value = qp_array_is_whole(type)   ? nearbyint(*value)
             : type == QP_ARRAY_DOUBLE ? *value
                                       : (double)(float)*value;
    return QP_OK;
}

/* An array that is not yet an input becomes the next one. */
static enum qp_status add_input(struct qp_kernel_file *file, const char *name)
{
    for (int k = 0; k < file->inputs; k++) {
        if (strcmp(file->array[k].name, name) == 0)
            return QP_OK;
    }
    if (file->inputs == QP_KERNEL_INPUTS)
        return qp_fail(QP_BAD_INPUT, "%s: a shader reads at most %d arrays, its states among them",
                       file->path, QP_KERNEL_INPUTS);
    const struct qp_kernel_file_array *said = qp_kernel_file_array(&file->head, name, false);
    struct qp_kernel_file_array *array = &file->array[file->inputs];
    *array = said != NULL ? *said : (struct qp_kernel_file_array){.from = NULL};
    snprintf(array->name, sizeof array->name, "%s", name);
    if (!array->has_outside) {
        array->outside = file->head.outside;
        array->outside_value = file->head.outside_value;
    }
    file->desc.input[file->inputs] = (struct qp_kernel_input){
        .name = array->name,
        .type = file->desc.output_type,
        .channels = file->inputs < file->states ? file->desc.output_channels
                                                : qp_kernel_file_channels(file, file->inputs, 1)};
    return round_outside(file, file->inputs++);
}

static enum qp_status describe_inputs(struct qp_kernel_file_owner *owner)
{
    struct qp_kernel_file *file = &owner->file;
    const struct qp_kernel_file_head *head = &file->head;
    char name[QP_GLSL_LETTERS];
    enum qp_status status = QP_OK;
    file->inputs = 0;
    for (int k = 0; k < file->states && status == QP_OK; k++)
        status = add_input(file, head->states > 0 ? head->state[k] : "x");
    for (int k = 0; k < head->arrays && status == QP_OK; k++) {
        const struct qp_kernel_file_array *said = &head->array[k];
        bool is_state = false; /* a written array need not be read */
        for (int i = 0; i < file->states; i++)
            is_state = is_state || strcmp(said->name, file->array[i].name) == 0;
        if (!is_state && qp_kernel_file_check_read(owner, said->name, true) != QP_OK)
            return qp_kernel_file_fail_at(owner, owner->array_line[k],
                                          said->from != NULL ? "input" : "outside", said->name);
        status = add_input(file, said->name);
    }
    for (int i = 0;
         file->is_short && status == QP_OK && qp_glsl_next_gather(owner->tokens, &i, name);)
        status = add_input(file, name);
    return status;
}

enum qp_status qp_kernel_file_describe(struct qp_kernel_file_owner *owner)
{
    struct qp_kernel_file *file = &owner->file;
    const int said = file->head.states;
    if (owner->function.language != QP_IN_FRAGMENTS)
        return qp_kernel_file_describe_function(owner);
    file->states = said > 0 ? said : 1;
    if (file->places && said > 1)
        return qp_fail(QP_BAD_INPUT,
                       "%s: place() puts points into one state, and its head names %d; draw points "
                       "of others by files of their own",
                       file->path, said);
    if (file->is_short && file->desc.outputs < file->states)
        return qp_fail(QP_BAD_INPUT,
                       "%s: the kernel sets %d of the %d states that its head names: set out%d, in "
                       "a 'void kernel(vec2 here)'",
                       file->path, file->desc.outputs, said, file->desc.outputs);
    if (file->is_short && file->desc.outputs > file->states)
        return qp_fail(QP_BAD_INPUT,
                       "%s: the kernel sets %d outputs, and its head names %d; a line such as '//@ "
                       "state u v', without a blank before @, names what each is in the next step",
                       file->path, file->desc.outputs, said);
    file->desc.outputs = file->states;
    const enum qp_status status = describe_inputs(owner);
    return status == QP_OK ? qp_kernel_file_describe_numbers(owner) : status;
}

/* ---- Included files ---- */

const char *qp_kernel_file_included(const struct qp_kernel_file *file, int k)
{
    const struct qp_kernel_file_owner *owner = (const struct qp_kernel_file_owner *)file;
    return k < owner->includes ? owner->include[k].path : NULL;
}

static bool is_same(const struct qp_kernel_included *a, const struct qp_kernel_included *b)
{
    return a->inode != 0 && a->inode == b->inode && a->device == b->device;
}

/* Writes whole lines of a text from one place to another, or with NULL to its end. Lines `include`
 * become other comments, so that what is written is whole by itself. */
static void put_text(const struct qp_tokens *tokens, const char *from, const char *end, FILE *out)
{
    end = end != NULL ? end : tokens->text + strlen(tokens->text);
    for (int i = 0; i < tokens->comments && tokens->comment[i].at < end; i++) {
        const struct qp_token *comment = &tokens->comment[i];
        const bool is_head =
            comment->match == 0 && comment->at >= from && strncmp(comment->at, "//@", 3) == 0;
        const char *word = is_head ? comment->at + 3 + strspn(comment->at + 3, BLANKS) : "";
        if (strncmp(word, "include", strlen("include")) != 0)
            continue;
        fprintf(out, "%.*s ", (int)(comment->at + 2 - from), from);
        from = comment->at + 3;
    }
    fprintf(out, "%.*s%s", (int)(end - from), from,
            end > tokens->text && end[-1] == '\n' ? "" : "\n");
}

/* QP_BAD_INPUT for a text that would change what comes after it. */
static enum qp_status check_included(struct source *source)
{
    const struct qp_tokens *tokens = source->tokens;
    const struct qp_token *of = tokens->of, *word = &of[tokens->count + 1];
    if ((source->line = tokens->open) > 0)
        return fail_at(qp_fail(QP_BAD_INPUT, "the comment that begins here never ends"), source);
    for (; word < of + tokens->all; word++) {
        source->line = word->line;
        if (word[-1].kind == QP_TOKEN_END && qp_token_is(word, "version"))
            return fail_at(qp_fail(QP_BAD_INPUT, "#version is for the kernel file"), source);
    }
    return QP_OK;
}

/* Adds the text of a file after those that it includes. */
static enum qp_status add_text(struct reading *r, struct source *source, const char *text)
{
    const char *own = r->owner->path, *slash = strrchr(own, '/'), *path = source->file.path;
    const size_t folder = slash != NULL ? (size_t)(slash - own) + 1 : 0;
    if ((source->tokens = qp_tokens_read(text)) == NULL)
        return QP_NO_MEMORY;
    enum qp_status status = read_head(r, source);
    if (status == QP_OK)
        status = check_included(source);
    if (status == QP_OK) {
        fprintf(r->included, "//# %s:1\n", path + (strncmp(path, own, folder) == 0 ? folder : 0));
        put_text(source->tokens, source->tokens->text, NULL, r->included);
    }
    qp_tokens_release(&source->tokens);
    return status;
}

/* Finds which file a path leads to; false for what no text can be read from. */
static bool identify(struct qp_kernel_included *file)
{
    struct stat of;
    const bool found = stat(file->path, &of) == 0;
    file->device = found ? of.st_dev : 0;
    file->inode = found ? of.st_ino : 0;
    return !found || S_ISREG(of.st_mode) || S_ISDIR(of.st_mode);
}

/* Reads a file that is not on the way to itself; NULL where its text is there already. */
static enum qp_status open_included(struct reading *r, struct source *source, char **text)
{
    const struct qp_kernel_included *file = &source->file, *known = r->owner->include;
    int depth = 0;
    if (!identify(&source->file))
        return qp_fail(QP_BAD_INPUT, "%s is no plain file", file->path);
    for (const struct source *by = source->by; by != NULL; by = by->by, depth++) {
        if (is_same(file, &by->file))
            return qp_fail(QP_BAD_INPUT, "%s is included in a circle, from %s:%d on", file->path,
                           by->file.path, by->line);
    }
    for (int k = 0; k < r->owner->includes; k++) {
        if (is_same(file, &known[k]))
            return QP_OK;
    }
    if (depth > QP_KERNEL_DEPTH)
        return qp_fail(QP_BAD_INPUT, "files that are included lead %d deep at most, and %s is next",
                       QP_KERNEL_DEPTH, file->path);
    if (r->owner->includes == QP_KERNEL_INCLUDED)
        return qp_fail(QP_BAD_INPUT, "a kernel file includes %d files at most", QP_KERNEL_INCLUDED);
    return qp_shader_read_file(file->path, text);
}

/* Includes a file by a line of another one. */
static enum qp_status include(struct reading *r, const struct source *by, const char *name)
{
    struct source source = {.by = by};
    char *text = NULL;
    enum qp_status status = lead(by->file.path, &name, &source.file.path);
    if (status == QP_OK && source.file.path == NULL &&
        (source.file.path = qp_copy_text(name, "a file's name")) == NULL)
        status = QP_NO_MEMORY;
    if (status == QP_OK)
        status = open_included(r, &source, &text);
    if (status != QP_OK)
        status = fail_at(status, by);
    if (text == NULL) {
        free(source.file.path);
        return status;
    }
    r->owner->include[r->owner->includes++] = source.file;
    source.words = text;
    status = add_text(r, &source, text);
    free(text);
    return status;
}

/* The first token after the lines #version and #extension that a text begins with. */
static const struct qp_token *find_code(const struct qp_tokens *tokens)
{
    const struct qp_token *at = tokens->of, *word = at + tokens->count + 1;
    for (; at->kind == QP_TOKEN_LINE &&
           (qp_token_is(word, "version") || qp_token_is(word, "extension"));
         at++, word++) {
        while (word->kind != QP_TOKEN_END)
            word++;
    }
    return at;
}

static enum qp_status no_memory(const struct qp_kernel_file_owner *owner)
{
    return qp_fail(QP_NO_MEMORY, "%s: no memory for what it includes", owner->path);
}

/* Puts what is included before the first line of code. */
static enum qp_status expand(struct qp_kernel_file_owner *owner, const char *included)
{
    enum { MOST_BYTES = 1 << 20 };
    const struct qp_token *code = find_code(owner->tokens);
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (out == NULL)
        return no_memory(owner);
    put_text(owner->tokens, owner->tokens->text, code->at, out);
    fprintf(out, "%s//# :%d\n", included, code->line);
    put_text(owner->tokens, code->at, NULL, out);
    enum qp_status status = fclose(out) != 0 ? no_memory(owner) : QP_OK;
    qp_tokens_release(&owner->tokens);
    if (status == QP_OK && size >= MOST_BYTES)
        status =
            qp_fail(QP_BAD_INPUT, "%s: its text is under 1 MiB with all files that it includes",
                    owner->path);
    if (status == QP_OK && (owner->tokens = qp_tokens_read(text)) == NULL)
        status = QP_NO_MEMORY;
    free(text);
    return status;
}

/* Reads the head, and all files that it includes. */
static enum qp_status read_all(struct qp_kernel_file_owner *owner)
{
    char *included = NULL;
    size_t size;
    struct reading r = {owner, open_memstream(&included, &size)};
    struct source source = {
        .file.path = owner->path, .tokens = owner->tokens, .words = owner->words};
    if (r.included == NULL)
        return no_memory(owner);
    identify(&source.file);
    enum qp_status status = read_head(&r, &source);
    if (fclose(r.included) != 0 && status == QP_OK)
        status = no_memory(owner);
    if (status == QP_OK && owner->includes > 0)
        status = expand(owner, included);
    free(included);
    return status;
}

/* ---- Files ---- */

static enum qp_status fill(struct qp_kernel_file_owner *owner, const char *path, const char *text)
{
    struct qp_kernel_file *file = &owner->file;
    owner->words = strdup(text);
    owner->path = strdup(path);
    if (owner->words == NULL || owner->path == NULL)
        return qp_fail(QP_NO_MEMORY, "%s: no memory for a copy of its text", path);
    file->path = file->desc.name = owner->path;
    owner->function.language = qp_kernel_file_language(path);
    if ((owner->tokens = qp_tokens_read(text)) == NULL)
        return QP_NO_MEMORY;
    enum qp_status status = read_all(owner);
    if (status != QP_OK)
        return status;
    file->text = owner->tokens->text;
    status = owner->function.language == QP_IN_FRAGMENTS ? qp_kernel_file_find_form(owner)
                                                         : qp_kernel_file_find_function(owner);
    if (status == QP_OK)
        status = lead_all(owner);
    if (file->is_short)
        file->desc.body = file->text;
    else
        file->desc.fragment.text = file->text;
    return status == QP_OK ? qp_kernel_file_describe(owner) : status;
}

enum qp_status qp_kernel_file_make(const char *path, const char *text, struct qp_kernel_file **out)
{
    struct qp_kernel_file_owner *owner = qp_alloc_zero(1, sizeof *owner, "a kernel file");
    *out = owner != NULL ? &owner->file : NULL;
    if (owner == NULL)
        return QP_NO_MEMORY;
    const enum qp_status status = fill(owner, path, text);
    if (status != QP_OK)
        qp_kernel_file_destroy(out);
    return status;
}

void qp_kernel_file_destroy(struct qp_kernel_file **file)
{
    if (file == NULL)
        return;
    for (struct qp_kernel_file *next; *file != NULL; *file = next) {
        struct qp_kernel_file_owner *owner = (struct qp_kernel_file_owner *)*file;
        next = owner->file.next;
        for (int k = 0; k < QP_KERNEL_INPUTS + 2; k++)
            free(owner->led[k]);
        for (int k = 0; k < owner->includes; k++)
            free(owner->include[k].path);
        qp_tokens_release(&owner->tokens);
        free(owner->path);
        free(owner->words);
        free(owner);
    }
}
