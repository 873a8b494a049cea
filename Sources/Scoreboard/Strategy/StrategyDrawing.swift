import JSONDocument
package import MediaCore

/// A court with lines on it.
package struct StrategyDrawing: Sendable, Hashable {
    package static let maximumStrokeCount = 400
    /// Limit of the lines as JSON.
    package static let maximumByteCount = 128 * 1_024

    package var court: StrategyCourt
    package private(set) var strokes: [StrategyStroke]

    /// - Throws: `Refusal` with `invalidField` if there are too many lines.
    package init(_ court: StrategyCourt, _ strokes: [StrategyStroke]) throws(Refusal) {
        guard strokes.count <= Self.maximumStrokeCount else {
            throw Refusal(
                .invalidField, "a drawing is limited to \(Self.maximumStrokeCount) strokes", fields: ["strokes"])
        }
        (self.court, self.strokes) = (court, strokes)
        guard text.utf8.count <= Self.maximumByteCount else {
            throw Refusal(
                .invalidField, "a drawing is limited to \(Self.maximumByteCount / 1_024) KiB", fields: ["strokes"])
        }
    }

    /// The lines as they are stored.
    package var text: String { JSONText.array(strokes.map(\.json)).rendered }

    /// Reads what ``text`` has written. A line that cannot be read is left out.
    init(court: String, text: String) {
        self.court = StrategyCourt(rawValue: court) ?? .plain
        let nodes = (try? JSONParser.parse(text.utf8))?.elements ?? []
        strokes = nodes.prefix(Self.maximumStrokeCount).compactMap { try? StrategyStroke($0) }
    }
}
