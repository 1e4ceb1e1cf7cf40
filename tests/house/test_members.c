/* SPDX-License-Identifier: MIT */
/* Members of the structs that every operation shares, counted in their headers: members that one
 * engine or one operation alone reads are in a struct of its own, to which `own` points. */
#include "support/files.h"
#include "support/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *drop_comments(char *text)
{
    char *to = text;
    for (const char *at = text; *at != '\0';) {
        const char *end = strncmp(at, "/*", 2) == 0 ? strstr(at, "*/") : NULL;
        if (end != NULL)
            at = end + 2;
        else
            *to++ = *at++;
    }
    *to = '\0';
    return text;
}

static int count_members(const char *text, const char **at);

/* Members of the struct whose name begins there; 0 if the text does not define it. */
static int count_struct(const char *text, const char *name)
{
    const size_t length = strcspn(name, " ;");
    int members = 0;
    for (const char *at = text; members == 0 && (at = strstr(at, "struct ")) != NULL;) {
        at += strlen("struct ");
        if (strncmp(at, name, length) == 0 && strncmp(at + length, " {", 2) == 0) {
            at += length + 2;
            members = count_members(text, &at);
        }
    }
    return members;
}

/* Members of one declaration, up to after its end: names, times the members of a struct inside it.
 * So does one that the same header defines; as a pointer or in an array it counts once. */
static int count_declaration(const char *text, const char **at)
{
    const char *begin = *at;
    int names = 1, members = 1, parentheses = 0;
    for (; **at != ';' && **at != '\0'; ++*at) {
        parentheses += (**at == '(') - (**at == ')');
        names += **at == ',' && parentheses == 0;
        if (**at == '{') {
            ++*at;
            members = count_members(text, at);
        }
    }
    const size_t length = (size_t)(*at - begin);
    if (strncmp(begin, "struct ", 7) == 0 && strcspn(begin, "*[({") > length) {
        const int inside = count_struct(text, begin + 7);
        members = inside > 0 ? inside : 1;
    }
    *at += **at == ';';
    return names * members;
}

/* Members up to the brace that closes the struct. */
static int count_members(const char *text, const char **at)
{
    int members = 0;
    while (*(*at += strspn(*at, " \n")) != '}' && **at != '\0')
        members += count_declaration(text, at);
    return members;
}

TEST(shared_structs_stay_small)
{
    static const struct {
        const char *path, *name;
        int most;
    } structs[] = {
        {"src/lab/plan/op.h", "qp_op", 22},
        {"src/lab/plan/op.h", "qp_recipe", 23},
        {"src/lab/plan/plan.h", "qp_plan", 22},
        {"src/lab/plan/engine.h", "qp_engine", 22},
    };
    for (int i = 0; i < COUNT(structs); i++) {
        char path[256];
        snprintf(path, sizeof path, QP_SOURCE_DIR "/%s", structs[i].path);
        FILE *file = fopen(path, "r");
        char *text = drop_comments(slurp(file));
        fclose(file);
        const int members = count_struct(text, structs[i].name);
        print_message("%s has %d members of %d\n", structs[i].name, members, structs[i].most);
        assert_in_range(members, 10, structs[i].most);
        free(text);
    }
}

/* A line each: names, a struct by value, one as a pointer and in an array, functions, structs
 * within. */
TEST(members_are_counted)
{
    char text[] = "struct in;\nstruct in {\n    int a, b;\n};\nstruct all {\n"
                  "    int a, *b; /* int c; */\n"
                  "    struct in one;\n"
                  "    const struct in *some;\n    struct in many[2];\n"
                  "    void (*call)(int a, struct in *b);\n"
                  "    struct {\n        int d;\n        union {\n            int e, f[3];\n"
                  "        } g;\n    } h;\n"
                  "    struct out elsewhere;\n};\n";
    drop_comments(text);
    assert_int_equal(count_struct(text, "in"), 2);
    assert_int_equal(count_struct(text, "all"), 2 + 2 + 2 + 1 + 3 + 1);
    assert_int_equal(count_struct(text, "none"), 0);
}
