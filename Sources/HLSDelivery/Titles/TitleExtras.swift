package import Packaging

/// The parts of a title that are not in its media file. They may change while viewers watch.
package struct TitleExtras: Sendable, Equatable {
    package var subtitles: [SubtitleTrack]
    package var chapters: TitleChapters?
    /// The title's encryption; `nil` if the title is not encrypted.
    package var encryption: TitleEncryption?
    /// The pictures for seeking; `nil` until they are made.
    package var thumbnails: ThumbnailSheets?

    package init(
        subtitles: [SubtitleTrack] = [], chapters: TitleChapters? = nil, encryption: TitleEncryption? = nil,
        thumbnails: ThumbnailSheets? = nil
    ) {
        self.subtitles = subtitles
        self.chapters = chapters
        self.encryption = encryption
        self.thumbnails = thumbnails
    }

    /// Compares subtitle tracks by identity: the subtitles of a file that has changed are another track.
    package static func == (lhs: TitleExtras, rhs: TitleExtras) -> Bool {
        lhs.subtitles.elementsEqual(rhs.subtitles, by: ===) && lhs.chapters == rhs.chapters
            && lhs.encryption == rhs.encryption && lhs.thumbnails == rhs.thumbnails
    }
}
