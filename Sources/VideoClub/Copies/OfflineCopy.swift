package import Accounts
package import MediaCore

/// The offline copy of one rendition for one rental.
package struct OfflineCopy: Sendable, Hashable {
    package var id: OpaqueID
    package var rental: OpaqueID
    package var rendition: String
    /// The version of the bytes, before their encryption; a copy of another version is gone.
    package var revision: String
    /// The salt that makes the copy's key unique.
    package var salt: [UInt8]
    package var byteCount: Int64
    package var chunkByteCount: Int
    /// The SHA-256 of the encrypted bytes; empty until they were prepared.
    package var digest: [UInt8] = []
    package var preparedAt: WallClockTime?

    static let saltByteCount = 32
}
