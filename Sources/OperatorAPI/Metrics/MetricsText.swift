package import HTTPEndpoints

/// Writer of Prometheus' text exposition format, version 0.0.4.
package enum MetricsText {
    /// Renders the metrics in the order given.
    package static func render(_ families: [MetricFamily]) -> String {
        var text = ""
        text.reserveCapacity(families.reduce(0) { $0 + 200 + $1.samples.count * averageLineByteCount })
        for family in families {
            text += "# HELP \(family.name) "
            append(family.help, escapesQuotes: false, to: &text)
            text += "\n# TYPE \(family.name) \(family.kind.rawValue)\n"
            for sample in family.samples {
                text += family.name
                text += sample.suffix
                append(sample.labels, to: &text)
                text += " "
                text += number(sample.value)
                text += "\n"
            }
        }
        return text
    }

    /// A guess, so that a scrape of thousands of channels does not copy the text again and again.
    private static let averageLineByteCount = 80

    private static func append(_ labels: [String: String], to text: inout String) {
        guard !labels.isEmpty else { return }
        var separator = "{"
        for (name, value) in labels.count == 1 ? Array(labels) : labels.sorted(by: { $0.key < $1.key }) {
            text += separator
            text += name
            text += "=\""
            append(value, escapesQuotes: true, to: &text)
            text += "\""
            separator = ","
        }
        text += "}"
    }

    private static func append(_ value: String, escapesQuotes: Bool, to text: inout String) {
        let backslash = UInt8(ascii: "\\")
        let quote = UInt8(ascii: "\"")
        let newline = UInt8(ascii: "\n")
        guard value.utf8.contains(where: { $0 == backslash || $0 == newline || ($0 == quote && escapesQuotes) }) else {
            text += value
            return
        }
        for scalar in value.unicodeScalars {
            switch scalar {
            case "\\": text += "\\\\"
            case "\n": text += "\\n"
            case "\"" where escapesQuotes: text += "\\\""
            default: text.unicodeScalars.append(scalar)
            }
        }
    }

    private static func number(_ value: Double) -> String {
        if let integer = Int(exactly: value) { return "\(integer)" }
        return value.isNaN ? "NaN" : value.isInfinite ? (value > 0 ? "+Inf" : "-Inf") : "\(value)"
    }
}
