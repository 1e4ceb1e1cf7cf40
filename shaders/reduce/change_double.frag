#version 400 compatibility
// SPDX-License-Identifier: MIT
// change.frag for doubles, the words of which stand in texels: the residual is computed in double and rounded once.
uniform usampler2DRect after;
uniform usampler2DRect before;
uniform usampler2DRect scale; // D / (w ||b||), in the layout of x
uniform vec2 origin;          // of x's domain, in texels

void main()
{
    vec2 here = origin + gl_FragCoord.xy;
    double change = packDouble2x32(texture(after, here).rg) - packDouble2x32(texture(before, here).rg);
    gl_FragColor = vec4(float(packDouble2x32(texture(scale, here).rg) * change));
}
