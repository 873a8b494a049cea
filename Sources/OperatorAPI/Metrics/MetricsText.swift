package import HTTPEndpoints

/// Writer of Prometheus' text exposition format, version 0.0.4.
package enum MetricsText {
    /// Renders the metrics in the order given.
    package static func render(_ families: [MetricFamily]) -> String {
        var text = ""
        for family in families {
            let help = family.help.replacing("\\", with: "\\\\").replacing("\n", with: "\\n")
            text += "# HELP \(family.name) \(help)\n# TYPE \(family.name) \(family.kind.rawValue)\n"
            for sample in family.samples {
                text += "\(family.name)\(labels(sample.labels)) \(number(sample.value))\n"
            }
        }
        return text
    }

    private static func labels(_ labels: [String: String]) -> String {
        guard !labels.isEmpty else { return "" }
        let pairs = labels.sorted { $0.key < $1.key }.map { name, value in
            let escaped = value.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
            return "\(name)=\"\(escaped)\""
        }
        return "{\(pairs.joined(separator: ","))}"
    }

    private static func number(_ value: Double) -> String {
        if let integer = Int(exactly: value) { return "\(integer)" }
        return value.isNaN ? "NaN" : value.isInfinite ? (value > 0 ? "+Inf" : "-Inf") : "\(value)"
    }
}
