#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The host that stands for all addresses of a machine.
package enum WildcardHost {
    /// The IPv6 wildcard where it includes IPv4, otherwise the IPv4 wildcard.
    ///
    /// - Parameter acceptsBoth: whether a listener on `::` also accepts connections by IPv4.
    static func host(acceptsBoth: Bool) -> String { acceptsBoth ? "::" : "0.0.0.0" }

    /// The host for the machine that this process runs on.
    package static func ofThisMachine() -> String { host(acceptsBoth: acceptsBoth()) }

    /// Binds a socket to `::` without listening: IPv6 may be missing or disabled, or separate from IPv4 by default
    /// (`net.ipv6.bindv6only`), which listeners do not change.
    private static func acceptsBoth() -> Bool {
        #if canImport(Glibc)
        let stream = Int32(SOCK_STREAM.rawValue)
        #else
        let stream = SOCK_STREAM
        #endif
        let descriptor = socket(AF_INET6, stream, 0)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        var isSeparate: Int32 = 1
        var length = socklen_t(MemoryLayout<Int32>.size)
        guard getsockopt(descriptor, Int32(IPPROTO_IPV6), IPV6_V6ONLY, &isSeparate, &length) == 0, isSeparate == 0
        else { return false }
        var address = sockaddr_in6()
        address.sin6_family = sa_family_t(AF_INET6)
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in6>.size)) == 0
            }
        }
    }
}
