import ArgumentParser

/// Options of the commands that list titles or tracks.
struct ListOptions: ParsableArguments {
    @Option(help: "Beginnings of words to search for.")
    var search: String?

    @Option(
        help:
            "The order: title, newest, duration, or -duration for the longest first; for titles also price, rating, or relevance.",
        completion: .list(["title", "newest", "duration", "-duration", "price", "rating", "relevance"]))
    var sort: String?

    @Option(
        help: "Only those in this state, such as ready or failed.",
        completion: .list(["queued", "probing", "indexing", "transcoding", "ready", "failed", "cancelled"]))
    var state: String?

    @Option(help: "The maximum number.")
    var limit = 1_000

    @Flag(help: "Print JSON instead of a table.")
    var json = false

    func validate() throws {
        guard limit > 0 else { throw ValidationError("--limit must be 1 or more.") }
    }
}
