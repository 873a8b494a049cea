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

    /// What failures to log in are counted by: the address, or of IPv6 the /64 of which a subscriber has all.
    var authenticationKey: String {
        guard case .v6(let address) = self, ipAddress?.hasPrefix("::ffff:") == false else { return ipAddress ?? "" }
        return withUnsafeBytes(of: address.address) { bytes in
            String(UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)), radix: 16)
        }
    }
}
