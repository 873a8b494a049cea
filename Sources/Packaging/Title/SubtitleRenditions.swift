package import HLSPlaylist
import ISOBMFF
import MediaCore

/// A title's subtitles as renditions of their own (rfc8216bis §4.4.6.1), in segments that are cut at the same times as
/// the video.
package struct SubtitleRenditions: Sendable {
    /// A subtitle rendition.
    package struct Member: Sendable {
        /// The name in URLs, such as `subtitles-es-forced`.
        package var name: String
        package var track: SubtitleTrack
    }

    /// The renditions, in the order of the tracks.
    package private(set) var members: [Member] = []

    /// The EXT-X-MEDIA group, and the prefix of its members' names.
    package static let groupID = "subtitles"
    private static let transcription = "public.accessibility.transcribes-spoken-dialog"
    private static let noises = "public.accessibility.describes-music-and-sound"

    /// Creates renditions with unique names.
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

    /// Returns the rendition with a name in a URL; `nil` if there is none.
    package func member(named name: some StringProtocol) -> Member? { members.first { $0.name == name } }

    /// The EXT-X-MEDIA entries of ``members``, in the same order.
    package var media: [Rendition] {
        var used: Set<String> = []
        return members.map { member in
            let track = member.track
            let kind = track.isForced ? " (forced)" : track.isForTheDeaf ? " (SDH)" : ""
            let name = Self.displayName(of: track) + kind
            return Rendition(
                type: .subtitles, groupID: Self.groupID, name: RenditionName.distinct(name, used: &used),
                language: track.language?.text ?? "und", isDefault: isDefault(member), isAutoselect: true,
                uri: "\(member.name).m3u8", isForced: track.isForced,
                characteristics: track.isForTheDeaf ? [Self.transcription, Self.noises] : [])
        }
    }

    /// The display name: the language in its own words, and the author's title if it says more.
    private static func displayName(of track: SubtitleTrack) -> String {
        let language = track.language?.name ?? "Subtitles"
        guard let title = RenditionName.cleaned(track.title), title.lowercased() != language.lowercased() else {
            return language
        }
        return "\(language), \(title)"
    }

    /// Returns whether a rendition is the default one; at most one is (rfc8216bis §4.4.6.1.1).
    private func isDefault(_ member: Member) -> Bool {
        member.name == members.first { $0.track.isDefault && !$0.track.isForced }?.name
    }
}
