/// EXT-X-START (rfc8216bis §4.4.2.2): the point at which playback should begin.
package struct StartPoint: Sendable, Hashable {
    /// TIME-OFFSET in seconds from the playlist's start; if negative, from its end.
    package var timeOffset: Double
    /// PRECISE: nothing before the point is shown, not even the part of its segment that precedes it.
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
