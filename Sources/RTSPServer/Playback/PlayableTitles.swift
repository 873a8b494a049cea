/// Source of the titles that can be played by RTSP.
package protocol PlayableTitles: Sendable {
    /// Finds a title.
    ///
    /// - Parameter path: path of the URL, such as `/vod/film` or `/vod/mp4:film.mp4`.
    /// - Returns: the title; `nil` if there is no such title or it cannot be played yet.
    /// - Throws: ``PlayableTitlesUnavailable``; another error if the title's file cannot be read.
    func title(path: String) async throws -> PlayableTitle?
}
