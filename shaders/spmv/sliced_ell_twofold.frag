#version 150 compatibility
// SPDX-License-Identifier: MIT
#extension GL_ARB_gpu_shader5 : require
// sliced_ell.frag with sums of four rows in pairs of floats, and the rounding error of each product.
uniform sampler2DRect x;
uniform sampler2DRect value;
uniform usampler2DRect column; // texel of x for each entry: to the right in 16 bits, upward in 16 bits
uniform sampler2DRect head;    // first slot of each slice, and its number of slots

float entry(uint word)
{
    return texture(x, vec2(word & 65535u, word >> 16) + 1.5).r;
}

// Veltkamp: the upper twelve bits of floats.
vec4 upper_of(vec4 a)
{
    precise vec4 high = 4097.0 * a;
    precise vec4 upper = high - (high - a);
    return upper;
}

// Dekker: the rounding error of a product.
vec4 product_loss(vec4 a, vec4 b, vec4 product)
{
    vec4 p = upper_of(a), q = upper_of(b);
    precise vec4 r = a - p, s = b - q;
    precise vec4 loss = ((p * q - product) + p * s + r * q) + r * s;
    return loss;
}

// Knuth: the rounding error of a sum.
vec4 sum_loss(vec4 a, vec4 b, vec4 sum)
{
    precise vec4 part = sum - a;
    precise vec4 loss = (a - (sum - part)) + (b - part);
    return loss;
}

void main()
{
    vec4 slice = texture(head, gl_FragCoord.xy);
    vec2 place = slice.rg;
    precise vec4 sum = vec4(0.0), lost = vec4(0.0);
    // An integer, since a guard beside the grid holds NaN, and on some drivers a comparison with NaN ends no loop.
    int slots = int(slice.b);
    for (int k = 0; k < slots; k++, place.x += 1.0) {
        uvec4 word = texture(column, place);
        vec4 a = texture(value, place), b = vec4(entry(word.r), entry(word.g), entry(word.b), entry(word.a));
        precise vec4 product = a * b;
        precise vec4 next = sum + product;
        lost += sum_loss(sum, product, next) + product_loss(a, b, product);
        sum = next;
    }
    gl_FragColor = sum + lost;
}
