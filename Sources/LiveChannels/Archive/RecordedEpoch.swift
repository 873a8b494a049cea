import MediaCore
import NIOCore

/// A push, or the slate, as the recorder needs it.
struct RecordedEpoch: Sendable {
    var identifier: String
    var renditions: Set<RenditionID>
    var isSlate: Bool
    /// The newest initialization section of each rendition.
    var sections: [RenditionID: Section] = [:]

    struct Section: Sendable {
        var number: Int
        var bytes: ByteBuffer
    }
}
