import APIContract
import APIDeclarations
import VODLibrary

extension APIResources {
    /// `MediaStore` in the OpenAPI description.
    static func mediaStore(_ status: MediaStoreStatus, address: String) -> APIObject<MediaStoreFields> {
        MediaStoreFields.object {
            [
                $0.address(address), $0.destination(status.destination.rawValue), $0.storedCount(status.storedCount),
                $0.storedByteCount(Int(status.storedByteCount)), $0.waitingCount(status.waitingCount),
                $0.movedCount(status.movedCount), $0.movedByteCount(Int(status.movedByteCount)),
                $0.error(status.error),
            ]
        }
    }

    /// `MediaVerification` in the OpenAPI description.
    static func mediaVerification(_ verification: MediaVerification) -> APIObject<MediaVerificationFields> {
        MediaVerificationFields.object {
            [
                $0.fileCount(verification.fileCount), $0.byteCount(Int(verification.byteCount)),
                $0.problems(verification.problems), $0.last(verification.last),
                $0.isComplete(verification.isComplete),
            ]
        }
    }
}
