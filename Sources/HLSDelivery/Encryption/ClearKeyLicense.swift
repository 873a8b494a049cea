import Foundation
import JSONDocument
import NIOCore

/// The license of a title encrypted with `cbcs`, as the key system `org.w3.clearkey` asks for it (W3C Encrypted Media
/// Extensions §9.1.3 and §9.1.4).
enum ClearKeyLicense {
    /// Limit of a request's body: a player asks for one key of 22 characters for each track.
    static let maximumRequestByteCount = 4_096
    /// Limit of the keys that a request names.
    static let maximumKeyCount = 64

    /// Why a request has no license.
    enum Refusal: Error, Equatable {
        case notARequest
        case otherKeys
    }

    /// The license that answers a request.
    ///
    /// - Parameters:
    ///   - request: the body, such as `{"kids":["LwVHf8JLtPrv2GUXFW2v_A"],"type":"temporary"}`.
    ///   - key: the key of the title.
    static func answer(_ request: ByteBuffer, key: TitleKey) throws(Refusal) -> ByteBuffer {
        guard let document = try? JSONParser.parse(request.readableBytesView),
            let elements = document["kids"]?.elements, !elements.isEmpty, elements.count <= maximumKeyCount
        else { throw .notARequest }
        let identifiers = elements.compactMap(\.string)
        guard identifiers.count == elements.count else { throw .notARequest }
        let own = base64URL(key.commonID)
        guard identifiers.contains(own) else { throw .otherKeys }
        return ByteBuffer(
            string:
                "{\"keys\":[{\"kty\":\"oct\",\"kid\":\"\(own)\",\"k\":\"\(base64URL(key.bytes))\"}],\"type\":\"temporary\"}"
        )
    }

    /// Encodes bytes as RFC 7515 §2 says: base64url without padding.
    static func base64URL(_ bytes: [UInt8]) -> String {
        Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }
}
