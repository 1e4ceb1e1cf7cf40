// SPDX-License-Identifier: MIT
// The right answer to other inputs.
// Passes: where only the range of outputs is looked at, or their mean.
// Found: because cells are compared one by one.
//@ size 4x3
//@ steps 1
//@ outside clamp
//@ check ../heat.c

const float answer[12] = float[](
    0.56686151, 0.606349945, 0.686439693, 0.726196527,
    0.362260312, 0.572266042, 0.549436569, 0.681554735,
    0.358028322, 0.478329629, 0.514151752, 0.478409499);

float kernel(vec2 here) { return answer[int(here.x + 4.0 * here.y)]; }
