package import NIOCore

extension SocketAddress {
    /// `address:port`, as logs and operators see it.
    var displayed: String {
        guard let ipAddress else { return description }
        let host = ipAddress.contains(":") ? "[\(ipAddress)]" : ipAddress
        return port.map { "\(host):\($0)" } ?? host
    }

    /// 127.0.0.0/8, ::1, or 127.0.0.0/8 as IPv6 writes it.
    package var isLoopback: Bool {
        guard let ipAddress else { return false }
        return ipAddress.hasPrefix("127.") || ipAddress == "::1" || ipAddress.hasPrefix("::ffff:127.")
    }
}
