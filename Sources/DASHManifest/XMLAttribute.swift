import MediaCore

/// An attribute of an element, as a text.
struct XMLAttribute: Hashable {
    var name: String
    var value: String

    init(_ name: String, _ value: String) { (self.name, self.value) = (name, value) }

    init(_ name: String, _ value: Int64) { self.init(name, "\(value)") }

    /// A duration (XML Schema `duration`) with milliseconds at most.
    init(_ name: String, seconds: Double) { self.init(name, "PT\(Self.decimal(seconds))S") }

    init(_ name: String, decimal: Double) { self.init(name, Self.decimal(decimal)) }

    /// A date (XML Schema `dateTime`), from milliseconds since 1970.
    init(_ name: String, date: Int64) { self.init(name, "\(CivilTime(millisecondsSince1970: date))") }

    /// A number of three decimal places at most; zero for what is none.
    private static func decimal(_ value: Double) -> String {
        let thousandths = Int64(clamping: value * 1_000)
        let (whole, rest) = thousandths.magnitude.quotientAndRemainder(dividingBy: 1_000)
        var fraction = String(String(rest + 1_000).dropFirst())
        while fraction.last == "0" { fraction.removeLast() }
        return (thousandths < 0 ? "-" : "") + "\(whole)" + (fraction.isEmpty ? "" : ".\(fraction)")
    }
}

extension Int64 {
    /// The nearest number; zero for what is none.
    init(clamping value: Double) {
        self = value.isNaN ? 0 : Int64(exactly: value.rounded()) ?? (value < 0 ? .min : .max)
    }
}
