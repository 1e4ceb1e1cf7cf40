#version 130
// SPDX-License-Identifier: MIT
#extension GL_ARB_gpu_shader5 : require
// (large + small) - large as written: 0 where small is lost. An optimiser would give small. The added term is 0 in the
// lowest texel; by it llvmpipe reuses code for fragments' inputs that it has compiled for other probes.
uniform float large;
uniform float small;

void main()
{
    precise float sum = large + small;
    precise float rest = sum - large;
    gl_FragColor = vec4(rest + (gl_FragCoord.x - gl_FragCoord.y));
}
