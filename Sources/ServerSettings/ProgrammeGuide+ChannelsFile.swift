import Foundation
import HTTPEndpoints
import JSONDocument
import MediaCore

extension ProgrammeGuide {
    private static let weekdays = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]

    /// Reads the programmes of a channel of a file that has passed all checks; `nil` for a channel without any.
    init?(_ channel: JSONNode, zone: TimeZone) {
        let entries = (channel["programmes"]?.elements ?? []).compactMap { node -> Entry? in
            guard let title = node["title"]?.string, let start = node["at"]?.string.flatMap(Self.minutes),
                let minutes = node["minutes"]?.integer
            else { return nil }
            let names = (node["days"]?.elements ?? []).compactMap(\.string)
            return Entry(
                title: title, weekdays: Set(names.compactMap { Self.weekdays.firstIndex(of: $0) }),
                day: node["date"]?.string.flatMap { CivilDate(parsing: $0) }.map { Int($0.daysSince1970) },
                start: start,
                minutes: minutes)
        }
        guard !entries.isEmpty else { return nil }
        self.init(entries, zone: zone)
    }

    /// Minutes after midnight of a time such as `18:30`.
    private static func minutes(_ text: String) -> Int? {
        let parts = text.split(separator: ":").compactMap { Int(digits: $0) }
        return parts.count == 2 ? parts[0] * 60 + parts[1] : nil
    }

    /// Notes what the schema cannot check.
    static func check(_ document: JSONNode, _ issues: inout [JSONIssue]) {
        if let zone = document["site"]?["timeZone"], let name = zone.string, TimeZone(identifier: name) == nil {
            issues.append(
                at: zone, "site.timeZone", "\(zone.summary) is not a time zone, such as \"Europe/Madrid\"")
        }
        for (index, channel) in (document["channels"]?.elements ?? []).enumerated() {
            for (number, node) in (channel["programmes"]?.elements ?? []).enumerated() {
                let field = "channels[\(index)].programmes[\(number)]"
                if node.members != nil, (node["days"] == nil) == (node["date"] == nil) {
                    issues.append(at: node, field, "a programme needs either \"days\" or \"date\"")
                }
                if let time = node["at"], let text = time.string, Self.minutes(text).map({ $0 >= 1_440 }) ?? false {
                    issues.append(at: time, "\(field).at", "\(time.summary) is not a time of day, such as \"18:30\"")
                }
                if let date = node["date"], let text = date.string, CivilDate(parsing: text) == nil {
                    issues.append(at: date, "\(field).date", "\(date.summary) is not a date, such as \"2026-12-24\"")
                }
            }
        }
    }
}
