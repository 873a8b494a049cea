import LiveChannels

extension ArchivePolicy {
    /// Seconds: what an operator may ask for. A player's playlist of a day is a megabyte.
    static let maximumWindowSeconds = 24 * 3_600

    /// What the channel says; what it does not say keeps its default.
    init(_ channel: JSONNode) {
        self.init()
        if let seconds = channel["dvrWindow"]?.string.flatMap(Self.seconds) { windowSeconds = seconds }
        recordsAlways = channel["record"]?.string == "always"
        recordingLimits = RecordingLimits(
            maximumByteCount: channel["recordings"]?["maximumBytes"]?.integer.map(Int64.init),
            maximumAgeDays: channel["recordings"]?["maximumAgeDays"]?.integer)
    }

    /// `90s`, `30m`, `2h`; `nil` for anything else.
    static func seconds(_ text: String) -> Int? {
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
    static func checkArchive(of channel: JSONNode, _ field: String, _ issues: inout [ConfigurationIssue]) {
        guard let node = channel["dvrWindow"], let seconds = node.string.flatMap(ArchivePolicy.seconds) else { return }
        guard !(1...ArchivePolicy.maximumWindowSeconds).contains(seconds) else { return }
        issues.append(
            ConfigurationIssue(
                position: node.position, field: "\(field).dvrWindow",
                message: "\(node.summary) must be more than nothing and at most 24h; write it like 90s, 30m or 2h"))
    }
}
