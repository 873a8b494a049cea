package import LiveChannels

/// What reading `channels.json` again has changed.
package struct ChannelsReload: Sendable, Equatable {
    package var channels: LiveChannelChanges
    /// Channels that are as they were.
    package var unchangedChannelCount: Int
    package var changesPresets: Bool
    package var changesLadder: Bool
    package var changesEncryption: Bool

    package init(
        channels: LiveChannelChanges = LiveChannelChanges(), unchangedChannelCount: Int = 0,
        changesPresets: Bool = false, changesLadder: Bool = false, changesEncryption: Bool = false
    ) {
        self.channels = channels
        self.unchangedChannelCount = unchangedChannelCount
        self.changesPresets = changesPresets
        self.changesLadder = changesLadder
        self.changesEncryption = changesEncryption
    }

    var json: JSONText {
        func names(_ names: [String]) -> JSONText { .array(names.map(JSONText.string)) }
        return .object([
            ("added", names(channels.added)), ("changed", names(channels.changed)),
            ("removed", names(channels.removed)), ("unchanged", .integer(unchangedChannelCount)),
            ("presetsChanged", .boolean(changesPresets)), ("ladderChanged", .boolean(changesLadder)),
            ("encryptionChanged", .boolean(changesEncryption)),
        ])
    }
}

/// Reads `channels.json` again; the API asks for it.
package protocol ChannelsReloading: Sendable {
    /// - Throws: ``ConfigurationError`` if the file has mistakes, ``ReloadError`` if it cannot be read again now; nothing
    ///   has changed then.
    func reload() async throws -> ChannelsReload
}

/// Why `channels.json` was not read again.
package struct ReloadError: Error, Sendable, Hashable, CustomStringConvertible {
    package var description: String

    package init(_ description: String) { self.description = description }
}
