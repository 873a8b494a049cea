package import JSONDocument

/// A line of a drawing.
///
/// Coordinates are whole numbers, the same on all courts: `x` from 0 at the left edge to 16,000 at the right one, `y`
/// from 0 at the upper edge to 10,000 at the lower one.
package struct StrategyStroke: Sendable, Hashable {
    /// Limit of the points of a line; pages simplify longer ones.
    package static let maximumPointCount = 400
    package static let maximumX = 16_000
    package static let maximumY = 10_000
    /// Widths of lines, in the unit of the coordinates.
    package static let widths = 10...600
    /// Percentages of opacity; nobody sees less than the least.
    package static let opacities = 5...100

    /// A colour such as `#ff0000`.
    package var color: String
    package var width: Int
    package var opacity: Int
    /// The coordinates, `x` and `y` in turns.
    package var points: [Int]

    /// A value that a line cannot have.
    package struct Damage: Error {
        package var field: String
        package var text: String
    }

    /// Reads what ``json`` has written, or a client has sent.
    package init(_ node: JSONNode) throws(Damage) {
        guard let members = node.members else { throw Damage(field: "color", text: "is missing") }
        let names = ["color", "width", "opacity", "points"]
        if let unknown = members.first(where: { !names.contains($0.name) }) {
            throw Damage(field: String(unknown.name.prefix(40)), text: "is not a field of a stroke")
        }
        guard let color = node["color"]?.string, Self.isColor(color) else {
            throw Damage(field: "color", text: "must be a colour like \"#ff0000\"")
        }
        guard let width = node["width"]?.integer, Self.widths.contains(width) else {
            throw Damage(
                field: "width",
                text: "must be a whole number from \(Self.widths.lowerBound) to \(Self.widths.upperBound)")
        }
        guard let opacity = node["opacity"]?.integer, Self.opacities.contains(opacity) else {
            throw Damage(
                field: "opacity",
                text: "must be a whole number from \(Self.opacities.lowerBound) to \(Self.opacities.upperBound)")
        }
        let points = node["points"]?.elements ?? []
        let numbers = points.compactMap(\.integer)
        guard numbers.count == points.count, !numbers.isEmpty, numbers.count.isMultiple(of: 2),
            numbers.count <= Self.maximumPointCount * 2,
            numbers.enumerated().allSatisfy({ index, number in
                (0...(index.isMultiple(of: 2) ? Self.maximumX : Self.maximumY)).contains(number)
            })
        else {
            throw Damage(
                field: "points",
                text:
                    "must have 1 to \(Self.maximumPointCount) pairs of whole numbers, x from 0 to \(Self.maximumX) and y from 0 to \(Self.maximumY)"
            )
        }
        (self.color, self.width, self.opacity, self.points) = (color, width, opacity, numbers)
    }

    private static func isColor(_ text: String) -> Bool {
        text.utf8.count == 7 && text.hasPrefix("#")
            && text.utf8.dropFirst().allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    }

    package var json: JSONText {
        .object([
            ("color", .string(color)), ("width", .integer(width)), ("opacity", .integer(opacity)),
            ("points", .array(points.map { .integer($0) })),
        ])
    }
}
