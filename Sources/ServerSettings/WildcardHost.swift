import CAntenaSystem

/// The host that stands for all addresses of a machine.
package enum WildcardHost {
    /// The IPv6 wildcard where it includes IPv4, otherwise the IPv4 wildcard.
    ///
    /// - Parameter acceptsBoth: whether a listener on `::` also accepts connections by IPv4.
    package static func host(acceptsBoth: Bool) -> String { acceptsBoth ? "::" : "0.0.0.0" }

    /// The host for the machine that this process runs on.
    package static func ofThisMachine() -> String { host(acceptsBoth: antena_ipv6_wildcard_includes_ipv4()) }
}
