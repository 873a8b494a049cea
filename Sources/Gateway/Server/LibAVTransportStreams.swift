import LibAV
import NIOCore
import Packaging

/// MPEG-TS by libav's muxer, which is loaded when the first viewer needs it.
struct LibAVTransportStreams: TransportStreamMuxer {
    func mux(_ segment: TransportStreamSegment) throws -> ByteBuffer {
        let writer = try TransportStreamWriter(segment.tracks.map(\.configuration))
        for sample in segment.samples() where sample.bytes.readableBytes > 0 {
            try writer.write(
                sample.bytes, stream: sample.trackIndex, decodeTime: sample.decodeTime,
                presentationTime: sample.presentationTime, isRandomAccessPoint: sample.isRandomAccessPoint)
        }
        return try TransportStreamContinuity.joined(try writer.finish(), mediaSequence: segment.mediaSequence)
    }
}
