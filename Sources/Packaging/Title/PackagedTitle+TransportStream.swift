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

    /// Why the title cannot be had so, for people; `nil` where it can.
    package var transportStreamObstacle: String? {
        let foreign = [video].compactMap(\.self) + (transportStreamAudio == nil ? audio : [])
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

    private var transportStreamRenditions: [PackagedRendition] { [video, transportStreamAudio].compactMap(\.self) }

    /// Of which samples a segment is made: by position in ``transportStreamRenditions``.
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
    private var transportStreamPlans: [TransportStreamPlan] {
        transportStreamPlanStore.withLock { stored in
            if let stored { return stored }
            let found = makeTransportStreamPlans()
            stored = found
            return found
        }
    }

    /// One a segment of the picture; sound before and behind it has segments of its own.
    private func makeTransportStreamPlans() -> [TransportStreamPlan] {
        guard let video else {
            guard let audio = transportStreamAudio else { return [] }
            return audio.segments.map {
                TransportStreamPlan(parts: [audio.part($0)], duration: audio.seconds($0.duration))
            }
        }
        var plans = video.segments.map { segment in
            TransportStreamPlan(
                parts: [video.part(segment)] + (transportStreamAudio == nil ? [] : [nil]),
                duration: video.seconds(segment.duration))
        }
        guard let audio = transportStreamAudio, !plans.isEmpty else { return plans }
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

    /// Added to all times, so that what is decoded before the first picture is presented has a time, too.
    private var transportStreamDelay: MediaTime {
        transportStreamRenditions.map {
            MediaTime(value: $0.timeline.firstPresentedMediaTime, timescale: $0.track.timescale)
        }.max()?.converted(to: .video90kHz) ?? .zero(.video90kHz)
    }

    // MARK: Playlists

    /// One variant; only subtitles are beside it.
    package func transportStreamMultivariantPlaylist(
        subtitles: SubtitleRenditions = SubtitleRenditions([])
    ) -> MultivariantPlaylist {
        var playlist = MultivariantPlaylist(version: 3)
        let renditions = transportStreamRenditions
        guard let leading = renditions.first else { return playlist }
        let rate = SegmentBitRate(
            segments: transportStreamPlans.map { plan in
                let byteCounts = zip(renditions, plan.parts).map { rendition, part in
                    TransportStreamSegment.estimatedByteCount(
                        mediaByteCount: part?.mediaByteCount ?? 0, sampleCount: part?.samples.count ?? 0,
                        mediaType: rendition.track.mediaType)
                }
                return (byteCounts.reduce(0, +), plan.duration)
            }, targetDuration: Double(targetDuration))
        playlist.variants = [
            VariantStream(
                bandwidth: rate.peak, averageBandwidth: rate.average,
                codecs: renditions.map(\.configuration.rfc6381),
                resolution: leading.configuration.videoSize.map {
                    VariantStream.Resolution(width: $0.width, height: $0.height)
                }, frameRate: leading.frameRate, uri: "\(Self.transportStreamName).m3u8")
        ]
        guard !subtitles.members.isEmpty else { return playlist }
        playlist.renditions = subtitles.media
        playlist.variants[0].subtitlesGroupID = SubtitleRenditions.groupID
        return playlist
    }

    /// - Parameter pathPrefix: as for ``mediaPlaylist(of:pathPrefix:)``.
    package func transportStreamPlaylist(pathPrefix: String) -> MediaPlaylist {
        MediaPlaylist(
            version: 3, targetDuration: targetDuration, playlistType: .vod, hasIndependentSegments: true,
            hasEndList: true,
            segments: transportStreamPlans.enumerated().map { index, plan in
                MediaSegment(
                    uri: "\(pathPrefix)\(Self.transportStreamName)/\(index).ts", duration: plan.duration)
            })
    }

    // MARK: Segments

    /// Of the media that goes into it; `nil` where there is no such segment.
    package func transportStreamMediaByteCount(_ index: Int) -> Int? {
        let plans = transportStreamPlans
        guard plans.indices.contains(index) else { return nil }
        return plans[index].parts.reduce(0) { $0 + ($1?.mediaByteCount ?? 0) }
    }

    /// What goes into a segment, read from the disk: not for event loops.
    ///
    /// - Parameter index: of one that there is.
    package func transportStreamSegment(_ index: Int) throws(MediaFileError) -> TransportStreamSegment {
        let plan = transportStreamPlans[index]
        let delay = transportStreamDelay
        var tracks: [TransportStreamSegment.Track] = []
        for (rendition, part) in zip(transportStreamRenditions, plan.parts) {
            var track = TransportStreamSegment.Track(configuration: rendition.configuration, parts: [])
            if let part { track.parts = [try rendition.partialSegment(part, delayedBy: delay, from: file)] }
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
