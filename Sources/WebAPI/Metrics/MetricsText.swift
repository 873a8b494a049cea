package import HTTPEndpoints
package import NIOCore

/// Writer of Prometheus' text exposition format, version 0.0.4.
package enum MetricsText {
    /// A guess, so that a scrape of thousands of channels does not copy the text again and again.
    private static let averageLineByteCount = 80

    /// Renders the metrics in the order given.
    package static func render(_ families: [MetricFamily]) -> ByteBuffer {
        var text = ByteBuffer()
        text.reserveCapacity(families.reduce(0) { $0 + 200 + $1.samples.count * averageLineByteCount })
        for family in families {
            text.writeStaticString("# HELP ")
            text.writeString(family.name)
            text.writeStaticString(" ")
            write(family.help, escapesQuotes: false, to: &text)
            text.writeStaticString("\n# TYPE ")
            text.writeString(family.name)
            text.writeStaticString(" ")
            text.writeString(family.kind.rawValue)
            text.writeStaticString("\n")
            for sample in family.samples {
                text.writeString(family.name)
                text.writeString(sample.suffix)
                write(sample.labels, to: &text)
                text.writeStaticString(" ")
                text.writeString(number(sample.value))
                text.writeStaticString("\n")
            }
        }
        return text
    }

    private static func write(_ labels: [String: String], to text: inout ByteBuffer) {
        guard labels.count > 1 else {
            guard let only = labels.first else { return }
            text.writeStaticString("{")
            write(only, to: &text)
            text.writeStaticString("}")
            return
        }
        text.writeStaticString("{")
        for (index, label) in labels.sorted(by: { $0.key < $1.key }).enumerated() {
            if index > 0 { text.writeStaticString(",") }
            write(label, to: &text)
        }
        text.writeStaticString("}")
    }

    private static func write(_ label: (key: String, value: String), to text: inout ByteBuffer) {
        text.writeString(label.key)
        text.writeStaticString("=\"")
        write(label.value, escapesQuotes: true, to: &text)
        text.writeStaticString("\"")
    }

    private static func write(_ value: String, escapesQuotes: Bool, to text: inout ByteBuffer) {
        let backslash = UInt8(ascii: "\\")
        let quote = UInt8(ascii: "\"")
        let newline = UInt8(ascii: "\n")
        guard value.utf8.contains(where: { $0 == backslash || $0 == newline || ($0 == quote && escapesQuotes) }) else {
            text.writeString(value)
            return
        }
        for byte in value.utf8 {
            switch byte {
            case backslash: text.writeStaticString("\\\\")
            case newline: text.writeStaticString("\\n")
            case quote where escapesQuotes: text.writeStaticString("\\\"")
            default: text.writeInteger(byte)
            }
        }
    }

    private static func number(_ value: Double) -> String {
        if let integer = Int(exactly: value) { return "\(integer)" }
        return value.isNaN ? "NaN" : value.isInfinite ? (value > 0 ? "+Inf" : "-Inf") : "\(value)"
    }
}
