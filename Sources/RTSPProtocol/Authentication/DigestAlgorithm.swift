import Crypto

/// What a digest is made with (RFC 7616 §3.3). MD5 is broken for signatures; for this use there is nothing else that
/// ffmpeg, GStreamer, VLC and libstreaming know.
enum DigestAlgorithm: Hashable, Sendable, CaseIterable {
    case md5
    case sha256

    /// The hash of what `parts` are when joined by colons, in lower-case hexadecimal digits.
    func digest(_ parts: String...) -> String {
        let bytes = Array(parts.joined(separator: ":").utf8)
        return switch self {
        case .md5: hexadecimal(Insecure.MD5.hash(data: bytes))
        case .sha256: hexadecimal(SHA256.hash(data: bytes))
        }
    }

    var hexadecimalDigitCount: Int {
        switch self {
        case .md5: 32
        case .sha256: 64
        }
    }
}

/// Two lower-case digits a byte.
func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
    let digits = Array("0123456789abcdef".utf8)
    var text: [UInt8] = []
    for byte in bytes {
        text.append(digits[Int(byte >> 4)])
        text.append(digits[Int(byte & 0x0F)])
    }
    return String(decoding: text, as: UTF8.self)
}

/// Looks at every byte whatever the first ones say, so that time tells nothing about how much of a guess is right.
/// Lengths are no secret.
package func equalsInConstantTime(_ first: String, _ second: String) -> Bool {
    let (left, right) = (Array(first.utf8), Array(second.utf8))
    guard left.count == right.count else { return false }
    var difference: UInt8 = 0
    for index in left.indices { difference |= left[index] ^ right[index] }
    return difference == 0
}
