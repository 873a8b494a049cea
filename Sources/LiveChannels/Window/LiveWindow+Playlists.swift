import MediaCore
import Codecs
package import HLSPlaylist
import Packaging

extension LiveWindow {
    private static let audioGroupID = "audio"
    /// Measured rates rise a little when a scene gets busier: room before hls-rules 1.28 and 1.29 are broken.
    private static let bitRateMargin = 1.1

    /// What the channel is made of now; URIs are relative to the channel's own path.
    package func multivariantPlaylist() -> MultivariantPlaylist {
        // EXT-X-GAP needs version 8 in media playlists only; fMP4 is version 6.
        var playlist = MultivariantPlaylist(version: 6, hasIndependentSegments: hasIndependentSegments)
        let audio = renditions.first { $0.mediaType == .audio && $0.listsMedia }
        let video = renditions.first { $0.mediaType == .video && $0.listsMedia }
        if let video {
            if let audio {
                playlist.renditions = [
                    Rendition(
                        type: .audio, groupID: Self.audioGroupID, name: "audio", language: "und", isDefault: true,
                        isAutoselect: true, channels: audio.configuration.audioChannelCount,
                        uri: "\(audio.name).m3u8")
                ]
            }
            playlist.variants = [variant(of: video, with: audio)]
        } else if let audio {
            playlist.variants = [variant(of: audio, with: nil)]
        }
        return playlist
    }

    private func variant(of rendition: RenditionWindow, with audio: RenditionWindow?) -> VariantStream {
        let rates = [rendition, audio].compactMap { $0?.bitRate(targetDuration: targetDuration) }
        let peak = Double(rates.reduce(0) { $0 + $1.peak })
        let average = Double(rates.reduce(0) { $0 + $1.average })
        return VariantStream(
            bandwidth: Int(peak * Self.bitRateMargin), averageBandwidth: Int(average * Self.bitRateMargin),
            codecs: [rendition.configuration.rfc6381] + (audio.map { [$0.configuration.rfc6381] } ?? []),
            resolution: rendition.configuration.videoSize.map {
                VariantStream.Resolution(width: $0.width, height: $0.height)
            },
            frameRate: rendition.frameRate, audioGroupID: audio == nil ? nil : Self.audioGroupID,
            uri: "\(rendition.name).m3u8")
    }

    /// Claimed only where it is true: a segment that was closed for want of a key frame is followed by one that does
    /// not start with one.
    private var hasIndependentSegments: Bool {
        renditions.allSatisfy { $0.listed.allSatisfy(\.isIndependent) }
    }

    /// A rendition's playlist; segment URIs carry the epoch, so that they are never used twice.
    package func mediaPlaylist(of rendition: RenditionWindow) -> MediaPlaylist {
        let hasGap = rendition.listed.contains(where: \.isGap)
        return MediaPlaylist(
            version: hasGap ? 8 : 6, targetDuration: targetDuration,
            mediaSequence: rendition.listed.first?.mediaSequence ?? 0,
            discontinuitySequence: rendition.discontinuitySequence,
            hasIndependentSegments: rendition.listed.allSatisfy(\.isIndependent),
            segments: rendition.listed.map { segment in
                let folder = "\(segment.epoch)/\(rendition.name)/"
                return MediaSegment(
                    uri: "\(folder)\(segment.mediaSequence).m4s", duration: segment.duration.seconds,
                    isDiscontinuous: segment.isDiscontinuous,
                    initializationSection: segment.isGap ? nil : "\(folder)init-\(segment.initializationNumber).mp4",
                    programDateTime: segment.programDateTime, isGap: segment.isGap)
            })
    }
}
