/* SPDX-License-Identifier: MIT */
/* Drawings as SVG: the rules that all of them keep. */
#ifndef QP_TESTS_DRAWINGS_H
#define QP_TESTS_DRAWINGS_H

/* NULL, or where the text breaks a rule: it is one XML element, well-formed; it has role="img", a
 * title and a description that are not empty; no letter is smaller than 11. */
const char *drawing_fault(const char *text);

/* Number of the text's places with these words. */
int drawing_count(const char *text, const char *words);

#endif
