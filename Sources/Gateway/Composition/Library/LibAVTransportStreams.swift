import LibAV
import NIOCore
import Packaging

/// Muxes MPEG-TS with libav, which is loaded when the first viewer needs it.
struct LibAVTransportStreams: TransportStreamMuxer {
    func mux(_ segment: TransportStreamSegment) throws -> ByteBuffer {
        let writer = try TransportStreamWriter(segment.tracks.map(\.configuration))
        var writtenCount = 0
        var failure: LibAVError?
        for sample in segment.samples() where sample.bytes.readableBytes > 0 {
            do throws(LibAVError) {
                try writer.write(
                    sample.bytes, stream: sample.trackIndex, decodeTime: sample.decodeTime,
                    presentationTime: sample.presentationTime, isRandomAccessPoint: sample.isRandomAccessPoint)
                writtenCount += 1
            } catch {
                // Drops a frame that libav rejects: players tolerate a missing frame, but not a missing segment.
                guard error.code != .outOfMemory else { throw error }
                failure = error
            }
        }
        if writtenCount == 0, let failure { throw failure }
        return try TransportStreamContinuity.joined(try writer.finish(), mediaSequence: segment.mediaSequence)
    }
}
