import Codecs
package import HLSPlaylist
import MediaCore

extension PackagedTitle {
    /// Audio renditions are one group.
    static let audioGroupID = "audio"

    /// One variant; URIs are relative to the title's own path.
    package func multivariantPlaylist() -> MultivariantPlaylist {
        var playlist = MultivariantPlaylist(version: Self.playlistVersion)
        guard let video else {
            // Without video the first audio rendition is the variant itself.
            if let audio = audio.first { playlist.variants = [variant(of: audio, withAudioGroup: nil)] }
            return playlist
        }
        for (position, rendition) in audio.enumerated() {
            playlist.renditions.append(
                Rendition(
                    type: .audio, groupID: Self.audioGroupID, name: Self.name(of: rendition),
                    language: rendition.track.language ?? "und", isDefault: position == 0, isAutoselect: true,
                    channels: rendition.configuration.audioChannelCount, uri: "\(rendition.name).m3u8"))
        }
        playlist.variants = videoVariants(source: video).map {
            variant(of: $0, withAudioGroup: audio.isEmpty ? nil : Self.audioGroupID)
        }
        return playlist
    }

    private static func name(of rendition: PackagedRendition) -> String {
        [rendition.track.language, rendition.name].compactMap(\.self).joined(separator: " ")
    }

    private func variant(of rendition: PackagedRendition, withAudioGroup group: String?) -> VariantStream {
        // bis §4.4.6.2: the largest sum of any playable combination of renditions.
        let companions = group == nil ? [] : audio
        let codecs = [rendition.configuration.rfc6381] + companions.map(\.configuration.rfc6381)
        return VariantStream(
            bandwidth: rendition.bitRate.peak + (companions.map(\.bitRate.peak).max() ?? 0),
            averageBandwidth: rendition.bitRate.average + (companions.map(\.bitRate.average).max() ?? 0),
            codecs: codecs.reduce(into: []) { if !$0.contains($1) { $0.append($1) } },
            resolution: rendition.configuration.videoSize.map {
                VariantStream.Resolution(width: $0.width, height: $0.height)
            },
            frameRate: rendition.frameRate, audioGroupID: group, uri: "\(rendition.name).m3u8")
    }

    /// - Parameter pathPrefix: what stands between the playlist's folder and the renditions' names in segment URIs, with
    ///   a closing slash: it changes with the media, so that segments never go stale.
    package func mediaPlaylist(of rendition: PackagedRendition, pathPrefix: String) -> MediaPlaylist {
        let folder = "\(pathPrefix)\(rendition.name)/"
        return MediaPlaylist(
            version: Self.playlistVersion, targetDuration: targetDuration, playlistType: .vod,
            hasIndependentSegments: true, hasEndList: true,
            segments: rendition.segments.indices.map { index in
                MediaSegment(
                    uri: "\(folder)\(index).m4s", duration: rendition.duration(ofSegment: index),
                    initializationSection: "\(folder)init.mp4")
            })
    }
}
