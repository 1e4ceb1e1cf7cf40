/* SPDX-License-Identifier: MIT */
/* The whole text is in memory before the file is opened: without memory there is no file either. */
#include "cmd/output/report.h"

#include <stdlib.h>

#include "base/status.h"
#include "cmd/output/records.h"
#include "commit.h"

enum qp_status report_write(const char *path,
                            enum qp_status (*report)(FILE *out, const struct qp_tally *tallies,
                                                     int count, const struct qp_report_desc *desc),
                            const struct qp_tally *tallies, int count,
                            const struct qp_report_desc *desc)
{
    struct qp_report_desc whole = *desc;
    char *text = NULL;
    size_t size = 0;
    FILE *memory = open_memstream(&text, &size);
    whole.commit = QP_COMMIT;
    enum qp_status status = memory != NULL ? report(memory, tallies, count, &whole) : QP_NO_MEMORY;
    if (memory == NULL || (fclose(memory) != 0 && status == QP_OK))
        status = qp_fail(QP_NO_MEMORY, "%s: no memory for the report", path);
    if (status == QP_OK)
        status = records_write_text(path, text);
    free(text);
    return status;
}
