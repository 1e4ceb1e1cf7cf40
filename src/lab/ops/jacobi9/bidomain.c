/* SPDX-License-Identifier: MIT */
/* The elliptic equation of the cardiac bidomain model by bilinear square finite elements.
 *
 * Heart muscle is two conductors, inside and outside the cells, that fill the same space; the cell
 * membrane parts them everywhere. Current that leaves one enters the other, so their sum has no
 * source. With the potentials Vi inside, Ve outside, and Vm = Vi - Ve across the membrane:
 *
 *     div(si grad Vi) + div(se grad Ve) = 0   <=>   -div((si + se) grad Ve) = div(si grad Vm)
 *
 * (Amorim et al. 2008, equation 1). Given Vm, this fixes Ve but for a constant. Multiplied by a
 * test function w, integrated over the sheet and by parts on both sides:
 *
 *     integral grad w . (si + se) grad Ve  =  -integral grad w . si grad Vm
 *
 * No boundary integral is left: it holds the normal component of the total current, which is zero
 * where the sheet ends (the natural condition). With the hat functions phi_a, one for each node,
 * and the stiffness matrix K(s)_ab = integral grad phi_a . s grad phi_b this reads
 *
 *     K(si + se) Ve = -K(si) Vm.
 *
 * The constant is fixed by grounding: Ve = 0 on the row y = 0, the side of the cavity, whose blood
 * conducts far better than the muscle.
 *
 * Units: Vm and Ve in mV, conductivities in S/m, lengths in mm. In two dimensions K does not depend
 * on the spacing h: two derivatives bring h^-2, the area of an element h^2. */
#include "lab/ops/jacobi9/bidomain.h"

#include <math.h>
#include <string.h>

/* Conductivities along and across the fibres in S/m, ventricular trabeculae of calves:
 * L. Clerc, Directional differences of impulse spread in trabecular muscle from mammalian heart,
 * J. Physiol. 255, 335-346, 1976; as tabulated for the bidomain model by C. S. Henriquez, Crit.
 * Rev. Biomed. Eng. 21, 1-77, 1993 (resistivities 574, 5171, 160 and 423 ohm cm). */
#define INSIDE_ALONG   0.174
#define INSIDE_ACROSS  0.0193
#define OUTSIDE_ALONG  0.625
#define OUTSIDE_ACROSS 0.236
#define TOTAL_ALONG    (INSIDE_ALONG + OUTSIDE_ALONG)
#define TOTAL_ACROSS   (INSIDE_ACROSS + OUTSIDE_ACROSS)

/* Diagonal entry of an inner node, from four elements, whatever the fibres' direction: 4/3 of the
 * trace. */
#define INNER_DIAGONAL (4.0 / 3.0 * (TOTAL_ALONG + TOTAL_ACROSS))

/* Fibres turn by about 120 degrees through the wall of a ventricle (in dogs from +60 degrees at the
 * cavity to -69 at the outer surface; Carew and Covell, Am. J. Physiol. 236, H487-H493, 1979).
 * There they turn in planes parallel to the surface; here the turn is laid out over the sheet, so
 * that one grid holds them all. Both coordinates take part: no two rows, no two columns are
 * alike. */
#define TURN_BY_X (-0.5235987755982988) /* radians from edge to edge: 30 degrees */
#define TURN_BY_Y (-1.5707963267948966) /* 90 degrees */

/* The longer side in mm. The sheet is fixed, not the spacing: a finer grid is then the same tissue,
 * resolved better, and solutions converge. */
#define SIDE_MM 10.0

/* A stimulus 5 ms ago: the wave has run 3 mm along the fibres at a usual 0.6 m/s and a third
 * of that across (Clerc's ratio of velocities is 3.0). The site lies near the cavity, where the
 * heartbeat enters the muscle, and off every axis of symmetry, which could hide an error; the front
 * reaches the corner node (0, 0), so that even 2 x 2 nodes see it. */
#define SITE_X      0.25 /* fractions of the sheet */
#define SITE_Y      0.2
#define RADIUS_MM   3.0
#define SPEED_RATIO 3.0
#define FRONT_MM    1.0     /* amplitude over steepest slope, along the fibres */
#define REST_MV     (-85.0) /* usual values of ventricular muscle: rest, and top of the upstroke */
#define TOP_MV      15.0

struct sheet {
    int width, height;  /* nodes */
    int step_x, step_y; /* from an element's first corner to its last: 1, or 0 in a single line */
    double spacing_mm;
    double site_cosine, site_sine; /* the fibre angle's at the site */
    size_t grounded;               /* nodes 0 .. grounded-1 have Ve = 0 */
};

/* The symmetric tensor [xx xy; xy yy] in S/m. */
struct tensor {
    double xx, xy, yy;
};

/* Corner c = 2 cy + cx of the element at (x, y) is the node (x + cx, y + cy). In a grid of one row
 * the element's two rows are the same node row: it is then a strip one spacing wide on which Ve
 * does not vary across, and its entries add up to those of a line element, s_xx [1 -1; -1 1], with
 * no code of its own. One column is the same, turned. A single node is grounded and gets none. */
struct element {
    size_t node[4];
    double vm[4]; /* mV */
    double total[4][4], inside[4][4];
};

/* Relative position between the edges, 0 to 1, of `position` in nodes; a single line lies in the
 * middle. */
static double normalise(double position, int nodes)
{
    return nodes > 1 ? position / (nodes - 1) : 0.5;
}

/* The fibre angle in radians against the x axis: from +60 to -60 degrees, corner to corner. */
static double direct(double u, double v)
{
    return TURN_BY_X * (u - 0.5) + TURN_BY_Y * (v - 0.5);
}

/* across I + (along - across) f f^T with f = (cos a, sin a), by the double angle. */
static struct tensor rotate(double along, double across, double cosine2, double sine2)
{
    double mean = (along + across) / 2, half = (along - across) / 2;
    return (struct tensor){mean + half * cosine2, half * sine2, mean - half * cosine2};
}

/* K_ab = integral grad phi_a . s grad phi_b over a square, for a tensor constant on it. On the unit
 * square phi_a is a product of 1-x or x and 1-y or y, which gives the integrals
 *     dx phi_a dx phi_b                      XX / 6
 *     dy phi_a dy phi_b                      YY / 6
 *     dx phi_a dy phi_b + dy phi_a dx phi_b  XY / 2.
 * They are exact; 2 x 2 Gauss points with this tensor give the same. The tensor is taken in the
 * middle: its error is of order h^2 like that of the elements, and the element matrix keeps the
 * eigenvalues 0, along, across and (along + across) / 3 for any fibre angle, from which the bound
 * on Jacobi's weight follows (docs/bidomain.md). */
static void integrate(struct tensor s, double stiffness[4][4])
{
    static const int XX[4][4] = {{2, -2, 1, -1}, {-2, 2, -1, 1}, {1, -1, 2, -2}, {-1, 1, -2, 2}};
    static const int YY[4][4] = {{2, 1, -2, -1}, {1, 2, -1, -2}, {-2, -1, 2, 1}, {-1, -2, 1, 2}};
    static const int XY[4][4] = {{1, 0, 0, -1}, {0, -1, 1, 0}, {0, 1, -1, 0}, {-1, 0, 0, 1}};
    for (int a = 0; a < 4; a++)
        for (int b = 0; b < 4; b++)
            stiffness[a][b] = (s.xx * XX[a][b] + s.yy * YY[a][b]) / 6 + s.xy * XY[a][b] / 2;
}

/* Vm in mV at node (x, y): a sigmoid of the distance from the site, measured in mm along the
 * fibres, so that the front is an ellipse and is thinner where it is slower. */
static double depolarise(const struct sheet *sheet, int x, int y)
{
    double dx = (normalise(x, sheet->width) - SITE_X) * (sheet->width - 1) * sheet->spacing_mm;
    double dy = (normalise(y, sheet->height) - SITE_Y) * (sheet->height - 1) * sheet->spacing_mm;
    double along = dx * sheet->site_cosine + dy * sheet->site_sine;
    double across = dy * sheet->site_cosine - dx * sheet->site_sine;
    double distance = sqrt(along * along + SPEED_RATIO * SPEED_RATIO * across * across);
    return REST_MV + (TOP_MV - REST_MV) / (1 + exp(4 * (distance - RADIUS_MM) / FRONT_MM));
}

static struct sheet lay(int width, int height)
{
    int longer = width > height ? width : height;
    double angle = direct(SITE_X, SITE_Y);
    return (struct sheet){
        .width = width,
        .height = height,
        .step_x = width > 1,
        .step_y = height > 1,
        .spacing_mm = longer > 1 ? SIDE_MM / (longer - 1) : SIDE_MM,
        .site_cosine = cos(angle),
        .site_sine = sin(angle),
        .grounded = height > 1 ? (size_t)width : 1,
    };
}

static void form(const struct sheet *sheet, int x, int y, struct element *element)
{
    double angle = direct(normalise(x + 0.5, sheet->width), normalise(y + 0.5, sheet->height));
    double cosine2 = cos(2 * angle), sine2 = sin(2 * angle);
    integrate(rotate(TOTAL_ALONG, TOTAL_ACROSS, cosine2, sine2), element->total);
    integrate(rotate(INSIDE_ALONG, INSIDE_ACROSS, cosine2, sine2), element->inside);
    for (int c = 0; c < 4; c++) {
        int node_x = x + c % 2 * sheet->step_x, node_y = y + c / 2 * sheet->step_y;
        element->node[c] = (size_t)node_y * (size_t)sheet->width + (size_t)node_x;
        element->vm[c] = depolarise(sheet, node_x, node_y);
    }
}

/* Adds an element to the rows of its nodes. Rows and columns of grounded nodes are left out: what
 * such a column would move to the right-hand side is an entry times Ve = 0. a(i,j) and a(j,i) get
 * the same terms in the same order, so the matrix is symmetric to the last bit (in a single line,
 * where one element adds several terms to an entry, to rounding). */
static void scatter(const struct sheet *sheet, const struct element *element, double *const band[],
                    double *right_hand_side)
{
    static const enum qp_jacobi9_band AT[3][3] = {{QP_JACOBI9_LL, QP_JACOBI9_LD, QP_JACOBI9_LU},
                                                  {QP_JACOBI9_DL, QP_JACOBI9_DD, QP_JACOBI9_DU},
                                                  {QP_JACOBI9_UL, QP_JACOBI9_UD, QP_JACOBI9_UU}};
    for (int a = 0; a < 4; a++) {
        size_t row = element->node[a];
        if (row < sheet->grounded)
            continue;
        for (int b = 0; b < 4; b++) {
            int dx = (b % 2 - a % 2) * sheet->step_x, dy = (b / 2 - a / 2) * sheet->step_y;
            right_hand_side[row] -= element->inside[a][b] * element->vm[b];
            if (element->node[b] >= sheet->grounded)
                band[AT[1 + dy][1 + dx]][row] += element->total[a][b];
        }
    }
}

/* Zeroes all; a grounded row then reads INNER_DIAGONAL * Ve = 0. Any positive factor would do; this
 * one keeps the row of the others' magnitude, and Jacobi solves it in one step at weight 1. */
static void clear(const struct sheet *sheet, double *const band[], double *right_hand_side)
{
    size_t bytes = (size_t)sheet->width * (size_t)sheet->height * sizeof(double);
    for (int k = 0; k < QP_JACOBI9_BANDS; k++)
        memset(band[k], 0, bytes);
    memset(right_hand_side, 0, bytes);
    for (size_t node = 0; node < sheet->grounded; node++)
        band[QP_JACOBI9_DD][node] = INNER_DIAGONAL;
}

enum qp_status qp_bidomain_assemble(int width, int height, double *const band[QP_JACOBI9_BANDS],
                                    double *right_hand_side)
{
    if (width < 1 || height < 1)
        return qp_fail(QP_BAD_USE, "bidomain: a grid of %d x %d nodes is empty", width, height);
    if (band == NULL || right_hand_side == NULL)
        return qp_fail(QP_BAD_USE, "bidomain: no array for the bands or the right-hand side");
    for (int k = 0; k < QP_JACOBI9_BANDS; k++)
        if (band[k] == NULL)
            return qp_fail(QP_BAD_USE, "bidomain: no array for band %d", k);
    struct sheet sheet = lay(width, height);
    clear(&sheet, band, right_hand_side);
    for (int y = 0; y <= height - 1 - sheet.step_y; y++)
        for (int x = 0; x <= width - 1 - sheet.step_x; x++) {
            struct element element;
            form(&sheet, x, y, &element);
            scatter(&sheet, &element, band, right_hand_side);
        }
    return QP_OK;
}
