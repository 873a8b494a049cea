/// The room that a member's uploads take.
package struct UploadUsage: Sendable, Hashable {
    /// Bytes of all files of the member, complete or not.
    package var byteCount: Int64
    /// Bytes that the member may have.
    package var quota: Int64

    package var free: Int64 { max(0, quota - byteCount) }
}
