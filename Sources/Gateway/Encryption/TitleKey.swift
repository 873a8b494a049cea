import Crypto
import Foundation
import NIOCore

/// What a title is encrypted with: AES-128 in CBC mode, whole resources with padding (bis §4.4.4.4).
package struct TitleKey: Sendable, Hashable {
    /// As players get it: 16 bytes.
    package let bytes: [UInt8]
    /// Tells keys apart and gives nothing of them away; part of segments' URLs, which change with the key.
    package let id: String

    package static let byteCount = 16

    package init(bytes: [UInt8]) {
        self.bytes = bytes
        id = Self.hexadecimal(SHA256.hash(data: Array("antena title key ".utf8) + bytes).prefix(6))
    }

    package static func random() -> TitleKey {
        TitleKey(bytes: SymmetricKey(size: .bits128).withUnsafeBytes(Array.init))
    }

    static func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
        bytes.map { $0 < 16 ? "0" + String($0, radix: 16) : String($0, radix: 16) }.joined()
    }

    /// The initialization vector of a rendition's resources, which playlists tell. It is the same for all of them: what
    /// they have in common, the first bytes of a fragment's header, is no secret.
    func vector(of rendition: String) -> [UInt8] {
        Array(SHA256.hash(data: Array("\(id) \(rendition)".utf8)).prefix(Self.byteCount))
    }

    /// Takes as long as the processor needs, a millisecond a megabyte: not for event loops.
    ///
    /// - Throws: what the cryptographic library throws, which is nothing for keys and vectors of their right lengths.
    func encrypt(_ resource: consuming ByteBuffer, of rendition: String) throws -> ByteBuffer {
        var chain = BlockChain(key: self, vector: vector(of: rendition))
        try chain.seal(&resource, isLast: true)
        return resource
    }
}
