package import NIOCore

/// The granularity at which peers are counted: a single IPv4 address, or the /64 of an IPv6 address, which belongs to
/// one subscriber (RFC 6177 §2). An IPv4-mapped IPv6 address (`::ffff:a.b.c.d`) counts as the IPv4 address.
package struct AddressGroup: Hashable, Sendable, CustomStringConvertible {
    private enum Bits: Hashable, Sendable {
        case v4(UInt32)
        /// The first 64 bits.
        case v6(UInt64)
        /// A Unix domain socket, or an address that the system did not report.
        case unaddressed
    }

    private let bits: Bits

    /// - Parameter address: `nil` if the peer's address is not known; all such peers form one group.
    package init(_ address: SocketAddress?) {
        // Reads the bytes of `sockaddr_in` and `sockaddr_in6`, whose layout is the same on every system. Access by
        // field name would need one of NIO's private C modules.
        switch address {
        case .v4(let v4):
            bits = withUnsafeBytes(of: v4.address) {
                .v4(UInt32(bigEndian: $0.loadUnaligned(fromByteOffset: 4, as: UInt32.self)))
            }
        case .v6(let v6):
            bits = withUnsafeBytes(of: v6.address) { bytes in
                Self.bits(
                    network: UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)),
                    host: UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 16, as: UInt64.self)))
            }
        case .unixDomainSocket, nil: bits = .unaddressed
        }
    }

    private static func bits(network: UInt64, host: UInt64) -> Bits {
        // RFC 4291 §2.5.5.2: 80 zero bits, 16 ones, the IPv4 address.
        if network == 0, host >> 32 == 0xFFFF { return .v4(UInt32(truncatingIfNeeded: host)) }
        return .v6(network)
    }

    /// Whether the peer runs on this machine, as a reverse proxy in front of the server does. No other address in the
    /// /64 of `::1` can belong to a peer.
    package var isLoopback: Bool {
        switch bits {
        case .v4(let address): address >> 24 == 127
        case .v6(let network): network == 0
        case .unaddressed: false
        }
    }

    /// `192.0.2.7`, `2001:db8:0:17::/64`, or `local` for a peer without an IP address.
    package var description: String {
        switch bits {
        case .v4(let address):
            stride(from: 24, through: 0, by: -8).map { String(address >> $0 & 0xFF) }.joined(separator: ".")
        case .v6(let network):
            stride(from: 48, through: 0, by: -16).map { String(network >> $0 & 0xFFFF, radix: 16) }
                .joined(separator: ":") + "::/64"
        case .unaddressed: "local"
        }
    }
}
