/// A media file in remote storage; ranges are fetched on demand into a sparse local file.
///
/// Fetched bytes lie at their own offsets in the local file, so that it is read and sent like any other file.
package protocol RemoteContents: Sendable {
    /// Begins to read ranges of the local file. They stay there until ``endReading(_:)`` is called with the same
    /// ranges.
    ///
    /// It never waits, and it is called on event loops.
    ///
    /// - Returns: Whether all of the ranges have come; if false, nothing has begun.
    func beginReading(_ ranges: [FileRange]) -> Bool

    /// Ends what ``beginReading(_:)`` has begun.
    func endReading(_ ranges: [FileRange])

    /// Has ranges brought here.
    ///
    /// - Parameters:
    ///   - ranges: Ranges within the file.
    ///   - completion: Called once, on any thread: when the ranges have come, or with the reason why they do not come.
    func fetch(_ ranges: [FileRange], _ completion: @escaping FetchCompletion)

    /// Has ranges brought here that will be read soon. Nobody waits for them, and some may be left.
    func prefetch(_ ranges: [FileRange])

    /// Has ranges brought here, and blocks the thread until they have come or a time limit is over.
    ///
    /// - Throws: The reason why they do not come.
    func fetchAndWait(_ ranges: [FileRange]) throws
}

/// Gets to know whether ranges have come, or why they do not come.
package typealias FetchCompletion = @Sendable (Result<Void, any Error>) -> Void
