#include "CLibAV.h"

// Interpolates between the nodes of the table: linearly in luma, bilinearly in the two chroma values, which all four
// pixels of a block share. All of it is exact in 32 bits.

enum {
    LUMA_NODES = ANTENA_COLOR_LUMA_NODES,
    CHROMA_NODES = ANTENA_COLOR_CHROMA_NODES,
    LUMA_SHIFT = 5,
    CHROMA_SHIFT = 3,
    MAXIMUM = 1023,
    FRACTION_SHIFT = 7,
};

static inline int limited(uint16_t value) { return value > MAXIMUM ? MAXIMUM : value; }

static inline uint8_t rounded(int sum, int shift) {
    int value = (sum + (1 << (shift - 1))) >> shift;
    return value > 255 ? 255 : (uint8_t)value;
}

// Returns the luma of one pixel.
static inline uint8_t map_luma(const uint16_t *const columns[4], const int weights[4], int y) {
    int index = y >> LUMA_SHIFT, fraction = y & ((1 << LUMA_SHIFT) - 1), sum = 0;
    for (int i = 0; i < 4; i++) {
        const uint16_t *nodes = columns[i] + index;
        sum += weights[i] * (nodes[0] * ((1 << LUMA_SHIFT) - fraction) + nodes[1] * fraction);
    }
    return rounded(sum, 2 * CHROMA_SHIFT + LUMA_SHIFT + FRACTION_SHIFT);
}

void antena_map_colors(
    const uint16_t *luma_table, const uint16_t *chroma_table, const AVFrame *source, AVFrame *target
) {
    int width = source->width, height = source->height;
    for (int row = 0; row < (height + 1) / 2; row++) {
        const uint16_t *cb_line = (const uint16_t *)(source->data[1] + (ptrdiff_t)row * source->linesize[1]);
        const uint16_t *cr_line = (const uint16_t *)(source->data[2] + (ptrdiff_t)row * source->linesize[2]);
        uint8_t *cb_target = target->data[1] + (ptrdiff_t)row * target->linesize[1];
        uint8_t *cr_target = target->data[2] + (ptrdiff_t)row * target->linesize[2];
        // The last line of an odd height stands for itself and the missing one.
        int second = 2 * row + 1 < height ? 2 * row + 1 : 2 * row;
        const uint16_t *lines[2] = {
            (const uint16_t *)(source->data[0] + (ptrdiff_t)(2 * row) * source->linesize[0]),
            (const uint16_t *)(source->data[0] + (ptrdiff_t)second * source->linesize[0]),
        };
        uint8_t *targets[2] = {
            target->data[0] + (ptrdiff_t)(2 * row) * target->linesize[0],
            target->data[0] + (ptrdiff_t)second * target->linesize[0],
        };
        for (int column = 0; column < (width + 1) / 2; column++) {
            int cb = limited(cb_line[column]), cr = limited(cr_line[column]);
            int cb_index = cb >> CHROMA_SHIFT, cr_index = cr >> CHROMA_SHIFT;
            int cb_fraction = cb & ((1 << CHROMA_SHIFT) - 1), cr_fraction = cr & ((1 << CHROMA_SHIFT) - 1);
            int cb_rest = (1 << CHROMA_SHIFT) - cb_fraction, cr_rest = (1 << CHROMA_SHIFT) - cr_fraction;
            const int weights[4] = {
                cb_rest * cr_rest, cb_rest * cr_fraction, cb_fraction * cr_rest, cb_fraction * cr_fraction,
            };
            int corner = cb_index * CHROMA_NODES + cr_index;
            const int corners[4] = {corner, corner + 1, corner + CHROMA_NODES, corner + CHROMA_NODES + 1};
            const uint16_t *columns[4];
            for (int i = 0; i < 4; i++) columns[i] = luma_table + corners[i] * LUMA_NODES;
            int left = 2 * column, right = left + 1 < width ? left + 1 : left, sum = 0;
            for (int i = 0; i < 2; i++) {
                int first = limited(lines[i][left]), last = limited(lines[i][right]);
                sum += first + last;
                targets[i][left] = map_luma(columns, weights, first);
                targets[i][right] = map_luma(columns, weights, last);
            }
            int y = (sum + 2) / 4, index = y >> LUMA_SHIFT, fraction = y & ((1 << LUMA_SHIFT) - 1);
            int cb_sum = 0, cr_sum = 0;
            for (int i = 0; i < 4; i++) {
                const uint16_t *nodes = chroma_table + (corners[i] * LUMA_NODES + index) * 2;
                int rest = (1 << LUMA_SHIFT) - fraction;
                cb_sum += weights[i] * (nodes[0] * rest + nodes[2] * fraction);
                cr_sum += weights[i] * (nodes[1] * rest + nodes[3] * fraction);
            }
            cb_target[column] = rounded(cb_sum, 2 * CHROMA_SHIFT + LUMA_SHIFT + FRACTION_SHIFT);
            cr_target[column] = rounded(cr_sum, 2 * CHROMA_SHIFT + LUMA_SHIFT + FRACTION_SHIFT);
        }
    }
}
