/* SPDX-License-Identifier: MIT */
#include "fuzz.h"

void fuzz_conf(const uint8_t *bytes, size_t size)
{
    (void)bytes, (void)size;
}
