import Codecs
import HLSPlaylist
import MediaCore
package import Packaging

/// The channel as MPEG-TS, for players without support for fMP4: audio and video multiplexed, whole segments only,
/// under the same media sequence numbers and dates. Only media in memory is available; the archive is not.
extension LiveWindow {
    /// The name of the media playlist, and of the folder of its segments.
    package static let transportStreamName = "ts"

    /// The renditions that are multiplexed, one of each media type. A stand-in with a codec that MPEG-TS does not carry
    /// is left out once nothing of its publisher is left: only viewers of fMP4 need it.
    private var transportStreamRenditions: [RenditionWindow] {
        var seen: Set<MediaType> = []
        return renditions.filter {
            ($0.configuration.isCarriedInTransportStreams || $0.ownsMediaInMemory)
                && seen.insert($0.mediaType).inserted
        }
    }

    /// The human-readable reason why the channel is not available as MPEG-TS; `nil` if it is.
    package var transportStreamObstacle: String? {
        let foreign = transportStreamRenditions.filter {
            $0.hasMedia && !$0.configuration.isCarriedInTransportStreams
        }
        guard !foreign.isEmpty else { return nil }
        return "HLS does not carry \(foreign.map(\.configuration.name).joined(separator: " and ")) in MPEG-TS; "
            + "ask for the playlist without format=ts"
    }

    /// The multivariant playlist, with one variant and no renditions.
    func transportStreamMultivariantPlaylist() -> MultivariantPlaylist {
        var playlist = MultivariantPlaylist(version: 3, hasIndependentSegments: hasIndependentSegments)
        let media = transportStreamRenditions.filter(\.hasMedia)
        guard let leading = media.first else { return playlist }
        let rates = media.compactMap { transportStreamBitRate(of: $0) }
        playlist.variants = [
            VariantStream(
                bandwidth: Int(Double(rates.reduce(0) { $0 + $1.peak }) * Self.bitRateMargin),
                averageBandwidth: Int(Double(rates.reduce(0) { $0 + $1.average }) * Self.bitRateMargin),
                codecs: media.map(\.configuration.rfc6381),
                resolution: leading.configuration.videoSize.map {
                    VariantStream.Resolution(width: $0.width, height: $0.height)
                },
                frameRate: leading.frameRate, videoRange: leading.configuration.videoRangeAttribute,
                uri: Self.transportStreamName + ".m3u8")
        ]
        return playlist
    }

    /// The estimated bit rate of a rendition. Segments are muxed when they are requested, so their sizes are estimated
    /// from their content.
    private func transportStreamBitRate(of rendition: RenditionWindow) -> SegmentBitRate? {
        var media = rendition.listed.filter { !$0.isGap }
        if media.isEmpty, let open = rendition.openSegment {
            let duration = MediaTime(seconds: open.duration, timescale: .video90kHz)
            media = [LiveSegment(header: open.header, parts: open.parts, duration: duration)]
        }
        guard !media.isEmpty else { return nil }
        return SegmentBitRate(
            segments: media.map {
                ($0.estimatedTransportStreamByteCount(mediaType: rendition.mediaType), $0.duration.seconds)
            }, targetDuration: Double(targetDuration))
    }

    func transportStreamPlaylist() -> MediaPlaylist {
        let leading = transportStreamSegments
        let rendition = transportStreamRenditions.first
        let left = rendition?.listed.prefix { $0.mediaSequence < leading.first?.mediaSequence ?? .max } ?? []
        let first = leading.first?.mediaSequence ?? rendition?.firstMediaSequenceInMemory ?? 0
        var playlist = MediaPlaylist(
            version: 3, targetDuration: targetDuration, mediaSequence: first,
            discontinuitySequence: (rendition?.discontinuitySequenceInMemory ?? 0)
                + left.count(where: \.isDiscontinuous), playlistType: playlistType(from: first),
            hasIndependentSegments: leading.allSatisfy(\.isIndependent), hasEndList: hasEnded,
            segments: leading.map { segment in
                MediaSegment(
                    uri: "\(segment.epoch)/\(Self.transportStreamName)/\(segment.mediaSequence).ts",
                    duration: segment.duration.seconds, isDiscontinuous: segment.isDiscontinuous,
                    programDateTime: segment.programDateTime.millisecondsSince1970, isGap: isGap(segment))
            }, dateRanges: dateRanges)
        playlist.version = playlist.requiredVersion
        return playlist
    }

    /// The segments of the leading rendition that all other renditions have closed, too, and have not dropped before
    /// it.
    private var transportStreamSegments: ArraySlice<LiveSegment> {
        let renditions = transportStreamRenditions
        guard let leading = renditions.first else { return [] }
        let others = renditions.dropFirst()
        /// Returns whether the rendition belongs to the segment's epoch.
        func has(_ rendition: RenditionWindow, _ segment: LiveSegment) -> Bool {
            rendition.hasInitializationSection(epoch: segment.epoch)
        }
        // The other renditions' media of the time that was filled belongs to another epoch.
        let first = leading.listed.lastIndex(where: \.isBackfilled).map { $0 + 1 } ?? 0
        return leading.listed[first...].drop { segment in
            others.contains { rendition in
                has(rendition, segment) && segment.mediaSequence < rendition.firstMediaSequenceInMemory
                    && rendition.kept(mediaSequence: segment.mediaSequence, epoch: segment.epoch) == nil
            }
        }.prefix { segment in
            others.allSatisfy { rendition in
                (rendition.listed.last?.mediaSequence ?? .min) >= segment.mediaSequence || !has(rendition, segment)
            }
        }
    }

    var listsTransportStreamSegments: Bool { !transportStreamSegments.isEmpty }

    /// Returns whether the segment is a gap as MPEG-TS: it has no media, or one of its codecs is not carried in
    /// MPEG-TS.
    private func isGap(_ segment: LiveSegment) -> Bool {
        let kept = transportStreamRenditions.compactMap { rendition in
            rendition.kept(mediaSequence: segment.mediaSequence, epoch: segment.epoch).map { (rendition, $0) }
        }
        return kept.allSatisfy { $0.1.isGap }
            || kept.contains { rendition, segment in
                rendition.configuration(epoch: segment.epoch, number: segment.initializationNumber)?
                    .isCarriedInTransportStreams == false
            }
    }

    /// The content of a segment; `nil` if it is not complete, or no longer in memory, in one of the renditions.
    package func transportStreamSegment(mediaSequence: Int, epoch: String) -> TransportStreamSegment? {
        var tracks: [TransportStreamSegment.Track] = []
        for rendition in transportStreamRenditions {
            guard let kept = rendition.kept(mediaSequence: mediaSequence, epoch: epoch) else {
                // The epoch has the rendition, so this segment will have it or had it; unless it was a gap, in whose
                // place the next epoch's silence is listed.
                let wasGap = rendition.isBackfilled(mediaSequence: mediaSequence)
                if !wasGap, rendition.hasInitializationSection(epoch: epoch) { return nil }
                continue
            }
            guard let configuration = rendition.configuration(epoch: epoch, number: kept.initializationNumber) else {
                continue
            }
            tracks.append(TransportStreamSegment.Track(configuration: configuration, parts: kept.parts))
        }
        guard tracks.contains(where: { !$0.parts.isEmpty }),
            tracks.allSatisfy({ $0.configuration.isCarriedInTransportStreams })
        else { return nil }
        return TransportStreamSegment(tracks: tracks, mediaSequence: mediaSequence)
    }
}
