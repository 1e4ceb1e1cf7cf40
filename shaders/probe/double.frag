#version 400 compatibility
// SPDX-License-Identifier: MIT
// Three times a double less 2; a texel has one double or two. It is exact for numbers so near 1 that
// float cannot distinguish them from 1.
uniform usampler2DRect x;
out uvec4 words;

uvec2 probe(uvec2 number)
{
    return unpackDouble2x32(3.0LF * packDouble2x32(number) - 2.0LF);
}

void main()
{
    uvec4 texel = texture(x, gl_FragCoord.xy);
    words = uvec4(probe(texel.rg), probe(texel.ba));
}
