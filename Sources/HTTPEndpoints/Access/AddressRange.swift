#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// A range of IP addresses in CIDR notation, such as `10.0.0.0/8` or `2001:db8::/32`; a single address without a slash.
package struct AddressRange: Sendable, Hashable {
    /// 4 or 16 bytes; IPv4 addresses that are mapped into IPv6 are IPv4 addresses.
    private let bytes: [UInt8]
    private let bitCount: Int

    /// - Returns: `nil` for text that is not a range.
    package init?(parsing text: some StringProtocol) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard let first = parts.first, parts.count <= 2, let bytes = Self.bytes(of: String(first)) else { return nil }
        self.bytes = bytes
        guard parts.count == 2 else {
            bitCount = bytes.count * 8
            return
        }
        guard let count = Int(parts[1]), (0...bytes.count * 8).contains(count) else { return nil }
        bitCount = count
    }

    /// Whether an address is in the range.
    ///
    /// - Parameter address: an address without port; anything else is in no range.
    package func contains(_ address: String) -> Bool {
        guard let other = Self.bytes(of: address), other.count == bytes.count else { return false }
        let whole = bitCount / 8
        guard bytes.prefix(whole) == other.prefix(whole) else { return false }
        let rest = bitCount % 8
        return rest == 0 || bytes[whole] >> UInt8(8 - rest) == other[whole] >> UInt8(8 - rest)
    }

    /// The bytes of an address in network order; `nil` for anything else.
    static func bytes(of address: String) -> [UInt8]? {
        var v4 = [UInt8](repeating: 0, count: 4)
        if inet_pton(AF_INET, address, &v4) == 1 { return v4 }
        var v6 = [UInt8](repeating: 0, count: 16)
        guard inet_pton(AF_INET6, address, &v6) == 1 else { return nil }
        // RFC 4291 §2.5.5.2: 80 zero bits, 16 ones, the IPv4 address.
        guard v6.prefix(10).allSatisfy({ $0 == 0 }), v6[10] == 0xFF, v6[11] == 0xFF else { return v6 }
        return Array(v6.suffix(4))
    }
}
