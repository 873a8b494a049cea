import MediaCore
import NIOCore

/// A push, or the slate, as the recorder needs it.
struct RecordedEpoch: Sendable {
    var identifier: String
    var mediaTypes: Set<MediaType>
    var isSlate: Bool
    /// The newest initialization section of each rendition.
    var sections: [MediaType: Section] = [:]

    struct Section: Sendable {
        var number: Int
        var bytes: ByteBuffer
    }
}
