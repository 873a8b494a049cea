/// EXT-X-START (§4.4.2.2): where playback should begin.
package struct StartPoint: Sendable, Hashable {
    /// Seconds from the playlist's start; negative from its end.
    package var timeOffset: Double
    /// Nothing before that point is shown, not even what shares its segment.
    package var isPrecise: Bool

    package init(timeOffset: Double, isPrecise: Bool = false) {
        self.timeOffset = timeOffset
        self.isPrecise = isPrecise
    }

    init(_ attributes: AttributeList, line: Int) throws(PlaylistParsingError) {
        let text = try attributes.required("TIME-OFFSET", line: line)
        guard let timeOffset = Double(text), timeOffset.isFinite else {
            throw PlaylistParsingError(line: line, "TIME-OFFSET is not a number: \(text)")
        }
        self.init(timeOffset: timeOffset, isPrecise: attributes["PRECISE"] == "YES")
    }

    func write(into writer: inout PlaylistWriter) {
        writer.tag("#EXT-X-START") { list in
            list.attribute("TIME-OFFSET", decimal: DecimalFloatingPoint(signed: timeOffset))
            if isPrecise { list.attribute("PRECISE", enumerated: "YES") }
        }
    }
}
