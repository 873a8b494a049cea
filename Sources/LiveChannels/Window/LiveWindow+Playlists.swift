import MediaCore
import Codecs
package import HLSPlaylist
import Packaging

extension LiveWindow {
    private static let captionGroupID = "cc"
    /// The name of the multivariant playlist.
    static let multivariantName = "playlist"
    /// Factor on measured bit rates. They rise a little when a scene gets busier, and must stay within the limits of
    /// HLS Authoring Specification 1.28 and 1.29.
    static let bitRateMargin = 1.1

    /// The multivariant playlist of the current renditions; URIs are relative to the channel's own path.
    package func multivariantPlaylist(_ form: LivePlaylistForm = .lowLatency) -> MultivariantPlaylist {
        // EXT-X-GAP needs version 8 in media playlists only; fMP4 is version 6.
        var playlist = MultivariantPlaylist(version: 6, hasIndependentSegments: hasIndependentSegments)
        // The audio that every player finds comes first.
        let audios = renditions.filter { $0.mediaType == .audio && $0.isOffered }
        let (boards, videos) = offeredVideos(form)
        guard !videos.isEmpty else {
            playlist.variants = audios.map { variant(of: $0, with: nil, form) }
            return playlist
        }
        // Each codec of audio is a group of its own, with variants of its own (rfc8216bis §4.4.6.2.1).
        playlist.renditions = audios.map { audio in
            Rendition(
                type: .audio, groupID: audio.name, name: "audio", language: "und", isDefault: true, isAutoselect: true,
                channels: audio.configuration.audioChannelCount, uri: uri(of: audio, form))
        }
        playlist.variants = videos.flatMap { video in
            audios.isEmpty
                ? [variant(of: video, with: nil, form)] : audios.map { variant(of: video, with: $0, form) }
        }
        if !captions.isEmpty {
            playlist.renditions += captionRenditions
            for index in playlist.variants.indices {
                playlist.variants[index].closedCaptionsGroupID = Self.captionGroupID
            }
        }
        // The audio-only variants follow the video: players begin with the first variant, and choose these when the
        // network is too slow for video.
        playlist.variants += audios.map { audioOnlyVariant($0, form) }
        playlist.iFrameVariants = boards ? [] : video.map(iFrameVariants) ?? []
        return playlist
    }

    /// The services of closed captions that the frames carry, the usual one first.
    private var captionRenditions: [Rendition] {
        let services: [(ClosedCaptions, String)] = [(.cc1, "CC1"), (.cc3, "CC3"), (.service1, "SERVICE1")]
        return services.filter { captions.contains($0.0) }.enumerated().map { index, service in
            var rendition = Rendition(
                type: .closedCaptions, groupID: Self.captionGroupID, name: service.1, isDefault: false,
                isAutoselect: index == 0, uri: nil)
            rendition.inStreamID = service.1
            return rendition
        }
    }

    /// The URI of a rendition's playlist, relative to the channel's other playlists.
    private func uri(of rendition: RenditionWindow, _ form: LivePlaylistForm) -> String {
        switch form {
        case .wholeSegments: uri(of: rendition.name, ["ll=0"])
        case .partsAtOnce: uri(of: rendition.name, ["ll=1"])
        case .lowLatency, .withScoreboard, .transportStream: uri(of: rendition.name)
        }
    }

    /// The URI of a playlist, with the parameter that distinguishes it from the playlists of windows with other codecs.
    func uri(of name: String, _ parameters: [String] = []) -> String {
        let all = parameters + (codecGeneration > 0 ? ["codecs=\(codecGeneration)"] : [])
        return all.isEmpty ? "\(name).m3u8" : "\(name).m3u8?" + all.joined(separator: "&")
    }

    private func variant(
        of rendition: RenditionWindow, with audio: RenditionWindow?, _ form: LivePlaylistForm
    ) -> VariantStream {
        let rates = [rendition, audio].compactMap { $0?.bitRate(targetDuration: targetDuration) }
        let peak = Double(rates.reduce(0) { $0 + $1.peak })
        let average = Double(rates.reduce(0) { $0 + $1.average })
        return VariantStream(
            bandwidth: Int(peak * Self.bitRateMargin), averageBandwidth: Int(average * Self.bitRateMargin),
            codecs: [rendition.configuration.rfc6381] + (audio.map { [$0.configuration.rfc6381] } ?? []),
            resolution: rendition.configuration.videoSize.map {
                VariantStream.Resolution(width: $0.width, height: $0.height)
            },
            frameRate: rendition.frameRate, videoRange: rendition.configuration.videoRangeAttribute,
            audioGroupID: audio?.name,
            uri: uri(of: rendition, form))
    }

    /// The rendition of the audio group as a variant of its own, so that a player that switches to it keeps its audio.
    private func audioOnlyVariant(_ audio: RenditionWindow, _ form: LivePlaylistForm) -> VariantStream {
        var audioOnly = variant(of: audio, with: nil, form)
        audioOnly.audioGroupID = audio.name
        return audioOnly
    }

    /// True only if every segment can be decoded without others. A segment that was closed without a key frame is
    /// followed by one that cannot, and the segments of an open group of pictures begin with frames that refer to those
    /// before.
    var hasIndependentSegments: Bool {
        renditions.allSatisfy(\.isIndependent)
    }

    /// A rendition's playlist. Segment URIs contain the epoch, so that they are never used twice.
    package func mediaPlaylist(of rendition: RenditionWindow, _ form: LivePlaylistForm = .lowLatency) -> MediaPlaylist {
        var playlist = MediaPlaylist(
            version: 6, targetDuration: targetDuration, mediaSequence: rendition.firstMediaSequence,
            discontinuitySequence: rendition.discontinuitySequence,
            playlistType: playlistType(from: rendition.firstMediaSequence),
            hasIndependentSegments: rendition.isIndependent,
            hasEndList: hasEnded,
            segments: segments(of: rendition), partTarget: configuration.partDuration, dateRanges: dateRanges,
            preloadHints: preloadHint(of: rendition).map { [$0] } ?? [],
            renditionReports: hasEnded ? [] : reports(besides: rendition, form))
        // A playlist that has ended is not loaded again, whole or in part.
        playlist.serverControl = ServerControl(
            canBlockReload: !hasEnded,
            canSkipUntil: hasEnded ? nil : Double(targetDuration) * Self.skipBoundaryInTargetDurations,
            holdBack: Double(targetDuration) * Self.holdBackInTargetDurations,
            partHoldBack: configuration.partDuration * Self.partHoldBackInPartTargets)
        playlist.openSegment = openSegment(of: rendition)
        playlist.version = playlist.requiredVersion
        return form == .wholeSegments ? playlist.withoutLowLatencyTags() : playlist
    }

    /// A playlist that has ended, and that no segment has left, is complete, and has the type VOD (HLS Authoring
    /// Specification 8.6).
    func playlistType(from firstMediaSequence: Int) -> MediaPlaylist.PlaylistType? {
        hasEnded && firstMediaSequence == 0 ? .vod : nil
    }

    /// The listed segments; those that are new enough have their parts (rfc8216bis §6.2.2).
    private func segments(of rendition: RenditionWindow) -> [MediaSegment] {
        let firstWithParts = MediaPlaylist.firstIndexWithParts(
            ofDurations: rendition.listed.map(\.duration.seconds), openDuration: rendition.openSegment?.duration ?? 0,
            targetDuration: targetDuration)
        return rendition.listed.indices.map { index in
            let segment = rendition.listed[index]
            let lists = segment.listsParts && index >= firstWithParts
            return MediaSegment(
                uri: "\(segment.epoch)/\(rendition.name)/\(segment.mediaSequence).m4s",
                duration: segment.duration.seconds, isDiscontinuous: segment.isDiscontinuous,
                initializationSection: segment.isGap ? nil : Self.initializationURI(of: segment.header, rendition),
                programDateTime: segment.programDateTime.millisecondsSince1970,
                isGap: segment.isGap || segment.header.isSuspended,
                parts: lists ? Self.references(segment.parts, of: segment.header, rendition) : [])
        }
    }

    private func openSegment(of rendition: RenditionWindow) -> OpenSegment? {
        rendition.openSegment.map { open in
            OpenSegment(
                parts: Self.references(open.parts, of: open.header, rendition),
                isDiscontinuous: open.header.isDiscontinuous,
                initializationSection: Self.initializationURI(of: open.header, rendition),
                programDateTime: open.header.programDateTime.millisecondsSince1970)
        }
    }

    /// The preload hint; only while a push is running, because another push will have another epoch in its URIs.
    private func preloadHint(of rendition: RenditionWindow) -> PreloadHint? {
        guard let next = rendition.nextPart, next.epoch == growingEpoch else { return nil }
        return PreloadHint(type: .part, uri: Self.partURI(next.index, next.mediaSequence, next.epoch, rendition))
    }

    private func reports(besides rendition: RenditionWindow, _ form: LivePlaylistForm) -> [RenditionReport] {
        renditions.compactMap { other in
            guard other.name != rendition.name, other.isOffered, other.id != .scoreboard, let edge = other.edge else {
                return nil
            }
            return RenditionReport(
                uri: uri(of: other, form), lastMediaSequence: edge.mediaSequence, lastPart: edge.part)
        }
    }

    /// The distances from the live edge in EXT-X-SERVER-CONTROL (rfc8216bis §4.4.3.8).
    private static let holdBackInTargetDurations = 3.0
    private static let partHoldBackInPartTargets = 3.0
    private static let skipBoundaryInTargetDurations = 6.0

    static func initializationURI(of header: LiveSegmentHeader, _ rendition: RenditionWindow) -> String {
        "\(header.epoch)/\(rendition.name)/init-\(header.initializationNumber).mp4"
    }

    private static func partURI(_ part: Int, _ mediaSequence: Int, _ epoch: String, _ rendition: RenditionWindow)
        -> String
    {
        "\(epoch)/\(rendition.name)/\(mediaSequence).\(part).m4s"
    }

    private static func references(
        _ parts: [PartialSegment], of header: LiveSegmentHeader, _ rendition: RenditionWindow
    ) -> [PartialSegmentReference] {
        parts.indices.map { index in
            PartialSegmentReference(
                uri: partURI(index, header.mediaSequence, header.epoch, rendition),
                duration: parts[index].duration.seconds, isIndependent: parts[index].isIndependent,
                isGap: header.isSuspended)
        }
    }
}
