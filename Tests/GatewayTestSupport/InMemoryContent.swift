package import BoardDrawing
package import Catalogue
import Foundation
package import HLSPlaylist
package import ISOBMFF
import HTTPEndpoints
import JSONDocument
import LibraryDetails
package import LiveChannels
package import MediaCore
package import MediaIntake
package import Synchronization
package import Workflows

/// A content source that uses neither disk nor sockets.
package final class InMemoryContent: ContentSource {
    package struct State {
        package var channels: [ChannelStatus] = []
        package var titles: [TitleRecord] = []
        package var tracks: [AudioTrackRecord] = []
        package var ingested: [String] = []
        package var announced: [TimedMetadata] = []
        package var unreadiness: String?
        /// Subtitles, keyed by title ID.
        package var subtitles: [String: [TitleSubtitles]] = [:]
        /// The dates of recordings, keyed by title ID.
        package var datedSpans: [String: [DatedSpan]] = [:]
        /// The channels that are being recorded, keyed by name.
        package var recording: [String: Bool] = [:]
        package var clips: [String] = []
        /// The words of tracks, keyed by ID.
        package var lyrics: [String: String] = [:]
        package var clients: [ClientKind: Int] = [:]
        /// The channels whose publishers were disconnected.
        package var disconnected: [String] = []
        /// The files of channels' images, keyed by name.
        package var coverFiles: [String: String] = [:]
        package var thumbnails: [String: [UInt8]] = [:]
        /// The order that was asked for last.
        package var lastOrder: RecordOrder?
        /// Audiences of single titles and tracks, keyed by ID.
        package var audiences: [String: ItemAudienceName] = [:]
        /// Accounts to which single titles and tracks are opened, keyed by ID.
        package var grants: [String: Set<String>] = [:]

        /// Called before a list of titles is answered.
        package var onTitles: (@Sendable () async throws -> Void)?

        func shows(_ id: String, _ visible: RecordVisibility?) -> Bool {
            guard let visible else { return true }
            return audiences[id].map { visible.audiences.contains($0) } ?? visible.showsUnset
                || visible.account.map { grants[id]?.contains($0) ?? false } ?? false
        }
    }

    package struct Refusal: Error, CustomStringConvertible {
        package let description = "there is no such file"
    }

    package let state = Mutex(State())
    /// An empty library in a temporary folder; opened when a test uses it.
    package let folder = LibraryFolder()
    package var library: any LibraryOperations { folder.library() }
    /// The collections of the library in the folder.
    package var collections: any CollectionStore { folder.catalogue }

    package init() {}

    package func channels() -> [ChannelStatus] { state.withLock { $0.channels } }
    package func channel(named name: String) -> ChannelStatus? { channels().first { $0.name == name } }

    package func clients() -> [ClientKind: Int] { state.withLock { $0.clients } }

    package func lyrics(of track: AudioTrackRecord) async -> String? { state.withLock { $0.lyrics[track.id] } }

    package func disconnectPublisher(ofChannel name: String, reason: String) -> Bool? {
        guard let channel = channel(named: name) else { return nil }
        guard channel.state != .idle else { return false }
        state.withLock { $0.disconnected.append(name) }
        return true
    }

    package func setRecording(_ isWanted: Bool, ofChannel name: String) async throws -> RecordingStatus? {
        guard let channel = channel(named: name) else { return nil }
        guard channel.state != .idle else { throw RecordingError(.nobodyPublishes, "nobody is broadcasting") }
        state.withLock { $0.recording[name] = isWanted }
        var status = RecordingStatus()
        status.state = isWanted ? .recording : .idle
        return status
    }

    package func thumbnail(ofChannel name: String) async -> [UInt8]? { state.withLock { $0.thumbnails[name] } }

    package func coverFile(ofChannel name: String) -> String? { state.withLock { $0.coverFiles[name] } }

    package func makeClip(
        ofChannel name: String, from: WallClockTime, to: WallClockTime, title: String?
    ) async throws -> TitleRecord? {
        guard channel(named: name) != nil else { return nil }
        guard from < to else { throw ClipError(.invalid, "backwards") }
        guard from.millisecondsSince1970 >= 1_000_000 else { throw ClipError(.outsideWindow, "too early") }
        state.withLock {
            $0.clips.append("\(name) \(from.millisecondsSince1970) \(to.millisecondsSince1970) \(title ?? "-")")
        }
        return Self.title("clip", state: .queued)
    }

    /// The cursor is the position of the next item.
    private func page<Item>(_ items: [Item], _ cursor: String?, _ limit: Int) -> ListPage<Item> {
        let start = min(items.count, cursor.flatMap { Int($0) } ?? 0)
        let end = min(items.count, start + limit)
        return ListPage(items: Array(items[start..<end]), next: end < items.count ? "\(end)" : nil)
    }

    package func titles(
        _ query: RecordQuery, after cursor: String?, limit: Int
    ) async throws -> ListPage<TitleRecord> {
        state.withLock { $0.lastOrder = query.order }
        try await state.withLock(\.onTitles)?()
        let titles = state.withLock { state in
            state.titles.filter { title in
                state.shows(title.id, query.visible) && query.kind.map { $0 == title.kind } ?? true
            }
        }
        return page(
            titles.filter { title in query.words.map { title.title.localizedStandardContains($0) } ?? true }, cursor,
            limit)
    }

    /// Knows neither sections nor orders; `Catalogue` does.
    package func titles(
        _ query: ShelfQuery, after cursor: String?, limit: Int
    ) async throws -> ListPage<ListedTitle> {
        try await state.withLock(\.onTitles)?()
        let titles = state.withLock { state in
            state.titles.filter { $0.state == .ready && $0.kind == query.kind && state.shows($0.id, query.visible) }
        }
        let found = page(
            titles.filter { title in query.words.map { title.title.localizedStandardContains($0) } ?? true }, cursor,
            limit)
        return ListPage(
            items: found.items.map { ListedTitle(record: $0, listing: TitleListing()) }, next: found.next)
    }

    package func listings(of titles: [String]) async throws -> [String: TitleListing] { [:] }

    package func genres(visible: RecordVisibility?) async throws -> [String] {
        state.withLock { state in
            Set(state.titles.filter { state.shows($0.id, visible) }.flatMap { $0.details.texts(.genres) ?? [] })
                .sorted()
        }
    }

    package func title(id: String) async throws -> TitleRecord? { state.withLock { $0.titles.first { $0.id == id } } }

    package func holdingTitle<Result: Sendable>(
        id: String, _ body: @escaping @Sendable (TitleRecord) throws -> Result
    ) async throws -> Result? {
        try state.withLock { try $0.titles.first { $0.id == id }.map(body) }
    }

    package func title(file: String) async throws -> TitleRecord? {
        state.withLock { $0.titles.first { $0.file == file } }
    }

    package func newestTitles(limit: Int, visible: RecordVisibility?) async throws -> [TitleRecord] {
        state.withLock { state in
            Array(
                state.titles.filter { $0.state == .ready && $0.kind == .film && state.shows($0.id, visible) }
                    .reversed().prefix(limit))
        }
    }

    package func newestTracks(limit: Int, visible: RecordVisibility?) async throws -> [AudioTrackRecord] {
        state.withLock { state in
            Array(state.tracks.filter { $0.state == .ready && state.shows($0.id, visible) }.reversed().prefix(limit))
        }
    }

    package func datedSpans(of title: TitleRecord) async -> [DatedSpan] {
        state.withLock { $0.datedSpans[title.id] ?? [] }
    }

    package func subtitles(of title: TitleRecord) async -> [TitleSubtitles] {
        state.withLock { $0.subtitles[title.id] ?? [] }
    }

    package func tracks(
        _ query: RecordQuery, after cursor: String?, limit: Int
    ) async throws -> ListPage<AudioTrackRecord> {
        let tracks = state.withLock { state in state.tracks.filter { state.shows($0.id, query.visible) } }
        return page(
            tracks.filter { track in query.words.map { track.title.localizedStandardContains($0) } ?? true }, cursor,
            limit)
    }

    package func track(id: String) async throws -> AudioTrackRecord? {
        state.withLock { $0.tracks.first { $0.id == id } }
    }

    package func readyDurations(
        visibleTitles: RecordVisibility?, visibleTracks: RecordVisibility?
    ) async throws -> (titles: Duration, tracks: Duration) {
        state.withLock { state in
            let titles = state.titles.filter {
                $0.state == .ready && $0.kind != .trailer && state.shows($0.id, visibleTitles)
            }
            let tracks = state.tracks.filter { $0.state == .ready && state.shows($0.id, visibleTracks) }
            return (
                .seconds(titles.compactMap(\.duration).reduce(0, +)),
                .seconds(tracks.compactMap(\.duration).reduce(0, +))
            )
        }
    }

    package func readyCounts(
        visibleTitles: RecordVisibility?, visibleTracks: RecordVisibility?
    ) async throws -> (titles: Int, tracks: Int) {
        state.withLock { state in
            (
                state.titles.count { $0.state == .ready && $0.kind != .trailer && state.shows($0.id, visibleTitles) },
                state.tracks.count { $0.state == .ready && state.shows($0.id, visibleTracks) }
            )
        }
    }

    package func ingest(path: String) async throws -> IngestedItem {
        guard path.hasSuffix(".mp4") else { throw Refusal() }
        return state.withLock { state in
            state.ingested.append(path)
            return .title(Self.title("new", state: .queued))
        }
    }

    /// Live channels accept all IDs except `taken`.
    package func announce(_ metadata: TimedMetadata, onChannel name: String) async throws -> DateRange? {
        guard let channel = channel(named: name) else { return nil }
        guard channel.state == .live else { throw TimedMetadataError(code: .notLive, reason: "nobody is live") }
        guard metadata.id != "taken" else { throw TimedMetadataError(code: .identifierInUse, reason: "in use") }
        state.withLock { $0.announced.append(metadata) }
        return DateRange(id: metadata.id ?? "new", startDate: 0, duration: metadata.duration)
    }

    package func drawnScoreboards() -> [(channel: String, language: String)] { [] }

    package func draw(_ boards: [DatedBoard], onChannel name: String) {}

    package func unreadiness() async -> String? { state.withLock { $0.unreadiness } }

    // MARK: Samples

    package static func title(_ id: String, title: String? = nil, state: TitleState = .ready, poster: String? = nil)
        -> TitleRecord
    {
        let date = Date(timeIntervalSince1970: 0)
        var record = TitleRecord(
            id: id, title: title ?? id, file: "\(id).mp4", sourcePath: "/m/\(id).mp4", state: state,
            duration: state == .ready ? 3723.4 : nil, byteCount: 1000, modifiedAt: date, revision: "r1", addedAt: date)
        record.progress = state == .transcoding ? 0.25 : nil
        record.error = state == .failed ? "<broken>" : nil
        record.poster = poster
        return record
    }

    package static func track(_ id: String, title: String? = nil, sourcePath: String = "/m/a.mp3", cover: String? = nil)
        -> AudioTrackRecord
    {
        let date = Date(timeIntervalSince1970: 0)
        var record = AudioTrackRecord(
            id: id, title: title ?? id, artist: "Artist", album: "Album", file: "a.mp3", sourcePath: sourcePath,
            state: .ready, duration: 61, byteCount: 10, modifiedAt: date, revision: "r2", addedAt: date)
        record.year = 1999
        record.describeByColumns()
        (record.cover, record.coverMediaType) = (cover, cover == nil ? nil : "image/png")
        return record
    }

    package static func channel(_ name: String, state: String = "idle", title: String? = nil) throws -> ChannelStatus {
        let json = JSONText.object([
            ("name", .string(name)), ("title", .string(title ?? name)), ("state", .string(state)),
            ("preset", .string("medium")), ("presets", .array([.string("medium")])), ("waitingPublishers", .array([])),
            ("tracks", .array([])),
            ("viewers", .integer(3)),
            ("viewersByVariant", .object([("video", .integer(1)), ("audio", .integer(0)), ("ts", .integer(2))])),
            ("bytesIn", .integer(1)), ("bytesDiscarded", .integer(0)),
            ("bytesOut", .integer(2)), ("packetsLost", .integer(0)), ("errors", .array([])),
            ("playlist", .string("/live/\(name).stream/playlist.m3u8")),
            ("manifest", .string("/live/\(name).stream/manifest.mpd")),
        ])
        return try JSONDecoder().decode(ChannelStatus.self, from: Data(json.rendered.utf8))
    }
}
