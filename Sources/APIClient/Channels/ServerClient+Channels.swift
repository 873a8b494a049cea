package import APIContract
package import APIDeclarations
package import JSONDocument

/// Live channels.
extension ServerClient {
    /// The status of all channels.
    func channels() async throws -> [APIObject<ChannelFields>] { try await items(ChannelAPI.listChannels) }

    /// The quality presets.
    package func presets() async throws -> [APIObject<PresetFields>] {
        try await send(ChannelAPI.listPresets).items
    }

    /// Starts or stops the recording of a channel, and returns the recording's status.
    package func setRecording(
        _ isWanted: Bool, ofChannel name: String
    ) async throws -> APIObject<RecordingFields> {
        let change = RecordingChangeFields.request { [$0.action(isWanted ? "start" : "stop")] }
        return try await send(ChannelAPI.setRecording, name, body: change)
    }

    /// The source and the copies of a channel.
    package func relays(ofChannel name: String) async throws -> [APIObject<RelayFields>] {
        try await items(ChannelAPI.listRelays, name)
    }

    /// Starts or stops the source of a channel, or one of its copies.
    package func setRelay(_ id: String, ofChannel name: String, isStarted: Bool) async throws {
        let change = RelayChangeFields.request { [$0.action(isStarted ? "start" : "stop")] }
        _ = try await send(ChannelAPI.setRelay, name, id, body: change)
    }

    /// Disconnects the publisher of a channel.
    package func disconnectPublisher(ofChannel name: String) async throws {
        try await send(ChannelAPI.disconnectPublisher, name)
    }

    /// Timeout of a clip, which may have hours of media to write.
    private static let clipTimeout = Duration.seconds(10 * 60)

    /// Makes a title from what viewers of a channel can go back to, and returns it.
    ///
    /// - Parameters:
    ///   - name: the channel's name.
    ///   - from: the start, as a date like `2026-11-21T17:20:00Z`.
    ///   - to: the end.
    ///   - title: the title's name; `nil` for the channel's name and the time.
    package func makeClip(
        ofChannel name: String, from: String, to: String, title: String?
    ) async throws -> APIObject<TitleFields> {
        let clip = NewClipFields.request { f in
            [f.from(Moment(.string(from))), f.to(Moment(.string(to))), title.map { f.title($0) }]
        }
        return try await send(ChannelAPI.makeClip, name, body: clip, timeout: Self.clipTimeout)
    }

    /// Inserts timed metadata at a channel's live edge, and returns the date range.
    package func announce(_ metadata: JSONText, onChannel name: String) async throws -> APIObject<DateRangeFields> {
        try await send(ChannelAPI.addMetadata, name, body: metadata)
    }
}
