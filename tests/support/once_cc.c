/* SPDX-License-Identifier: MIT */
/* A C compiler that compiles the same reference once: once_cc ARGUMENTS of $COMPILER. A call that
 * makes a shared object, or looks at the syntax, of files that include none beside them is kept in
 * the folder $COMPILED, by its arguments and the texts. */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static uint64_t key[2] = {14695981039346656037u, 0x9e3779b97f4a7c15u};

/* FNV-1a, and a second sum of other numbers. */
static void mix(const char *text, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        key[0] = (key[0] ^ (unsigned char)text[i]) * 1099511628211u;
        key[1] = (key[1] + (unsigned char)text[i] + 1) * 6364136223846793005u;
    }
    key[0] *= 31;
}

static char *read_all(const char *path, size_t *size)
{
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    struct stat about;
    char *text = NULL;
    if (file >= 0 && fstat(file, &about) == 0 && S_ISREG(about.st_mode)) {
        text = malloc((size_t)about.st_size + 1);
        const ssize_t got = text != NULL ? read(file, text, (size_t)about.st_size) : -1;
        *size = got > 0 ? (size_t)got : 0;
        if (text != NULL)
            text[*size] = '\0';
    }
    if (file >= 0)
        close(file);
    return text;
}

/* Under a name of this process first, so that nobody finds half of it. */
static int write_all(const char *path, const char *text, size_t size, mode_t mode)
{
    char part[512];
    snprintf(part, sizeof part, "%s.%d", path, (int)getpid());
    const int file = open(part, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode);
    const int good = file >= 0 && write(file, text, size) == (ssize_t)size;
    if (file >= 0)
        close(file);
    return good && rename(part, path) == 0 ? 0 : -1;
}

static int copy(const char *from, const char *to)
{
    size_t size = 0;
    char *text = read_all(from, &size);
    const int code = text != NULL ? write_all(to, text, size, 0700) : -1;
    free(text);
    return code;
}

static void compile(char **argv)
{
    const char *compiler = getenv("COMPILER");
    char line[256]; /* a compiler and its options, as in CC="ccache cc" */
    char *words[512];
    int count = 0;
    snprintf(line, sizeof line, "%s", compiler != NULL ? compiler : "cc");
    for (char *word = strtok(line, " "); word != NULL && count < 8; word = strtok(NULL, " "))
        words[count++] = word;
    for (int i = 1; argv[i] != NULL && count < 511; i++)
        words[count++] = argv[i];
    words[count] = NULL;
    execvp(words[0], words);
    perror(words[0]);
    _exit(127);
}

/* Runs the compiler and hands on what it says; *said is whether it said something. */
static int compile_aside(char **argv, int *said)
{
    int ends[2], status;
    char text[4096];
    ssize_t got;
    if (pipe(ends) != 0)
        return 127;
    const pid_t child = fork();
    if (child == 0) {
        dup2(ends[1], 1);
        dup2(ends[1], 2);
        close(ends[0]);
        compile(argv);
    }
    close(ends[1]);
    *said = 0;
    while ((got = read(ends[0], text, sizeof text)) > 0)
        *said += (int)write(2, text, (size_t)got);
    return waitpid(child, &status, 0) == child && WIFEXITED(status) ? WEXITSTATUS(status) : 127;
}

int main(int argc, char **argv)
{
    const char *object = NULL, *made = NULL, *folder = getenv("COMPILED");
    char kept[256], code[300], *text;
    int others = folder == NULL, said;
    size_t size;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "-o") == 0 && i + 1 < argc) {
            object = argv[++i];
            continue;
        }
        if (strcmp(argv[i], "-shared") == 0 || strcmp(argv[i], "-fsyntax-only") == 0)
            made = argv[i];
        text = argv[i][0] != '-' ? read_all(argv[i], &size) : NULL;
        if (text != NULL) {
            others |= strstr(text, "#include \"") != NULL || strstr(text, "__FILE__") != NULL;
            mix(text, size);
        } else {
            mix(argv[i], strlen(argv[i]));
        }
        free(text);
    }
    if (made == NULL || others)
        compile(argv);
    snprintf(kept, sizeof kept, "%s/%016llx%016llx", folder, (unsigned long long)key[0],
             (unsigned long long)key[1]);
    snprintf(code, sizeof code, "%s.code", kept);
    text = read_all(code, &size);
    if (text != NULL) {
        const int known = atoi(text);
        free(text);
        return object != NULL && copy(kept, object) != 0 ? 1 : known;
    }
    const int answer = compile_aside(argv, &said);
    /* A sentence names this file; nobody reads those of a look at syntax. */
    if (strcmp(made, "-shared") == 0 && (answer != 0 || said != 0))
        return answer;
    char number[16];
    const int length = snprintf(number, sizeof number, "%d\n", answer);
    if ((object == NULL || copy(object, kept) == 0) && length > 0)
        write_all(code, number, (size_t)length, 0600);
    return answer;
}
