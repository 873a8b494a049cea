#define _GNU_SOURCE
#include "CLibAV.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifdef __linux__
#include <linux/landlock.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

// Version 3 of the interface; the headers may be older than the kernel.
#ifndef LANDLOCK_ACCESS_FS_REFER
#define LANDLOCK_ACCESS_FS_REFER (1ULL << 13)
#endif
#ifndef LANDLOCK_ACCESS_FS_TRUNCATE
#define LANDLOCK_ACCESS_FS_TRUNCATE (1ULL << 14)
#endif

// Versions 4 and 6: TCP connections, and signals to and abstract sockets of processes outside.
struct ruleset {
    uint64_t handled_access_fs;
    uint64_t handled_access_net;
    uint64_t scoped;
};
static const uint64_t all_connections = (1ULL << 0) | (1ULL << 1);
static const uint64_t all_scopes = (1ULL << 0) | (1ULL << 1);

static long landlock_version(void) {
    return syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
}

int antena_can_confine_files(void) { return landlock_version() >= 1; }

static const uint64_t first_version = (LANDLOCK_ACCESS_FS_MAKE_SYM << 1) - 1;
static const uint64_t read_access = LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR;
static const uint64_t write_access = LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_MAKE_REG
    | LANDLOCK_ACCESS_FS_REMOVE_FILE | LANDLOCK_ACCESS_FS_TRUNCATE;

static uint64_t known_access(long version) {
    uint64_t access = first_version;
    if (version >= 2) access |= LANDLOCK_ACCESS_FS_REFER;
    if (version >= 3) access |= LANDLOCK_ACCESS_FS_TRUNCATE;
    return access;
}

// A missing path needs no rule: opening it fails by itself.
static int allow(int rules, const char *path, uint64_t access, int is_kept) {
    struct landlock_path_beneath_attr rule;
    memset(&rule, 0, sizeof rule);
    rule.parent_fd = open(path, O_PATH | O_CLOEXEC);
    if (rule.parent_fd < 0) return 0;
    struct stat status;
    int is_folder = fstat(rule.parent_fd, &status) == 0 && S_ISDIR(status.st_mode);
    rule.allowed_access = is_folder ? access : access & ~(uint64_t)LANDLOCK_ACCESS_FS_READ_DIR;
    int result = syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &rule, 0) == 0 ? 0 : errno;
    // A rule belongs to an inode, and /proc creates inodes again when nobody has them open.
    if (!is_kept) close(rule.parent_fd);
    return result;
}

int antena_confine_files(
    const char *readable_file, const char *writable_folder, const char *const *readable, const char *const *writable
) {
    long version = landlock_version();
    // Landlock is not compiled in, or switched off: the other restrictions must do there.
    if (version < 0) return errno == ENOSYS || errno == EOPNOTSUPP ? 0 : errno;
    uint64_t known = known_access(version);
    struct ruleset attributes = {.handled_access_fs = known};
    // Each version adds one field.
    size_t size = offsetof(struct ruleset, handled_access_net);
    if (version >= 4) {
        attributes.handled_access_net = all_connections;
        size = offsetof(struct ruleset, scoped);
    }
    if (version >= 6) {
        attributes.scoped = all_scopes;
        size = sizeof attributes;
    }
    long rules = syscall(SYS_landlock_create_ruleset, &attributes, size, 0);
    if (rules < 0) return errno;
    int result = 0;
    if (readable_file) result = allow((int)rules, readable_file, read_access, 0);
    if (result == 0 && writable_folder) {
        result = allow((int)rules, writable_folder, (read_access | write_access) & known, 0);
    }
    // The number of processors, and the time zone.
    if (result == 0) result = allow((int)rules, "/sys/devices/system/cpu", read_access, 0);
    if (result == 0) result = allow((int)rules, "/usr/share/zoneinfo", read_access, 0);
    for (; result == 0 && readable && *readable; readable++) result = allow((int)rules, *readable, read_access, 0);
    for (; result == 0 && writable && *writable; writable++) {
        result = allow((int)rules, *writable, read_access | LANDLOCK_ACCESS_FS_WRITE_FILE, 1);
    }
    if (result == 0 && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) result = errno;
    if (result == 0 && syscall(SYS_landlock_restrict_self, (int)rules, 0) != 0) result = errno;
    close((int)rules);
    return result;
}
#else
int antena_can_confine_files(void) { return 0; }

int antena_confine_files(
    const char *readable_file, const char *writable_folder, const char *const *readable, const char *const *writable
) {
    (void)readable_file;
    (void)writable_folder;
    (void)readable;
    (void)writable;
    return 0;
}
#endif
