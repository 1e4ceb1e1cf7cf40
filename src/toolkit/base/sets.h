/* SPDX-License-Identifier: MIT */
/* Functions of long loops are compiled for several instruction sets, and the one that the processor
 * has is chosen when the program starts; sanitizers cannot follow that, so a debug build has the
 * plain form only. */
#ifndef QP_BASE_SETS_H
#define QP_BASE_SETS_H

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(QP_DEBUG)
#define QP_INSTRUCTION_SETS(...) __attribute__((target_clones(__VA_ARGS__)))
#else
#define QP_INSTRUCTION_SETS(...)
#endif

/* For sums and products of vectors, and with fused multiply-adds that the code asks for by
 * fma(). */
#define QP_EACH_VECTOR_SET QP_INSTRUCTION_SETS("avx512f", "avx2", "default")
#define QP_EACH_FMA_SET    QP_INSTRUCTION_SETS("avx512f", "fma", "default")

#endif
