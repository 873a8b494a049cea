package import Foundation

/// A file that a client sends in pieces (tus 1.0), and its progress.
package struct Upload: Sendable, Codable, Equatable {
    package var id: String
    /// The future name of the file.
    package var name: String
    /// Size of the whole file in bytes.
    package var byteCount: Int64
    /// Number of bytes whose checksum has been verified; bytes after it may be wrong. `nil` if no verification is
    /// pending.
    var verifiedByteCount: Int64?
    /// The time at which the upload expires unless more arrives.
    package var expiresAt: Date
    /// True if the file arrives as the body of a single request, and so cannot be resumed.
    var isAtOnce: Bool?
    /// The account of the member who sends the file; `nil` for an operator.
    var member: String?
    /// The section and the record of the finished file; `nil` until then.
    package var section: String?
    package var subject: String?

    package var isFinished: Bool { subject != nil }
}
