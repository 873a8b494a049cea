package import Catalogue
package import HLSPlaylist
package import LiveChannels
package import MediaCore
package import MediaIntake

/// The content that the API and the site show. The server uses `ServerContent`; tests use one in memory.
package protocol ContentSource: Sendable {
    /// The operations of the API on jobs, uploads and files.
    var library: any LibraryOperations { get }
    /// Series, albums and artists.
    var collections: any CollectionStore { get }
    /// The status of all channels.
    func channels() -> [ChannelStatus]
    /// The status of a channel; `nil` if there is no channel of that name.
    func channel(named name: String) -> ChannelStatus?
    /// The file of a channel's image; `nil` if the channel has none on this machine.
    func coverFile(ofChannel name: String) -> String?
    /// One page of titles.
    ///
    /// - Parameters:
    ///   - query: the titles and their order.
    ///   - cursor: the `next` of the previous page; `nil` for the first page.
    ///   - limit: maximum number of items.
    func titles(_ query: RecordQuery, after cursor: String?, limit: Int) async throws -> Page<TitleRecord>
    /// One page of the titles that can be played; the parameters are those of the other list of titles.
    func titles(_ query: ShelfQuery, after cursor: String?, limit: Int) async throws -> Page<ListedTitle>
    /// What lists show of titles besides their records, by ID; titles of which nothing was said are left out.
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
    /// The tracks that can be played, the most recently added first.
    func newestTracks(limit: Int, visible: RecordVisibility?) async throws -> [AudioTrackRecord]
    /// The title's subtitles; empty if it is not ready or its file cannot be read.
    func subtitles(of title: TitleRecord) async -> [TitleSubtitles]
    /// One page of audio tracks; the parameters are those of the lists of titles.
    func tracks(_ query: RecordQuery, after cursor: String?, limit: Int) async throws -> Page<AudioTrackRecord>
    /// The audio track with an id; `nil` if there is none.
    func track(id: String) async throws -> AudioTrackRecord?
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
    /// Starts or stops the recording of a channel; `nil` if there is no such channel.
    ///
    /// - Throws: `RecordingError`
    func setRecording(_ isWanted: Bool, ofChannel name: String) async throws -> RecordingStatus?
    /// Makes a title from a range of a channel's time-shift window; `nil` if there is no such channel.
    ///
    /// - Parameters:
    ///   - name: the channel's name.
    ///   - from: start of the range.
    ///   - to: end of the range.
    ///   - title: the new title's name; `nil` for the channel's title and the date.
    /// - Throws: `ClipError`
    func makeClip(
        ofChannel name: String, from: WallClockTime, to: WallClockTime, title: String?
    ) async throws -> TitleRecord?
    /// Queues a file on this machine for ingest.
    func ingest(path: String) async throws -> IngestedItem
    /// Inserts timed metadata at a channel's live edge.
    ///
    /// - Returns: the date range as announced; `nil` if there is no such channel.
    /// - Throws: `TimedMetadataError`
    func announce(_ metadata: TimedMetadata, onChannel name: String) async throws -> DateRange?
    /// The metrics of the server's other parts, for `/metrics`.
    func metrics() async -> [MetricFamily]
    /// The reason why the server cannot serve all requests yet; `nil` if it is ready.
    func unreadiness() async -> String?
}

extension ContentSource {
    /// One page of titles with what lists show of them; the parameters are those of the lists of titles.
    package func listed(_ query: RecordQuery, after cursor: String?, limit: Int) async throws -> Page<ListedTitle> {
        let page = try await titles(query, after: cursor, limit: limit)
        let listings = try await listings(of: page.items.map(\.id))
        return Page(
            items: page.items.map { ListedTitle(record: $0, listing: listings[$0.id] ?? TitleListing()) },
            next: page.next)
    }
}
