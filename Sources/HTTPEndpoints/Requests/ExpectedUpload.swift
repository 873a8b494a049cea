import MediaCore
import NIOCore

/// Tells the connection of the current request that its body is a file, which takes as long as it makes progress.
///
/// Who reads a body that may be large says so where it reads it, after the sender has been found to be allowed. Who
/// forgets it gets the time of a small body, `MediaConnectionState.smallBodyTimeout`.
package enum ExpectedUpload {
    /// The channel of the request that is being answered.
    @TaskLocal static var channel: (any Channel)?

    /// Limit of bodies that are small.
    package static let smallBodyByteCount = 256 << 10

    /// Says that the body of the current request is a file.
    package static func begin() { channel?.triggerUserOutboundEvent(UploadExpected(), promise: nil) }

    /// Says that the body of the current request is a file if it may be that large.
    package static func begin(ifMoreThanSmall maximumByteCount: Int) {
        if maximumByteCount > smallBodyByteCount { begin() }
    }
}
