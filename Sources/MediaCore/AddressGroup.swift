package import NIOCore

/// The unit by which peers are counted: a single IPv4 address, or the /64 of an IPv6 address, all of which one
/// subscriber has (RFC 6177 §2). An IPv4 address that IPv6 writes as `::ffff:a.b.c.d` counts as that IPv4 address.
package struct AddressGroup: Hashable, Sendable, CustomStringConvertible {
    private enum Bits: Hashable, Sendable {
        case v4(UInt32)
        /// The first 64 bits.
        case v6(UInt64)
        /// A Unix domain socket, or an address that the system did not tell.
        case unaddressed
    }

    private let bits: Bits

    /// - Parameter address: `nil` for a peer whose address is not known; all of these are one group.
    package init(_ address: SocketAddress?) {
        // The bytes of `sockaddr_in` and `sockaddr_in6`, which have the same layout on every system: naming their
        // fields would take one of NIO's private C modules.
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

    /// Whether the peer runs on this machine, as a reverse proxy in front of the server does. The /64 of `::1` has no
    /// other address that a peer can have.
    package var isLoopback: Bool {
        switch bits {
        case .v4(let address): address >> 24 == 127
        case .v6(let network): network == 0
        case .unaddressed: false
        }
    }

    /// `192.0.2.7`, `2001:db8:0:17::/64`, or `local`.
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
