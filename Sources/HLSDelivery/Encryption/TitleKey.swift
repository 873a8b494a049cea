import Crypto
import Foundation
package import MediaCore
import NIOCore

/// The key of a title: for AES-128 in CBC mode on whole resources with padding (rfc8216bis §4.4.4.4), or on samples.
package struct TitleKey: Sendable, Hashable {
    /// The 16 bytes of the key, in the form that players get.
    package let bytes: [UInt8]
    /// An identifier that does not reveal the key; part of segments' URLs, which change with the key.
    package let id: String
    /// The method for which the key is.
    package let method: EncryptionMethod

    package static let byteCount = 16

    /// - Parameters:
    ///   - bytes: the ``byteCount`` bytes of the key; encryption fails with any other number.
    ///   - method: what is encrypted with it.
    package init(bytes: [UInt8], method: EncryptionMethod = .aes128) {
        (self.bytes, self.method) = (bytes, method)
        let purpose =
            switch method {
            case .aes128: "antena title key "
            case .cbcs: "antena title key cbcs "
            }
        id = SHA256.hash(data: Array(purpose.utf8) + bytes).prefix(6).hexadecimalDigits
    }

    /// A random key.
    package static func random(_ method: EncryptionMethod) -> TitleKey {
        TitleKey(bytes: SymmetricKey(size: .bits128).withUnsafeBytes(Array.init), method: method)
    }

    /// The identifier of the key in Common Encryption (KID), which does not reveal it either: 16 bytes.
    package var commonID: [UInt8] {
        Array(SHA256.hash(data: Array("antena key identifier ".utf8) + bytes).prefix(Self.byteCount))
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
