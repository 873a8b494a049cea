package import BoardDrawing
package import Catalogue
package import HLSPlaylist
package import LiveChannels
package import MediaCore

/// Live channels: their status, recordings, clips and timed metadata.
package protocol ChannelContent: Sendable {
    /// The status of all channels.
    func channels() -> [ChannelStatus]
    /// The status of a channel; `nil` if there is no channel of that name.
    func channel(named name: String) -> ChannelStatus?
    /// The viewers of all channels by the kind of their program.
    func clients() -> [ClientKind: Int]
    /// Disconnects the publisher of a channel, or ends the slate that is shown in its place.
    ///
    /// - Returns: whether there was one; `nil` if there is no such channel.
    func disconnectPublisher(ofChannel name: String, reason: String) -> Bool?
    /// The file of a channel's image; `nil` if the channel has none on this machine.
    func coverFile(ofChannel name: String) -> String?
    /// The current picture of a channel, a JPEG file; `nil` if the channel is not on the air or there is none of it.
    func thumbnail(ofChannel name: String) async -> [UInt8]?
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
    /// Inserts timed metadata at a channel's live edge.
    ///
    /// - Returns: the date range as announced; `nil` if there is no such channel.
    /// - Throws: `TimedMetadataError`
    func announce(_ metadata: TimedMetadata, onChannel name: String) async throws -> DateRange?
    /// The channels into whose picture a scoreboard is drawn, with the language of its words.
    func drawnScoreboards() -> [(channel: String, language: String)]
    /// Sets the states of the scoreboard that is drawn into a channel's picture, oldest first.
    func draw(_ boards: [DatedBoard], onChannel name: String)
}
