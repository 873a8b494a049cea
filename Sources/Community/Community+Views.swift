import Database
import MediaCore

extension Community {
    /// The time between two calls of ``flushViews()``.
    package static let viewInterval = Duration.seconds(5)

    /// Counts views of published titles; those of other titles do not count. The same viewer counts again after an
    /// hour. The counters change with the next call of ``flushViews()``.
    ///
    /// - Throws: `SQLError`; then none of the views is counted.
    package func count(_ views: [VideoView]) async throws {
        guard !views.isEmpty else { return }
        let titles = Set(views.map(\.title))
        let videos = try await database.read { db in
            var videos: [VideoView.Title: Int64] = [:]
            for title in titles { videos[title] = try ViewRows.video(of: title, db) }
            return videos
        }
        let keys = views.compactMap { view in
            videos[view.title].map { ViewBuffer.Key(viewer: view.viewer, video: $0) }
        }
        viewBuffer.add(keys, now: now)
    }

    /// Adds the views that were counted to the counters of videos.
    ///
    /// - Throws: `SQLError`; the views stay for the next call.
    package func flushViews() async throws {
        while true {
            let views = viewBuffer.take(limit: Self.batchSize)
            guard !views.isEmpty else { return }
            do {
                // In the same order as every other server, so that they do not wait for each other.
                let sorted = views.sorted { $0.video < $1.video }
                try await database.write { db in
                    for (video, count) in sorted { try ViewRows.add(count, to: video, db) }
                }
            } catch {
                viewBuffer.putBack(views)
                throw error
            }
        }
    }
}
