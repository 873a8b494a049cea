#define _GNU_SOURCE
#include "CAntenaSystem.h"

#include <string.h>
#include <zlib.h>

ssize_t antena_preadv2(int descriptor, const struct iovec *vectors, int count, off_t offset, int cached_only) {
    return preadv2(descriptor, vectors, count, offset, cached_only ? RWF_NOWAIT : 0);
}

// A gzip member's header and trailer take 18 bytes; compressBound counts 6 of zlib's own.
size_t antena_gzip_bound(size_t byte_count) { return compressBound(byte_count) + 18; }

size_t antena_gzip(const uint8_t *input, size_t byte_count, uint8_t *output, size_t capacity, int level) {
    z_stream stream;
    memset(&stream, 0, sizeof stream);
    // 15 window bits, and 16 to ask for a gzip header instead of zlib's.
    if (deflateInit2(&stream, level, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK) return 0;
    stream.next_in = (Bytef *)input;
    stream.avail_in = (uInt)byte_count;
    stream.next_out = output;
    stream.avail_out = (uInt)capacity;
    int result = deflate(&stream, Z_FINISH);
    size_t written = stream.total_out;
    deflateEnd(&stream);
    return result == Z_STREAM_END ? written : 0;
}
