/* SPDX-License-Identifier: MIT */
#include "lab/solve/checkpoint/file.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include <quadpass/quadpass.h>

#include "toolkit/base/status.h"
#include "toolkit/io/output.h"

enum { FORMAT = 1 };

static const char magic[8] = "QPCHECK";

static const uint32_t byte_order = 0x01020304, other_order = 0x04030201;

/* Header of a file, with every member at the same place in every format, so that another version is
 * not taken for damage. */
struct header {
    char magic[8];
    uint32_t order, format;
    char version[16]; /* the program's */
    uint64_t length;  /* the file's */
};

static struct header header_of(uint64_t length)
{
    struct header header = {.order = byte_order, .format = FORMAT, .length = length};
    memcpy(header.magic, magic, sizeof magic);
    strncpy(header.version, qp_version(), sizeof header.version - 1);
    return header;
}

void qp_checkpoint_file_begin(struct qp_archive *archive)
{
    struct header header = header_of(0);
    qp_archive_bytes(archive, &header, sizeof header);
}

enum qp_status qp_checkpoint_file_write(struct qp_archive *archive, const char *path)
{
    struct qp_output output;
    const struct header header = header_of(archive->count + sizeof(uint64_t));
    if (!archive->failed)
        memcpy(archive->bytes, &header, sizeof header);
    uint64_t hash = archive->failed ? 0 : qp_archive_hash(0, archive->bytes, archive->count);
    qp_archive_bytes(archive, &hash, sizeof hash);
    if (archive->failed)
        return qp_fail(QP_NO_MEMORY, "%s: no memory for a checkpoint", path);
    bool good = qp_output_open(&output, path);
    output.durable = true;
    good = good && fwrite(archive->bytes, 1, archive->count, output.file) == archive->count;
    const int reason = errno;
    return qp_output_close(&output, good ? NULL : strerror(reason));
}

static enum qp_status check_header(const char *path, const struct qp_archive *archive)
{
    struct header header = {0};
    uint64_t hash = 0;
    const bool is_long = archive->count >= sizeof header + sizeof hash;
    if (is_long) {
        memcpy(&header, archive->bytes, sizeof header);
        memcpy(&hash, archive->bytes + archive->count - sizeof hash, sizeof hash);
    }
    if (archive->count < sizeof magic || memcmp(archive->bytes, magic, sizeof magic) != 0)
        return qp_fail(QP_BAD_INPUT, "%s: is no checkpoint of a solve", path);
    if (is_long && header.order == other_order)
        return qp_fail(QP_BAD_INPUT, "%s: comes from a machine with another order of bytes", path);
    if (!is_long || header.length != archive->count)
        return qp_fail(QP_BAD_INPUT, "%s: is damaged: it was cut, or has grown, to %zu bytes", path,
                       archive->count);
    if (hash != qp_archive_hash(0, archive->bytes, archive->count - sizeof hash))
        return qp_fail(QP_BAD_INPUT, "%s: is damaged: some of its bytes have changed", path);
    header.version[sizeof header.version - 1] = '\0';
    if (header.format != FORMAT || strcmp(header.version, qp_version()) != 0)
        return qp_fail(
            QP_BAD_INPUT,
            "%s: was written by version %s of Quadpass, and this is %s; go on with that, "
            "or begin anew",
            path, header.version, qp_version());
    return QP_OK;
}

static enum qp_status read_all(FILE *file, const char *path, struct qp_archive *archive)
{
    struct stat now;
    if (fstat(fileno(file), &now) != 0 || !S_ISREG(now.st_mode))
        return qp_fail(QP_BAD_INPUT, "%s: is no file that a checkpoint could be read from", path);
    archive->count = (size_t)now.st_size;
    archive->bytes = qp_alloc(archive->count + 1, 1, "a checkpoint");
    if (archive->bytes == NULL)
        return QP_NO_MEMORY;
    if (fread(archive->bytes, 1, archive->count, file) != archive->count)
        return qp_fail(QP_BAD_INPUT, "%s: cannot be read: %s", path, strerror(errno));
    return QP_OK;
}

enum qp_status qp_checkpoint_file_read(const char *path, struct qp_archive *archive)
{
    *archive = (struct qp_archive){.reads = true, .place = sizeof(struct header)};
    FILE *file = fopen(path, "rbe");
    if (file == NULL)
        return qp_fail(QP_BAD_INPUT, "%s: cannot be read: %s", path, strerror(errno));
    enum qp_status status = read_all(file, path, archive);
    fclose(file);
    if (status == QP_OK)
        status = check_header(path, archive);
    if (status == QP_OK)
        archive->count -= sizeof(uint64_t); /* the hash */
    return status;
}
