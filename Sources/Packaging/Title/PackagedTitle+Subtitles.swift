package import HLSPlaylist
import ISOBMFF
import MediaCore
package import NIOCore

/// A title's subtitles as renditions of its own (bis §4.4.6.1), in segments that are cut where the picture's are.
package struct SubtitleRenditions: Sendable {
    package struct Member: Sendable {
        /// In URLs: `subtitles-es-forced`.
        package var name: String
        package var track: SubtitleTrack
    }

    package private(set) var members: [Member] = []

    /// The EXT-X-MEDIA group, and what the names of its members begin with.
    package static let groupID = "subtitles"
    private static let transcription = "public.accessibility.transcribes-spoken-dialog"
    private static let noises = "public.accessibility.describes-music-and-sound"

    package init(_ tracks: [SubtitleTrack]) {
        var counts: [String: Int] = [:]
        for track in tracks {
            let kind = [track.isForced ? "forced" : nil, track.isForTheDeaf ? "sdh" : nil]
            let parts = [Self.groupID, track.language?.text.lowercased()] + kind
            let name = parts.compactMap(\.self).joined(separator: "-")
            counts[name, default: 0] += 1
            let count = counts[name] ?? 1
            members.append(Member(name: count > 1 ? "\(name)-\(count)" : name, track: track))
        }
    }

    package func member(named name: some StringProtocol) -> Member? { members.first { $0.name == name } }

    /// One for each of ``members``, in the same order.
    package var media: [Rendition] {
        var counts: [String: Int] = [:]
        return members.map { member in
            let track = member.track
            let kind = track.isForced ? " (forced)" : track.isForTheDeaf ? " (SDH)" : ""
            let name = Self.displayName(of: track) + kind
            counts[name, default: 0] += 1
            let count = counts[name] ?? 1
            return Rendition(
                type: .subtitles, groupID: Self.groupID, name: count > 1 ? "\(name) \(count)" : name,
                language: track.language?.text ?? "und", isDefault: isDefault(member), isAutoselect: true,
                uri: "\(member.name).m3u8", isForced: track.isForced,
                characteristics: track.isForTheDeaf ? [Self.transcription, Self.noises] : [])
        }
    }

    /// The language in its own words, and what the author says besides. No control characters and quotation marks: it
    /// becomes an attribute of a playlist.
    private static func displayName(of track: SubtitleTrack) -> String {
        let language = track.language?.name ?? "Subtitles"
        let title = String(
            (track.title ?? "").unicodeScalars.filter { $0.properties.generalCategory != .control && $0 != "\"" }
                .map(Character.init).prefix(maximumTitleCharacterCount))
        guard !title.isEmpty, title.lowercased() != language.lowercased() else { return language }
        return "\(language), \(title)"
    }

    private static let maximumTitleCharacterCount = 80

    /// One at most (bis §4.4.6.1.1).
    private func isDefault(_ member: Member) -> Bool {
        member.name == members.first { $0.track.isDefault && !$0.track.isForced }?.name
    }
}

extension PackagedTitle {
    /// Inside of the file. Reads it: not for event loops.
    package func embeddedSubtitles() -> [SubtitleTrack] {
        let tracks = (try? MovieTextTrack.all(in: file)) ?? []
        return tracks.prefix(SubtitleFile.maximumCount).map { SubtitleTrack(.track($0), of: file) }
    }

    private var leading: PackagedRendition? { renditions.first }

    /// - Parameter version: of the segments' URLs: changes with the texts, and with the video, whose segments say where
    ///   the texts are cut.
    package func subtitlePlaylist(of member: SubtitleRenditions.Member, version: String) -> MediaPlaylist {
        let folder = "\(version)/\(member.name)/"
        let segments = leading?.segments.indices.map { index in
            MediaSegment(uri: "\(folder)\(index).vtt", duration: leading?.duration(ofSegment: index) ?? 0)
        }
        return MediaPlaylist(
            version: 3, targetDuration: targetDuration, playlistType: .vod, hasIndependentSegments: false,
            hasEndList: true, segments: segments ?? [])
    }

    /// - Parameter index: `nil` is returned for one that is no segment of the title.
    package func subtitleSegment(_ index: Int, of document: SubtitleDocument) -> ByteBuffer? {
        guard let leading, leading.segments.indices.contains(index) else { return nil }
        func milliseconds(_ decodeTime: Int64) -> Int64 {
            MediaTime(
                value: decodeTime.subtractingSaturating(leading.timeline.firstPresentedMediaTime),
                timescale: leading.track.timescale
            ).converted(to: .milliseconds).value
        }
        let segment = leading.segments[index]
        // Whatever is said before the first picture or behind the last belongs to the ends.
        let start = index == 0 ? .min : milliseconds(segment.decodeTime)
        let isLast = index == leading.segments.count - 1
        let end = isLast ? .max : milliseconds(segment.decodeTime.addingSaturating(segment.duration))
        return document.segment(from: start, to: end)
    }
}
