/// EXT-X-SERVER-CONTROL (§4.4.3.8): the delivery directives that the server understands, and how far from the end a
/// player should stay.
package struct ServerControl: Sendable, Hashable {
    /// `_HLS_msn` and `_HLS_part` are waited for.
    package var canBlockReload: Bool
    /// Seconds, the skip boundary of delta updates; at least six target durations.
    package var canSkipUntil: Double?
    /// `_HLS_skip=v2`; written only beside ``canSkipUntil``, which it requires.
    package var canSkipDateRanges: Bool
    /// Seconds; at least three target durations, which is also what `nil` means.
    package var holdBack: Double?
    /// Seconds; at least three part targets. Required where there is a part target.
    package var partHoldBack: Double?

    package init(
        canBlockReload: Bool = false, canSkipUntil: Double? = nil, canSkipDateRanges: Bool = false,
        holdBack: Double? = nil, partHoldBack: Double? = nil
    ) {
        self.canBlockReload = canBlockReload
        self.canSkipUntil = canSkipUntil
        self.canSkipDateRanges = canSkipDateRanges
        self.holdBack = holdBack
        self.partHoldBack = partHoldBack
    }

    init(_ attributes: AttributeList, line: Int) throws(PlaylistParsingError) {
        self.init(
            canBlockReload: attributes["CAN-BLOCK-RELOAD"] == "YES",
            canSkipUntil: try attributes.decimal("CAN-SKIP-UNTIL", line: line),
            canSkipDateRanges: attributes["CAN-SKIP-DATERANGES"] == "YES",
            holdBack: try attributes.decimal("HOLD-BACK", line: line),
            partHoldBack: try attributes.decimal("PART-HOLD-BACK", line: line))
    }

    /// A tag without any attribute says nothing, so it is not written.
    func write(into writer: inout PlaylistWriter) {
        guard canBlockReload || canSkipUntil != nil || holdBack != nil || partHoldBack != nil else { return }
        writer.tag("#EXT-X-SERVER-CONTROL") { list in
            if canBlockReload { list.attribute("CAN-BLOCK-RELOAD", enumerated: "YES") }
            if let canSkipUntil {
                list.attribute("CAN-SKIP-UNTIL", decimal: DecimalFloatingPoint(canSkipUntil))
                if canSkipDateRanges { list.attribute("CAN-SKIP-DATERANGES", enumerated: "YES") }
            }
            if let holdBack { list.attribute("HOLD-BACK", decimal: DecimalFloatingPoint(holdBack)) }
            if let partHoldBack { list.attribute("PART-HOLD-BACK", decimal: DecimalFloatingPoint(partHoldBack)) }
        }
    }
}
