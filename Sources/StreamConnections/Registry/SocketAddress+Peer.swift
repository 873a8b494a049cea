package import NIOCore

extension SocketAddress {
    /// `address:port` as displayed in logs and to operators.
    package var displayed: String {
        guard let ipAddress else { return description }
        let host = ipAddress.contains(":") ? "[\(ipAddress)]" : ipAddress
        return port.map { "\(host):\($0)" } ?? host
    }

    /// Whether the address is in 127.0.0.0/8, is ::1, or is an IPv4-mapped address in 127.0.0.0/8.
    package var isLoopback: Bool {
        guard let ipAddress else { return false }
        return ipAddress.hasPrefix("127.") || ipAddress == "::1" || ipAddress.hasPrefix("::ffff:127.")
    }
}
