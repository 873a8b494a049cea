package import Codecs
import HLSPlaylist
package import ISOBMFF
package import MediaCore
package import NIOCore

/// One track of a title, cut into segments that are made on request.
package struct PackagedRendition: Sendable {
    /// The name in URLs: `video`, `audio`, `audio-2`.
    package let name: String
    package let track: Track
    package let configuration: CodecConfiguration
    /// The plan of all segments.
    package let segments: [SegmentPlan]
    /// The average and peak bit rate of the segments.
    package let bitRate: SegmentBitRate
    let displayMatrix: DisplayMatrix
    /// True if players should select the track by default.
    let isEnabled: Bool
    /// The language; `nil` if unknown.
    package let language: LanguageTag?
    /// The author's description of the track.
    let userData: TrackUserData
    /// The pixel aspect ratio in the file's sample entry; `nil` if it has none.
    let pixelAspectRatio: SampleAspectRatio?
    let samples: SampleTable
    let timeline: RenditionTimeline

    /// The largest segment in bytes; a larger one comes from an invalid file, or from video that is not meant for
    /// streaming.
    package static let maximumSegmentByteCount = 512 << 20

    /// The width and height of the frames as they are displayed, in pixels of the stream: exchanged if the display
    /// matrix turns them by a quarter. `nil` for audio.
    package var displaySize: (width: Int, height: Int)? {
        configuration.videoSize.map { displayMatrix.swapsSides ? ($0.height, $0.width) : $0 }
    }

    /// The nominal frames per second; `nil` for audio.
    package var frameRate: Double? {
        guard track.mediaType == .video else { return nil }
        return NominalFrameRate(durations: samples.durations, in: sampleIndices, timescale: track.timescale)?.value
    }

    /// True if every segment can be decoded without others. In a segment of an open group of pictures, frames that are
    /// displayed before its key frame refer to those of the segment before.
    var hasIndependentSegments: Bool {
        guard track.mediaType == .video, samples.hasCompositionOffsets, let first = segments.first else { return true }
        var durations = samples.durations.makeIterator(from: first.firstSample)
        for plan in segments {
            var time: Int64 = 0
            let start = Int64(samples.compositionOffset(of: plan.firstSample))
            for sample in plan.firstSample..<(plan.firstSample + plan.sampleCount) {
                if plan.firstSample > first.firstSample, time + Int64(samples.compositionOffset(of: sample)) < start {
                    return false
                }
                time = time.addingSaturating(Int64(durations.next() ?? 0))
            }
        }
        return true
    }

    /// The duration from the first sample's decode time to the end of the last one, in the track's timescale.
    package var totalDuration: Int64 { segments.reduce(0) { $0.addingSaturating($1.duration) } }

    /// The end of presentation on the title's timeline, in the track's timescale. For video the reordering delay of the
    /// first frame is not subtracted, because the last frame ends that much later; audio priming is subtracted, because
    /// it is not played.
    var presentationEnd: Int64 {
        let end = segments.last.map { $0.decodeTime.addingSaturating($0.duration) } ?? 0
        return track.mediaType == .video ? end : end.subtractingSaturating(timeline.firstPresentedMediaTime)
    }

    /// The starts of all segments but the first, on the title's timeline.
    var boundaries: [MediaTime] {
        segments.dropFirst().map { MediaTime(value: $0.decodeTime, timescale: track.timescale) }
    }

    /// The duration of a segment in seconds.
    package func duration(ofSegment index: Int) -> Double { seconds(segments[index].duration) }

    /// The time from the first segment's beginning to the last one's end, in seconds.
    package var segmentSeconds: Double {
        guard let first = segments.first, let last = segments.last else { return 0 }
        return seconds(last.decodeTime.addingSaturating(last.duration).subtractingSaturating(first.decodeTime))
    }

    /// Converts ticks of the track's timescale to seconds.
    func seconds(_ ticks: Int64) -> Double { MediaTime(value: ticks, timescale: track.timescale).seconds }

    /// Renders the Media Initialization Section.
    ///
    /// - Parameter encryption: The encryption of the samples; `nil` if they are in the clear.
    package func initializationSection(encryption: TrackEncryption? = nil) -> ByteBuffer {
        var section = MediaInitializationSection(
            track: track, configuration: configuration, displayMatrix: displayMatrix,
            firstPresentedMediaTime: timeline.firstPresentedMediaTime, pixelAspectRatio: pixelAspectRatio)
        section.encryption = encryption
        return section.rendered()
    }

    /// Renders a segment's header, and returns the ranges of its media in the file.
    ///
    /// - Parameters:
    ///   - index: An index of `segments`.
    ///   - hasRoomForMedia: Whether the buffer has capacity for the media bytes after the header.
    func segmentHeader(
        _ index: Int, allocator: ByteBufferAllocator = ByteBufferAllocator(), hasRoomForMedia: Bool = false
    ) -> (header: ByteBuffer, media: [FileRange]) {
        let fragment = fragment(ofSegment: index)
        let mediaByteCount = hasRoomForMedia ? fragment.media.reduce(0) { $0 + $1.byteCount } : 0
        return (fragment.header(allocator: allocator, roomFor: mediaByteCount), fragment.media)
    }

    /// The fragment that a segment consists of.
    ///
    /// - Parameter index: An index of `segments`.
    func fragment(ofSegment index: Int) -> TitleFragment {
        let plan = segments[index]
        let range = plan.firstSample..<(plan.firstSample + plan.sampleCount)
        return TitleFragment(
            samples: range.map { fragmentSample($0) }, media: mediaRanges(of: range),
            sequenceNumber: UInt32(clamping: index + 1), decodeTime: plan.decodeTime)
    }

    func fragmentSample(_ sample: Int) -> FragmentSample {
        FragmentSample(
            duration: samples.durations[sample], byteCount: samples.byteCounts[sample],
            compositionOffset: timeline.compositionOffset(of: sample, in: samples), isSync: samples.isSync(sample))
    }

    /// Returns the ranges of samples in the file; adjacent samples share a range.
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
