#version 400 compatibility
// SPDX-License-Identifier: MIT
// change.frag for doubles; a texel has the words of one or two. Residuals are computed in double
// and rounded once.
uniform usampler2DRect after;
uniform usampler2DRect before;
uniform usampler2DRect scale; // D / (w ||b||), in the layout of x
uniform vec2 origin;          // corner of x's domain, in texels

float residual(uvec2 new, uvec2 old, uvec2 factor)
{
    return float(packDouble2x32(factor) * (packDouble2x32(new) - packDouble2x32(old)));
}

void main()
{
    vec2 here = origin + gl_FragCoord.xy;
    uvec4 new = texture(after, here), old = texture(before, here), factor = texture(scale, here);
    gl_FragColor = vec4(residual(new.rg, old.rg, factor.rg), residual(new.ba, old.ba, factor.ba), 0.0, 0.0);
}
