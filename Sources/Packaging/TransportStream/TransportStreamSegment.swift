package import Codecs
import ISOBMFF
package import MediaCore
package import NIOCore

/// A segment as it goes into MPEG-TS: all renditions of the same time together.
package struct TransportStreamSegment: Sendable {
    package struct Track: Sendable {
        package var configuration: CodecConfiguration
        /// Empty for a gap: the stream is announced all the same, so that the program map stays as it is.
        package var parts: [PartialSegment]

        package init(configuration: CodecConfiguration, parts: [PartialSegment]) {
            self.configuration = configuration
            self.parts = parts
        }
    }

    /// One sample on the 90 kHz clock that every stream of a transport stream has.
    package struct Sample: Sendable {
        package var trackIndex: Int
        package var decodeTime: Int64
        package var presentationTime: Int64
        package var isRandomAccessPoint: Bool
        /// Length-prefixed NAL units, or an audio frame.
        package var bytes: ByteBuffer
    }

    /// Video first, if there is any: its stream carries the program's clock.
    package var tracks: [Track]
    package var mediaSequence: Int

    package init(tracks: [Track], mediaSequence: Int) {
        self.tracks = tracks
        self.mediaSequence = mediaSequence
    }

    package var byteCount: Int { tracks.reduce(0) { $0 + $1.parts.reduce(0) { $0 + $1.byteCount } } }

    /// In the order of decoding, which of each track rises.
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
                // Two ticks of a faster clock may be one of this.
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

/// Makes MPEG-TS segments.
package protocol TransportStreamMuxer: Sendable {
    /// Takes as long as the processor needs, some milliseconds a megabyte: not for event loops.
    ///
    /// - Returns: whole packets of 188 bytes: PAT, PMT, then the samples. The same for the same segment.
    func mux(_ segment: TransportStreamSegment) throws -> ByteBuffer
}

extension CodecConfiguration {
    /// Whether HLS carries it in MPEG-TS: H.264, AAC in ADTS, AC-3, E-AC-3 and MP3 (Apple's authoring rules 1.2 and 2.1);
    /// HEVC, which Apple's devices take in fMP4 only, for set-top boxes.
    package var isCarriedInTransportStreams: Bool {
        switch self {
        case .h264, .hevc, .dolby, .mp3: true
        // ADTS (ISO/IEC 14496-3 §1.A.3.2) has no other object types, and no frames of 960 samples.
        case .aac(let aac): [2, 5, 29].contains(aac.objectType) && aac.samplesPerFrame == 1_024 && aac.channelCount > 0
        case .opus, .flac, .alac, .av1: false
        }
    }
}

extension LiveSegment {
    /// What the segment will about take in a transport stream: packet and PES headers, start codes, and what is left
    /// empty of each picture's last packet. Muxed ones have been measured to stay within some per cent of it.
    package func estimatedTransportStreamByteCount(mediaType: MediaType) -> Int {
        let sampleCount = parts.reduce(0) { $0 + $1.sampleCount }
        let media = parts.reduce(0) { $0 + $1.media.readableBytes }
        return TransportStreamSegment.estimatedByteCount(
            mediaByteCount: media, sampleCount: sampleCount, mediaType: mediaType)
    }
}

extension TransportStreamSegment {
    /// What samples will about take.
    static func estimatedByteCount(mediaByteCount media: Int, sampleCount: Int, mediaType: MediaType) -> Int {
        // A picture has a PES packet of its own; frames of sound share one, and have ADTS headers.
        let headers = mediaType == .video ? sampleCount * (26 + 92) : sampleCount * 7 + media / 2_930 * (14 + 92)
        return (media + headers) * 188 / 184 + TransportStreamContinuity.averagePaddingByteCount
    }
}
