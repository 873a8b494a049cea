import APIClient
import ArgumentParser
import JSONDocument

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

    /// Prints a list.
    ///
    /// - Parameters:
    ///   - kind: titles or tracks.
    ///   - section: the section of the video club; for titles.
    ///   - genre: the genre; for titles.
    ///   - options: the server.
    /// - Throws: ``CommandFailure``
    func run<Kind: ItemKind>(
        _ kind: Kind.Type, section: String? = nil, genre: String? = nil, _ options: ServerOptions
    ) async throws {
        let wanted = ServerClient.ListRequest(
            words: search, order: sort, state: state, section: section, genre: genre)
        let items = try await options.withClient { try await $0.items(of: Kind.section, wanted, limit: limit) }
        print(json ? JSONText.array(items.map(JSONText.init)).rendered : Kind.table(items))
    }
}
