/*@ origin */
/* heat.frag as CUDA: steps.c, compiled for a device. */
/*@ end */
#ifdef __CUDACC__
#define BEGIN(kernel, blocks, threads, shared, ...) kernel<<<blocks, threads, shared>>>(__VA_ARGS__)
#endif
#ifndef CONTRACTED /* nothing is fused */
#include "steps.c"
#endif
