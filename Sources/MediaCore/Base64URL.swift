import Foundation

/// Bytes as text that may stand in addresses, without padding (RFC 4648 §5).
package enum Base64URL {
    package static func text(_ bytes: some Sequence<UInt8>) -> String {
        Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    /// The bytes of a text, with padding or without; `nil` if it is not base64url.
    package static func bytes(_ text: some StringProtocol) -> [UInt8]? {
        let bare = String(text).replacing("=", with: "")
        let isValid = bare.utf8.allSatisfy { byte in
            byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
                || Character(Unicode.Scalar(byte)).isASCIIAlphanumeric
        }
        guard isValid else { return nil }
        let padding = String(repeating: "=", count: (4 - bare.utf8.count % 4) % 4)
        return Data(base64Encoded: bare.replacing("-", with: "+").replacing("_", with: "/") + padding).map(Array.init)
    }
}

extension Character {
    fileprivate var isASCIIAlphanumeric: Bool { isASCII && (isLetter || isNumber) }
}
