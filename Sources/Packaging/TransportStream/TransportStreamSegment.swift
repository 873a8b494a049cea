package import Codecs
import ISOBMFF
package import MediaCore
package import NIOCore

/// The content of an MPEG-TS segment: all renditions for the same time.
package struct TransportStreamSegment: Sendable {
    /// One rendition's part of the segment.
    package struct Track: Sendable {
        package var configuration: CodecConfiguration
        /// The media, empty for a gap: the stream is announced anyway, so that the program map does not change.
        package var parts: [PartialSegment]

        /// Creates a track.
        package init(configuration: CodecConfiguration, parts: [PartialSegment]) {
            self.configuration = configuration
            self.parts = parts
        }
    }

    /// A sample with its times in 90 kHz ticks, the clock of all streams of a transport stream.
    package struct Sample: Sendable {
        /// The index of the sample's track in ``TransportStreamSegment/tracks``.
        package var trackIndex: Int
        /// Ticks at 90 kHz.
        package var decodeTime: Int64
        /// Ticks at 90 kHz.
        package var presentationTime: Int64
        package var isRandomAccessPoint: Bool
        /// The sample: length-prefixed NAL units, or an audio frame.
        package var bytes: ByteBuffer
    }

    /// The tracks, video first if there is any: its stream carries the program clock.
    package var tracks: [Track]
    /// The media sequence number, from which continuity counters follow.
    package var mediaSequence: Int

    /// Creates a segment.
    package init(tracks: [Track], mediaSequence: Int) {
        self.tracks = tracks
        self.mediaSequence = mediaSequence
    }

    /// The size of the media before muxing.
    package var byteCount: Int { tracks.reduce(0) { $0 + $1.parts.reduce(0) { $0 + $1.byteCount } } }

    /// All samples in decoding order; decode times rise within each track.
    package func samples() -> [Sample] {
        tracks.indices.flatMap { index in Self.samples(of: tracks[index], trackIndex: index) }
            .enumerated().sorted { ($0.element.decodeTime, $0.offset) < ($1.element.decodeTime, $1.offset) }
            .map(\.element)
    }

    private static func samples(of track: Track, trackIndex: Int) -> [Sample] {
        var result: [Sample] = []
        var latest = Int64.min
        for part in track.parts {
            var time = part.decodeTime
            var offset = part.media.readerIndex
            for sample in part.samples {
                let byteCount = Int(sample.byteCount)
                guard let bytes = part.media.getSlice(at: offset, length: byteCount) else { break }
                var presentationTime = time
                presentationTime.value = time.value.addingSaturating(Int64(sample.compositionOffset))
                // Two ticks of a faster clock may be one tick of this one.
                let decodeTime = max(time.converted(to: .video90kHz).value, latest.addingSaturating(1))
                result.append(
                    Sample(
                        trackIndex: trackIndex, decodeTime: decodeTime,
                        presentationTime: max(decodeTime, presentationTime.converted(to: .video90kHz).value),
                        isRandomAccessPoint: sample.isSync, bytes: bytes))
                latest = decodeTime
                offset += byteCount
                time.value = time.value.addingSaturating(Int64(sample.duration))
            }
        }
        return result
    }
}

extension LiveSegment {
    /// Estimates the segment's size in a transport stream: packet and PES headers, start codes, and the unused rest of
    /// each frame's last packet. Measured sizes stay within a few per cent of it.
    package func estimatedTransportStreamByteCount(mediaType: MediaType) -> Int {
        let sampleCount = parts.reduce(0) { $0 + $1.sampleCount }
        let media = parts.reduce(0) { $0 + $1.media.readableBytes }
        return TransportStreamSegment.estimatedByteCount(
            mediaByteCount: media, sampleCount: sampleCount, mediaType: mediaType)
    }
}

extension TransportStreamSegment {
    /// Estimates the size of muxed samples.
    static func estimatedByteCount(mediaByteCount media: Int, sampleCount: Int, mediaType: MediaType) -> Int {
        // A video frame has a PES packet of its own; audio frames share one, and have ADTS headers.
        let headers = mediaType == .video ? sampleCount * (26 + 92) : sampleCount * 7 + media / 2_930 * (14 + 92)
        return (media + headers) * 188 / 184 + TransportStreamContinuity.averagePaddingByteCount
    }
}
