#version 420 compatibility
// SPDX-License-Identifier: MIT
#extension GL_ARB_texture_rectangle : require
// The right-hand sides after elimination, copied from the factors for back substitution.
#ifndef SHEETS // defined by the engine, in front of this file
#define SHEETS 8
#endif
layout(rgba32f) readonly uniform image2DRect factors;

void main()
{
    ivec2 here = ivec2(gl_FragCoord.xy) - 1;
    for (int s = 0; s < SHEETS; s++)
        gl_FragData[s] = imageLoad(factors, ivec2(here.x, SHEETS * here.y + s) + 1);
}
