/// The reason why an upload cannot continue.
package struct UploadError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of an upload error.
    package enum Code: Hashable, Sendable {
        case unknown
        /// The client's offset differs from the server's.
        case offsetMismatch
        case checksumMismatch
        /// The upload cannot be resumed, and not all bytes have arrived.
        case incomplete
        /// Another connection is sending bytes of the same upload.
        case locked
        case tooLarge
        /// There are too many unfinished uploads.
        case tooMany
        case storage
    }

    package var code: Code
    package var reason: String
    package var description: String { reason }

    /// The error for an upload that does not exist, or no longer exists.
    static let unknownUpload = UploadError(
        .unknown, "the server does not know this upload; it may have been deleted or have expired, so start it again")

    init(_ code: Code, _ reason: String) {
        self.code = code
        self.reason = reason
    }
}
