package import Packaging

/// What belongs to a title beside its media file; it comes, changes and goes while people watch.
package struct TitleExtras: Sendable, Equatable {
    package var subtitles: [SubtitleTrack]
    package var chapters: TitleChapters?
    /// `nil` for a title that is not encrypted.
    package var encryption: TitleEncryption?

    package init(
        subtitles: [SubtitleTrack] = [], chapters: TitleChapters? = nil, encryption: TitleEncryption? = nil
    ) {
        self.subtitles = subtitles
        self.chapters = chapters
        self.encryption = encryption
    }

    package static func == (lhs: TitleExtras, rhs: TitleExtras) -> Bool {
        lhs.subtitles.elementsEqual(rhs.subtitles, by: ===) && lhs.chapters == rhs.chapters
            && lhs.encryption == rhs.encryption
    }
}
