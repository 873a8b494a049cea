#define _GNU_SOURCE
#include "CLibAV.h"

#include <errno.h>
#include <stddef.h>

#ifdef __linux__
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__x86_64__)
#define ANTENA_AUDIT_ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define ANTENA_AUDIT_ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

// The call fails with EPERM, as if the process had no right to it: libraries bear with that, and a decoder that was
// taken over gets no further.
#define REFUSE(CALL) \
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, CALL, 0, 1), \
    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM)

#ifdef ANTENA_AUDIT_ARCHITECTURE
static struct sock_filter filter[] = {
    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch)),
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ANTENA_AUDIT_ARCHITECTURE, 1, 0),
    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
#ifdef __x86_64__
    // The x32 numbers would be a second name for every call below (seccomp(2)).
    BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1),
    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
#endif
    REFUSE(__NR_socket),
    REFUSE(__NR_socketpair),
    REFUSE(__NR_execve),
    REFUSE(__NR_execveat),
    REFUSE(__NR_ptrace),
    REFUSE(__NR_process_vm_readv),
    REFUSE(__NR_process_vm_writev),
    REFUSE(__NR_io_uring_setup),
    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
};
#endif

int antena_confine_process(void) {
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return errno;
#ifdef ANTENA_AUDIT_ARCHITECTURE
    struct sock_fprog program = {sizeof filter / sizeof filter[0], filter};
    // For all threads, those of Swift's own pool included. EINVAL, ENOSYS: a kernel without seccomp filters; the other
    // limits must do there.
    long result = syscall(__NR_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program);
    if (result > 0) return EBUSY;
    if (result < 0 && errno != EINVAL && errno != ENOSYS) return errno;
#endif
    return 0;
}
#else
int antena_confine_process(void) { return 0; }
#endif
