import Codecs
package import HLSPlaylist
import ISOBMFF
import MediaCore
package import NIOCore
import Synchronization

/// I-frame playlists for trick play (rfc8216bis §4.4.3.6), about one frame per second if there are that many key
/// frames. Each frame is a fragment of its own that lasts until the next one, so that a player need not read a whole
/// segment for a frame in its middle.
extension PackagedTitle {
    /// The name of the source's I-frame playlist and of the folder of its frames, the same as for channels.
    package static let iFramesName = "iframes"

    /// The name of the I-frame playlist of a rendition.
    package func iFramesName(of rendition: PackagedRendition) -> String {
        rendition.name == video?.name ? Self.iFramesName : "\(Self.iFramesName)-\(rendition.name)"
    }

    /// The video rendition whose I-frame playlist has a name; `nil` if there is none.
    package func video(withIFramesNamed name: String) -> PackagedRendition? {
        videoRenditions.first { iFramesName(of: $0) == name }
    }

    /// The smallest distance of I-frames in seconds: slightly less than one, so that key frames every second are all
    /// taken despite rounding.
    static let minimumIFrameInterval = 0.9

    /// The I-frames of the source, determined on the first request: a title is playable without them. Empty for a title
    /// without video.
    package var iFrames: [SegmentPlan] { video.map(iFrames) ?? [] }

    /// The I-frames of a rendition, determined on the first request.
    package func iFrames(of rendition: PackagedRendition) -> [SegmentPlan] {
        iFrameStore.withLock { stored in
            if let known = stored[rendition.name] { return known }
            let found = rendition.iFrames(minimumInterval: Self.minimumIFrameInterval)
            stored[rendition.name] = found
            return found
        }
    }

    /// The I-frame variants of the multivariant playlist; empty for a title without video.
    var iFrameVariants: [IFrameVariantStream] {
        guard let video else { return [] }
        return videoVariants(source: video).compactMap(iFrameVariant)
    }

    private func iFrameVariant(of video: PackagedRendition) -> IFrameVariantStream? {
        let frames = iFrames(of: video)
        guard !frames.isEmpty else { return nil }
        let rate = SegmentBitRate(
            segments: frames.map { ($0.byteCount, video.seconds($0.duration)) },
            targetDuration: Double(targetDuration))
        return IFrameVariantStream(
            bandwidth: rate.peak, averageBandwidth: rate.average, codecs: [video.configuration.rfc6381],
            resolution: video.displaySize.map {
                VariantStream.Resolution(width: $0.width, height: $0.height)
            }, videoRange: video.configuration.videoRangeAttribute, uri: "\(iFramesName(of: video)).m3u8")
    }

    /// Returns an I-frame playlist; `nil` without video.
    ///
    /// - Parameters:
    ///   - rung: A rendition of the ladder; `nil` for the title's own video.
    ///   - pathPrefix: See ``mediaPlaylist(of:pathPrefix:)``.
    package func iFramePlaylist(of rung: PackagedRendition? = nil, pathPrefix: String) -> MediaPlaylist? {
        guard let video = rung ?? video else { return nil }
        let (iFrames, name) = (iFrames(of: video), iFramesName(of: video))
        guard !iFrames.isEmpty else { return nil }
        var playlist = MediaPlaylist(
            version: Self.playlistVersion, targetDuration: targetDuration, playlistType: .vod,
            hasIndependentSegments: false, hasEndList: true,
            segments: iFrames.enumerated().map { index, frame in
                MediaSegment(
                    uri: "\(pathPrefix)\(name)/\(index).m4s", duration: video.seconds(frame.duration),
                    initializationSection: "\(pathPrefix)\(video.name)/init.mp4",
                    // The range includes the `moof` (HLS Authoring Specification 6.10).
                    byteRange: ByteRange(length: frame.byteCount, offset: 0))
            }, isIFramesOnly: true)
        playlist.version = playlist.requiredVersion
        return playlist
    }

    /// Reads one I-frame as a fragment of its own. Parameters and result are those of
    /// ``segment(_:of:allocator:cachedOnly:)``; without a rendition it is the title's own video.
    package func iFrame(
        _ index: Int, of rung: PackagedRendition? = nil, allocator: ByteBufferAllocator, cachedOnly: Bool
    ) throws(MediaFileError) -> SegmentRead? {
        guard let video = rung ?? video else { return nil }
        let frames = iFrames(of: video)
        guard frames.indices.contains(index) else { return nil }
        var (buffer, ranges) = video.iFrameHeader(frames[index], number: index, allocator: allocator)
        guard try file(of: video).appendRanges(ranges, to: &buffer, cachedOnly: cachedOnly) else { return .needsDisk }
        return .complete(buffer)
    }

    /// Returns an I-frame as stored in the file, with its header, without reading anything; `nil` if there is no such
    /// frame.
    package func storedIFrame(_ index: Int, of rung: PackagedRendition? = nil) -> StoredMedia? {
        guard let video = rung ?? video else { return nil }
        let frames = iFrames(of: video)
        guard frames.indices.contains(index) else { return nil }
        let (header, media) = video.iFrameHeader(frames[index], number: index, allocator: ByteBufferAllocator())
        return StoredMedia(header: header, media: media, of: file(of: video))
    }
}

extension PackagedRendition {
    /// Selects the first frame of each segment, and those key frames in between that are far enough from the previous
    /// one.
    fileprivate func iFrames(minimumInterval: Double) -> [SegmentPlan] {
        let interval = MediaTime(seconds: minimumInterval, timescale: track.timescale).value
        var frames: [SegmentPlan] = []
        for segment in segments {
            var clock = DecodeClock(samples, at: segment.firstSample, decodeTime: segment.decodeTime)
            let range = segment.firstSample..<segment.firstSample + segment.sampleCount
            var next: Int? = range.lowerBound
            while let sample = next {
                clock.advance(to: sample)
                let distance = frames.last.map { clock.decodeTime.subtractingSaturating($0.decodeTime) } ?? .max
                if sample == range.lowerBound || distance >= interval {
                    frames.append(iFrame(sample, decodeTime: clock.decodeTime))
                }
                next = samples.firstSyncSample(in: sample + 1..<range.upperBound)
            }
        }
        let end = segments.last.map { $0.decodeTime.addingSaturating($0.duration) } ?? 0
        for index in frames.indices {
            let next = index + 1 < frames.count ? frames[index + 1].decodeTime : end
            frames[index].duration = next.subtractingSaturating(frames[index].decodeTime)
        }
        return frames
    }

    private func iFrame(_ sample: Int, decodeTime: Int64) -> SegmentPlan {
        var layout = FragmentLayout()
        layout.add(duration: 0, compositionOffset: timeline.compositionOffset(of: sample, in: samples), isSync: true)
        return SegmentPlan(
            firstSample: sample, sampleCount: 1, decodeTime: decodeTime, duration: 0,
            byteCount: layout.headerByteCount + Int(samples.byteCounts[sample]))
    }

    fileprivate func iFrameHeader(
        _ plan: SegmentPlan, number: Int, allocator: ByteBufferAllocator
    ) -> (header: ByteBuffer, media: [FileRange]) {
        let fragment = fragment(ofIFrame: plan, number: number)
        return (fragment.header(allocator: allocator), fragment.media)
    }

    /// The fragment that an I-frame consists of.
    func fragment(ofIFrame plan: SegmentPlan, number: Int) -> TitleFragment {
        let sample = FragmentSample(
            duration: UInt32(clamping: plan.duration), byteCount: samples.byteCounts[plan.firstSample],
            compositionOffset: timeline.compositionOffset(of: plan.firstSample, in: samples), isSync: true)
        return TitleFragment(
            samples: [sample],
            media: [FileRange(offset: samples.offsets[plan.firstSample], byteCount: Int(sample.byteCount))],
            sequenceNumber: UInt32(clamping: number + 1), decodeTime: plan.decodeTime)
    }
}

/// Computes the decode times of samples that lie far apart: a film's durations are alike, so it advances by runs of
/// them.
private struct DecodeClock {
    private var durations: RunLengthArray.Iterator
    private var sample: Int
    private(set) var decodeTime: Int64

    init(_ samples: SampleTable, at sample: Int, decodeTime: Int64) {
        durations = samples.durations.makeIterator(from: sample)
        self.sample = sample
        self.decodeTime = decodeTime
    }

    /// Advances to a sample.
    ///
    /// - Parameter next: The index of a sample, not before the current one.
    mutating func advance(to next: Int) {
        while sample < next, let run = durations.peekRun() {
            let count = min(run.count, next - sample)
            decodeTime = decodeTime.addingSaturating(Int64(run.value) * Int64(count))
            durations.skip(count)
            sample += count
        }
    }
}
