package import Catalogue
package import HLSPlaylist
package import LiveChannels
import NIOPosix
package import RTSPServer
package import VODLibrary

/// What a running server shows: channels from memory, titles and tracks from the catalogue.
package struct ServerContent: ContentSource {
    private let directory: LiveChannelDirectory
    private let catalogue: Catalogue
    private let vodLibrary: VODLibrary
    private let rtsp: RTSPServer

    package init(directory: LiveChannelDirectory, catalogue: Catalogue, library: VODLibrary, rtsp: RTSPServer) {
        self.directory = directory
        self.catalogue = catalogue
        vodLibrary = library
        self.rtsp = rtsp
    }

    package var library: any LibraryOperations { vodLibrary }

    package func channels() -> [ChannelStatus] { directory.all.map { $0.status() } }

    package func channel(named name: String) -> ChannelStatus? { directory.channel(named: name)?.status() }

    package func setRecording(_ isWanted: Bool, ofChannel name: String) async throws -> RecordingStatus? {
        guard let channel = directory.channel(named: name) else { return nil }
        return isWanted ? try channel.startRecording() : try await channel.stopRecording()
    }

    package func makeClip(
        ofChannel name: String, from: Int64, to: Int64, title: String?
    ) async throws -> TitleRecord? {
        guard let channel = directory.channel(named: name) else { return nil }
        let file = try await NIOThreadPool.singleton.runIfActive {
            try channel.planClip(from: from, to: to, title: title).write()
        }
        return try await vodLibrary.ingest(recording: file)
    }

    package func titles(matching query: String?, after cursor: String?, limit: Int) async throws -> Page<TitleRecord> {
        var page = try await catalogue.titles(matching: query, after: cursor, limit: limit)
        page.items = await vodLibrary.withProgress(page.items)
        return page
    }

    package func title(id: String) async throws -> TitleRecord? {
        guard let title = try await catalogue.title(id: id) else { return nil }
        return await vodLibrary.withProgress([title]).first
    }

    package func tracks(
        matching query: String?, after cursor: String?, limit: Int
    ) async throws -> Page<AudioTrackRecord> {
        try await catalogue.tracks(matching: query, after: cursor, limit: limit)
    }

    package func track(id: String) async throws -> AudioTrackRecord? { try await catalogue.track(id: id) }

    package func readyCounts() async throws -> (titles: Int, tracks: Int) { try await catalogue.counts() }

    package func ingest(path: String) async throws -> IngestedItem { try await vodLibrary.ingest(path: path) }

    package func announce(_ metadata: TimedMetadata, onChannel name: String) async throws -> DateRange? {
        try await directory.channel(named: name)?.announce(metadata)
    }

    package func metrics() async -> [MetricFamily] {
        LiveChannelMetrics(channels: directory.all).families + RTSPMetrics(statistics: rtsp.statistics()).families
    }
}
