// SPDX-License-Identifier: MIT
// Bitonic sort of 1024 numbers, row after row: a step compares each with its partner, span away. In
// blocks of even number the smaller one comes first, in the others the larger one.
//     quadpass run demos/shaders/sort.frag --every 5 -o sort.png
//@ schedule block=2,4,4,8,8,8,16,16,16,16,32,32,32,32,32,64,64,64,64,64,64,128,128,128,128,128,128,128,256,256,256,256,256,256,256,256,512,512,512,512,512,512,512,512,512,1024,1024,1024,1024,1024,1024,1024,1024,1024,1024
//@ schedule span=1,2,1,4,2,1,8,4,2,1,16,8,4,2,1,32,16,8,4,2,1,64,32,16,8,4,2,1,128,64,32,16,8,4,2,1,256,128,64,32,16,8,4,2,1,512,256,128,64,32,16,8,4,2,1
//@ size 32x32
//@ steps 55
//@ check sort.c

float kernel(vec2 here)
{
    float i = here.x + size.x * here.y;
    float second = mod(floor(i / span), 2.0);
    float partner = i + (1.0 - 2.0 * second) * span;
    float mine = x_at(0.0, 0.0);
    float other = x_cell(vec2(mod(partner, size.x), floor(partner / size.x)));
    return second == mod(floor(i / block), 2.0) ? min(mine, other) : max(mine, other);
}
