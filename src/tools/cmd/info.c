/* SPDX-License-Identifier: MIT */
#include "tools/cmd/cmd.h"

#include <omp.h>

#include "lab/baseline/baseline.h"
#include "toolkit/cuda/device.h"
#include "tools/cmd/output/progress.h"

/* A line of the report, which the JSON holds under the same key. */
struct line {
    const char *key, *label;
    const char *text; /* NULL: the number counts */
    int number;
};

enum { LINES = 15 };

/* Answers of --prove and --precision, none where they were not asked for. */
struct measured {
    int proofs, wrong, functions; /* lengths, and the first proof that is wrong, or -1 */
    struct qp_proof proof[QP_PROOFS];
    struct qp_function_error function[QP_FUNCTIONS];
};

/* The CUDA device of an OpenGL device, or why there is none. */
static void describe_cuda(int ordinal, char *text, size_t size)
{
    struct qp_cuda *cuda;
    if (qp_cuda_open(ordinal, &cuda) != QP_OK)
        snprintf(text, size, "none: %s", qp_error());
    else
        snprintf(
            text, size,
            "%s, compute capability %d.%d, %d multiprocessors, built with CUDA %d.%d, driver for "
            "%d.%d",
            cuda->name, cuda->major, cuda->minor, cuda->multiprocessors, cuda->runtime / 1000,
            cuda->runtime % 1000 / 10, cuda->driver / 1000, cuda->driver % 1000 / 10);
    qp_cuda_close(&cuda);
}

static void collect(const struct qp_device *device, const char *cuda, struct line lines[LINES])
{
    const char *kernels = baseline_kernels();
    const struct line all[LINES] = {
        {"renderer", "renderer", device->renderer, 0},
        {"vendor", "vendor", device->vendor, 0},
        {"version", "OpenGL", device->version, 0},
        {"glsl", "GLSL", device->glsl, 0},
        {"egl", "EGL", device->egl, 0},
        {"why", "chosen as", device->why, 0},
        {"kind", "kind", device->software ? "software" : "hardware", 0},
        {"rectangle_limit", "rectangle texture limit", NULL, device->rectangle_limit},
        {"texture_limit", "2D texture limit", NULL, device->texture_limit},
        {"texture_units", "texture units of a fragment", NULL, device->texture_units},
        {"colour_attachments", "colour attachments", NULL, device->colour_attachments},
        {"draw_buffers", "draw buffers", NULL, device->draw_buffers},
        {"cuda", "CUDA", cuda, 0},
        {"cpu_threads", "OpenMP threads", NULL, omp_get_max_threads()},
        {"blas", "OpenBLAS's kernels", kernels != NULL ? kernels : "none: built without BLAS", 0},
    };
    for (int i = 0; i < LINES; i++)
        lines[i] = all[i];
}

static void print_lines(FILE *out, const struct line *lines, unsigned abilities)
{
    for (int i = 0; i < LINES; i++) {
        if (lines[i].text != NULL)
            fprintf(out, "%-30s %s\n", lines[i].label, lines[i].text);
        else
            fprintf(out, "%-30s %d\n", lines[i].label, lines[i].number);
    }
    fputs("\nabilities, each found by drawing, reading back and comparing:\n", out);
    for (int i = 0; i < QP_ABILITIES; i++)
        fprintf(out, "  %-30s %s\n", qp_ability_name(i), abilities & (1u << i) ? "yes" : "no");
}

/* ---- Proofs and precision ---- */

static enum qp_status measure(const struct options *options, struct qp_context *context,
                              struct measured *out)
{
    out->proofs = options->prove ? QP_PROOFS : 0;
    enum qp_status status =
        options->prove ? qp_prove(context, out->proof, QP_PROOFS, &out->wrong) : QP_OK;
    while (options->precision && out->functions < QP_FUNCTIONS && status == QP_OK) {
        progress_say("precision: function %d of %d", out->functions + 1, QP_FUNCTIONS);
        status = qp_function_error(context, out->functions, &out->function[out->functions]);
        out->functions++;
    }
    if (options->precision)
        progress_end();
    return status;
}

static const char *verdict_of(const struct qp_proof *proof)
{
    return proof->status == QP_OK ? "right" : proof->status == QP_DEVICE ? "wrong" : "none";
}

static void print_proofs(FILE *out, const struct measured *measured)
{
    fputs("\nproofs, each computed here and compared with its known answer:\n", out);
    for (int i = 0; i < measured->proofs; i++) {
        const struct qp_proof *proof = &measured->proof[i];
        fprintf(out, "  %-17s %-6s %s\n", proof->name, verdict_of(proof),
                proof->status == QP_UNSUPPORTED ? proof->sentence : proof->computes);
    }
    fprintf(out, "%s\n",
            measured->wrong < 0 ? "none is wrong" : measured->proof[measured->wrong].sentence);
}

static void print_precision(FILE *out, const struct measured *measured)
{
    fprintf(out,
            "\nprecision, the largest errors beside C's double; a check allows %.1e a step:\n"
            "  %-25s %8s %8s %12s %10s\n",
            measured->function[0].tolerance, "function", "a from", "to", "ulp", "as checked");
    for (int i = 0; i < measured->functions; i++) {
        const struct qp_function_error *of = &measured->function[i];
        fprintf(out, "  %-25s %8g %8g %12.1f %10.1e\n", of->function, of->low, of->high, of->ulps,
                of->error);
    }
    for (int i = 0; i < measured->functions; i++)
        fprintf(out, "%s%s", measured->function[i].sentence,
                measured->function[i].sentence[0] != '\0' ? "\n" : "");
}

static cJSON *make_proof(const void *all, int number)
{
    const struct qp_proof *proof = (const struct qp_proof *)all + number;
    cJSON *row = cJSON_CreateObject();
    return records_keep(records_add(row, "name", records_string(proof->name)) &&
                            records_add(row, "computes", records_string(proof->computes)) &&
                            records_add(row, "verdict", records_string(verdict_of(proof))) &&
                            records_add(row, "reason", records_string(proof->sentence)),
                        row);
}

static cJSON *make_function(const void *all, int number)
{
    const struct qp_function_error *of = (const struct qp_function_error *)all + number;
    cJSON *row = cJSON_CreateObject();
    return records_keep(records_add(row, "function", records_string(of->function)) &&
                            records_add(row, "from", records_number(of->low)) &&
                            records_add(row, "to", records_number(of->high)) &&
                            records_add(row, "ulp", records_number(of->ulps)) &&
                            records_add(row, "error", records_number(of->error)) &&
                            records_add(row, "tolerance", records_number(of->tolerance)) &&
                            records_add(row, "reason", records_string(of->sentence)),
                        row);
}

/* ---- Records ---- */

/* The lines go into `object`, whole or not. */
static bool add_lines(cJSON *object, const struct line *lines)
{
    bool good = object != NULL;
    for (int i = 0; i < LINES && good; i++)
        good = records_add(object, lines[i].key,
                           lines[i].text != NULL ? records_string(lines[i].text)
                                                 : records_number(lines[i].number));
    return good;
}

/* JSON: each ability, true or false; and what was measured. */
static cJSON *make_tree(const struct records_head *head, const struct line *lines,
                        unsigned abilities, const struct measured *measured)
{
    cJSON *tree = records_head(head), *object = cJSON_CreateObject();
    bool good = add_lines(tree, lines);
    for (int i = 0; i < QP_ABILITIES && good; i++)
        good = records_add(object, qp_ability_name(i), cJSON_CreateBool(abilities >> i & 1));
    good = records_add(tree, "abilities", records_keep(good, object));
    if (good && measured->proofs > 0)
        good = records_add(tree, "proofs",
                           records_list(measured->proofs, make_proof, measured->proof));
    if (good && measured->functions > 0)
        good = records_add(tree, "precision",
                           records_list(measured->functions, make_function, measured->function));
    return records_keep(good, tree);
}

/* CSV: one row, the abilities that there are in one field. */
static cJSON *make_rows(const struct line *lines, unsigned abilities)
{
    cJSON *rows = cJSON_CreateArray(), *row = cJSON_CreateObject();
    const bool good = add_lines(row, lines) &&
                      records_add(row, "abilities", records_bits(abilities, qp_ability_name));
    return records_keep(records_append(rows, records_keep(good, row)), rows);
}

static enum qp_status write_records(const struct options *options, const struct line *lines,
                                    const struct qp_context *context,
                                    const struct measured *measured)
{
    const struct records_head head = cmd_head(options, context);
    const struct qp_device *device = qp_context_device(context);
    enum qp_status status = QP_OK;
    if (options->json != NULL)
        status =
            records_write_tree(options->json, make_tree(&head, lines, device->abilities, measured));
    if (options->csv != NULL && status == QP_OK)
        status = records_write_rows(NULL, options->csv, &head, NULL,
                                    make_rows(lines, device->abilities));
    return status;
}

enum qp_status cmd_info(struct options *options, struct command *command)
{
    enum qp_status status = command_open_for(command, NULL);
    if (status != QP_OK)
        return status;
    const struct qp_device *device = qp_context_device(command->context);
    struct measured measured = {.wrong = -1};
    struct line lines[LINES];
    char cuda[512];
    describe_cuda(device->cuda_device, cuda, sizeof cuda);
    collect(device, cuda, lines);
    print_lines(options->table, lines, device->abilities);
    if ((status = measure(options, command->context, &measured)) != QP_OK)
        return status;
    if (options->prove)
        print_proofs(options->table, &measured);
    if (options->precision)
        print_precision(options->table, &measured);
    if (measured.wrong >= 0)
        command->code = EXIT_FAILED;
    return write_records(options, lines, command->context, &measured);
}
