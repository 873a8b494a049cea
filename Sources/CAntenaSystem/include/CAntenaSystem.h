#pragma once

// What Swift's Glibc module does not show: preadv2 and its flags, which are GNU extensions, statfs, and zlib, whose
// initialisers are macros.

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <sys/uio.h>

/// preadv2(2). With `cached_only` the call fails with EAGAIN instead of waiting for the disk (RWF_NOWAIT).
ssize_t antena_preadv2(int descriptor, const struct iovec *vectors, int count, off_t offset, int cached_only);

/// Bytes in a socket's send queue that the peer has not acknowledged (SIOCOUTQ, tcp(7)), or -1.
int64_t antena_unsent_byte_count(int descriptor);

/// sendfile(2): bytes of a file, from its offset, to a socket. Returns their number, or -1 with errno.
ssize_t antena_sendfile(int socket, int file, off_t offset, size_t count);

/// A file in memory without a name (memfd_create(2)), closed when another program is executed. Returns its descriptor, or
/// -1 with errno.
int antena_memory_file(const char *name);

/// Whether all pages that hold `length` bytes of a mapped file from `offset` on are in the page cache and read
/// (mincore(2)). `mapping` is never dereferenced. Says 0 in doubt.
int antena_is_resident(void *mapping, size_t offset, size_t length);

/// Maps `length` bytes of a file for antena_is_resident, without any access to them; NULL when that fails.
void *antena_map_untouched(int descriptor, size_t length);
void antena_unmap(void *mapping, size_t length);

/// The magic number of the file system that holds `path` (statfs(2)), or -1.
int64_t antena_file_system_type(const char *path);

/// The processors that this process may run on (sched_getaffinity(2)), which taskset(1), systemd's CPUAffinity= and
/// container runtimes make fewer than the machine has. At least 1.
int antena_usable_processor_count(void);

/// pipe2(2) with O_CLOEXEC: the reading end first.
int antena_pipe(int ends[2]);

/// Starts a program with two descriptors as its standard input and output, standard error going nowhere, no other
/// descriptor, default signal handling and a process group of its own. Returns 0, or an errno value.
int antena_spawn(
    const char *path, char *const arguments[], char *const environment[], int input, int output, pid_t *process);

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
