import Foundation

/// A small graph of the last hour, as a part of an SVG image.
struct Sparkline {
    let values: [Float]

    private static let size = (width: 160.0, height: 36.0)
    /// The number of points; more cannot be told apart.
    private static let pointCount = 60

    /// The highest value.
    var highest: Float { values.filter(\.isFinite).max() ?? 0 }

    /// The points of a line, as in the attribute `points`; empty with fewer than two values.
    var points: String {
        let values = means
        guard values.count > 1 else { return "" }
        let top = Double(max(values.max() ?? 0, .leastNormalMagnitude))
        return values.enumerated().map { index, value in
            let x = Double(index) / Double(values.count - 1) * Self.size.width
            let y = Self.size.height - 2 - Double(value) / top * (Self.size.height - 4)
            return "\(Self.rounded(x)),\(Self.rounded(y))"
        }.joined(separator: " ")
    }

    /// The means of as many neighbours as make few points.
    private var means: [Float] {
        let count = max(1, (values.count + Self.pointCount - 1) / Self.pointCount)
        return stride(from: 0, to: values.count, by: count).map { start in
            let part = values[start..<min(start + count, values.count)].map { $0.isFinite ? max(0, $0) : 0 }
            return part.reduce(0, +) / Float(part.count)
        }
    }

    private static func rounded(_ value: Double) -> String {
        let tenths = Int((value * 10).rounded())
        return tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(abs(tenths % 10))"
    }
}
