/// A short text that tells versions of one thing apart (FNV-1a, 64 bits). It does not protect: an attacker who wants
/// two versions with the same text can make them, and gains nothing where it is used.
package struct ShortDigest: Sendable, Hashable {
    private var hash: UInt64 = 0xCBF2_9CE4_8422_2325

    package init() {}

    package init(_ bytes: some Sequence<UInt8>) { add(bytes) }

    package mutating func add(_ bytes: some Sequence<UInt8>) {
        for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    }

    /// Digits and small letters.
    package var text: String { String(hash, radix: 36) }
}
