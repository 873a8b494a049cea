import Crypto
package import APIContract
import JSONDocument
import MediaCore

/// A strong validator of a changeable resource (RFC 9110 §8.8.3).
package struct EntityTag: Sendable, Hashable {
    /// The text between the quotation marks: printable ASCII without them.
    package var version: String

    package init(_ version: String) { self.version = version }

    /// The tag of a resource whose revision rises with each change.
    package init(_ revision: Int64) { self.init(String(revision)) }

    /// The tag of a resource without a version of its own: a digest of its representation in the API.
    package init(of resource: some APIValue) { self.init(of: Array(resource.json.rendered.utf8)) }

    /// The tag of a content without a version of its own: a digest.
    package init(of content: [UInt8]) {
        self.init(SHA256.hash(data: content).prefix(Self.digestByteCount).hexadecimalDigits)
    }

    /// Enough that no two of the versions that somebody may have read are the same.
    private static let digestByteCount = 12

    /// The value of the header field `ETag`.
    package var field: String { "\"\(version)\"" }
}
