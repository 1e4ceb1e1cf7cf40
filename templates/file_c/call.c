/*@ origin */
/* heat.frag as a process that quadpass drives: the call of its function. */
/*@ end */
#include "call.h"

/*@ file call */
void heat(int, int, const float *, const float *, float *, float);

void call_kernel(int width, int height, void *const *read, void *const *written,
                 const double *number)
{
    heat(width, height, read[0], read[1], written[0], (float)number[0]);
}
/*@ end */
