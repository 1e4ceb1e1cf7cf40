/* SPDX-License-Identifier: MIT */
/* Tuning by a made-up kernel and by the files that it leaves: they are T4, a search by one decides
 * as the first one did, and damaged ones are refused. */
#include "support/files.h"
#include "support/shell.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cjson/cJSON.h>

#include "toolkit/base/random.h"
#include "toolkit/base/watch.h"
#include "tools/cmd/output/progress.h"
#include "tools/cmd/tune/live.h"
#include "tools/cmd/tune/t4.h"

static const char lines[] = "fact reach = 2\n"
                            "tune steps = 2 1 4 8\ntune tile = 16 32 64 128 256\n"
                            "tune layout = rows \"tiles\" dots\n"
                            "tune not steps * reach > tile with layout = rows\n";

static int calls, interrupt_at;
static int planned[64], plans; /* configurations to be compiled ahead */

/* Times with noise that depends on the configuration and the sample alone; a few are wrong. */
static enum qp_status attempt(void *user, struct qp_tried *tried)
{
    uint64_t random = (uint64_t)tried->configuration * 100 + (uint64_t)tried->count;
    assert_ptr_equal(user, planned);
    strcpy(tried->when, "2026-11-26T00:00:00Z");
    tried->times[QP_TRIED_COMPILING] = 1.0 / 3.0;
    if (++calls == interrupt_at)
        cmd_interrupted = 1;
    if (tried->configuration % 11 == 10) {
        tried->end = (enum qp_tried_end)(1 + tried->configuration % 5);
        strcpy(tried->why, "cell (3, 4) is \"1\" and not 2\n");
        return QP_OK;
    }
    tried->samples[tried->count++] =
        (1.0 + tried->configuration % 7) / 3e4 * (1.0 + qp_random(&random, 0.0, 0.1));
    return QP_OK;
}

static void ahead(void *user, const int *configurations, int count)
{
    assert_ptr_equal(user, planned);
    assert_in_range(count, 1, COUNT(planned));
    memcpy(planned, configurations, (size_t)count * sizeof *planned);
    plans = count;
}

static const struct tune_kernel kernel = {.name = "heat.frag",
                                          .device = "made up",
                                          .space = lines,
                                          .attempt = attempt,
                                          .ahead = ahead,
                                          .user = planned};

static int tune(const char *file, int runs, enum qp_strategy strategy)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, file);
    struct options options = {
        .seed = 5, .runs = runs, .strategy = strategy, .output = path, .table = tmpfile()};
    calls = 0;
    progress_watch(&cmd_interrupted);
    struct command command = {.options = &options};
    const enum qp_status status = tune_search(&command, &kernel);
    const int code = status == QP_OK ? command.code : cmd_failed(status);
    fclose(options.table);
    cmd_interrupted = 0;
    return code;
}

static char *read_file(const char *name)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    char *text = slurp(file);
    fclose(file);
    return text;
}

static void remove_file(const char *name)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    assert_int_equal(unlink(path), 0);
}

static void assert_same_files(const char *a, const char *b)
{
    char *one = read_file(a), *other = read_file(b);
    assert_string_equal(one, other);
    free(one);
    free(other);
}

/* ---- The form ---- */

/* True for what the schemas of T4 1.0.0, results and metadata, ask of a file:
 * github.com/AutoTuningAssociation, folder T4, in the words of JSON's types. */
static bool is_t4(const char *text)
{
    static const char *const ends[] = {"timeout",     "compile",     "runtime",
                                       "correctness", "constraints", "correct"};
    static const char *const times[] = {"compilation_time", "framework", "search_algorithm",
                                        "validation"};
    cJSON *tree = cJSON_Parse(text);
    const cJSON *metadata = cJSON_GetObjectItem(tree, "metadata"), *one, *m,
                *version = cJSON_GetObjectItem(tree, "schema_version");
    bool good = cJSON_IsObject(tree) && cJSON_IsArray(cJSON_GetObjectItem(tree, "results")) &&
                (metadata == NULL || cJSON_IsObject(metadata)) && cJSON_IsString(version) &&
                strspn(version->valuestring, "0123456789.") == strlen(version->valuestring);
    cJSON_ArrayForEach(one, cJSON_GetObjectItem(tree, "results"))
    {
        const cJSON *time = cJSON_GetObjectItem(one, "times"),
                    *end = cJSON_GetObjectItem(one, "invalidity");
        bool known = false;
        for (int i = 0; i < COUNT(ends); i++)
            known = known || (cJSON_IsString(end) && strcmp(end->valuestring, ends[i]) == 0);
        good = good && known && cJSON_IsString(cJSON_GetObjectItem(one, "timestamp")) &&
               cJSON_IsObject(cJSON_GetObjectItem(one, "configuration")) &&
               cJSON_IsArray(cJSON_GetObjectItem(one, "objectives")) && cJSON_IsObject(time) &&
               cJSON_IsArray(cJSON_GetObjectItem(time, "runtimes")) &&
               cJSON_IsNumber(cJSON_GetObjectItem(one, "correctness"));
        for (int i = 0; i < COUNT(times); i++) {
            const cJSON *value = cJSON_GetObjectItem(time, times[i]);
            good = good && (value == NULL || cJSON_IsNumber(value));
        }
        cJSON_ArrayForEach(m, cJSON_GetObjectItem(one, "measurements"))
        {
            const cJSON *value = cJSON_GetObjectItem(m, "value");
            good = good && cJSON_IsString(cJSON_GetObjectItem(m, "name")) &&
                   cJSON_IsString(cJSON_GetObjectItem(m, "unit")) &&
                   (cJSON_IsNumber(value) || cJSON_IsString(value) || cJSON_IsArray(value));
        }
    }
    cJSON_Delete(tree);
    return good;
}

/* The text with the first `from` replaced. */
static char *with(const char *text, const char *from, const char *to)
{
    const char *at = strstr(text, from);
    char *changed = malloc(strlen(text) + strlen(to) + 1);
    assert_non_null(at);
    sprintf(changed, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
    return changed;
}

static const char *const broken[][3] = {
    {"\"results\": [", "\"results\": 7, \"r\": [", "it is no JSON of T4"},
    {"\"space\": \"", "\"s\": \"", "in metadata a space"},
    {"fact reach", "tune reach + ", "its space: line 1, at 'reach'"},
    {"\"configuration\": {", "\"configuration\": 1, \"c\": {", "has no value of 'steps'"},
    {"\"steps\": 2", "\"steps\": 3", "result 1: its configuration has no value of 'steps'"},
    {"\"layout\": \"rows\"", "\"layout\": 2", "has no value of 'layout'"},
    {"\"invalidity\": \"c", "\"invalidity\": \"d", "an invalidity that T4 knows"},
    {"\"correctness\": ", "\"correctness\": \"\", \"c\": ", "it lacks times, correctness"},
    {"\"times\": {", "\"times\": 0, \"t\": {", "it lacks times"},
    {"\"compilation_time\": ", "\"compilation_time\": \"1\", \"c\": ",
     "compilation_time is no time"},
    {"\"validation\": 0", "\"validation\": -1", "its validation is no time"},
    {"\"runtimes\": [", "\"runtimes\": [0, ", "one of its runtimes is no time"},
    {"\"runtimes\": [", "\"runtimes\": [], \"r\": [", "it is correct and has no runtimes"}};

TEST(files_are_t4)
{
    assert_int_equal(tune("all.json", 0, QP_EXHAUSTIVE), EXIT_GOOD);
    char *text = read_file("all.json");
    assert_true(is_t4(text));
    assert_non_null(strstr(text, "cell (3, 4) is \\\"1\\\" and not 2"));
    for (int i = 0; i < COUNT(broken); i++) {
        char *wrong = with(text, broken[i][0], broken[i][1]), words[128];
        struct t4 t4;
        write_file("broken.json", wrong);
        snprintf(words, sizeof words, "%s/broken.json", folder);
        assert_int_equal(t4_read(words, &t4), QP_BAD_INPUT);
        support_assert_sentence(broken[i][2]);
        free(wrong);
    }
    char *wrong = with(text, "\"times\": {", "\"times\": 0, \"t\": {");
    assert_false(is_t4(wrong));
    free(wrong);
    wrong = with(text, "\"invalidity\": \"c", "\"invalidity\": \"d");
    assert_false(is_t4(wrong));
    free(wrong);
    free(text);
}

/* Whatever is cut off or written over, a file is read or refused with a sentence. */
TEST(damage_is_refused)
{
    char *text = read_file("all.json"), path[256];
    const size_t length = strlen(text);
    uint64_t random = 1;
    snprintf(path, sizeof path, "%s/damaged.json", folder);
    for (int i = 0; i < 400; i++) {
        char *damaged = strdup(text);
        struct t4 t4;
        if (i % 2 == 0)
            damaged[qp_random_bits(&random) % length] = '\0';
        for (int k = 0; k < 8 && i % 2 == 1; k++)
            damaged[qp_random_bits(&random) % 1000] = (char)(qp_random_bits(&random) % 255 + 1);
        write_file("damaged.json", damaged);
        if (t4_read(path, &t4) == QP_OK)
            t4_destroy(&t4);
        else
            support_assert_sentence("damaged.json: ");
        assert_null(t4.tried);
        free(damaged);
    }
    free(text);
    assert_refused("tune --simulate damaged.json -o x.mtx", "damaged.json: ");
    assert_refused("tune --simulate nowhere.json -o x.mtx", "nowhere.json");
}

/* ---- Searches by files ---- */

TEST(file_replays_its_search)
{
    for (int i = 0; i < QP_STRATEGIES; i++) {
        char command[256];
        assert_int_equal(tune("live.json", 20, (enum qp_strategy)i), EXIT_GOOD);
        snprintf(command, sizeof command,
                 "tune --simulate live.json --seed 5 --runs 20 --strategy %s -o again.json",
                 qp_strategies[i]);
        assert_int_equal(run(command), 0);
        assert_same_files("live.json", "again.json");
        assert_int_equal(run("tune --simulate all.json --seed 5 --runs 20 -o other.json"), 0);
        remove_file("live.json"), remove_file("again.json"), remove_file("other.json");
    }
    assert_int_equal(tune("live.json", 20, QP_GUIDED), EXIT_GOOD);
    assert_int_equal(run("tune --simulate live.json --seed 6 --runs 20"), 2);
    assert_true(count("needs one that was recorded by --strategy exhaustive"));
    remove_file("live.json");
}

TEST(first_runs_are_planned)
{
    char path[256];
    snprintf(path, sizeof path, "%s/planned.json", folder);
    for (int i = 0; i < QP_STRATEGIES; i++) {
        struct t4 t4;
        assert_int_equal(tune("planned.json", 20, (enum qp_strategy)i), EXIT_GOOD);
        assert_int_equal(plans, i == QP_GUIDED ? 6 : 20);
        assert_ok(t4_read(path, &t4));
        for (int k = 0; k < plans; k++)
            assert_int_equal(t4.tried[k].configuration, planned[k]);
        t4_destroy(&t4);
        remove_file("planned.json");
    }
}

TEST(killed_search_goes_on)
{
    assert_int_equal(tune("whole.json", 20, QP_GUIDED), EXIT_GOOD);
    const int needed = calls;
    for (int at = 1; at < needed; at += 7) {
        interrupt_at = at;
        assert_int_equal(tune("killed.json", 20, QP_GUIDED), EXIT_FAILED);
        assert_int_equal(calls, at);
        interrupt_at = 0;
        assert_int_equal(tune("killed.json", 20, QP_GUIDED), EXIT_GOOD);
        assert_int_equal(calls, needed - at);
        assert_same_files("whole.json", "killed.json");
        remove_file("killed.json");
    }
    assert_int_equal(tune("whole.json", 20, QP_GUIDED), EXIT_GOOD);
    assert_int_equal(calls, 0);
}

TEST(other_spaces_are_kept)
{
    char *text = read_file("all.json"), *other = with(text, "made up", "another device");
    write_file("other.json", other);
    assert_int_equal(tune("other.json", 20, QP_GUIDED), EXIT_USAGE);
    support_assert_sentence(
        "other.json is of another space, or of a kernel that was changed since: "
        "heat.frag on another device");
    free(other);
    other = with(text, "layout = rows", "layout = tows");
    write_file("other.json", other);
    assert_int_equal(tune("other.json", 20, QP_GUIDED), EXIT_USAGE);
    assert_refused("tune --simulate all.json -o ./all.json", "all.json");
    free(other);
    free(text);
}

/* ---- The command ---- */

TEST(command_reports)
{
    static const char *const list[] = {
        lines, "60 configurations, and 0 that are excluded; the default has the first values"};
    static const char *const report[] = {
        "steps: ", " that differ in it alone\n",
        "best of 60 configurations, 5 wrong: steps=", " times as fast as the default",
        " times as the slowest\n"};
    assert_int_equal(run("tune --simulate all.json --list"), 0);
    must_print(list, COUNT(list));
    assert_int_equal(run("tune --simulate all.json --strategy exhaustive"), 0);
    must_print(report, COUNT(report));
    assert_true(ends_with(output, "slowest\n"));
    assert_int_equal(run("tune --simulate all.json --budget 2"), 0);
    assert_int_equal(count("best of 6 configurations, "), 1);
    assert_refused("tune", "tune takes a kernel file or a variant, or a recorded space");
    assert_refused("tune heat.frag --simulate all.json", "tune takes a kernel file or a variant");
    assert_refused("tune --simulate all.json --list -o x.mtx", "--list writes no -o");
    assert_refused("tune --simulate all.json -n 8", "has a --target and a --size of its own");
    assert_refused("tune --simulate all.json --target c", "has a --target and a --size of its own");
    assert_refused("tune heat.frag", "cannot read the shader heat.frag");
    assert_refused("tune --simulate all.json --strategy best", ", not 'best'");
    assert_refused("tune --simulate all.json --runs 0", "--runs");
}

GROUP(make_folder, remove_folder)
