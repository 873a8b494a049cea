package import LiveChannels

/// The changes made by a reload of `channels.json`.
package struct ChannelsReload: Sendable, Equatable {
    /// The channels that were added, changed and removed.
    package var channels: LiveChannelChanges
    /// Number of channels that did not change.
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
}
