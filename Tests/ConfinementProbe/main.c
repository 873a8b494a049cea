// Confines itself as a worker does, and then tries what a worker that was taken over would try. Prints one line for each
// attempt: its name and `ok` or the name of the error. ConfinementProbeTests says which is right.
//
// Usage: confinement-probe VICTIM-PID READABLE-FILE WRITABLE-FOLDER FOREIGN-FILE [beside-a-thread]
//
// With the last argument it starts a thread before, and says what became of the confinement.

#define _GNU_SOURCE
#include "CLibAV.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ipc.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

static void report(const char *name, long result) {
    printf("%s %s\n", name, result >= 0 ? "ok" : strerrorname_np(errno));
}

static void *nothing(void *argument) { return argument; }

static long start_thread(void) {
    pthread_t thread;
    int result = pthread_create(&thread, NULL, nothing, NULL);
    if (result == 0) result = pthread_join(thread, NULL);
    errno = result;
    return result == 0 ? 0 : -1;
}

static const char *foreign_file;

static void *open_foreign(void *argument) {
    (void)argument;
    return open(foreign_file, O_RDONLY) < 0 ? (void *)(long)errno : NULL;
}

static long open_in_thread(const char *foreign) {
    foreign_file = foreign;
    pthread_t thread;
    void *code = (void *)(long)EAGAIN;
    if (pthread_create(&thread, NULL, open_foreign, NULL) == 0) pthread_join(thread, &code);
    errno = (int)(long)code;
    return code ? -1 : 0;
}

static void *wait_forever(void *argument) {
    pause();
    return argument;
}

// A child process must not print what is in its copy of the buffer.
static long fork_by(long number) {
    long child = number == SYS_clone ? syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0) : syscall(number);
    if (child == 0) _exit(0);
    return child;
}

static long signal_by_descriptor(pid_t victim) {
    int ends[2];
    if (pipe(ends) != 0) return -1;
    return fcntl(ends[0], F_SETOWN, victim);
}

static void try_processes(pid_t victim) {
    struct rlimit few = {3, 3};
    struct sched_param parameters = {0};
    cpu_set_t processors;
    CPU_ZERO(&processors);
    CPU_SET(0, &processors);
    siginfo_t information;
    memset(&information, 0, sizeof information);
    information.si_code = SI_QUEUE;
    char byte;
    struct iovec here = {&byte, 1}, there = {&byte, 1};
    report("kill", kill(victim, SIGKILL));
    report("kill-group", kill(0, SIGCONT));
    report("kill-all", kill(-1, SIGCONT));
    report("tkill", syscall(SYS_tkill, victim, SIGKILL));
    report("tgkill", syscall(SYS_tgkill, victim, victim, SIGKILL));
    report("rt_sigqueueinfo", syscall(SYS_rt_sigqueueinfo, victim, SIGKILL, &information));
    report("rt_tgsigqueueinfo", syscall(SYS_rt_tgsigqueueinfo, victim, victim, SIGKILL, &information));
    report("fcntl-owner", signal_by_descriptor(victim));
    report("pidfd_open", syscall(SYS_pidfd_open, victim, 0));
    report("prlimit", prlimit(victim, RLIMIT_NOFILE, &few, NULL));
    report("setpriority", setpriority(PRIO_PROCESS, victim, 19));
    report("setpriority-user", setpriority(PRIO_USER, 0, 19));
    report("sched_setaffinity", sched_setaffinity(victim, sizeof processors, &processors));
    report("sched_setscheduler", sched_setscheduler(victim, SCHED_BATCH, &parameters));
    report("process_vm_readv", process_vm_readv(victim, &here, 1, &there, 1, 0));
    report("ptrace", syscall(SYS_ptrace, 16, victim, 0, 0));
    report("shmget", shmget(IPC_PRIVATE, 4096, IPC_CREAT | 0600));
#ifdef SYS_fork
    report("fork", fork_by(SYS_fork));
    // vfork(2) itself: the child would share this stack.
    report("vfork", fork_by(SYS_vfork));
#endif
    report("clone", fork_by(SYS_clone));
    report("clone3", syscall(SYS_clone3, NULL, 0));
    report("libc-fork", fork_by(SYS_clone));
    report("unshare", unshare(CLONE_NEWNS));
    report("setns", setns(0, 0));
    report("setsid", setsid());
    report("execve", execl("/bin/true", "true", NULL));
    report("socket", socket(AF_UNIX, SOCK_STREAM, 0));
    report("io_uring", syscall(SYS_io_uring_setup, 1, NULL));
}

static void try_files(const char *readable, const char *folder, const char *foreign) {
    char path[4096];
    snprintf(path, sizeof path, "%s/new", folder);
    report("read-own", open(readable, O_RDONLY));
    report("write-own", open(path, O_CREAT | O_WRONLY, 0600));
    report("write-input", open(readable, O_WRONLY));
    report("read-foreign", open(foreign, O_RDONLY));
    report("read-foreign-in-thread", open_in_thread(foreign));
    report("unlink-foreign", unlink(foreign));
    report("rename-foreign", rename(foreign, path));
    report("truncate-foreign", truncate(foreign, 0));
    report("chmod-foreign", chmod(foreign, 0777));
    report("chown-foreign", chown(foreign, getuid(), getgid()));
    report("touch-foreign", utimensat(AT_FDCWD, foreign, NULL, 0));
    snprintf(path, sizeof path, "%s/link", folder);
    report("symlink", symlink(foreign, path));
    report("link", link(foreign, path));
    report("mknod", mknod(path, S_IFIFO | 0600, 0));
    report("mkdir", mkdir(path, 0700));
}

int main(int count, char **arguments) {
    if (count != 5 && count != 6) return 2;
    if (count == 6) {
        pthread_t thread;
        if (pthread_create(&thread, NULL, wait_forever, NULL) != 0) return 2;
        errno = antena_confine(arguments[2], arguments[3], NULL, NULL);
        report("confine", errno == 0 ? 0 : -1);
        return 0;
    }
    int result = antena_confine(arguments[2], arguments[3], NULL, NULL);
    if (result != 0) {
        fprintf(stderr, "confinement: %s\n", strerror(result));
        return 1;
    }
    try_processes((pid_t)atoi(arguments[1]));
    try_files(arguments[2], arguments[3], arguments[4]);
    struct rlimit limit;
    report("own-limit", getrlimit(RLIMIT_NOFILE, &limit));
    report("own-signal", raise(0));
    report("thread", start_thread());
    fflush(stdout);
    abort();
}
