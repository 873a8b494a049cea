import Crypto
import MediaCore

/// Short texts that differ for different content, for `ETag` and addresses.
package enum ContentVersion {
    private static let byteCount = 8

    /// The version of content: the beginning of its SHA-256 digest, in hexadecimal digits.
    package static func text(of bytes: [UInt8]) -> String {
        Array(SHA256.hash(data: bytes).prefix(byteCount)).hexadecimalDigits
    }
}
