#version 130
// SPDX-License-Identifier: MIT
#extension GL_ARB_gpu_shader5 : require
// (large + small) - large as written: 0 where small is lost. An optimiser would give small.
uniform float large;
uniform float small;

void main()
{
    precise float sum = large + small;
    precise float rest = sum - large;
    gl_FragColor = vec4(rest);
}
