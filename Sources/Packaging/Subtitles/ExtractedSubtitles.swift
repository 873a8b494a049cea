package import MediaCore

/// Subtitles that were taken out of a file when a title was made of it: WebVTT in a file of our own.
package struct ExtractedSubtitles: Sendable, Hashable {
    package var path: String
    package var identity: MediaFile.Identity
    package var language: LanguageTag?
    /// The author's name for them.
    package var title: String?
    package var isForced: Bool
    package var isForTheDeaf: Bool
    package var isDefault: Bool

    /// - Returns: `nil` where there is no such file.
    package init?(
        path: String, language: LanguageTag?, title: String?, isForced: Bool, isForTheDeaf: Bool, isDefault: Bool
    ) {
        guard let identity = MediaFile.identity(ofFileAt: path) else { return nil }
        self.path = path
        self.identity = identity
        self.language = language
        self.title = title
        self.isForced = isForced
        self.isForTheDeaf = isForTheDeaf
        self.isDefault = isDefault
    }
}
