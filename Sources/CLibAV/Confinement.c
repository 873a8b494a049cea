#define _GNU_SOURCE
#include "CLibAV.h"

#include <errno.h>
#include <stddef.h>

#ifdef __linux__
#include <dirent.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__x86_64__)
#define ANTENA_AUDIT_ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define ANTENA_AUDIT_ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

// Numbers that the headers of an older system do not know; they are the same on all architectures.
#ifndef __NR_pidfd_send_signal
#define __NR_pidfd_send_signal 424
#endif
#ifndef __NR_io_uring_setup
#define __NR_io_uring_setup 425
#endif
#ifndef __NR_open_tree
#define __NR_open_tree 428
#define __NR_move_mount 429
#define __NR_fsopen 430
#define __NR_fsconfig 431
#define __NR_fsmount 432
#define __NR_fspick 433
#endif
#ifndef __NR_pidfd_open
#define __NR_pidfd_open 434
#endif
#ifndef __NR_clone3
#define __NR_clone3 435
#endif
#ifndef __NR_pidfd_getfd
#define __NR_pidfd_getfd 438
#endif
#ifndef __NR_process_madvise
#define __NR_process_madvise 440
#endif
#ifndef __NR_mount_setattr
#define __NR_mount_setattr 442
#endif
#ifndef __NR_process_mrelease
#define __NR_process_mrelease 448
#endif
#ifndef __NR_fchmodat2
#define __NR_fchmodat2 452
#endif
#ifndef CLONE_NEWTIME
#define CLONE_NEWTIME 0x80
#endif
#ifndef F_SETOWN_EX
#define F_SETOWN_EX 15
#endif

// Both architectures are little-endian: the lower half comes first, and the kernel reads no more of a process id.
#define LOW_HALF(ARGUMENT) (offsetof(struct seccomp_data, args) + sizeof(uint64_t) * (ARGUMENT))
#define LOAD(OFFSET) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, OFFSET)
#define RETURN(VALUE) BPF_STMT(BPF_RET | BPF_K, VALUE)
#define REFUSED (SECCOMP_RET_ERRNO | EPERM)

// The call fails with EPERM, as if the process had no right to it: libraries tolerate that, and a decoder that was
// taken over gets no further.
#define REFUSE(CALL) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, CALL, 0, 1), RETURN(REFUSED)

// Allowed only with one of two values as an argument.
#define REFUSE_UNLESS(CALL, ARGUMENT, VALUE, OTHER) \
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, CALL, 0, 5), LOAD(LOW_HALF(ARGUMENT)), \
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, VALUE, 1, 0), BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, OTHER, 0, 1), \
    RETURN(SECCOMP_RET_ALLOW), RETURN(REFUSED)

// Refused only with one of two values as an argument.
#define REFUSE_IF(CALL, ARGUMENT, VALUE, OTHER) \
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, CALL, 0, 5), LOAD(LOW_HALF(ARGUMENT)), \
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, VALUE, 1, 0), BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, OTHER, 0, 1), \
    RETURN(REFUSED), RETURN(SECCOMP_RET_ALLOW)

#define NEW_NAMESPACES \
    (CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET)

#ifdef ANTENA_AUDIT_ARCHITECTURE
static int install_filter(void) {
    uint32_t self = (uint32_t)getpid();
    struct sock_filter filter[] = {
        LOAD(offsetof(struct seccomp_data, arch)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ANTENA_AUDIT_ARCHITECTURE, 1, 0),
        RETURN(SECCOMP_RET_KILL_PROCESS),
        LOAD(offsetof(struct seccomp_data, nr)),
#ifdef __x86_64__
        // The x32 numbers would be a second name for every call below (seccomp(2)).
        BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1),
        RETURN(REFUSED),
#endif
        // Connections, programs, and calls that would pass this filter by.
        REFUSE(__NR_socket), REFUSE(__NR_socketpair), REFUSE(__NR_execve), REFUSE(__NR_execveat),
        REFUSE(__NR_io_uring_setup), REFUSE(__NR_bpf), REFUSE(__NR_userfaultfd), REFUSE(__NR_perf_event_open),
        REFUSE(__NR_keyctl), REFUSE(__NR_add_key), REFUSE(__NR_request_key),
        // Threads, but no processes. ENOSYS: libc then uses clone, whose flags can be seen from here.
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_clone3, 0, 1), RETURN(SECCOMP_RET_ERRNO | ENOSYS),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_clone, 0, 5), LOAD(LOW_HALF(0)),
        BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, NEW_NAMESPACES, 2, 0),
        BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, CLONE_THREAD, 0, 1), RETURN(SECCOMP_RET_ALLOW), RETURN(REFUSED),
#ifdef __NR_fork
        REFUSE(__NR_fork), REFUSE(__NR_vfork),
#endif
        REFUSE(__NR_unshare), REFUSE(__NR_setns), REFUSE(__NR_setsid), REFUSE(__NR_setpgid),
        // Signals to itself alone: abort(3) needs them.
        REFUSE_UNLESS(__NR_kill, 0, self, self), REFUSE_UNLESS(__NR_tgkill, 0, self, self),
        REFUSE(__NR_tkill), REFUSE(__NR_rt_sigqueueinfo), REFUSE(__NR_rt_tgsigqueueinfo),
        // A descriptor's owner gets signals, too.
        REFUSE_IF(__NR_fcntl, 1, F_SETOWN, F_SETOWN_EX),
        // Other processes: looking into them, their limits and their place in the queue.
        REFUSE(__NR_pidfd_open), REFUSE(__NR_pidfd_getfd), REFUSE(__NR_pidfd_send_signal), REFUSE(__NR_ptrace),
        REFUSE(__NR_process_vm_readv), REFUSE(__NR_process_vm_writev), REFUSE(__NR_process_madvise),
        REFUSE(__NR_process_mrelease), REFUSE(__NR_kcmp), REFUSE(__NR_migrate_pages), REFUSE(__NR_move_pages),
        REFUSE_UNLESS(__NR_prlimit64, 0, 0, self), REFUSE_UNLESS(__NR_sched_setaffinity, 0, 0, self),
        REFUSE(__NR_setpriority), REFUSE(__NR_ioprio_set), REFUSE(__NR_sched_setscheduler),
        REFUSE(__NR_sched_setparam), REFUSE(__NR_sched_setattr),
        // Memory and messages that are shared by name.
        REFUSE(__NR_shmget), REFUSE(__NR_shmat), REFUSE(__NR_shmctl), REFUSE(__NR_semget), REFUSE(__NR_semctl),
        REFUSE(__NR_msgget), REFUSE(__NR_msgctl), REFUSE(__NR_mq_open), REFUSE(__NR_mq_unlink),
        // Owners, modes and times of files, which Landlock leaves alone; second names and special files.
#ifdef __NR_chmod
        REFUSE(__NR_chmod), REFUSE(__NR_chown), REFUSE(__NR_lchown), REFUSE(__NR_utime), REFUSE(__NR_utimes),
        REFUSE(__NR_futimesat), REFUSE(__NR_link), REFUSE(__NR_symlink), REFUSE(__NR_mknod),
#endif
        REFUSE(__NR_fchmod), REFUSE(__NR_fchmodat), REFUSE(__NR_fchmodat2), REFUSE(__NR_fchown),
        REFUSE(__NR_fchownat), REFUSE(__NR_utimensat), REFUSE(__NR_setxattr), REFUSE(__NR_lsetxattr),
        REFUSE(__NR_fsetxattr), REFUSE(__NR_removexattr), REFUSE(__NR_lremovexattr), REFUSE(__NR_fremovexattr),
        REFUSE(__NR_linkat), REFUSE(__NR_symlinkat), REFUSE(__NR_mknodat),
        // The machine, for a server that runs as root.
        REFUSE(__NR_mount), REFUSE(__NR_umount2), REFUSE(__NR_pivot_root), REFUSE(__NR_chroot),
        REFUSE(__NR_open_tree), REFUSE(__NR_move_mount), REFUSE(__NR_fsopen), REFUSE(__NR_fsconfig),
        REFUSE(__NR_fsmount), REFUSE(__NR_fspick), REFUSE(__NR_mount_setattr), REFUSE(__NR_open_by_handle_at),
        REFUSE(__NR_init_module), REFUSE(__NR_finit_module), REFUSE(__NR_delete_module), REFUSE(__NR_kexec_load),
        REFUSE(__NR_reboot), REFUSE(__NR_swapon), REFUSE(__NR_swapoff), REFUSE(__NR_sethostname),
        REFUSE(__NR_setdomainname), REFUSE(__NR_settimeofday), REFUSE(__NR_clock_settime), REFUSE(__NR_clock_adjtime),
        REFUSE(__NR_adjtimex), REFUSE(__NR_acct), REFUSE(__NR_quotactl), REFUSE(__NR_syslog), REFUSE(__NR_vhangup),
#ifdef __NR_iopl
        REFUSE(__NR_iopl), REFUSE(__NR_ioperm),
#endif
        RETURN(SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {sizeof filter / sizeof filter[0], filter};
    // For all threads, those of Swift's own pool included. EINVAL, ENOSYS: a kernel without seccomp filters; the other
    // limits must do there.
    long result = syscall(__NR_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program);
    if (result > 0) return EBUSY;
    return result < 0 && errno != EINVAL && errno != ENOSYS ? errno : 0;
}

int antena_can_filter_calls(void) {
    uint32_t action = SECCOMP_RET_ERRNO;
    return syscall(__NR_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action) == 0;
}
#else
static int install_filter(void) { return 0; }
int antena_can_filter_calls(void) { return 0; }
#endif

int antena_confine_process(void) {
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return errno;
    return install_filter();
}

int antena_thread_count(void) {
    DIR *tasks = opendir("/proc/self/task");
    if (!tasks) return -errno;
    int count = 0;
    for (struct dirent *entry; (entry = readdir(tasks)) != NULL;) count += entry->d_name[0] != '.';
    closedir(tasks);
    return count;
}
#else
int antena_confine_process(void) { return 0; }
int antena_can_filter_calls(void) { return 0; }
int antena_thread_count(void) { return 1; }
#endif

int antena_confine(
    const char *readable_file, const char *writable_folder, const char *const *readable, const char *const *writable
) {
    // Nobody else can start a thread after this, because there is nobody else.
    int count = antena_thread_count();
    if (count < 0) return -count;
    if (count != 1) return EBUSY;
    int result = antena_confine_process();
    return result != 0 ? result : antena_confine_files(readable_file, writable_folder, readable, writable);
}
