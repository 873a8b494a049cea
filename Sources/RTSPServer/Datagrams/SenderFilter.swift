import NIOCore

/// Accepts datagrams from the machine of the RTSP connection. Ports are not compared, because network address
/// translation changes them.
struct SenderFilter: Sendable {
    private let address: Address?

    private enum Address: Equatable, Sendable {
        case v4(UInt32)
        case v6(UInt64, UInt64)

        /// Reads the bytes of `sockaddr_in` and `sockaddr_in6`, whose layout is the same on every system; access by
        /// field name would need one of NIO's private C modules. Avoids strings, because this is called for each
        /// datagram.
        init?(_ address: SocketAddress) {
            switch address {
            case .v4(let v4):
                self = withUnsafeBytes(of: v4.address) { .v4($0.loadUnaligned(fromByteOffset: 4, as: UInt32.self)) }
            case .v6(let v6):
                self = withUnsafeBytes(of: v6.address) { bytes in
                    .v6(
                        bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self),
                        bytes.loadUnaligned(fromByteOffset: 16, as: UInt64.self))
                }
            case .unixDomainSocket: return nil
            }
        }
    }

    init(peer: SocketAddress) { address = Address(peer) }

    func accepts(_ sender: SocketAddress) -> Bool { address != nil && Address(sender) == address }
}
