import Codecs
package import DASHManifest
import HLSPlaylist
import ISOBMFF
import MediaCore

/// The title by DASH: the segments of its playlists, described by a manifest.
extension PackagedTitle {
    /// Returns the manifest; addresses are relative to the title's own path.
    ///
    /// - Parameters:
    ///   - pathPrefix: as in ``mediaPlaylist(of:pathPrefix:)``.
    ///   - subtitles: the title's subtitles, each of which is one file.
    ///   - thumbnails: the pictures for seeking; `nil` if there are none.
    ///   - protection: the encryption of video and audio; `nil` if they are in the clear.
    package func presentation(
        pathPrefix: String, subtitles: SubtitleRenditions = SubtitleRenditions([]), thumbnails: ThumbnailSheets? = nil,
        protection: ContentProtection? = nil
    ) -> MediaPresentationDescription {
        var media = videoSets(pathPrefix) + audioSets(pathPrefix)
        for index in media.indices { media[index].protection = protection }
        let sets = media + subtitles.adaptationSets + [thumbnails?.adaptationSet].compactMap(\.self)
        let duration = duration.seconds
        return MediaPresentationDescription(
            .complete(duration: duration), minimumBufferTime: Double(targetDuration),
            maximumSegmentDuration: Double(targetDuration),
            periods: [PresentationPeriod(id: "title", start: 0, duration: duration, adaptationSets: sets)])
    }

    /// A set for each video codec, because players do not switch from one to another.
    private func videoSets(_ pathPrefix: String) -> [AdaptationSet] {
        guard let video else { return [] }
        let variants = videoVariants(source: video)
        return variants.map(\.configuration.name).uniqued.map { codec in
            let renditions = variants.filter { $0.configuration.name == codec }
            var set = AdaptationSet(
                .video, mediaType: "video/mp4", language: video.language?.text, roles: ["main"],
                representations: renditions.map { $0.representation(pathPrefix) })
            set.isIndependent = renditions.allSatisfy(\.hasIndependentSegments)
            set.supplementalProperties = video.configuration.color?.dashProperties ?? []
            return set
        }
    }

    /// A set for each of the renditions between which a listener chooses, and each codec.
    private func audioSets(_ pathPrefix: String) -> [AdaptationSet] {
        let groups = AudioGroups(audio, ladderAudio: ladderAudio)
        var seen: Set<String> = []
        var sets: [AdaptationSet] = []
        for media in groups.media {
            // A title with a single rendition of audio names it as well.
            guard let uri = media.uri, seen.insert(uri).inserted,
                let rendition = rendition(named: uri.dropLast(".m3u8".count)),
                audio.contains(where: { $0.name == rendition.name })
            else { continue }
            let smaller = ladderAudio(inPlaceOf: rendition).flatMap { smaller in
                smaller.configuration.name == rendition.configuration.name
                    && smaller.configuration.audioChannelCount == rendition.configuration.audioChannelCount
                    ? smaller : nil
            }
            var set = AdaptationSet(
                .audio, mediaType: "audio/mp4", language: rendition.language?.text,
                label: media.name,
                roles: [media.isDefault ? "main" : rendition.userData.isCommentary ? "commentary" : "alternate"],
                representations: ([rendition] + [smaller].compactMap(\.self)).map { $0.representation(pathPrefix) })
            if rendition.userData.describesVideo {
                set.accessibility = [DASHDescriptor(Self.audioPurposeScheme, Self.describesVideo)]
            }
            sets.append(set)
        }
        return sets
    }

    /// ISO/IEC 23009-1:2022 §5.8.4.3: the purposes of audio (TV-Anytime).
    private static let audioPurposeScheme = "urn:tva:metadata:cs:AudioPurposeCS:2007"
    private static let describesVideo = "1"
}

extension PackagedRendition {
    /// The rendition in a manifest.
    fileprivate func representation(_ pathPrefix: String) -> Representation {
        let folder = "\(pathPrefix)\(name)/"
        var representation = Representation(
            id: name, bandwidth: bitRate.peak, codecs: configuration.rfc6381,
            media: .segments(
                SegmentTemplate(
                    timescale: track.timescale.ticksPerSecond, presentationTimeOffset: 0,
                    initialization: "\(folder)init.mp4", media: "\(folder)$Number$.m4s", startNumber: 0,
                    times: .timeline(segmentTimeline))))
        representation.size = displaySize
        representation.frameRate = frameRate
        representation.sampleRate = configuration.audioSampleRate
        representation.channelCount = configuration.audioChannelCount
        return representation
    }

    /// The times at which the segments are presented. The edit list of the initialization section has been applied, as
    /// players do.
    private var segmentTimeline: SegmentTimeline {
        var timeline = SegmentTimeline()
        for index in segments.indices {
            let start =
                track.mediaType == .video
                ? firstSample(ofSegment: index).presentationTime
                : segments[index].decodeTime.subtractingSaturating(self.timeline.firstPresentedMediaTime)
            // Audio that is not played, an encoder's priming, lies before zero.
            timeline.append(start: start, duration: segments[index].duration.addingSaturating(min(0, start)))
        }
        return timeline
    }
}

extension ThumbnailSheets {
    /// The sheets in a manifest (DASH-IF IOP 4.3 §6.2.6).
    fileprivate var adaptationSet: AdaptationSet {
        var representation = Representation(
            id: "thumbnails", bandwidth: Self.nominalBandwidth,
            media: .segments(
                SegmentTemplate(
                    timescale: 1, presentationTimeOffset: 0, initialization: nil, media: address, startNumber: 1,
                    times: .alike(duration: Int64(interval) * Int64(columnCount * rowCount)))))
        representation.size = (tileWidth * columnCount, tileHeight * rowCount)
        representation.essentialProperties = [
            DASHDescriptor("http://dashif.org/guidelines/thumbnail_tile", "\(columnCount)x\(rowCount)")
        ]
        return AdaptationSet(.image, mediaType: "image/jpeg", representations: [representation])
    }

    /// Bits per second: a sheet has some 200 KB, and lasts for minutes.
    private static let nominalBandwidth = 10_000
}

extension SubtitleRenditions {
    /// The subtitles in a manifest: one file for each track.
    fileprivate var adaptationSets: [AdaptationSet] {
        zip(members, media).map { member, media in
            let track = member.track
            return AdaptationSet(
                .text, mediaType: "text/vtt", language: track.language?.text, label: media.name,
                roles: [track.isForced ? "forced-subtitle" : track.isForTheDeaf ? "caption" : "subtitle"]
                    + (media.isDefault ? ["main"] : []),
                representations: [
                    Representation(
                        id: member.name, bandwidth: Self.nominalBandwidth, media: .file("\(member.name).vtt"))
                ])
        }
    }

    /// Bits per second of text, which nobody measures.
    private static let nominalBandwidth = 1_000
}
