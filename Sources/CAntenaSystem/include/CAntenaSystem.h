#pragma once

// What Swift's Glibc module does not show: preadv2 and its flags, which are GNU extensions, statfs, and zlib, whose
// initialisers are macros.

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <sys/uio.h>

/// preadv2(2). With `cached_only` the call fails with EAGAIN instead of waiting for the disk (RWF_NOWAIT).
ssize_t antena_preadv2(int descriptor, const struct iovec *vectors, int count, off_t offset, int cached_only);

/// The magic number of the file system that holds `path` (statfs(2)), or -1.
int64_t antena_file_system_type(const char *path);

/// The processors that this process may run on (sched_getaffinity(2)), which taskset(1), systemd's CPUAffinity= and
/// container runtimes make fewer than the machine has. At least 1.
int antena_usable_processor_count(void);

/// The largest size that antena_gzip can need for `byte_count` bytes.
size_t antena_gzip_bound(size_t byte_count);

/// Compresses in one step to a gzip member (RFC 1952). Returns its size, or 0 where zlib fails or `capacity` is too
/// small.
size_t antena_gzip(const uint8_t *input, size_t byte_count, uint8_t *output, size_t capacity, int level);

/// Gives the whole pages between `start` and `start + length` back to the system; they read as zeros from then on. Does
/// nothing where there is no whole page. Only for private anonymous memory, such as malloc's.
void antena_discard_pages(void *start, size_t length);

/// Gives back what only start-up needed: free heap pages, and the pages of program and libraries that are mapped from
/// files and not written to. The latter come back from the page cache, one fault each, where they are needed again.
void antena_release_idle_memory(void);
