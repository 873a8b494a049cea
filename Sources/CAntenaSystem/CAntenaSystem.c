#define _GNU_SOURCE
#include "CAntenaSystem.h"

#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <linux/sockios.h>
#include <malloc.h>
#include <netinet/in.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/timex.h>
#include <sys/vfs.h>
#include <time.h>
#include <unistd.h>
#include <zlib.h>

ssize_t antena_preadv2(int descriptor, const struct iovec *vectors, int count, off_t offset, int cached_only) {
    return preadv2(descriptor, vectors, count, offset, cached_only ? RWF_NOWAIT : 0);
}

int64_t antena_unsent_byte_count(int descriptor) {
    int count = 0;
    return ioctl(descriptor, SIOCOUTQ, &count) == 0 ? count : -1;
}

ssize_t antena_sendfile(int socket, int file, off_t offset, size_t count) {
    return sendfile(socket, file, &offset, count);
}

// Missing in older headers of the C library.
#ifndef MADV_COLLAPSE
#define MADV_COLLAPSE 25
#endif

// Gives a file in memory huge pages. Returns 0, or -1 with errno set.
static int collapse(int descriptor, size_t size) {
    // Only a mapping that starts at a multiple of the page's size can be collapsed.
    size_t reserved = size + ANTENA_HUGE_PAGE_SIZE;
    char *area = mmap(NULL, reserved, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (area == MAP_FAILED) return -1;
    uintptr_t mask = ANTENA_HUGE_PAGE_SIZE - 1;
    char *start = (char *)(((uintptr_t)area + mask) & ~mask);
    int result = mmap(start, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, descriptor, 0) == MAP_FAILED ? -1 : 0;
    for (size_t offset = 0; result == 0 && offset < size; offset += ANTENA_HUGE_PAGE_SIZE) {
        // A hole is not collapsed.
        if (pwrite(descriptor, "", 1, (off_t)offset) != 1) result = -1;
    }
    if (result == 0) result = madvise(start, size, MADV_COLLAPSE);
    int code = errno;
    munmap(area, reserved);
    errno = code;
    return result;
}

int antena_memory_file(const char *name, size_t size, bool huge_pages) {
    int descriptor = memfd_create(name, MFD_CLOEXEC);
    if (descriptor < 0) return -1;
    if (ftruncate(descriptor, (off_t)size) < 0 || (huge_pages && collapse(descriptor, size) < 0)) {
        int code = errno;
        close(descriptor);
        errno = code;
        return -1;
    }
    return descriptor;
}

ssize_t antena_send(int socket, const void *bytes, size_t count, int has_more) {
    return send(socket, bytes, count, MSG_DONTWAIT | MSG_NOSIGNAL | (has_more ? MSG_MORE : 0));
}

ssize_t antena_send_vectors(int socket, const struct iovec *vectors, int count, int has_more) {
    struct msghdr message = {.msg_iov = (struct iovec *)vectors, .msg_iovlen = (size_t)count};
    return sendmsg(socket, &message, MSG_DONTWAIT | MSG_NOSIGNAL | (has_more ? MSG_MORE : 0));
}

static void set_sender(struct antena_datagram *datagram, const struct sockaddr_storage *sender) {
    if (sender->ss_family == AF_INET) {
        const struct sockaddr_in *address = (const struct sockaddr_in *)sender;
        datagram->address_size = sizeof address->sin_addr;
        memcpy(datagram->address, &address->sin_addr, sizeof address->sin_addr);
        datagram->port = ntohs(address->sin_port);
    } else if (sender->ss_family == AF_INET6) {
        const struct sockaddr_in6 *address = (const struct sockaddr_in6 *)sender;
        datagram->address_size = sizeof address->sin6_addr;
        memcpy(datagram->address, &address->sin6_addr, sizeof address->sin6_addr);
        datagram->port = ntohs(address->sin6_port);
    } else {
        datagram->address_size = 0;
        datagram->port = 0;
    }
}

int antena_receive_datagrams(int socket, void *slots, size_t slot_size, struct antena_datagram *datagrams) {
    struct mmsghdr messages[ANTENA_DATAGRAM_COUNT];
    struct iovec vectors[ANTENA_DATAGRAM_COUNT];
    struct sockaddr_storage senders[ANTENA_DATAGRAM_COUNT];
    for (int index = 0; index < ANTENA_DATAGRAM_COUNT; index++) {
        vectors[index] = (struct iovec){.iov_base = (char *)slots + (size_t)index * slot_size, .iov_len = slot_size};
        messages[index].msg_hdr = (struct msghdr){
            .msg_name = &senders[index],
            .msg_namelen = sizeof senders[index],
            .msg_iov = &vectors[index],
            .msg_iovlen = 1,
        };
    }
    int count = recvmmsg(socket, messages, ANTENA_DATAGRAM_COUNT, MSG_DONTWAIT, NULL);
    for (int index = 0; index < count; index++) {
        datagrams[index].size = messages[index].msg_len;
        set_sender(&datagrams[index], &senders[index]);
    }
    return count;
}

bool antena_have_same_sender(const struct antena_datagram *first, const struct antena_datagram *second) {
    return first->port == second->port && first->address_size == second->address_size
        && memcmp(first->address, second->address, first->address_size) == 0;
}

ssize_t antena_receive(int socket, void *bytes, size_t capacity) { return recv(socket, bytes, capacity, MSG_DONTWAIT); }

int antena_is_resident(void *mapping, size_t offset, size_t length) {
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    size_t start = offset / page * page, end = offset + length;
    unsigned char pages[256];
    while (start < end) {
        size_t count = (end - start + page - 1) / page;
        if (count > sizeof pages) count = sizeof pages;
        if (mincore((char *)mapping + start, count * page, pages) != 0) return 0;
        for (size_t index = 0; index < count; index++)
            if (!(pages[index] & 1)) return 0;
        start += count * page;
    }
    return 1;
}

void *antena_map_unread(int descriptor, size_t length) {
    void *mapping = mmap(NULL, length, PROT_READ, MAP_SHARED | MAP_NORESERVE, descriptor, 0);
    return mapping == MAP_FAILED ? NULL : mapping;
}

void antena_unmap(void *mapping, size_t length) { munmap(mapping, length); }

int antena_punch_hole(int descriptor, off_t offset, off_t length) {
    int result;
    do {
        result = fallocate(descriptor, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, offset, length);
    } while (result != 0 && errno == EINTR);
    return result;
}

int antena_set_modification_time(const char *path, int64_t nanoseconds) {
    const int64_t second = 1000000000;
    struct timespec time = {.tv_sec = nanoseconds / second, .tv_nsec = nanoseconds % second};
    if (time.tv_nsec < 0) {
        time.tv_sec -= 1;
        time.tv_nsec += second;
    }
    const struct timespec times[2] = {time, time};
    return utimensat(AT_FDCWD, path, times, 0);
}

int64_t antena_file_system_type(const char *path) {
    struct statfs status;
    return statfs(path, &status) == 0 ? (int64_t)(uint32_t)status.f_type : -1;
}

int antena_usable_processor_count(void) {
    // A cpu_set_t holds 1,024 processors. On a larger machine the call fails, and all online processors are counted.
    cpu_set_t set;
    int count = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : (int)sysconf(_SC_NPROCESSORS_ONLN);
    return count > 0 ? count : 1;
}

// A gzip member's header and trailer take 18 bytes; compressBound already includes 6 bytes for zlib's own.
size_t antena_gzip_bound(size_t byte_count) { return compressBound(byte_count) + 18; }

size_t antena_gzip(const uint8_t *input, size_t byte_count, uint8_t *output, size_t capacity, int level) {
    z_stream stream;
    memset(&stream, 0, sizeof stream);
    // 15 window bits; the additional 16 requests a gzip header instead of zlib's.
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
    // Preserves the caller's errno: if madvise fails, the memory is merely not returned.
    int error = errno;
    if (first < end) madvise((void *)first, end - first, MADV_DONTNEED);
    errno = error;
}

// Relocated and copied-on-write pages exist only in writable segments, so read-only segments equal their files.
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

void antena_return_free_memory(size_t threshold) {
    struct mallinfo2 heap = mallinfo2();
    if (heap.fordblks >= threshold) malloc_trim(0);
}

int antena_clock_is_synchronised(void) {
    struct timex state = {.modes = 0};
    if (adjtimex(&state) < 0) return -1;
    return (state.status & STA_UNSYNC) == 0;
}

int antena_pipe(int ends[2]) { return pipe2(ends, O_CLOEXEC); }

int antena_spawn(
    const char *path, char *const arguments[], char *const environment[], int input, int output, pid_t *process
) {
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    int result = posix_spawn_file_actions_init(&actions);
    if (result != 0) return result;
    result = posix_spawnattr_init(&attributes);
    if (result != 0) {
        posix_spawn_file_actions_destroy(&actions);
        return result;
    }
    sigset_t all, none;
    sigfillset(&all);
    sigemptyset(&none);
    result = posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
    if (result == 0) result = posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
    if (result == 0) result = posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    if (result == 0) result = posix_spawn_file_actions_addclosefrom_np(&actions, STDERR_FILENO + 1);
    if (result == 0) result = posix_spawnattr_setsigdefault(&attributes, &all);
    if (result == 0) result = posix_spawnattr_setsigmask(&attributes, &none);
    if (result == 0) result = posix_spawnattr_setpgroup(&attributes, 0);
    if (result == 0) {
        result = posix_spawnattr_setflags(
            &attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP);
    }
    if (result == 0) result = posix_spawn(process, path, &actions, &attributes, arguments, environment);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return result;
}

int64_t antena_processor_time(pid_t process) {
    clockid_t clock;
    struct timespec time;
    if (clock_getcpuclockid(process, &clock) != 0 || clock_gettime(clock, &time) != 0) return -1;
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

bool antena_ipv6_wildcard_includes_ipv4(void) {
    int descriptor = socket(AF_INET6, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (descriptor < 0) return false;
    int is_separate = 1;
    socklen_t length = sizeof is_separate;
    struct sockaddr_in6 address = {.sin6_family = AF_INET6};
    bool includes = getsockopt(descriptor, IPPROTO_IPV6, IPV6_V6ONLY, &is_separate, &length) == 0 && !is_separate
        && bind(descriptor, (const struct sockaddr *)&address, sizeof address) == 0;
    close(descriptor);
    return includes;
}
