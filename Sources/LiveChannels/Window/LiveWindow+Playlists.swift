import MediaCore
import Codecs
package import HLSPlaylist
import Packaging

extension LiveWindow {
    private static let audioGroupID = "audio"
    /// Measured rates rise a little when a scene gets busier: room before hls-rules 1.28 and 1.29 are broken.
    static let bitRateMargin = 1.1

    /// What the channel is made of now; URIs are relative to the channel's own path.
    package func multivariantPlaylist(_ form: LivePlaylistForm = .lowLatency) -> MultivariantPlaylist {
        // EXT-X-GAP needs version 8 in media playlists only; fMP4 is version 6.
        var playlist = MultivariantPlaylist(version: 6, hasIndependentSegments: hasIndependentSegments)
        let audio = renditions.first { $0.mediaType == .audio && $0.isOffered }
        let video = renditions.first { $0.mediaType == .video && $0.isOffered }
        if let video {
            if let audio {
                playlist.renditions = [
                    Rendition(
                        type: .audio, groupID: Self.audioGroupID, name: "audio", language: "und", isDefault: true,
                        isAutoselect: true, channels: audio.configuration.audioChannelCount,
                        uri: uri(of: audio, form))
                ]
            }
            playlist.variants = [variant(of: video, with: audio, form)]
            // Behind the video: players begin with the first, and come to this one when the line is too slow for it.
            if let audio { playlist.variants.append(audioOnlyVariant(audio, form)) }
            playlist.iFrameVariants = iFrameVariants(of: video)
        } else if let audio {
            playlist.variants = [variant(of: audio, with: nil, form)]
        }
        return playlist
    }

    /// Of a rendition's playlist, relative to the channel's others.
    private func uri(of rendition: RenditionWindow, _ form: LivePlaylistForm) -> String {
        switch form {
        case .wholeSegments: uri(of: rendition.name, ["ll=0"])
        case .partsAtOnce: uri(of: rendition.name, ["ll=1"])
        case .lowLatency, .transportStream: uri(of: rendition.name)
        }
    }

    /// A playlist's, with what tells it from that of a window with other codecs.
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
            audioGroupID: audio == nil ? nil : Self.audioGroupID,
            uri: uri(of: rendition, form))
    }

    /// The rendition of the audio group as a variant of its own, so that a player that comes to it keeps its sound.
    private func audioOnlyVariant(_ audio: RenditionWindow, _ form: LivePlaylistForm) -> VariantStream {
        var audioOnly = variant(of: audio, with: nil, form)
        audioOnly.audioGroupID = Self.audioGroupID
        return audioOnly
    }

    /// Claimed only where it is true: a segment that was closed for want of a key frame is followed by one that does
    /// not start with one.
    var hasIndependentSegments: Bool {
        renditions.allSatisfy { $0.archived.isIndependent && $0.listed.allSatisfy(\.isIndependent) }
    }

    /// A rendition's playlist; segment URIs carry the epoch, so that they are never used twice.
    package func mediaPlaylist(of rendition: RenditionWindow, _ form: LivePlaylistForm = .lowLatency) -> MediaPlaylist {
        var playlist = MediaPlaylist(
            version: 6, targetDuration: targetDuration, mediaSequence: rendition.firstMediaSequence,
            discontinuitySequence: rendition.discontinuitySequence,
            playlistType: playlistType(from: rendition.firstMediaSequence),
            hasIndependentSegments: rendition.archived.isIndependent && rendition.listed.allSatisfy(\.isIndependent),
            hasEndList: hasEnded,
            segments: segments(of: rendition),
            // A playlist that has ended is not loaded again, whole or in part.
            serverControl: ServerControl(
                canBlockReload: !hasEnded,
                canSkipUntil: hasEnded ? nil : Double(targetDuration) * Self.skipBoundaryInTargetDurations,
                holdBack: Double(targetDuration) * Self.holdBackInTargetDurations,
                partHoldBack: configuration.partDuration * Self.partHoldBackInPartTargets),
            partTarget: configuration.partDuration, dateRanges: dateRanges, openSegment: openSegment(of: rendition),
            preloadHints: preloadHint(of: rendition).map { [$0] } ?? [],
            renditionReports: hasEnded ? [] : reports(besides: rendition, form))
        playlist.version = playlist.requiredVersion
        return form == .wholeSegments ? playlist.withoutLowLatencyTags() : playlist
    }

    /// hls-rules 8.6: a window that nothing has left is complete when it ends.
    func playlistType(from firstMediaSequence: Int) -> MediaPlaylist.PlaylistType? {
        hasEnded && firstMediaSequence == 0 ? .vod : nil
    }

    /// What is listed; with its parts as far as they are new enough (bis §6.2.2).
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
                initializationSection: segment.isGap ? nil : Self.initializationURI(of: segment.heading, rendition),
                programDateTime: segment.programDateTime, isGap: segment.isGap,
                parts: lists ? Self.references(segment.parts, of: segment.heading, rendition) : [])
        }
    }

    private func openSegment(of rendition: RenditionWindow) -> OpenSegment? {
        rendition.openSegment.map { open in
            OpenSegment(
                parts: Self.references(open.parts, of: open.heading, rendition),
                isDiscontinuous: open.heading.isDiscontinuous,
                initializationSection: Self.initializationURI(of: open.heading, rendition),
                programDateTime: open.heading.programDateTime)
        }
    }

    /// Only of a push that goes on: what another one will send has another epoch in its URI.
    private func preloadHint(of rendition: RenditionWindow) -> PreloadHint? {
        guard let next = rendition.nextPart(segmentDuration: configuration.segmentDuration),
            next.epoch == growingEpoch
        else { return nil }
        return PreloadHint(type: .part, uri: Self.partURI(next.index, next.mediaSequence, next.epoch, rendition))
    }

    private func reports(besides rendition: RenditionWindow, _ form: LivePlaylistForm) -> [RenditionReport] {
        renditions.compactMap { other in
            guard other.name != rendition.name, other.isOffered, let edge = other.edge else { return nil }
            return RenditionReport(
                uri: uri(of: other, form), lastMediaSequence: edge.mediaSequence, lastPart: edge.part)
        }
    }

    /// hls-rules, "Low latency".
    private static let holdBackInTargetDurations = 3.0
    private static let partHoldBackInPartTargets = 3.0
    private static let skipBoundaryInTargetDurations = 6.0

    static func initializationURI(of heading: LiveSegmentHeading, _ rendition: RenditionWindow) -> String {
        "\(heading.epoch)/\(rendition.name)/init-\(heading.initializationNumber).mp4"
    }

    private static func partURI(_ part: Int, _ mediaSequence: Int, _ epoch: String, _ rendition: RenditionWindow)
        -> String
    {
        "\(epoch)/\(rendition.name)/\(mediaSequence).\(part).m4s"
    }

    private static func references(
        _ parts: [PartialSegment], of heading: LiveSegmentHeading, _ rendition: RenditionWindow
    ) -> [PartialSegmentReference] {
        parts.indices.map { index in
            PartialSegmentReference(
                uri: partURI(index, heading.mediaSequence, heading.epoch, rendition),
                duration: parts[index].duration.seconds, isIndependent: parts[index].isIndependent)
        }
    }
}

/// What a player asks a playlist for.
package enum LivePlaylistForm: Sendable, Hashable {
    /// With parts, hints and reports.
    case lowLatency
    /// `?ll=1`: the same, for a player that is known to play parts. It need not wait for the first whole segment.
    case partsAtOnce
    /// `?ll=0`: whole segments only.
    case wholeSegments
    /// `?format=ts`: of the multivariant playlist; its media playlist has a name of its own.
    case transportStream
}
