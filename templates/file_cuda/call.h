/*@ origin */
/* heat.frag as a process that quadpass drives: the launch of its function. */
/*@ end */
#ifndef CALL_H
#define CALL_H

/*@ file call */
static void call_kernel(int, int, void *const *read, void *const *written, const double *number)
{
    launch((const float *)read[0], (const float *)read[1], (float *)written[0], (float)number[0]);
}
/*@ end */

#endif
