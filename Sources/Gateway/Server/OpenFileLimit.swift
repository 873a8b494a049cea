#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// How many files and sockets the process may have open: each viewer, reader and publisher takes one or more.
enum OpenFileLimit {
    /// More than two cores can serve; a larger table would only cost memory.
    private static let wanted: rlim_t = 65_536

    /// Shells and service managers start programs with 1,024, and let them have more if they ask. Where they do not,
    /// the server runs with what there is.
    static func raise() {
        var limit = rlimit()
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        guard getrlimit(resource, &limit) == 0, limit.rlim_cur < wanted else { return }
        limit.rlim_cur = min(wanted, limit.rlim_max)
        _ = setrlimit(resource, &limit)
    }
}
