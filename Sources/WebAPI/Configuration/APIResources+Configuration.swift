import APIContract
import APIDeclarations
import LiveChannels
import Workflows

extension APIResources {
    /// The JSON of the changes that a new `channels.json` has made.
    static func reload(_ outcome: ChannelsReload) -> APIObject<ReloadFields> {
        ReloadFields.object {
            [
                $0.added(outcome.channels.added), $0.changed(outcome.channels.changed),
                $0.removed(outcome.channels.removed), $0.unchanged(outcome.unchangedChannelCount),
                $0.presetsChanged(outcome.changesPresets), $0.ladderChanged(outcome.changesLadder),
                $0.encryptionChanged(outcome.changesEncryption),
            ]
        }
    }
}
