package import Codecs
import HLSPlaylist
import ISOBMFF
package import MediaCore
package import NIOCore

/// One track of a title, cut into segments that are made when they are asked for.
package struct PackagedRendition: Sendable {
    /// In URLs: `video`, `audio`, `audio-2`.
    package let name: String
    package let track: Track
    package let configuration: CodecConfiguration
    package let segments: [SegmentPlan]
    package let bitRate: SegmentBitRate
    let displayMatrix: DisplayMatrix
    /// Players are to choose it unless told otherwise.
    let isEnabled: Bool
    package let language: LanguageTag?
    /// As the file's sample entry has it.
    let pixelAspectRatio: SampleAspectRatio?
    let samples: SampleTable
    let timeline: RenditionTimeline

    /// More than half a gigabyte is a file that lies, or video that is not for streaming.
    package static let maximumSegmentByteCount = 512 << 20

    /// Frames per second; `nil` for audio.
    package var frameRate: Double? {
        guard track.mediaType == .video else { return nil }
        return NominalFrameRate(durations: samples.durations, in: sampleIndices, timescale: track.timescale)?.value
    }

    /// From the first sample's decode time to the end of the last one, in the track's timescale.
    package var totalDuration: Int64 { segments.reduce(0) { $0.addingSaturating($1.duration) } }

    /// Of the last sample, on the title's timeline, in the track's timescale. What reordering takes from the first picture
    /// it gives to the last one; sound's priming is heard by nobody.
    var presentationEnd: Int64 {
        let end = segments.last.map { $0.decodeTime.addingSaturating($0.duration) } ?? 0
        return track.mediaType == .video ? end : end.subtractingSaturating(timeline.firstPresentedMediaTime)
    }

    /// Where the segments after the first start, on the title's timeline.
    var boundaries: [MediaTime] {
        segments.dropFirst().map { MediaTime(value: $0.decodeTime, timescale: track.timescale) }
    }

    package func duration(ofSegment index: Int) -> Double { seconds(segments[index].duration) }

    func seconds(_ ticks: Int64) -> Double { MediaTime(value: ticks, timescale: track.timescale).seconds }

    package func initializationSection() -> ByteBuffer {
        MediaInitializationSection(
            track: track, configuration: configuration, displayMatrix: displayMatrix,
            firstPresentedMediaTime: timeline.firstPresentedMediaTime, pixelAspectRatio: pixelAspectRatio
        ).rendered()
    }

    /// The segment's header, and where in the file its media bytes are.
    ///
    /// - Parameters:
    ///   - index: one of `segments`.
    ///   - hasRoomForMedia: whether the buffer has capacity for the media bytes after the header.
    func segmentHeader(
        _ index: Int, allocator: ByteBufferAllocator = ByteBufferAllocator(), hasRoomForMedia: Bool = false
    ) -> (header: ByteBuffer, media: [FileRange]) {
        let plan = segments[index]
        let range = plan.firstSample..<(plan.firstSample + plan.sampleCount)
        let fragment = range.lazy.map { fragmentSample($0) }
        let layout = FragmentLayout(fragment)
        var buffer = allocator.buffer(capacity: hasRoomForMedia ? plan.byteCount : layout.headerByteCount)
        layout.writeHeader(
            of: fragment, sequenceNumber: UInt32(clamping: index + 1), decodeTime: plan.decodeTime, into: &buffer)
        return (buffer, mediaRanges(of: range))
    }

    func fragmentSample(_ sample: Int) -> FragmentSample {
        FragmentSample(
            duration: samples.durations[sample], byteCount: samples.byteCounts[sample],
            compositionOffset: timeline.compositionOffset(of: sample, in: samples), isSync: samples.isSync(sample))
    }

    /// Neighbouring samples of a chunk are one range.
    func mediaRanges(of range: Range<Int>) -> [FileRange] {
        var ranges: [FileRange] = []
        for sample in range {
            let (offset, byteCount) = (samples.offsets[sample], Int(samples.byteCounts[sample]))
            if let last = ranges.last, last.endOffset == offset {
                ranges[ranges.count - 1].byteCount += byteCount
            } else if byteCount > 0 {
                ranges.append(FileRange(offset: offset, byteCount: byteCount))
            }
        }
        return ranges
    }
}
