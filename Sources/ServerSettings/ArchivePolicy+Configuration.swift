package import JSONDocument
import LiveChannels
import MediaCore

extension ArchivePolicy {
    /// Longest time-shift window that can be configured, in seconds. A media playlist of a day is about a megabyte.
    static let maximumWindowSeconds = 24 * 3_600

    /// Reads the policy of a channel; missing fields keep their defaults.
    package init(_ channel: JSONNode) {
        self.init()
        if let seconds = channel["dvrWindow"]?.string.flatMap(Self.seconds) { windowSeconds = seconds }
        recordsAlways = channel["record"]?.string == "always"
        recordingLimits = RecordingLimits(
            maximumByteCount: channel["recordings"]?["maximumBytes"]?.integer.map(Int64.init),
            maximumAgeDays: channel["recordings"]?["maximumAgeDays"]?.integer)
    }

    /// Parses a duration such as `90s`, `30m` or `2h` into seconds; `nil` for anything else.
    package static func seconds(_ text: String) -> Int? {
        guard let unit = text.last, let number = Int(digits: text.dropLast()) else { return nil }
        let seconds: Int? =
            switch unit {
            case "s": 1
            case "m": 60
            case "h": 3_600
            default: nil
            }
        return seconds.flatMap { number.multipliedReportingOverflow(by: $0).overflow ? nil : number * $0 }
    }
}

extension ChannelsFile {
    /// Checks that a channel's `dvrWindow` is in range, which the schema's pattern cannot express.
    static func checkArchive(of channel: JSONNode, _ field: String, _ issues: inout [JSONIssue]) {
        guard let node = channel["dvrWindow"], let seconds = node.string.flatMap(ArchivePolicy.seconds) else { return }
        guard !(1...ArchivePolicy.maximumWindowSeconds).contains(seconds) else { return }
        issues.append(
            JSONIssue(
                position: node.position, field: "\(field).dvrWindow",
                message: "\(node.summary) must be more than 0 and at most 24h; write it like 90s, 30m or 2h"))
    }
}
