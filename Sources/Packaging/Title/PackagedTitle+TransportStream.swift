import Codecs
package import HLSPlaylist
import ISOBMFF
import MediaCore
import NIOCore
import Synchronization

/// The title as MPEG-TS, for players that do not support fMP4: video with one audio track in one stream.
extension PackagedTitle {
    /// The name of the media playlist and of the folder of its segments, the same as for channels.
    package static let transportStreamName = "ts"

    /// Returns whether a name has the form of a stream's name.
    package static func isTransportStreamName(_ name: some StringProtocol) -> Bool {
        name == transportStreamName || name.hasPrefix("\(transportStreamName)-")
    }

    /// A video rendition with its audio.
    struct TransportStream {
        /// The name in URLs, see ``transportStreamName``.
        var name: String
        /// The renditions, video first if there is any.
        var renditions: [PackagedRendition]
        /// The delay added to all times, so that samples that are decoded before the first frame is presented have
        /// non-negative times; the same in all streams that a player may switch between.
        var delay: MediaTime

        fileprivate var leading: PackagedRendition? { renditions.first }
        fileprivate var audio: PackagedRendition? { renditions.last { $0.track.mediaType == .audio } }
    }

    /// A human-readable reason why the title is not available as MPEG-TS; `nil` if it is.
    package var transportStreamObstacle: String? {
        let videos = video.map(transportStreamVariants) ?? []
        let isCarried = videos.contains(where: \.configuration.isCarriedInTransportStreams)
        let foreign = (isCarried ? [] : videos) + (transportStreamAudio == nil ? audio : [])
        let names = foreign.filter { !$0.configuration.isCarriedInTransportStreams }.map(\.configuration.name).uniqued
        guard !names.isEmpty else { return nil }
        return "HLS does not carry \(names.joined(separator: " and ")) in MPEG-TS; "
            + "ask for the playlist without format=ts"
    }

    /// The default audio rendition if MPEG-TS carries it, else the first that it carries.
    private var transportStreamAudio: PackagedRendition? {
        let carried = audio.filter(\.configuration.isCarriedInTransportStreams)
        return carried.first(where: \.isEnabled) ?? carried.first
    }

    /// The video renditions, in the order of ``videoVariants(source:)``. If a ladder does not mix with the source, only
    /// the source is offered, because clients that need MPEG-TS are old.
    private func transportStreamVariants(source: PackagedRendition) -> [PackagedRendition] {
        guard let ladder, !ladder.mixesWithSource, source.configuration.isCarriedInTransportStreams else {
            return videoVariants(source: source)
        }
        return [source]
    }

    /// The streams in the order of the video renditions.
    private var transportStreams: [TransportStream] {
        guard let video else { return [plainTransportStream] }
        let videos = transportStreamVariants(source: video).filter(\.configuration.isCarriedInTransportStreams)
        let own = transportStreamAudio
        let smaller = own.flatMap(ladderAudio)
        let delay = Self.delay(of: videos + [own, smaller].compactMap(\.self))
        return videos.map { rendition in
            let audio = takesLadderAudio(rendition) ? smaller ?? own : own
            let plain = plainTransportStream
            // Segments are cached for ever, so a stream with other times has another name.
            let name =
                rendition.name != video.name
                ? "\(Self.transportStreamName)-\(rendition.name)"
                : delay == plain.delay ? plain.name : "\(plain.name)-\(video.name)-\(delay.value)"
            return TransportStream(name: name, renditions: [rendition, audio].compactMap(\.self), delay: delay)
        }
    }

    /// The stream of the file's own video, as if there were no ladder.
    private var plainTransportStream: TransportStream {
        let renditions = [video, transportStreamAudio].compactMap(\.self)
        return TransportStream(
            name: Self.transportStreamName, renditions: renditions, delay: Self.delay(of: renditions))
    }

    private static func delay(of renditions: [PackagedRendition]) -> MediaTime {
        renditions.map { MediaTime(value: $0.timeline.firstPresentedMediaTime, timescale: $0.track.timescale) }.max()?
            .converted(to: .video90kHz) ?? .zero(.video90kHz)
    }

    private func transportStream(named name: String) -> TransportStream? {
        guard name == Self.transportStreamName else { return transportStreams.first { $0.name == name } }
        // Players that started before there was a ladder continue with this stream.
        let plain = plainTransportStream
        return plain.renditions.allSatisfy(\.configuration.isCarriedInTransportStreams) ? plain : nil
    }

    /// The samples of a segment, for each of ``TransportStream/renditions``.
    struct TransportStreamPlan: Sendable {
        var parts: [Part?]
        /// The duration in seconds.
        var duration: Double

        struct Part: Sendable {
            var samples: Range<Int>
            /// The decode time of the first sample, as in fragments.
            var decodeTime: Int64
            var mediaByteCount: Int
        }
    }

    /// Returns the segments of a stream, determined on the first request.
    private func plans(of stream: TransportStream) -> [TransportStreamPlan] {
        guard let name = stream.leading?.name else { return [] }
        return transportStreamPlanStore.withLock { stored in
            if let known = stored[name] { return known }
            let found = makePlans(of: stream)
            stored[name] = found
            return found
        }
    }

    /// Plans one segment per video segment; audio before and after the video has segments of its own.
    private func makePlans(of stream: TransportStream) -> [TransportStreamPlan] {
        guard let video = stream.renditions.first(where: { $0.track.mediaType == .video }) else {
            guard let audio = stream.audio else { return [] }
            return audio.segments.map {
                TransportStreamPlan(parts: [audio.part($0)], duration: audio.seconds($0.duration))
            }
        }
        var plans = video.segments.map { segment in
            TransportStreamPlan(
                parts: [video.part(segment)] + (stream.audio == nil ? [] : [nil]),
                duration: video.seconds(segment.duration))
        }
        guard let audio = stream.audio, !plans.isEmpty else { return plans }
        let starts = video.segments.map { video.presentationTime(ofSegment: $0) }
        let end = starts[starts.count - 1] + plans[plans.count - 1].duration
        var before: [TransportStreamPlan] = []
        var behind: [TransportStreamPlan] = []
        for segment in audio.segments {
            // Audio is cut at the frame nearest to the video's cut.
            let middle = audio.presentationTime(ofSegment: segment) + audio.seconds(segment.duration) / 2
            let own = TransportStreamPlan(parts: [nil, audio.part(segment)], duration: audio.seconds(segment.duration))
            if middle < starts[0], plans.count > 0 {
                before.append(own)
            } else if middle >= end {
                behind.append(own)
            } else {
                let position = max(0, starts.lastIndex { $0 <= middle } ?? 0)
                plans[position].parts[1] = audio.part(segment, behind: plans[position].parts[1])
            }
        }
        return before + plans + behind
    }

    // MARK: Playlists

    /// Returns the multivariant playlist: one variant per video rendition; only subtitles are separate renditions.
    package func transportStreamMultivariantPlaylist(
        subtitles: SubtitleRenditions = SubtitleRenditions([])
    ) -> MultivariantPlaylist {
        let renditions = transportStreams.flatMap(\.renditions)
        var playlist = MultivariantPlaylist(
            version: 3, hasIndependentSegments: renditions.allSatisfy(\.hasIndependentSegments))
        playlist.variants = transportStreams.compactMap(variant)
        guard !subtitles.members.isEmpty else { return playlist }
        playlist.renditions = subtitles.media
        for index in playlist.variants.indices {
            playlist.variants[index].subtitlesGroupID = SubtitleRenditions.groupID
        }
        return playlist
    }

    private func variant(of stream: TransportStream) -> VariantStream? {
        guard let leading = stream.leading else { return nil }
        let rate = SegmentBitRate(
            segments: plans(of: stream).map { plan in
                let byteCounts = zip(stream.renditions, plan.parts).map { rendition, part in
                    TransportStreamSegment.estimatedByteCount(
                        mediaByteCount: part?.mediaByteCount ?? 0, sampleCount: part?.samples.count ?? 0,
                        mediaType: rendition.track.mediaType)
                }
                return (byteCounts.reduce(0, +), plan.duration)
            }, targetDuration: Double(targetDuration))
        return VariantStream(
            bandwidth: rate.peak, averageBandwidth: rate.average,
            codecs: stream.renditions.map(\.configuration.rfc6381),
            resolution: leading.configuration.videoSize.map {
                VariantStream.Resolution(width: $0.width, height: $0.height)
            }, frameRate: leading.frameRate, videoRange: leading.configuration.videoRangeAttribute,
            uri: "\(stream.name).m3u8")
    }

    /// Returns the media playlist of a stream.
    ///
    /// - Parameters:
    ///   - name: The stream's name in a variant's URI; the result is `nil` if there is no such stream.
    ///   - pathPrefix: See ``mediaPlaylist(of:pathPrefix:)``.
    package func transportStreamPlaylist(
        named name: String = PackagedTitle.transportStreamName, pathPrefix: String
    ) -> MediaPlaylist? {
        guard let stream = transportStream(named: name) else { return nil }
        return MediaPlaylist(
            version: 3, targetDuration: targetDuration, playlistType: .vod,
            hasIndependentSegments: stream.renditions.allSatisfy(\.hasIndependentSegments),
            hasEndList: true,
            segments: plans(of: stream).enumerated().map { index, plan in
                MediaSegment(uri: "\(pathPrefix)\(name)/\(index).ts", duration: plan.duration)
            })
    }

    // MARK: Segments

    /// The size of the media of a segment before muxing; `nil` if there is no such segment.
    package func transportStreamMediaByteCount(
        _ index: Int, of name: String = PackagedTitle.transportStreamName
    ) -> Int? {
        guard let plans = transportStream(named: name).map(plans), plans.indices.contains(index) else { return nil }
        return plans[index].parts.reduce(0) { $0 + ($1?.mediaByteCount ?? 0) }
    }

    /// The durations of a segment and of all segments, in seconds; `nil` if there is no such segment.
    package func transportStreamSeconds(
        ofSegment index: Int, of name: String = PackagedTitle.transportStreamName
    ) -> (segment: Double, all: Double)? {
        guard let plans = transportStream(named: name).map(plans), plans.indices.contains(index) else { return nil }
        return (plans[index].duration, plans.reduce(0) { $0 + $1.duration })
    }

    /// The media of a segment before muxing, with a file for each track; empty if there is no such segment.
    func transportStreamMedia(_ index: Int, of name: String) -> [(file: MediaFile, ranges: [FileRange])] {
        guard let stream = transportStream(named: name) else { return [] }
        let plans = plans(of: stream)
        guard plans.indices.contains(index) else { return [] }
        return zip(stream.renditions, plans[index].parts).compactMap { rendition, part in
            part.map { (file(of: rendition), rendition.mediaRanges(of: $0.samples)) }
        }
    }

    /// Reads the content of a segment from the disk: not for event loops.
    ///
    /// - Returns: `nil` if there is no such segment.
    package func transportStreamSegment(
        _ index: Int, of name: String = PackagedTitle.transportStreamName
    ) throws(MediaFileError) -> TransportStreamSegment? {
        guard let stream = transportStream(named: name) else { return nil }
        let plans = plans(of: stream)
        guard plans.indices.contains(index) else { return nil }
        var tracks: [TransportStreamSegment.Track] = []
        for (rendition, part) in zip(stream.renditions, plans[index].parts) {
            var track = TransportStreamSegment.Track(configuration: rendition.configuration, parts: [])
            if let part {
                track.parts = [try rendition.partialSegment(part, delayedBy: stream.delay, from: file(of: rendition))]
            }
            tracks.append(track)
        }
        return TransportStreamSegment(tracks: tracks, mediaSequence: index)
    }
}

extension PackagedRendition {
    /// The decode time of a segment's first sample without priming and reordering, in seconds on the title's timeline.
    fileprivate func presentationTime(ofSegment segment: SegmentPlan) -> Double {
        seconds(segment.decodeTime.subtractingSaturating(timeline.firstPresentedMediaTime))
    }

    /// Returns the samples of a segment.
    ///
    /// - Parameter earlier: The samples that the transport stream's segment has already; they directly precede these.
    fileprivate func part(
        _ segment: SegmentPlan, behind earlier: PackagedTitle.TransportStreamPlan.Part? = nil
    ) -> PackagedTitle.TransportStreamPlan.Part {
        let range = segment.firstSample..<segment.firstSample + segment.sampleCount
        let byteCount = samples.byteCounts[range].reduce(0) { $0 + Int($1) }
        return PackagedTitle.TransportStreamPlan.Part(
            samples: (earlier?.samples.lowerBound ?? range.lowerBound)..<range.upperBound,
            decodeTime: earlier?.decodeTime ?? segment.decodeTime,
            mediaByteCount: (earlier?.mediaByteCount ?? 0) + byteCount)
    }

    fileprivate func partialSegment(
        _ part: PackagedTitle.TransportStreamPlan.Part, delayedBy delay: MediaTime, from file: MediaFile
    ) throws(MediaFileError) -> PartialSegment {
        var media = ByteBuffer()
        _ = try file.appendRanges(mediaRanges(of: part.samples), to: &media, cachedOnly: false)
        let fragment = part.samples.map { fragmentSample($0) }
        let time = part.decodeTime.subtractingSaturating(timeline.firstPresentedMediaTime)
            .addingSaturating(delay.converted(to: track.timescale).value)
        let duration = fragment.reduce(Int64(0)) { $0.addingSaturating(Int64($1.duration)) }
        return PartialSegment(
            decodeTime: MediaTime(value: time, timescale: track.timescale),
            duration: MediaTime(value: duration, timescale: track.timescale), isIndependent: true,
            sampleCount: fragment.count, header: ByteBuffer(), media: media, samples: fragment)
    }
}
