/* SPDX-License-Identifier: MIT */
/* Nine-band Jacobi on CUDA (paper 3, section 6): where x stands in memory is the recipe's, what is
 * done with it the kernel's (jacobi9_kernels.cu). */
#include "ops/jacobi9.h"
#include "ops/jacobi9_kernels.h"

enum { SEGMENT = 16 /* words that half a warp of 2008 read at once */ };

#define FLAT                            \
    {                                   \
        .format = QP_R32F, .flat = true \
    }
#define ALIGNED                                           \
    {                                                     \
        .format = QP_R32F, .flat = true, .align = SEGMENT \
    }
#define BAND(label, id)                                               \
    {                                                                 \
        .name = label, .shape = ALIGNED, .fields = 1, .field = { id } \
    }
#define NINE_BANDS                                                                      \
    {                                                                                   \
        BAND("DD", QP_DD), BAND("LL", QP_LL), BAND("LD", QP_LD), BAND("LU", QP_LU),     \
            BAND("DL", QP_DL), BAND("DU", QP_DU), BAND("UL", QP_UL), BAND("UD", QP_UD), \
            BAND("UU", QP_UU), BAND("b", QP_B)                                          \
    }

const struct qp_recipe qp_jacobi9_cuda_simple = {
    .state = FLAT,
    .input = NINE_BANDS,
    .kernel = &qp_kernel_jacobi9_simple,
    .takes_wraps = true,
    .flops = 30,
};
