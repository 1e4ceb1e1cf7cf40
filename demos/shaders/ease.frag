// SPDX-License-Identifier: MIT
//@ include ease.glsl
//@ check ease.c
float kernel(vec2 here) { return ease(0.6 * x_at(0.0, 0.0) + 0.5); }
