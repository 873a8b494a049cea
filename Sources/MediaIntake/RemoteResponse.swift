package import NIOCore

/// The beginning of a response, and its bytes.
package struct RemoteResponse: Sendable {
    /// Position in the file at which the bytes begin: the requested offset, or 0.
    package var offset: Int64
    /// Size of the whole file in bytes; `nil` if it is not known.
    package var byteCount: Int64?
    /// An ETag or a date that tells versions of the file apart; `nil` if there is none.
    package var validator: String?
    /// The origin's name for the file.
    package var name: String
    package var bytes: any AsyncSequence<ByteBuffer, any Error> & Sendable

    package init(
        offset: Int64, byteCount: Int64?, validator: String?, name: String,
        bytes: any AsyncSequence<ByteBuffer, any Error> & Sendable
    ) {
        self.offset = offset
        self.byteCount = byteCount
        self.validator = validator
        self.name = name
        self.bytes = bytes
    }
}
