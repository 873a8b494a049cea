import HLSPlaylist
import Packaging

/// Subtitles of a title as a page's `<track>` has them.
package struct TitleSubtitles: Sendable, Equatable {
    /// WebVTT, all of it.
    package var address: String
    package var label: String
    /// BCP 47; `und` if the file does not say.
    package var language: String
    /// With speakers and noises, for people who do not hear.
    package var isForTheDeaf: Bool
    package var isDefault: Bool

    /// In the order of the title's playlist, with the names that players show.
    static func all(_ renditions: SubtitleRenditions, ofTitle id: String) -> [TitleSubtitles] {
        zip(renditions.members, renditions.media).map { member, rendition in
            TitleSubtitles(
                address: "/vod/\(id)/\(member.name).vtt", label: rendition.name, language: rendition.language ?? "und",
                isForTheDeaf: member.track.isForTheDeaf, isDefault: rendition.isDefault)
        }
    }
}
