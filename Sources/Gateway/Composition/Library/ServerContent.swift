package import BoardDrawing
package import Catalogue
import Database
import HLSDelivery
package import HLSPlaylist
package import ISOBMFF
import HTTPEndpoints
package import LiveChannels
import LiveWorkers
package import MediaCore
package import MediaIntake
import NIOCore
import NIOPosix
import Packaging
import VODLibrary
package import Workflows

/// The content of a running server: channels from memory, titles and tracks from the catalogue.
package struct ServerContent: ContentSource {
    private let directory: LiveChannelDirectory
    private let catalogue: Catalogue
    private let vodLibrary: VODLibrary
    private let titleSource: LibraryTitleSource
    private let pictures: ChannelPictures
    private let clipThreadPool: NIOThreadPool
    private let probes: [DiskProbe]
    private let database: (any SQLDatabase)?

    /// - Parameters:
    ///   - pictures: makes the current pictures of channels.
    ///   - clipThreadPool: writes clips, which may contain hours of media.
    ///   - probes: checks of the disks without which the server is not ready.
    ///   - database: the database without which the server is not ready; `nil` to ask none.
    init(
        directory: LiveChannelDirectory, catalogue: Catalogue, library: VODLibrary, titleSource: LibraryTitleSource,
        pictures: ChannelPictures, clipThreadPool: NIOThreadPool = .singleton, probes: [DiskProbe] = [],
        database: (any SQLDatabase)? = nil
    ) {
        self.directory = directory
        self.catalogue = catalogue
        vodLibrary = library
        self.titleSource = titleSource
        self.pictures = pictures
        self.clipThreadPool = clipThreadPool
        self.probes = probes
        self.database = database
    }

    package var library: any LibraryOperations { vodLibrary }

    package var collections: any CollectionStore { catalogue }

    package func channels() -> [ChannelStatus] { directory.all.map { $0.status() } }

    package func channel(named name: String) -> ChannelStatus? { directory.channel(named: name)?.status() }

    package func clients() -> [ClientKind: Int] {
        directory.all.reduce(into: [:]) { all, channel in all.merge(channel.clients()) { $0 + $1 } }
    }

    package func disconnectPublisher(ofChannel name: String, reason: String) -> Bool? {
        directory.channel(named: name)?.kick(reason: reason)
    }

    package func coverFile(ofChannel name: String) -> String? {
        guard case .file(let path) = directory.channel(named: name)?.configuration.cover else { return nil }
        return path
    }

    package func thumbnail(ofChannel name: String) async -> [UInt8]? {
        await pictures.picture(ofChannel: name).map { Array($0.readableBytesView) }
    }

    package func setRecording(_ isWanted: Bool, ofChannel name: String) async throws -> RecordingStatus? {
        guard let channel = directory.channel(named: name) else { return nil }
        return isWanted ? try channel.startRecording() : try await channel.stopRecording()
    }

    package func makeClip(
        ofChannel name: String, from: WallClockTime, to: WallClockTime, title: String?
    ) async throws -> TitleRecord? {
        guard let channel = directory.channel(named: name) else { return nil }
        let clip = try await clipThreadPool.runIfActive {
            try channel.planClip(from: from, to: to, title: title).write()
        }
        return try await vodLibrary.ingest(recording: clip.name, title: clip.title)
    }

    package func titles(
        _ query: RecordQuery, after cursor: String?, limit: Int
    ) async throws -> ListPage<TitleRecord> {
        var page = try await catalogue.titles(query, after: cursor, limit: limit)
        page.items = await vodLibrary.withProgress(page.items)
        return page
    }

    package func titles(
        _ query: ShelfQuery, after cursor: String?, limit: Int
    ) async throws -> ListPage<ListedTitle> {
        try await catalogue.titles(query, after: cursor, limit: limit)
    }

    package func listings(of titles: [String]) async throws -> [String: TitleListing] {
        try await catalogue.listings(of: titles)
    }

    package func genres(visible: RecordVisibility?) async throws -> [String] {
        try await catalogue.genres(visible: visible)
    }

    package func title(id: String) async throws -> TitleRecord? {
        guard let title = try await catalogue.title(id: id) else { return nil }
        return await vodLibrary.withProgress([title]).first
    }

    package func holdingTitle<Result: Sendable>(
        id: String, _ body: @escaping @Sendable (TitleRecord) throws -> Result
    ) async throws -> Result? {
        try await catalogue.holdingTitle(id: id, body)
    }

    package func title(file: String) async throws -> TitleRecord? { try await catalogue.title(file: file) }

    package func newestTitles(limit: Int, visible: RecordVisibility?) async throws -> [TitleRecord] {
        try await catalogue.newestTitles(limit, visible: visible)
    }

    package func newestTracks(limit: Int, visible: RecordVisibility?) async throws -> [AudioTrackRecord] {
        try await catalogue.newestTracks(limit, visible: visible)
    }

    package func subtitles(of title: TitleRecord) async -> [TitleSubtitles] {
        guard case .ready(_, _, let extras)? = await packaged(title) else { return [] }
        return TitleSubtitles.all(SubtitleRenditions(extras.subtitles), ofTitle: title.id)
    }

    package func datedSpans(of title: TitleRecord) async -> [DatedSpan] {
        guard case .ready(let packaged, _, _)? = await packaged(title) else { return [] }
        return packaged.datedSpans
    }

    /// `nil` if the title is not ready or its file cannot be read.
    private func packaged(_ title: TitleRecord) async -> TitleLookup? {
        guard title.state == .ready, let id = MediaName(title.id) else { return nil }
        return try? await titleSource.packagedTitle(at: .title(id: id))
    }

    package func lyrics(of track: AudioTrackRecord) async -> String? {
        let path = track.sourcePath
        return try? await clipThreadPool.runIfActive { LyricsFile.text(besideFile: path) }
    }

    package func tracks(
        _ query: RecordQuery, after cursor: String?, limit: Int
    ) async throws -> ListPage<AudioTrackRecord> {
        try await catalogue.tracks(query, after: cursor, limit: limit)
    }

    package func track(id: String) async throws -> AudioTrackRecord? { try await catalogue.track(id: id) }

    package func readyDurations(
        visibleTitles: RecordVisibility?, visibleTracks: RecordVisibility?
    ) async throws -> (titles: Duration, tracks: Duration) {
        try await catalogue.durations(visibleTitles: visibleTitles, visibleTracks: visibleTracks)
    }

    package func readyCounts(
        visibleTitles: RecordVisibility?, visibleTracks: RecordVisibility?
    ) async throws -> (titles: Int, tracks: Int) {
        try await catalogue.counts(visibleTitles: visibleTitles, visibleTracks: visibleTracks)
    }

    package func ingest(path: String) async throws -> IngestedItem { try await vodLibrary.ingest(path: path) }

    package func announce(_ metadata: TimedMetadata, onChannel name: String) async throws -> DateRange? {
        try await directory.channel(named: name)?.announce(metadata)
    }

    package func drawnScoreboards() -> [(channel: String, language: String)] {
        directory.all.compactMap { channel in
            let configuration = channel.configuration
            return configuration.scoreboardPreset.map { _ in (channel.name, configuration.scoreboardLanguage) }
        }
    }

    package func draw(_ boards: [DatedBoard], onChannel name: String) {
        directory.channel(named: name)?.boards.show(boards)
    }

    package func unreadiness() async -> String? {
        await withTaskGroup(of: String?.self) { group in
            for probe in probes { group.addTask { await probe.obstacle() } }
            if let database { group.addTask { await Self.obstacle(of: database) } }
            let obstacles = await group.reduce(into: []) { $0.append($1) }.compactMap(\.self).sorted()
            return obstacles.isEmpty ? nil : obstacles.joined(separator: "; ")
        }
    }

    /// Why the database cannot be used at the moment; `nil` if it answers. The reason names no address, because
    /// anybody may ask.
    private static func obstacle(of database: any SQLDatabase) async -> String? {
        do {
            try await database.read { _ in }
            return nil
        } catch {
            return "the database does not answer"
        }
    }
}
