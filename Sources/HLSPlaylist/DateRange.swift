/// EXT-X-DATERANGE (rfc8216bis §4.4.5.1): a range of time with attributes that describe it.
package struct DateRange: Sendable, Hashable {
    /// ID attribute, which is unique within the playlist.
    package var id: String
    /// CLASS attribute: attributes have the same meaning in all ranges of a class.
    package var dateRangeClass: String?
    /// Start in milliseconds since 1970-01-01T00:00:00Z, on the clock of EXT-X-PROGRAM-DATE-TIME.
    package var startDate: Int64
    /// END-DATE in milliseconds since 1970-01-01T00:00:00Z; `nil` if it is not known or not given.
    package var endDate: Int64?
    /// DURATION attribute in seconds.
    package var duration: Double?
    /// PLANNED-DURATION attribute in seconds, for a range whose end is not known yet.
    package var plannedDuration: Double?
    /// END-ON-NEXT: the range ends where the next range of its class begins. Without a class it has no effect; with
    /// one, the tag is written without end date and duration.
    package var endsOnNext: Bool
    /// Attributes that clients interpret. If several have the same name, only the first is written.
    package var attributes: [Attribute]

    package init(
        id: String, dateRangeClass: String? = nil, startDate: Int64, endDate: Int64? = nil, duration: Double? = nil,
        plannedDuration: Double? = nil, endsOnNext: Bool = false, attributes: [Attribute] = []
    ) {
        self.id = id
        self.dateRangeClass = dateRangeClass
        self.startDate = startDate
        self.endDate = endDate
        self.duration = duration
        self.plannedDuration = plannedDuration
        self.endsOnNext = endsOnNext
        self.attributes = attributes
    }

    /// An `X-` attribute or one of the SCTE 35 attributes.
    package struct Attribute: Sendable, Hashable {
        package let name: String
        package let value: Value

        /// Value of a client attribute, in one of the three syntaxes that rfc8216bis §4.4.5.1 allows.
        package enum Value: Sendable, Hashable {
            case string(String)
            /// A number that is not negative, written with six decimals.
            case number(Double)
            case hexadecimal([UInt8])
        }

        /// Length limit for names, above any name in use; an operator's API passes names through to this type.
        static let maximumNameByteCount = 128

        /// - Returns: `nil` if the name is neither one that rfc8216bis §4.4.5.1 leaves to clients (`X-` and capitals,
        ///   digits, hyphens) nor one of SCTE 35, or if the value cannot be written.
        package init?(_ name: String, _ value: Value) {
            let isExtension =
                name.utf8.count > 2 && name.hasPrefix("X-") && name.utf8.count <= Self.maximumNameByteCount
                && name.utf8.allSatisfy { (0x41...0x5A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D }
            switch value {
            case .string: guard isExtension else { return nil }
            case .number(let number): guard isExtension, number.isFinite, number >= 0 else { return nil }
            case .hexadecimal(let bytes):
                let isSCTE35 = ["SCTE35-CMD", "SCTE35-OUT", "SCTE35-IN"].contains(name)
                guard isExtension || isSCTE35, !bytes.isEmpty else { return nil }
            }
            (self.name, self.value) = (name, value)
        }
    }
}

extension DateRange {
    /// Size of the tag's line in a playlist, in bytes.
    package var renderedByteCount: Int {
        var writer = PlaylistWriter()
        write(into: &writer)
        return writer.bytes.count
    }

    init(_ list: AttributeList, line: Int) throws(PlaylistParsingError) {
        guard let startDate = try list.date("START-DATE", line: line) else {
            throw PlaylistParsingError(line: line, "START-DATE is missing")
        }
        self.init(
            id: try list.required("ID", line: line), dateRangeClass: list["CLASS"], startDate: startDate,
            endDate: try list.date("END-DATE", line: line), duration: try list.decimal("DURATION", line: line),
            plannedDuration: try list.decimal("PLANNED-DURATION", line: line),
            endsOnNext: list["END-ON-NEXT"] == "YES")
        attributes = list.names.compactMap { name in
            list.clientValue(name).flatMap { Attribute(name, $0) }
        }
    }

    func write(into writer: inout PlaylistWriter) {
        writer.tag("#EXT-X-DATERANGE") { list in
            list.attribute("ID", quoted: id)
            if let dateRangeClass { list.attribute("CLASS", quoted: dateRangeClass) }
            list.attribute("START-DATE", quoted: ProgramDateTime(millisecondsSince1970: startDate).description)
            let hasOpenEnd = endsOnNext && dateRangeClass != nil
            if !hasOpenEnd {
                if let endDate {
                    list.attribute("END-DATE", quoted: ProgramDateTime(millisecondsSince1970: endDate).description)
                }
                if let duration { list.attribute("DURATION", decimal: DecimalFloatingPoint(duration)) }
            }
            if let plannedDuration {
                list.attribute("PLANNED-DURATION", decimal: DecimalFloatingPoint(plannedDuration))
            }
            for (index, attribute) in attributes.enumerated()
            where !attributes[..<index].contains(where: { $0.name == attribute.name }) {
                attribute.write(into: &list)
            }
            if hasOpenEnd { list.attribute("END-ON-NEXT", enumerated: "YES") }
        }
    }
}

extension DateRange.Attribute {
    fileprivate func write(into list: inout PlaylistWriter) {
        switch value {
        case .string(let text): list.attribute(name, quoted: text)
        case .number(let number): list.attribute(name, decimal: DecimalFloatingPoint(number))
        case .hexadecimal(let bytes):
            let digits = bytes.map { ($0 < 0x10 ? "0" : "") + String($0, radix: 16, uppercase: true) }
            list.attribute(name, enumerated: "0x" + digits.joined())
        }
    }
}

extension AttributeList {
    /// The value of a client attribute, whose type follows from its syntax; `nil` if the value is malformed.
    fileprivate func clientValue(_ name: String) -> DateRange.Attribute.Value? {
        guard let text = self[name] else { return nil }
        if isQuoted(name) { return .string(text) }
        guard text.hasPrefix("0x") || text.hasPrefix("0X") else { return Double(text).map { .number($0) } }
        let digits = text.utf8.dropFirst(2).map { Character(Unicode.Scalar($0)).hexDigitValue }
        // Supplies the leading zero of an odd number of digits.
        var nibbles = digits.compactMap { $0.map { UInt8($0) } }
        guard nibbles.count == digits.count else { return nil }
        if nibbles.count % 2 == 1 { nibbles.insert(0, at: 0) }
        return .hexadecimal(stride(from: 0, to: nibbles.count, by: 2).map { nibbles[$0] << 4 | nibbles[$0 + 1] })
    }

    fileprivate func date(_ name: String, line: Int) throws(PlaylistParsingError) -> Int64? {
        guard let text = self[name] else { return nil }
        guard let date = ProgramDateTime(parsing: text) else {
            throw PlaylistParsingError(line: line, "\(name) is not a date: \(text)")
        }
        return date.millisecondsSince1970
    }
}
