import Crypto

/// Hash function of Digest authentication (RFC 7616 §3.3). MD5 is broken for signatures, but it is the only one that
/// ffmpeg, GStreamer, VLC and libstreaming support here.
enum DigestAlgorithm: Hashable, Sendable, CaseIterable {
    case md5
    case sha256

    /// The hash of `parts` joined by colons, in lower-case hexadecimal digits.
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

/// Formats bytes as lower-case hexadecimal, two digits per byte.
func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
    let digits = Array("0123456789abcdef".utf8)
    var text: [UInt8] = []
    for byte in bytes {
        text.append(digits[Int(byte >> 4)])
        text.append(digits[Int(byte & 0x0F)])
    }
    return String(decoding: text, as: UTF8.self)
}

/// Compares every byte regardless of earlier differences, so that the duration does not reveal how much of a guess is
/// right. Lengths are not secret.
package func equalsInConstantTime(_ first: String, _ second: String) -> Bool {
    let (left, right) = (Array(first.utf8), Array(second.utf8))
    guard left.count == right.count else { return false }
    var difference: UInt8 = 0
    for index in left.indices { difference |= left[index] ^ right[index] }
    return difference == 0
}
