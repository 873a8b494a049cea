#define _GNU_SOURCE
#include "CAntenaSystem.h"

#include <errno.h>
#include <link.h>
#include <malloc.h>
#include <sched.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/vfs.h>
#include <unistd.h>
#include <zlib.h>

ssize_t antena_preadv2(int descriptor, const struct iovec *vectors, int count, off_t offset, int cached_only) {
    return preadv2(descriptor, vectors, count, offset, cached_only ? RWF_NOWAIT : 0);
}

int64_t antena_file_system_type(const char *path) {
    struct statfs status;
    return statfs(path, &status) == 0 ? (int64_t)(uint32_t)status.f_type : -1;
}

int antena_usable_processor_count(void) {
    // A set of fixed size holds 1,024; a machine with more refuses it, and has more than anybody here can use.
    cpu_set_t set;
    int count = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : (int)sysconf(_SC_NPROCESSORS_ONLN);
    return count > 0 ? count : 1;
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

void antena_discard_pages(void *start, size_t length) {
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    uintptr_t first = ((uintptr_t)start + page - 1) & ~(page - 1);
    uintptr_t end = ((uintptr_t)start + length) & ~(page - 1);
    // errno is the caller's: a refusal only means that the memory stays.
    int error = errno;
    if (first < end) madvise((void *)first, end - first, MADV_DONTNEED);
    errno = error;
}

// Relocations and copies on write live in writable segments only, so a read-only one is as its file has it.
static int release_read_only_segments(struct dl_phdr_info *info, size_t size, void *context) {
    (void)size;
    uintptr_t page = *(uintptr_t *)context;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
        if (segment->p_type != PT_LOAD || segment->p_flags & PF_W) continue;
        uintptr_t start = (info->dlpi_addr + segment->p_vaddr + page - 1) & ~(page - 1);
        uintptr_t end = (info->dlpi_addr + segment->p_vaddr + segment->p_memsz) & ~(page - 1);
        if (start < end) madvise((void *)start, end - start, MADV_DONTNEED);
    }
    return 0;
}

void antena_release_idle_memory(void) {
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    malloc_trim(0);
    dl_iterate_phdr(release_read_only_segments, &page);
}
