import Codecs
package import HLSPlaylist
import ISOBMFF
import MediaCore
import NIOCore
import Synchronization

/// The title as MPEG-TS, for players that know nothing of fMP4: the picture with one sound in one stream.
extension PackagedTitle {
    /// Of the media playlist, and of the folder that its segments lie in: as for channels.
    package static let transportStreamName = "ts"

    /// Whether that can be the name of one quality.
    package static func isTransportStreamName(_ name: some StringProtocol) -> Bool {
        name == transportStreamName || name.hasPrefix("\(transportStreamName)-")
    }

    /// One quality of the picture with its sound.
    struct TransportStream {
        /// As ``transportStreamName``.
        var name: String
        /// Video first, if there is any.
        var renditions: [PackagedRendition]
        /// Added to all times, so that what is decoded before the first picture is presented has a time, too: the same
        /// in all that a player may change between.
        var delay: MediaTime

        fileprivate var leading: PackagedRendition? { renditions.first }
        fileprivate var audio: PackagedRendition? { renditions.last { $0.track.mediaType == .audio } }
    }

    /// Why the title cannot be had so, for people; `nil` where it can.
    package var transportStreamObstacle: String? {
        let videos = video.map(transportStreamVariants) ?? []
        let isCarried = videos.contains(where: \.configuration.isCarriedInTransportStreams)
        let foreign = (isCarried ? [] : videos) + (transportStreamAudio == nil ? audio : [])
        let names = foreign.filter { !$0.configuration.isCarriedInTransportStreams }.map(\.configuration.name).uniqued
        guard !names.isEmpty else { return nil }
        return "HLS does not carry \(names.joined(separator: " and ")) in MPEG-TS; "
            + "ask for the playlist without format=ts"
    }

    /// The default sound, or else the first that MPEG-TS carries.
    private var transportStreamAudio: PackagedRendition? {
        let carried = audio.filter(\.configuration.isCarriedInTransportStreams)
        return carried.first(where: \.isEnabled) ?? carried.first
    }

    /// As ``videoVariants(source:)``; but where a ladder does not mix with the source, the source alone, because who asks
    /// for MPEG-TS is old.
    private func transportStreamVariants(source: PackagedRendition) -> [PackagedRendition] {
        guard let ladder, !ladder.mixesWithSource, source.configuration.isCarriedInTransportStreams else {
            return videoVariants(source: source)
        }
        return [source]
    }

    /// In the order of ``videoVariants(source:)``.
    private var transportStreams: [TransportStream] {
        guard let video else { return [plainTransportStream] }
        let videos = transportStreamVariants(source: video).filter(\.configuration.isCarriedInTransportStreams)
        let sounds = [transportStreamAudio].compactMap(\.self)
        let delay = Self.delay(of: videos + sounds)
        return videos.map { rendition in
            let plain = plainTransportStream
            // Segments are cached for ever, so one with other times has another name.
            let name =
                rendition.name != video.name
                ? "\(Self.transportStreamName)-\(rendition.name)"
                : delay == plain.delay ? plain.name : "\(plain.name)-\(video.name)-\(delay.value)"
            return TransportStream(name: name, renditions: [rendition] + sounds, delay: delay)
        }
    }

    /// The file's own picture, as if there were no other.
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
        // Players that began before there was a ladder go on.
        let plain = plainTransportStream
        return plain.renditions.allSatisfy(\.configuration.isCarriedInTransportStreams) ? plain : nil
    }

    /// Of which samples a segment is made: by position in ``TransportStream/renditions``.
    struct TransportStreamPlan: Sendable {
        var parts: [Part?]
        /// Seconds.
        var duration: Double

        struct Part: Sendable {
            var samples: Range<Int>
            /// Of the first one; as in fragments.
            var decodeTime: Int64
            var mediaByteCount: Int
        }
    }

    /// Found when they are first asked for.
    private func plans(of stream: TransportStream) -> [TransportStreamPlan] {
        guard let name = stream.leading?.name else { return [] }
        return transportStreamPlanStore.withLock { stored in
            if let known = stored[name] { return known }
            let found = makePlans(of: stream)
            stored[name] = found
            return found
        }
    }

    /// One a segment of the picture; sound before and behind it has segments of its own.
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
            // Sound is cut at the frame nearest to the picture's cut.
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

    /// One variant for each quality of the picture; only subtitles are beside them.
    package func transportStreamMultivariantPlaylist(
        subtitles: SubtitleRenditions = SubtitleRenditions([])
    ) -> MultivariantPlaylist {
        var playlist = MultivariantPlaylist(version: 3)
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

    /// - Parameters:
    ///   - name: as a variant has it; `nil` is returned for any other.
    ///   - pathPrefix: as for ``mediaPlaylist(of:pathPrefix:)``.
    package func transportStreamPlaylist(
        named name: String = PackagedTitle.transportStreamName, pathPrefix: String
    ) -> MediaPlaylist? {
        guard let stream = transportStream(named: name) else { return nil }
        return MediaPlaylist(
            version: 3, targetDuration: targetDuration, playlistType: .vod, hasIndependentSegments: true,
            hasEndList: true,
            segments: plans(of: stream).enumerated().map { index, plan in
                MediaSegment(uri: "\(pathPrefix)\(name)/\(index).ts", duration: plan.duration)
            })
    }

    // MARK: Segments

    /// Of the media that goes into it; `nil` where there is no such segment.
    package func transportStreamMediaByteCount(
        _ index: Int, of name: String = PackagedTitle.transportStreamName
    ) -> Int? {
        guard let plans = transportStream(named: name).map(plans), plans.indices.contains(index) else { return nil }
        return plans[index].parts.reduce(0) { $0 + ($1?.mediaByteCount ?? 0) }
    }

    /// What goes into a segment, read from the disk: not for event loops.
    ///
    /// - Returns: `nil` where there is no such segment.
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
    /// Of its first sample's decoding, without priming and reordering: seconds on the title's timeline.
    fileprivate func presentationTime(ofSegment segment: SegmentPlan) -> Double {
        seconds(segment.decodeTime.subtractingSaturating(timeline.firstPresentedMediaTime))
    }

    /// - Parameter earlier: what the transport stream's segment has already; samples directly in front.
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
