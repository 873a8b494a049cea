import APIClient
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
        help: "Only entries in this state, such as ready or failed.",
        completion: .list(["queued", "probing", "indexing", "transcoding", "ready", "failed", "cancelled"]))
    var state: String?

    @OptionGroup var list: LimitOption
    @OptionGroup var output: TableOutput

    /// Prints a list.
    ///
    /// - Parameters:
    ///   - kind: titles or tracks.
    ///   - section: the section of the video club; for titles.
    ///   - genre: the genre; for titles.
    ///   - titleKind: the kind of titles.
    ///   - options: the server.
    /// - Throws: ``CommandFailure``
    func run<Kind: ItemKind>(
        _ kind: Kind.Type, section: String? = nil, genre: String? = nil, kind titleKind: String? = nil,
        _ options: ServerOptions
    ) async throws {
        let wanted = ServerClient.ListRequest(
            words: search, order: sort, state: state, section: section, genre: genre, kind: titleKind)
        let items = try await options.withClient { try await Kind.items(wanted, limit: list.limit, $0) }
        output.show(items, Kind.table)
    }
}
