import HLSPlaylist
package import Packaging

/// A subtitle track of a title, for a `<track>` element of a page.
package struct TitleSubtitles: Sendable, Equatable {
    /// The URL of the complete WebVTT file.
    package var address: String
    package var label: String
    /// The language tag (BCP 47); `und` if the file does not contain one.
    package var language: String
    /// True if the subtitles describe speakers and sounds for deaf viewers.
    package var isForTheDeaf: Bool
    package var isDefault: Bool

    /// The subtitle tracks in the order of the title's playlist, with the names that players show.
    package static func all(_ renditions: SubtitleRenditions, ofTitle id: String) -> [TitleSubtitles] {
        zip(renditions.members, renditions.media).map { member, rendition in
            TitleSubtitles(
                address: "/vod/\(id)/\(member.name).vtt", label: rendition.name, language: rendition.language ?? "und",
                isForTheDeaf: member.track.isForTheDeaf, isDefault: rendition.isDefault)
        }
    }
}
