/*@ origin */
/* heat.frag as a process that quadpass drives: how the kernel is called. */
/*@ end */
#ifndef CALL_H
#define CALL_H

/* A step of all cells; arrays are in the kernel's order. */
void call_kernel(int width, int height, void *const *read, void *const *written,
                 const double *number);

#endif
