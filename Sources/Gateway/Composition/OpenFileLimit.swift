#if canImport(Glibc)
package import Glibc
#else
import Darwin
#endif

/// Raises the limit of open files and sockets; each viewer, reader and publisher takes one or more.
package enum OpenFileLimit {
    /// The requested limit, more than two cores can serve; a larger table would only cost memory.
    package static let wanted: rlim_t = 65_536

    /// The limit up to which this process may raise its own; `nil` if it cannot be determined.
    package static func hard() -> Int? {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return nil }
        return Int(clamping: limit.rlim_max)
    }

    /// Raises the limit as far as allowed. Shells and service managers start programs with a limit of 1,024 and usually
    /// allow more; otherwise the server runs with the limit it has.
    ///
    /// - Returns: the limit that now applies, at most what the server requests.
    package static func raise() -> Int {
        var limit = rlimit()
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        guard getrlimit(resource, &limit) == 0 else { return Int(wanted) }
        if limit.rlim_cur < wanted {
            let raised = rlimit(rlim_cur: min(wanted, limit.rlim_max), rlim_max: limit.rlim_max)
            var new = raised
            if setrlimit(resource, &new) == 0 { limit = raised }
        }
        return Int(min(wanted, limit.rlim_cur))
    }
}
