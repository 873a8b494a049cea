import Crypto
import Foundation
import MediaCore
import NIOCore

/// The key of a title, for AES-128 in CBC mode on whole resources with padding (rfc8216bis §4.4.4.4).
package struct TitleKey: Sendable, Hashable {
    /// The 16 bytes of the key, in the form that players get.
    package let bytes: [UInt8]
    /// An identifier that does not reveal the key; part of segments' URLs, which change with the key.
    package let id: String

    package static let byteCount = 16

    /// - Parameter bytes: the ``byteCount`` bytes of the key; encryption fails with any other number.
    package init(bytes: [UInt8]) {
        self.bytes = bytes
        id = SHA256.hash(data: Array("antena title key ".utf8) + bytes).prefix(6).hexadecimalDigits
    }

    /// A random key.
    package static func random() -> TitleKey {
        TitleKey(bytes: SymmetricKey(size: .bits128).withUnsafeBytes(Array.init))
    }

    /// The initialization vector of a rendition's resources, which playlists contain. All resources use the same one;
    /// their common first bytes, a fragment's header, are not secret.
    func vector(of rendition: String) -> [UInt8] {
        Array(SHA256.hash(data: Array("\(id) \(rendition)".utf8)).prefix(Self.byteCount))
    }

    /// Encrypts a whole resource. It takes about a millisecond per megabyte, so it must not run on event loops.
    ///
    /// - Throws: errors of the cryptographic library, which do not occur with keys and vectors of the right length.
    func encrypt(_ resource: consuming ByteBuffer, of rendition: String) throws -> ByteBuffer {
        var chain = BlockChain(key: self, vector: vector(of: rendition))
        try chain.seal(&resource, isLast: true)
        return resource
    }
}
