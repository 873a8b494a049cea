/// Samples of one metric, as Prometheus reads them.
package struct MetricFamily: Sendable, Equatable {
    package enum Kind: String, Sendable { case counter, gauge }

    package struct Sample: Sendable, Equatable {
        package var labels: [String: String]
        package var value: Double

        package init(_ labels: [String: String], _ value: Double) {
            self.labels = labels
            self.value = value
        }
    }

    /// `[a-zA-Z_:][a-zA-Z0-9_:]*`; counters end in `_total`.
    package var name: String
    package var help: String
    package var kind: Kind
    package var samples: [Sample]

    package init(name: String, help: String, kind: Kind, samples: [Sample]) {
        self.name = name
        self.help = help
        self.kind = kind
        self.samples = samples
    }

    package init(name: String, help: String, kind: Kind, value: Double) {
        self.init(name: name, help: help, kind: kind, samples: [Sample([:], value)])
    }
}

/// Prometheus' text exposition format, version 0.0.4.
package enum MetricsText {
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
