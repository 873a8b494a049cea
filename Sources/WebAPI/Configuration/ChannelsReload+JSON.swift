import HTTPEndpoints
import JSONDocument
import LiveChannels
import Workflows

extension ChannelsReload {
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
