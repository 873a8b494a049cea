package import MediaCore

/// Subtitles that were extracted from a file when a title was made from it, stored as WebVTT in a file of the server.
package struct ExtractedSubtitles: Sendable, Hashable {
    /// The path of the WebVTT file.
    package var path: String
    /// The identity of the WebVTT file.
    package var identity: MediaFile.Identity
    /// The language; `nil` if unknown.
    package var language: LanguageTag?
    /// The title that the author gave them; `nil` if there is none.
    package var title: String?
    /// True if they are forced: signs and foreign speech only.
    package var isForced: Bool
    /// True if they describe speakers and noises, for people who are deaf or hard of hearing.
    package var isForTheDeaf: Bool
    /// True if the file marks them as the default.
    package var isDefault: Bool

    /// Examines the file at a path.
    ///
    /// - Returns: `nil` if there is no such file.
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
