package import Catalogue
package import ISOBMFF
package import MediaCore

/// The titles of the library, as lists and pages show them.
package protocol TitleContent: Sendable {
    /// One page of titles.
    ///
    /// - Parameters:
    ///   - query: the titles and their order.
    ///   - cursor: the `next` of the previous page; `nil` for the first page.
    ///   - limit: maximum number of items.
    func titles(_ query: RecordQuery, after cursor: String?, limit: Int) async throws -> ListPage<TitleRecord>
    /// One page of the titles that can be played; the parameters are those of the other list of titles.
    func titles(_ query: ShelfQuery, after cursor: String?, limit: Int) async throws -> ListPage<ListedTitle>
    /// The data that lists show of titles besides their records, by ID; titles without such data are left out.
    func listings(of titles: [String]) async throws -> [String: TitleListing]
    /// The genres of the titles that can be played, in alphabetical order.
    func genres(visible: RecordVisibility?) async throws -> [String]
    /// The title with an id; `nil` if there is none.
    func title(id: String) async throws -> TitleRecord?
    /// Does something that belongs to a title and lies outside of its record while nobody changes the record.
    ///
    /// - Returns: the result of `body`; `nil` if there is no title with that id.
    /// - Throws: any error of `body`.
    func holdingTitle<Result: Sendable>(
        id: String, _ body: @escaping @Sendable (TitleRecord) throws -> Result
    ) async throws -> Result?
    /// The title whose file has a name, or has had it; `nil` if there is none.
    func title(file: String) async throws -> TitleRecord?
    /// The films that can be played, the most recently added first.
    func newestTitles(limit: Int, visible: RecordVisibility?) async throws -> [TitleRecord]
    /// The title's subtitles; empty if it is not ready or its file cannot be read.
    func subtitles(of title: TitleRecord) async -> [TitleSubtitles]
    /// The dates at which a title was recorded, span by span; empty for a title that is not a recording, that is not
    /// ready or whose file cannot be read.
    func datedSpans(of title: TitleRecord) async -> [DatedSpan]
}

extension TitleContent {
    /// One page of titles with what lists show of them; the parameters are those of the lists of titles.
    package func listed(_ query: RecordQuery, after cursor: String?, limit: Int) async throws -> ListPage<ListedTitle> {
        let page = try await titles(query, after: cursor, limit: limit)
        let listings = try await listings(of: page.items.map(\.id))
        return ListPage(
            items: page.items.map { ListedTitle(record: $0, listing: listings[$0.id] ?? TitleListing()) },
            next: page.next)
    }
}
