import Codecs
package import HLSPlaylist
import ISOBMFF
import MediaCore
package import NIOCore
import Synchronization

/// Single pictures for fast forward and for finding a place (bis §4.4.3.6), about one a second where there are so many
/// key frames. Each is a fragment of its own that lasts until the next one, so that a player need not read a segment for
/// the picture in its middle.
extension PackagedTitle {
    /// Of the source's playlist, and of the folder that its pictures lie in: as for channels.
    package static let iFramesName = "iframes"

    /// The same for any quality of the picture.
    package func iFramesName(of rendition: PackagedRendition) -> String {
        rendition.name == video?.name ? Self.iFramesName : "\(Self.iFramesName)-\(rendition.name)"
    }

    /// The picture whose I-frames have that name.
    package func video(withIFramesNamed name: String) -> PackagedRendition? {
        videoRenditions.first { iFramesName(of: $0) == name }
    }

    /// A little less than a second, so that key frames every second are all taken whatever their clock rounds to.
    static let minimumIFrameInterval = 0.9

    /// Found when they are first asked for: a title is playable without them. Empty for a title without video.
    package var iFrames: [SegmentPlan] { video.map(iFrames) ?? [] }

    /// The same for any quality of the picture.
    package func iFrames(of rendition: PackagedRendition) -> [SegmentPlan] {
        iFrameStore.withLock { stored in
            if let known = stored[rendition.name] { return known }
            let found = rendition.iFrames(minimumInterval: Self.minimumIFrameInterval)
            stored[rendition.name] = found
            return found
        }
    }

    /// Empty where there is no video.
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
            resolution: video.configuration.videoSize.map {
                VariantStream.Resolution(width: $0.width, height: $0.height)
            }, videoRange: video.configuration.videoRangeAttribute, uri: "\(iFramesName(of: video)).m3u8")
    }

    /// - Parameters:
    ///   - rung: one of the ladder's; the title's own picture where it is left out.
    ///   - pathPrefix: as for ``mediaPlaylist(of:pathPrefix:)``.
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
                    // hls-rules 6.10: the range holds the `moof`, too.
                    byteRange: ByteRange(length: frame.byteCount, offset: 0))
            }, isIFramesOnly: true)
        playlist.version = playlist.requiredVersion
        return playlist
    }

    /// One picture in a fragment of its own.
    ///
    /// - Parameters and result: as ``segment(_:of:allocator:cachedOnly:)``; the title's own picture where none is named.
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

    /// The same as it lies in the file, with its header; nothing is read.
    package func storedIFrame(_ index: Int, of rung: PackagedRendition? = nil) -> StoredMedia? {
        guard let video = rung ?? video else { return nil }
        let frames = iFrames(of: video)
        guard frames.indices.contains(index) else { return nil }
        let (header, media) = video.iFrameHeader(frames[index], number: index, allocator: ByteBufferAllocator())
        return StoredMedia(header: header, media: media, of: file(of: video))
    }
}

extension PackagedRendition {
    /// The first picture of each segment, and those key frames in between that are far enough from the one before.
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
        let sample = FragmentSample(
            duration: UInt32(clamping: plan.duration), byteCount: samples.byteCounts[plan.firstSample],
            compositionOffset: timeline.compositionOffset(of: plan.firstSample, in: samples), isSync: true)
        let layout = FragmentLayout([sample])
        var buffer = allocator.buffer(capacity: layout.headerByteCount)
        layout.writeHeader(
            of: [sample], sequenceNumber: UInt32(clamping: number + 1), decodeTime: plan.decodeTime, into: &buffer)
        return (
            buffer, [FileRange(offset: samples.offsets[plan.firstSample], byteCount: Int(sample.byteCount))]
        )
    }
}

/// Decode times of samples that lie far apart: a film's durations are alike, so it goes by runs of them.
private struct DecodeClock {
    private var durations: RunLengthArray.Iterator
    private var sample: Int
    private(set) var decodeTime: Int64

    init(_ samples: SampleTable, at sample: Int, decodeTime: Int64) {
        durations = samples.durations.makeIterator(from: sample)
        self.sample = sample
        self.decodeTime = decodeTime
    }

    /// - Parameter next: not before the one that it stands at.
    mutating func advance(to next: Int) {
        while sample < next, let run = durations.peekRun() {
            let count = min(run.count, next - sample)
            decodeTime = decodeTime.addingSaturating(Int64(run.value) * Int64(count))
            durations.skip(count)
            sample += count
        }
    }
}
