import Glibc
import NIOCore

/// The addresses that imports may connect to. By default an import must not reach addresses that only the server itself
/// can reach (server-side request forgery).
package enum AddressPolicy: Sendable {
    case publicAddressesOnly
    case anyAddress

    /// Returns whether an import may connect to the address.
    func allows(_ address: SocketAddress) -> Bool {
        switch self {
        case .anyAddress: true
        case .publicAddressesOnly: Self.isPublic(address)
        }
    }

    private static func isPublic(_ address: SocketAddress) -> Bool {
        guard let text = address.ipAddress else { return false }
        return switch address.protocol {
        case .inet: isPublicIPv4(bytes(of: text, family: AF_INET, count: 4))
        case .inet6: isPublicIPv6(bytes(of: text, family: AF_INET6, count: 16))
        default: false
        }
    }

    private static func bytes(of text: String, family: Int32, count: Int) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        return inet_pton(family, text, &bytes) == 1 ? bytes : []
    }

    /// IPv4 networks that are not globally reachable according to IANA's registry of special-purpose addresses (RFC
    /// 6890), multicast, and reserved networks.
    private static let specialIPv4: [(bytes: [UInt8], prefix: Int)] = [
        ([0, 0, 0, 0], 8), ([10, 0, 0, 0], 8), ([100, 64, 0, 0], 10), ([127, 0, 0, 0], 8), ([169, 254, 0, 0], 16),
        ([172, 16, 0, 0], 12), ([192, 0, 0, 0], 24), ([192, 0, 2, 0], 24), ([192, 88, 99, 0], 24),
        ([192, 168, 0, 0], 16), ([198, 18, 0, 0], 15), ([198, 51, 100, 0], 24), ([203, 0, 113, 0], 24),
        ([224, 0, 0, 0], 4), ([240, 0, 0, 0], 4),
    ]

    private static func isPublicIPv4(_ bytes: [UInt8]) -> Bool {
        bytes.count == 4 && !specialIPv4.contains { matches(bytes, $0.bytes, $0.prefix) }
    }

    /// Returns whether the address is globally reachable. Addresses that embed an IPv4 address are judged by it: mapped
    /// (RFC 4291), NAT64 (RFC 6052), 6to4 (RFC 3056).
    private static func isPublicIPv6(_ bytes: [UInt8]) -> Bool {
        guard bytes.count == 16 else { return false }
        let mapped: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF]
        let nat64: [UInt8] = [0, 0x64, 0xFF, 0x9B, 0, 0, 0, 0, 0, 0, 0, 0]
        if matches(bytes, mapped, 96) || matches(bytes, nat64, 96) { return isPublicIPv4(Array(bytes[12...])) }
        if matches(bytes, [0x20, 0x02], 16) { return isPublicIPv4(Array(bytes[2..<6])) }
        // Global unicast contains 2001::/23 for protocols (including Teredo, which hides an IPv4 address), and
        // 2001:db8::/32 and 3fff::/20 for documentation.
        return matches(bytes, [0x20], 3) && !matches(bytes, [0x20, 0x01, 0], 23)
            && !matches(bytes, [0x20, 0x01, 0x0D, 0xB8], 32) && !matches(bytes, [0x3F, 0xFF, 0], 20)
    }

    private static func matches(_ bytes: [UInt8], _ network: [UInt8], _ prefix: Int) -> Bool {
        for bit in 0..<prefix {
            let mask = UInt8(0x80) >> UInt8(bit % 8)
            guard bytes[bit / 8] & mask == network[bit / 8] & mask else { return false }
        }
        return true
    }
}
