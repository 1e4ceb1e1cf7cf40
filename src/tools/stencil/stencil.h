/* SPDX-License-Identifier: MIT */
/* A stencil: a kernel in the short form whose every read is a number of cells away, so that a
 * program for any machine can be written of it (thesis, 6.1). */
#ifndef QP_STENCIL_STENCIL_H
#define QP_STENCIL_STENCIL_H

#include <stdio.h>

#include "toolkit/base/own_files.h"
#include "toolkit/kernel_file/kernel_file.h"

enum { QP_STENCIL_REACH = 8 /* cells that a cell looks each way, at most */ };

struct qp_stencil {
    const struct qp_kernel_file *file;
    const struct qp_tokens *tokens;    /* tokens of file->text */
    int reach;                         /* reach of all arrays, each way */
    unsigned across[QP_KERNEL_INPUTS]; /* reach across of each array (toolkit/kernel/kernel.h) */
    bool loops_long;                   /* loops may have thousands of rounds */
    bool is_cxx;      /* its programs are C++17: it computes with vectors, or has what C has not */
    bool is_served;   /* its programs are processes that quadpass drives (machine.h) */
    bool keeps_sync;  /* served programs, too, are as the file's line `sync` says */
    bool is_untuned;  /* its programs are not what the tuner found */
    bool is_built_in; /* its programs are of templates as they were built in */
    bool lists;       /* its programs keep the templates' lines that say what may be tuned */
    const char *target;    /* target of a program that is written; NULL: none yet */
    char name[64];         /* name of programs: the file's without its ending */
    const char *file_name; /* without its folder */
};

/* Reads a kernel file as a stencil; it must live as long. Errors: QP_BAD_INPUT with file, line
 * and reason for what no program is written of: whole shaders, cells of several values, unsigned
 * integers, offsets that are no numbers or beyond QP_STENCIL_REACH, `discard`, textures,
 * matrices, structures, functions that are not known ...; QP_NO_MEMORY. */
enum qp_status qp_stencil_read(const struct qp_kernel_file *file, struct qp_stencil *out);

/* Refuses a kernel of which the variant that its line `sync` asks for is not generated (sync.c).
 * Errors: QP_BAD_INPUT, with file, line and reason. */
enum qp_status qp_stencil_check_sync(const struct qp_stencil *stencil);

/* The number of --set, or the grid's size, that has this name; NULL: none has. */
const struct qp_kernel_number *qp_stencil_number(const struct qp_stencil *stencil,
                                                 const struct qp_token *word);

/* ---- The body, token by token (body.c) ---- */

enum qp_body_form {
    QP_BODY_C,         /* C, or C++: literals are floats, and every function takes its cell first */
    QP_BODY_REFERENCE, /* likewise, with doubles in place of floats */
    QP_BODY_CUDA,      /* C++ for a device */
};

/* Writes the text from its first line of code on, divided (toolkit/kernel/kernel.h). Errors:
 * QP_NO_MEMORY. */
enum qp_status qp_stencil_put_body(const struct qp_stencil *stencil, enum qp_body_form form,
                                   FILE *out);

/* ---- Targets (targets.c) ---- */

/* Fills in the names: the file's without its ending as a word that make, a shell and C take for a
 * name, of letters, digits, and characters beyond ASCII. Errors: QP_BAD_INPUT for a file's name
 * with what is not printable. */
enum qp_status qp_stencil_name(struct qp_stencil *stencil);

/* The folders of templates/ that a target takes files of, as words; NULL: it does not have the
 * stencil. The number among them of the one that a file is in; 0: none. */
const char *qp_stencil_folders(const struct qp_stencil *stencil, const char *target);
int qp_stencil_folder_of(const char *folders, const char *path);

/* The targets' names, in the order of the alphabet; NULL after the last. */
const char *qp_stencil_target(int k);

/* True if programs for the target compute what the stencil's line `sync` asks for. */
bool qp_stencil_has(const struct qp_stencil *stencil, const char *target);

/* Refuses values of lines `tuned` that no template for their target takes. Errors: QP_BAD_INPUT
 * with file and line, and the nearest name. */
enum qp_status qp_stencil_check_tuned(const struct qp_stencil *stencil);

/* ---- Programs (write.c) ---- */

/* Files of a target, such as "c", in folder/target, that quadpass did not write: QP_BAD_INPUT names
 * the first, for programs are not written over others; and for a target that does not have the
 * stencil. */
enum qp_status qp_stencil_look(const struct qp_stencil *stencil, const char *target,
                               const char *folder);

/* Writes a program for a target into folder/target, which is made. Errors: QP_BAD_INPUT for a
 * folder or file that cannot be written; QP_NO_MEMORY. */
enum qp_status qp_stencil_write(const struct qp_stencil *stencil, const char *target,
                                const char *folder);

/* All texts of that program, one after the other. Errors: QP_NO_MEMORY. */
enum qp_status qp_stencil_put(const struct qp_stencil *stencil, const char *target, FILE *out);

/* Writes one template for a stencil, by its name in templates/, to a file of this path. Errors:
 * likewise. */
enum qp_status qp_stencil_write_one(const struct qp_stencil *stencil, const char *name,
                                    const char *path);

/* Writes the space of configurations of a target's programs, as tools/tune/space.h reads
 * it; `steps` steps in one go are usual. Errors: QP_NO_MEMORY. */
enum qp_status qp_stencil_put_space(const struct qp_stencil *stencil, const char *target, int steps,
                                    FILE *out);

/* Lines that the writer puts between two marks of a template. Errors: QP_NO_MEMORY. Tables end
 * with a NULL name. */
struct qp_stencil_region {
    const char *name;
    void (*put)(const struct qp_stencil *stencil, FILE *out);
    enum qp_status (*attempt)(const struct qp_stencil *stencil, FILE *out); /* may fail */
};

/* Rows that blocks of CUDA have, of a warp or asynchronous, so that they are the unknowns that a
 * line `tuned` asks for; 0: it asks for none, or they have others. */
int qp_stencil_rows(const struct qp_stencil *stencil);

/* Writes where blocks of CUDA are not as a line `tuned` asks for, a sentence a line. */
void qp_stencil_put_blocks(const struct qp_stencil *stencil, FILE *out);

/* An array's outside as programs call it, and the value with VALUE. */
const char *qp_stencil_outside(const struct qp_kernel_file_array *array);
double qp_stencil_value_outside(const struct qp_kernel_file_array *array);

/* A prefix for a kernel's own name: that of one in capitals, which may be a macro; or "". */
const char *qp_stencil_own(const char *name);

/* The type in C of a number's values. */
const char *qp_stencil_type(const struct qp_kernel_number *number);

/* A value that the head's line `tuned` gives for the target, or else for this one, whose files it
 * takes; `usual` if there is none. */
double qp_stencil_tuned(const struct qp_stencil *stencil, const char *other, const char *name,
                        double usual);

extern const struct qp_stencil_region qp_stencil_regions[]; /* for several targets (regions.c) */
extern const struct qp_stencil_region qp_stencil_gl_regions[], qp_stencil_cuda_regions[];
extern const struct qp_stencil_region
    qp_stencil_file_regions[]; /* for kernels in C (regions_file.c) */
extern const struct qp_stencil_region qp_stencil_shader_regions[]; /* and for compute shaders */

/* Files of templates/. */
extern const struct qp_own_file qp_template_files[];

/* True for a macro of theirs in capitals: a program has it wherever a kernel has its name. */
bool qp_template_defines(const struct qp_token *word);

/* Opens one of them, or unless it is to be as it was built in, the file of that name in
 * QUADPASS_TEMPLATE_DIR, as QUADPASS_SHADER_DIR has shaders. NULL: there is no memory. */
FILE *qp_template_open(const char *name, bool is_built_in);

#endif
