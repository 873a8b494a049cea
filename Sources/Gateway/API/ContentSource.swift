package import Catalogue
package import HLSPlaylist
package import LiveChannels
package import VODLibrary

/// What the API and the site show. The server's own is ``ServerContent``; tests have one in memory.
package protocol ContentSource: Sendable {
    /// What the API does with jobs, uploads and files.
    var library: any LibraryOperations { get }
    func channels() -> [ChannelStatus]
    func channel(named name: String) -> ChannelStatus?
    /// - Parameter cursor: the `next` of the page before.
    func titles(matching query: String?, after cursor: String?, limit: Int) async throws -> Page<TitleRecord>
    func title(id: String) async throws -> TitleRecord?
    /// Those that can be played, the last one added first.
    func newestTitles(limit: Int) async throws -> [TitleRecord]
    /// Those that can be played, the last one added first.
    func newestTracks(limit: Int) async throws -> [AudioTrackRecord]
    /// The title's subtitles; empty if it is not ready or its file cannot be read.
    func subtitles(of title: TitleRecord) async -> [TitleSubtitles]
    func tracks(matching query: String?, after cursor: String?, limit: Int) async throws -> Page<AudioTrackRecord>
    func track(id: String) async throws -> AudioTrackRecord?
    /// Those that are ready to be played.
    func readyCounts() async throws -> (titles: Int, tracks: Int)
    /// Begins or ends the recording of a channel; `nil` where there is no such channel.
    ///
    /// - Throws: `RecordingError`
    func setRecording(_ isWanted: Bool, ofChannel name: String) async throws -> RecordingStatus?
    /// Makes a title out of what a channel's window has; `nil` where there is no such channel.
    ///
    /// - Parameters:
    ///   - from: milliseconds since 1970.
    ///   - to: the same.
    /// - Throws: `ClipError`
    func makeClip(ofChannel name: String, from: Int64, to: Int64, title: String?) async throws -> TitleRecord?
    /// Queues a file of this machine.
    func ingest(path: String) async throws -> IngestedItem
    /// - Returns: `nil` where there is no such channel.
    /// - Throws: ``TimedMetadataError``
    func announce(_ metadata: TimedMetadata, onChannel name: String) async throws -> DateRange?
    /// Counters of other parts, for `/metrics`.
    func metrics() async -> [MetricFamily]
    /// Whether requests can be answered in full; the reason where not.
    func unreadiness() async -> String?
}

extension ContentSource {
    package func metrics() async -> [MetricFamily] { [] }
    package func unreadiness() async -> String? { nil }
}
