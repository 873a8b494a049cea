#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Raises the limit of open files and sockets; each viewer, reader and publisher takes one or more.
enum OpenFileLimit {
    /// The requested limit, more than two cores can serve; a larger table would only cost memory.
    private static let wanted: rlim_t = 65_536

    /// Raises the limit as far as allowed. Shells and service managers start programs with a limit of 1,024 and usually
    /// allow more; otherwise the server runs with the limit it has.
    static func raise() {
        var limit = rlimit()
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        guard getrlimit(resource, &limit) == 0, limit.rlim_cur < wanted else { return }
        limit.rlim_cur = min(wanted, limit.rlim_max)
        _ = setrlimit(resource, &limit)
    }
}
