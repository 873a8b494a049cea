#pragma once

// Functions that Swift's Glibc module does not import: preadv2, fallocate and their flags, which are GNU extensions,
// statfs, and zlib, whose initializers are macros.

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <sys/uio.h>

/// Calls preadv2(2). With `cached_only`, the call fails with EAGAIN instead of waiting for the disk (RWF_NOWAIT).
ssize_t antena_preadv2(int descriptor, const struct iovec *vectors, int count, off_t offset, int cached_only);

/// Number of bytes in a socket's send queue that the peer has not acknowledged (SIOCOUTQ, tcp(7)), or -1 on failure.
int64_t antena_unsent_byte_count(int descriptor);

/// Sends up to `count` bytes of a file, from `offset`, to a socket with sendfile(2). Returns the number of bytes sent,
/// or -1 with errno set.
ssize_t antena_sendfile(int socket, int file, off_t offset, size_t count);

/// Makes a file in memory without a name (memfd_create(2)), which is closed when another program is executed.
///
/// With `huge_pages`, the whole file gets its memory at once, in pages of ANTENA_HUGE_PAGE_SIZE bytes (MADV_COLLAPSE,
/// madvise(2)), as far as the system has them; `size` must be a multiple of that. Sending such a file takes less time,
/// because the kernel looks up one large page instead of many small ones. May wait for memory.
///
/// Returns its descriptor, or -1 with errno set; with `huge_pages` also if the system refuses them.
int antena_memory_file(const char *name, size_t size, bool huge_pages);

/// Bytes of a huge page on most machines.
#define ANTENA_HUGE_PAGE_SIZE (2 << 20)

/// Sends bytes to a socket without waiting and without SIGPIPE (send(2)); with `has_more` the kernel may hold them back for a
/// moment. Returns the number of bytes sent, or -1 with errno set.
ssize_t antena_send(int socket, const void *bytes, size_t count, int has_more);

/// Sends bytes that lie in several places, as antena_send does (sendmsg(2)). The places may be in a mapped file: only the
/// kernel reads it, so that a file that has become shorter ends in EFAULT and not in a signal. Returns the number of bytes
/// sent, which may be less than there are, or -1 with errno set.
ssize_t antena_send_vectors(int socket, const struct iovec *vectors, int count, int has_more);

/// A datagram that antena_receive_datagrams has received.
struct antena_datagram {
    /// Its size in bytes; at most the size of a slot.
    uint32_t size;
    /// The sender's port.
    uint16_t port;
    /// 4 or 16; 0 if the sender has no IP address.
    uint8_t address_size;
    /// The sender's IP address, in network order.
    uint8_t address[16];
};

/// Number of datagrams that antena_receive_datagrams receives at most.
#define ANTENA_DATAGRAM_COUNT 32

/// Receives the datagrams that wait in a socket, without waiting for any (recvmmsg(2)). Each goes to a slot of its own, and
/// what does not fit into one is lost. Returns the number of datagrams, or -1 with errno set.
int antena_receive_datagrams(int socket, void *slots, size_t slot_size, struct antena_datagram *datagrams);

/// Whether two datagrams come from the same address and port.
bool antena_have_same_sender(const struct antena_datagram *first, const struct antena_datagram *second);

/// Receives what waits in a stream's socket, without waiting for anything (recv(2)). Returns the number of bytes, 0 at the end
/// of the stream, or -1 with errno set.
ssize_t antena_receive(int socket, void *bytes, size_t capacity);

/// Whether all pages that hold the `length` bytes from `offset` of a mapped file are in the page cache (mincore(2)).
/// `mapping` is never dereferenced. Returns 0 if the answer cannot be determined.
int antena_is_resident(void *mapping, size_t offset, size_t length);

/// Maps `length` bytes of a file for antena_is_resident and antena_send_vectors. This process must not read them. Returns
/// NULL on failure.
void *antena_map_unread(int descriptor, size_t length);

/// Removes a mapping that antena_map_unread has made.
void antena_unmap(void *mapping, size_t length);

/// Gives the disk blocks of a part of a file back, which then reads as zeros, without changing the file's size
/// (FALLOC_FL_PUNCH_HOLE of fallocate(2)). Returns 0, or -1 with errno set: EOPNOTSUPP if the file system cannot do it.
int antena_punch_hole(int descriptor, off_t offset, off_t length);

/// Sets a file's times of modification and access, in nanoseconds since 1970 (utimensat(2)). Returns 0, or -1 with errno
/// set. A `timespec` made in Swift does not compile in whole-module mode with every toolchain.
int antena_set_modification_time(const char *path, int64_t nanoseconds);

/// Magic number of the file system that holds `path` (statfs(2)), or -1 on failure.
int64_t antena_file_system_type(const char *path);

/// Number of processors that this process may run on (sched_getaffinity(2)). taskset(1), systemd's CPUAffinity= and
/// container runtimes can make it smaller than the number in the machine. At least 1.
int antena_usable_processor_count(void);

/// Processor time in nanoseconds that a process has used (clock_getcpuclockid(3)), or -1 on failure. Here, because Swift
/// finds `timespec` now in one module, now in another.
int64_t antena_processor_time(pid_t process);

/// Whether a time service keeps the system's clock right (STA_UNSYNC of adjtimex(2), which is asked and not set): 1 if
/// it does, 0 if not, -1 if the kernel does not tell.
int antena_clock_is_synchronised(void);

/// Creates a pipe with pipe2(2) and O_CLOEXEC. The read end is first. Returns 0, or -1 with errno set.
int antena_pipe(int ends[2]);

/// Starts a program with `input` and `output` as its standard input and output. Standard error goes to /dev/null, all
/// other descriptors are closed, signal handling is the default, and the program gets a process group of its own.
/// Returns 0, or an errno value.
int antena_spawn(
    const char *path, char *const arguments[], char *const environment[], int input, int output, pid_t *process);

/// Upper bound on the size of the output of antena_gzip for `byte_count` bytes.
size_t antena_gzip_bound(size_t byte_count);

/// Compresses the input in one step to a gzip member (RFC 1952). Returns the member's size, or 0 if zlib fails or
/// `capacity` is too small.
size_t antena_gzip(const uint8_t *input, size_t byte_count, uint8_t *output, size_t capacity, int level);

/// Returns the whole pages between `start` and `start + length` to the system; they read as zeros from then on. Does
/// nothing if the range does not contain a whole page. Only for private anonymous memory, such as malloc's.
void antena_discard_pages(void *start, size_t length);

/// Returns memory that only start-up needed to the system: free heap pages, and pages of the program and its libraries
/// that are mapped from files and not written to. If one of the latter is needed again, a page fault brings it back.
void antena_release_idle_memory(void);

/// Returns memory to the system that the heap has but does not use, if it is at least so many bytes. The heap itself
/// only returns what lies at its end, so that one long-lived object keeps everything before it.
void antena_return_free_memory(size_t threshold);

/// Whether a TCP socket that is bound to `::` also accepts connections by IPv4. Binds one without listening: IPv6 may be
/// missing or disabled, or separate from IPv4 by default (net.ipv6.bindv6only, ipv6(7)). In C, because Swift finds
/// sockaddr_in6 in several modules, and which one it takes depends on what is compiled together.
bool antena_ipv6_wildcard_includes_ipv4(void);
