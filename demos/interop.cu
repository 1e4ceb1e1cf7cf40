/* SPDX-License-Identifier: MIT */
/* A texture that two hands use: a fragment shader draws the points c of the complex plane, a CUDA
 * kernel goes on from there, z' = z^2 + c, and leaves the count of steps until |z| > 2 in the same
 * texture, which OpenGL reads as if it had drawn it. Nothing passes through the host in between. */
#include <GL/glew.h>
#include <cuda_runtime.h>
#include <stdio.h>

#include <quadpass/cuda.h>
#include <quadpass/quadpass.h>

enum { WIDTH = 72, HEIGHT = 28, STEPS = 200 };

static const char corners[] = "#version 120\n"
                              "void main() { gl_Position = gl_Vertex; }\n";
static const char plane[] = "#version 120\n"
                            "void main()\n"
                            "{\n"
                            "    vec2 c = gl_FragCoord.xy / vec2(72.0, 28.0);\n"
                            "    gl_FragColor = vec4(3.2 * c.x - 2.3, 2.4 * c.y - 1.2, 0.0, 0.0);\n"
                            "}\n";

/* Texture coordinates are the middles of texels; a surface counts bytes. */
static __global__ void iterate(struct qp_shared_view view)
{
    const int x = (int)(blockIdx.x * blockDim.x + threadIdx.x), y = (int)blockIdx.y;
    if (x >= view.width)
        return;
    float4 texel = tex2D<float4>(view.texture, (float)x + 0.5f, (float)y + 0.5f);
    float2 z = make_float2(0.0f, 0.0f);
    int n = 0;
    while (n < STEPS && z.x * z.x + z.y * z.y <= 4.0f) {
        z = make_float2(z.x * z.x - z.y * z.y + texel.x, 2.0f * z.x * z.y + texel.y);
        n++;
    }
    texel.z = (float)n;
    surf2Dwrite(texel, view.surface, x * (int)sizeof texel, y);
}

/* A texture that is drawn to from now on. */
static GLuint make_texture(void)
{
    GLuint texture_id, framebuffer_id;
    glGenTextures(1, &texture_id);
    glBindTexture(GL_TEXTURE_2D, texture_id);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 0);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA32F_ARB, WIDTH, HEIGHT, 0, GL_RGBA, GL_FLOAT, NULL);
    glGenFramebuffers(1, &framebuffer_id);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_id);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture_id, 0);
    return texture_id;
}

static void attach(GLuint program, GLenum kind, const char *text)
{
    const GLuint shader = glCreateShader(kind);
    glShaderSource(shader, 1, &text, NULL);
    glCompileShader(shader);
    glAttachShader(program, shader);
}

static void draw(void)
{
    const GLuint program = glCreateProgram();
    attach(program, GL_VERTEX_SHADER, corners);
    attach(program, GL_FRAGMENT_SHADER, plane);
    glLinkProgram(program);
    glUseProgram(program);
    glViewport(0, 0, WIDTH, HEIGHT);
    glRectf(-1.0f, -1.0f, 1.0f, 1.0f);
}

static enum qp_status compute(struct qp_shared *shared)
{
    struct qp_shared_view view;
    enum qp_status status = qp_shared_map(&shared, 1, NULL);
    if (status == QP_OK)
        status = qp_shared_look(shared, &view);
    if (status != QP_OK)
        return status;
    iterate<<<dim3((WIDTH + 31) / 32, HEIGHT), 32>>>(view);
    const cudaError_t launched = cudaGetLastError();
    if (launched != cudaSuccess)
        fprintf(stderr, "CUDA launched no kernel: %s\n", cudaGetErrorString(launched));
    status = qp_shared_unmap(&shared, 1, NULL);
    return launched == cudaSuccess ? status : QP_DEVICE;
}

static void show(void)
{
    static float counts[HEIGHT][WIDTH];
    glReadPixels(0, 0, WIDTH, HEIGHT, GL_BLUE, GL_FLOAT, counts);
    for (int y = HEIGHT - 1; y >= 0; y--) {
        for (int x = 0; x < WIDTH; x++) {
            const int count = (int)counts[y][x];
            putchar(count < STEPS ? " .:-=+*"[count % 7] : '#');
        }
        putchar('\n');
    }
}

int main(void)
{
    struct qp_context *context = NULL;
    struct qp_shared *shared = NULL;
    struct qp_shared_desc desc = {};
    enum qp_status status = qp_context_create(NULL, &context);
    if (status == QP_OK)
        status = qp_cuda_use(context, NULL);
    if (status == QP_UNSUPPORTED || status == QP_NO_DEVICE) {
        printf("skipped: %s\n", qp_error());
        qp_context_destroy(&context);
        return 0;
    }
    if (status == QP_OK) {
        desc.texture = make_texture();
        desc.target = QP_2D;
        draw();
        status = qp_shared_create(context, &desc, &shared);
    }
    if (status == QP_OK)
        status = compute(shared);
    if (status == QP_OK)
        show();
    else
        fprintf(stderr, "%s\n", qp_error());
    qp_shared_destroy(&shared);
    qp_context_destroy(&context); /* and with it the texture */
    return status == QP_OK ? 0 : 1;
}
