/// EXT-X-SERVER-CONTROL (rfc8216bis §4.4.3.8): the delivery directives that the server supports, and the distance
/// from the end that a player should keep.
package struct ServerControl: Sendable, Hashable {
    /// CAN-BLOCK-RELOAD: the server blocks playlist requests with `_HLS_msn` and `_HLS_part`.
    package var canBlockReload: Bool
    /// CAN-SKIP-UNTIL: skip boundary of delta updates in seconds, at least six target durations.
    package var canSkipUntil: Double?
    /// CAN-SKIP-DATERANGES: the server supports `_HLS_skip=v2`. Written only together with ``canSkipUntil``, which it
    /// requires.
    package var canSkipDateRanges: Bool
    /// HOLD-BACK in seconds, at least three target durations; `nil` means exactly three.
    package var holdBack: Double?
    /// PART-HOLD-BACK in seconds, at least three part targets. Required if the playlist has a part target.
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

    /// Writes the tag, unless it would not have any attribute.
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
