package import NIOCore

/// A muxer for MPEG-TS segments.
package protocol TransportStreamMuxer: Sendable {
    /// Muxes a segment. This takes some milliseconds of processor time per megabyte: not for event loops.
    ///
    /// - Returns: Whole packets of 188 bytes: PAT, PMT, then the samples. The result is the same for the same segment.
    func mux(_ segment: TransportStreamSegment) throws -> ByteBuffer
}
