package import Catalogue
package import HLSPlaylist
package import LiveChannels
package import VODLibrary

/// What the API and the site show. The server's own is ``ServerContent``; tests have one in memory.
package protocol ContentSource: Sendable {
    func channels() -> [ChannelStatus]
    func channel(named name: String) -> ChannelStatus?
    /// - Parameter cursor: the `next` of the page before.
    func titles(matching query: String?, after cursor: String?, limit: Int) async throws -> Page<TitleRecord>
    func title(id: String) async throws -> TitleRecord?
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
    /// Has other qualities of a title made; `nil` where there is no such title.
    ///
    /// - Throws: `LibraryError`, `WorkerFailure`
    func makeLadder(ofTitle id: String, presets: [LadderPreset]) async throws -> LadderStatus?
    /// `nil` where there is no such title.
    func ladderStatus(ofTitle id: String) async throws -> LadderStatus?
    /// Ends what is being made, or deletes what was made; `nil` where there is no such title.
    func dropLadder(ofTitle id: String) async throws -> LadderStatus?
    /// - Returns: `nil` where there is no such channel.
    /// - Throws: ``TimedMetadataError``
    func announce(_ metadata: TimedMetadata, onChannel name: String) async throws -> DateRange?
    /// Counters of other parts, for `/metrics`.
    func metrics() async -> [MetricFamily]
    /// Whether requests can be answered in full; the reason where not.
    func unreadiness() async -> String?
}

extension ContentSource {
    package func makeLadder(ofTitle id: String, presets: [LadderPreset]) async throws -> LadderStatus? { nil }
    package func ladderStatus(ofTitle id: String) async throws -> LadderStatus? { nil }
    package func dropLadder(ofTitle id: String) async throws -> LadderStatus? { nil }
    package func metrics() async -> [MetricFamily] { [] }
    package func unreadiness() async -> String? { nil }
}
