/// A Prometheus metric with its samples.
package struct MetricFamily: Sendable, Equatable {
    /// The type of a metric: a counter only increases.
    package enum Kind: String, Sendable { case counter, gauge }

    /// One value of the metric, with the labels that identify it.
    package struct Sample: Sendable, Equatable {
        package var labels: [String: String]
        package var value: Double

        package init(_ labels: [String: String], _ value: Double) {
            self.labels = labels
            self.value = value
        }
    }

    /// The metric's name, `[a-zA-Z_:][a-zA-Z0-9_:]*`; the names of counters end in `_total`.
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
