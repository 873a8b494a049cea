import Foundation
package import JSONDocument
package import MediaCore

/// The server's last answer about a rental.
package struct RentalNote: Sendable, Hashable {
    package var state: String
    package var endsAt: WallClockTime?
    package var startsBefore: WallClockTime?

    /// Reads the API's representation of a rental; `nil` if it is not one.
    package init?(_ node: JSONNode?) {
        guard let node, let state = node["state"]?.string else { return nil }
        self.state = state
        endsAt = Self.time(node["endsAt"])
        startsBefore = Self.time(node["startsBefore"])
    }

    private static func time(_ node: JSONNode?) -> WallClockTime? {
        node?.string.flatMap { try? Date($0, strategy: .iso8601) }.map { WallClockTime($0) }
    }

    /// Whether the rental's time is over.
    package func isOver(at now: WallClockTime) -> Bool {
        if state == "expired" || state == "refunded" { return true }
        if let endsAt { return endsAt <= now }
        return startsBefore.map { $0 <= now } ?? false
    }
}
