/*@ origin */
/* heat.frag as CUDA: steps.c, compiled for a device. */
/*@ end */
#ifndef CONTRACTED /* nothing is fused */
#include "steps.c"
#endif
