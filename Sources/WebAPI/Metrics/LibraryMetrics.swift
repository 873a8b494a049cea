package import HTTPEndpoints

/// The metrics of the library.
package struct LibraryMetrics: Sendable {
    private let titleCount: Int
    private let trackCount: Int

    /// - Parameters:
    ///   - titleCount: the number of titles that can be played, without trailers.
    ///   - trackCount: the number of tracks that can be played.
    package init(titleCount: Int, trackCount: Int) { (self.titleCount, self.trackCount) = (titleCount, trackCount) }

    package var families: [MetricFamily] {
        [
            MetricFamily(
                name: "antena_titles_ready", help: "Titles that can be played, without trailers.", kind: .gauge,
                value: Double(titleCount)),
            MetricFamily(
                name: "antena_tracks_ready", help: "Tracks that can be played.", kind: .gauge,
                value: Double(trackCount)),
        ]
    }
}
