package import Catalogue

/// How much there is to play.
package protocol ContentCounts: Sendable {
    /// How long the titles, and the tracks, that are ready to play last together; the parameters are those of
    /// ``readyCounts(visibleTitles:visibleTracks:)``.
    func readyDurations(
        visibleTitles: RecordVisibility?, visibleTracks: RecordVisibility?
    ) async throws -> (titles: Duration, tracks: Duration)
    /// The number of titles, without trailers, and of tracks that are ready to play.
    ///
    /// - Parameters:
    ///   - visibleTitles: the titles that may be shown; `nil` for all.
    ///   - visibleTracks: the tracks that may be shown; `nil` for all.
    func readyCounts(
        visibleTitles: RecordVisibility?, visibleTracks: RecordVisibility?
    ) async throws -> (titles: Int, tracks: Int)
}
