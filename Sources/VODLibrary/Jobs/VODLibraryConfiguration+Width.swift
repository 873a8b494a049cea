import JobRunning

extension VODLibraryConfiguration {
    /// Limit on imports at the same time; more would slow each of them down.
    private static let maximumImportCount = 2

    /// The number of a lane's jobs that run at the same time. Indexing waits for the disk rather than the processor,
    /// and a track or a poster takes a second, so one at a time is sufficient.
    func width(of lane: JobLane) -> Int {
        switch lane {
        case .indexing, .short, .background, .ladder: 1
        case .conversion: max(1, maximumConcurrentJobCount)
        case .download: Self.maximumImportCount
        }
    }
}
