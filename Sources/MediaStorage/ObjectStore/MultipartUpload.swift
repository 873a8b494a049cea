import Crypto
import Foundation
import MediaCore
import NIOCore

/// An upload in parts that has begun.
struct MultipartUpload: Sendable, Hashable {
    let key: String
    let id: String

    /// The document that joins the parts.
    ///
    /// - Parameter tags: The parts' ETags, in their order.
    static func completion(_ tags: [String]) -> String {
        let parts = tags.enumerated().map { index, tag in
            "<Part><PartNumber>\(index + 1)</PartNumber><ETag>\(escaped("\"\(tag)\""))</ETag></Part>"
        }
        return """
            <?xml version="1.0" encoding="UTF-8"?>
            <CompleteMultipartUpload xmlns="http://s3.amazonaws.com/doc/2006-03-01/">\(parts.joined())\
            </CompleteMultipartUpload>
            """
    }

    /// The SHA-256 of a body in hexadecimal digits.
    static func hash(_ body: ByteBuffer) -> String {
        SHA256.hash(data: Data(body.readableBytesView)).hexadecimalDigits
    }

    private static func escaped(_ text: String) -> String {
        text.map { character in
            switch character {
            case "&": "&amp;"
            case "<": "&lt;"
            case ">": "&gt;"
            case "\"": "&quot;"
            default: String(character)
            }
        }.joined()
    }
}
