/* SPDX-License-Identifier: MIT */
/* Variants as their initialisers describe them: abilities that nobody writes down, and the ladders
 * that `after` climbs. */
#include "support/support.h"

#include <stdio.h>
#include <string.h>

#include <quadpass/context.h>

#include "lab/plan/op.h"

/* Abilities, and between blanks the variants that need these and no others. */
static const struct {
    unsigned needs;
    const char *names;
} wanted[] = {
    {QP_CAN_LUMINANCE32F,
     " access/fetch_gather access/fetch_offset access/fetch_stride gauss_jordan/basic"
     " gauss_jordan/blocks gauss_jordan/blocks_noop_notex gauss_jordan/blocks_vbo"
     " gauss_jordan/blocks_vbo_noop_notex gauss_jordan/branched"
     " gauss_jordan/branched_alwayscache gauss_jordan/branched_notex"
     " gauss_jordan/doublebuffered gauss_jordan/elimination gauss_jordan/factors"
     " gauss_jordan/lu gauss_jordan/quads gauss_jordan/quads_targets"
     " gauss_jordan/shrinking gauss_jordan/undivided jacobi9/bands"
     " jacobi9/cuda_alternate jacobi9/cuda_arrays jacobi9/cuda_arrays_mapped"
     " jacobi9/cuda_arrays_registered jacobi9/cuda_arrays_surfaces jacobi9/cuda_halves"
     " jacobi9/inverse jacobi9/luminance jacobi9/luminance_alwayscache"
     " jacobi9/luminance_notex jacobi9/multipass jacobi9/symmetric"
     " jacobi9/symmetric_conditionals jacobi9/vertex multigrid/fragments poisson5/luminance"
     " transfer/plain_luminance "},
    {QP_CAN_LUMINANCE32F | QP_CAN_FLOAT_BLEND,
     " gauss_jordan/blend gauss_jordan/blend_elimination gauss_jordan/blend_multiply"
     " gauss_jordan/blend_shrinking "},
    {QP_CAN_LUMINANCE32F | QP_CAN_RGBA32F | QP_CAN_FLOAT_BLEND,
     " gauss_jordan/blend_elimination_pivoted gauss_jordan/blend_pivoted "},
    {QP_CAN_LUMINANCE16F | QP_CAN_HALF_BLEND,
     " gauss_jordan/blend_half gauss_jordan/blend_multiply_half "},
    {QP_CAN_RGBA32F | QP_CAN_LAYERED_IMAGES, " gauss_jordan/blocked "},
    {QP_CAN_R32F | QP_CAN_COMPUTE, " gauss_jordan/blocked_compute spmv/compute "},
    {QP_CAN_LUMINANCE32F | QP_CAN_RGBA32F,
     " gauss_jordan/elimination_pivoted gauss_jordan/factors_pivoted"
     " gauss_jordan/lu_pivoted gauss_jordan/pivoted gauss_jordan/shrinking_pivoted"
     " jacobi9/generic "},
    {QP_CAN_RGBA32F, " gauss_jordan/systems gauss_jordan_batch/planes gauss_jordan_batch/registers"
                     " jacobi9/bands_systems jacobi9/hybrid_rgba jacobi9/inverse_systems"
                     " jacobi9/mpi_rgba jacobi9/multipass_systems jacobi9/rgba jacobi9/rgba_2x2"
                     " jacobi9/rgba_abreast jacobi9/rgba_alwayscache jacobi9/rgba_notex"
                     " jacobi9/rgba_targets jacobi9/rgba_targets_notex jacobi9/rgba_tiles"
                     " jacobi9/vertex_systems multigrid/fragments_full multigrid/rgba"
                     " poisson5/hybrid_rgba "
                     "poisson5/mpi_rgba poisson5/parts_rgba"
                     " poisson5/rgba reduce/tree_rgba spmv/diagonals spmv/diagonals_printed"
                     " spmv/ell_rgba spmv/sliced_ell spmv/sliced_ell_sorted"
                     " transfer/plain_rgba transpose/copy_rgba transpose/rgba_rows"
                     " transpose/rgba_targets4 "},
    {QP_CAN_R32F | QP_CAN_RGBA32F, " gauss_jordan_batch/passes reduce/tree "},
    {QP_CAN_RGBA32F | QP_CAN_COMPUTE,
     " gauss_jordan_batch/registers_compute jacobi9/compute jacobi9/compute_abreast"
     " multigrid/compute"
     " transpose/compute_blocks "},
    {QP_CAN_R32F, " gauss_jordan_batch/unpivoted reduce/tree_2x2 reduce/tree_8x8 spmv/csr_sorted"
                  " transfer/plain transfer/small transpose/copy_texels transpose/corners"
                  " transpose/points transpose/sampled "},
    {QP_CAN_LUMINANCE16F, " jacobi9/luminance_half "},
    {QP_CAN_RGBA16F, " jacobi9/rgba_half "},
    {QP_CAN_RGBA32F | QP_CAN_READ_IMAGES, " jacobi9/rgba_stamps "},
    {QP_CAN_LUMINANCE32F | QP_CAN_PRECISE | QP_CAN_TEXTURE_BARRIER,
     " poisson5/chaotic poisson5/hybrid_red_black poisson5/mpi_red_black"
     " poisson5/parts_red_black poisson5/red_black "},
    {QP_CAN_RGBA32F | QP_CAN_COMPUTE | QP_CAN_PRECISE, " poisson5/compute "},
    {QP_CAN_R32F | QP_CAN_COMPUTE | QP_CAN_PRECISE,
     " poisson5/compute_async0 poisson5/compute_async1 poisson5/compute_async2"
     " poisson5/compute_async3 poisson5/compute_tuned_sync "},
    {QP_CAN_DOUBLE, " poisson5/double poisson5/double_rgba poisson5/parts_double_rgba "},
    {QP_CAN_DOUBLE | QP_CAN_RGBA32F, " multigrid/fragments_refined "},
    {QP_CAN_DOUBLE | QP_CAN_RGBA32F | QP_CAN_COMPUTE, " multigrid/compute_refined "},
    {QP_CAN_RG32F | QP_CAN_PRECISE, " poisson5/double_single "},
    {QP_CAN_RGBA32F | QP_CAN_PRECISE,
     " poisson5/double_single_rgba poisson5/hybrid_fused4 poisson5/mpi_fused4"
     " poisson5/parts_fused4 poisson5/targets poisson5/targets_fused2"
     " poisson5/targets_fused2_bands poisson5/targets_fused3 poisson5/targets_fused4"
     " poisson5/targets_fused4_alwayscache poisson5/targets_fused4_bands"
     " poisson5/targets_fused4_notex poisson5/targets_fused8 spmv/sliced_ell_twofold "},
    {QP_CAN_R32F | QP_CAN_PRECISE, " poisson5_batch/blocks "},
    {QP_CAN_R32F | QP_CAN_RGBA32F | QP_CAN_PRECISE, " reduce/compensated "},
    {QP_CAN_R32F | QP_CAN_PIXEL_BUFFER | QP_CAN_FENCE, " transfer/asynchronous "},
    {QP_CAN_FENCE | QP_CAN_MAP_FOR_LIFE, " transfer/buffer "},
    {QP_CAN_R32F | QP_CAN_PIXEL_BUFFER | QP_CAN_FENCE | QP_CAN_MAP_FOR_LIFE,
     " transfer/persistent "},
    {QP_CAN_R32F | QP_CAN_PIXEL_BUFFER, " transfer/pixel_buffer "},
};

static unsigned needs_of(const char *name)
{
    char word[100];
    snprintf(word, sizeof word, " %s ", name);
    for (int k = 0; k < COUNT(wanted); k++) {
        if (strstr(wanted[k].names, word) != NULL)
            return wanted[k].needs;
    }
    return 0;
}

TEST(needs_are_derived)
{
    for (size_t i = 0; i < qp_variant_count(); i++) {
        const struct qp_variant *variant = qp_variant_at(i);
        if (variant->needs != needs_of(variant->name))
            fail_msg("%s needs %#x, not %#x", variant->name, needs_of(variant->name),
                     variant->needs);
    }
    for (int k = 0; k < COUNT(wanted); k++) {
        char name[100];
        for (const char *at = wanted[k].names; sscanf(at, " %99s", name) == 1;
             at = strstr(at, name) + strlen(name))
            assert_non_null(qp_variant_find(name));
    }
}

/* Each variant says all that lists say, and its operation's name first. */
TEST(variants_say_what_they_are)
{
    for (size_t i = 0; i < qp_variant_count(); i++) {
        const struct qp_variant *variant = qp_variant_at(i);
        const size_t length = strlen(variant->op);
        assert_ptr_equal(qp_variant_find(variant->name), variant);
        if (strncmp(variant->name, variant->op, length) != 0 || variant->name[length] != '/' ||
            variant->layout == NULL || variant->place == NULL || variant->sentence == NULL)
            fail_msg("%s of %s says too little", variant->name, variant->op);
    }
}

/* A variant builds on another one of its operation, and no ladder is a ring. */
TEST(ladders_end)
{
    for (size_t i = 0; i < qp_variant_count(); i++) {
        const struct qp_variant *variant = qp_variant_at(i);
        for (size_t rungs = 0; variant->recipe->after != NULL; rungs++) {
            const struct qp_variant *after = qp_variant_find(variant->recipe->after);
            if (after == NULL || strcmp(after->op, variant->op) != 0 || rungs == qp_variant_count())
                fail_msg("%s cannot build on %s", variant->name, variant->recipe->after);
            variant = after;
        }
    }
}
