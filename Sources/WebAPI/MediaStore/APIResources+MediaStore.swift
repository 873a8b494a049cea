import JSONDocument
import VODLibrary

extension APIResources {
    /// `MediaStore` in the OpenAPI description.
    static func mediaStore(_ status: MediaStoreStatus, address: String) -> JSONText {
        .object([
            ("address", .string(address)), ("destination", .string(status.destination.rawValue)),
            ("storedCount", .integer(status.storedCount)), ("storedByteCount", .integer(Int(status.storedByteCount))),
            ("waitingCount", .optional(status.waitingCount)), ("movedCount", .integer(status.movedCount)),
            ("movedByteCount", .integer(Int(status.movedByteCount))), ("error", .optional(status.error)),
        ])
    }

    /// `MediaVerification` in the OpenAPI description.
    static func mediaVerification(_ verification: MediaVerification) -> JSONText {
        .object([
            ("fileCount", .integer(verification.fileCount)), ("byteCount", .integer(Int(verification.byteCount))),
            ("problems", .array(verification.problems.map { .string($0) })), ("last", .optional(verification.last)),
            ("isComplete", .boolean(verification.isComplete)),
        ])
    }
}
