import NIOCore

/// A muxed segment with its share of the delivery budget.
struct MuxedSegment: Sendable {
    var bytes: ByteBuffer
    var charge: (any AnyObject & Sendable)?
}
