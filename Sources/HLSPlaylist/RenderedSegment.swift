/// A segment's lines, written once and used in every playlist that lists the segment.
///
/// Two things change as a segment ages: the first segment of a playlist needs the EXT-X-MAP that it shares with its
/// predecessor, and its parts leave the playlist before it does. The positions of both are stored with the lines.
package struct RenderedSegment: Sendable, Hashable {
    /// EXTINF in seconds, which the skip boundary is computed from.
    package let duration: Double
    /// The lines in this order: DISCONTINUITY, MAP, PROGRAM-DATE-TIME, PART, the other tags and the URI.
    private let bytes: [UInt8]
    private let mapLine: Range<Int>
    private let partLines: Range<Int>
    let map: MediaInitializationSectionReference?
    let hasByteRange: Bool

    package init(_ segment: MediaSegment) {
        var writer = PlaylistWriter()
        writer.reserve(192 + segment.parts.count * 112)
        if segment.isDiscontinuous { writer.tag("#EXT-X-DISCONTINUITY") }
        let mapStart = writer.bytes.count
        let map = segment.map
        map?.write(into: &writer)
        let mapEnd = writer.bytes.count
        if let programDateTime = segment.programDateTime { writer.programDateTime(programDateTime) }
        let partStart = writer.bytes.count
        for part in segment.parts { part.write(into: &writer) }
        let partEnd = writer.bytes.count
        if segment.isGap { writer.tag("#EXT-X-GAP") }
        if let byteRange = segment.byteRange {
            writer.text("#EXT-X-BYTERANGE:")
            writer.byteRange(byteRange)
            writer.endLine()
        }
        writer.text("#EXTINF:")
        writer.decimal(DecimalFloatingPoint(segment.duration))
        writer.text(",\n")
        writer.uri(segment.uri)
        writer.endLine()
        self.init(
            duration: segment.duration, bytes: writer.bytes, mapLine: mapStart..<mapEnd, partLines: partStart..<partEnd,
            map: map, hasByteRange: segment.byteRange != nil)
    }

    private init(
        duration: Double, bytes: [UInt8], mapLine: Range<Int>, partLines: Range<Int>,
        map: MediaInitializationSectionReference?, hasByteRange: Bool
    ) {
        self.duration = duration
        self.bytes = bytes
        self.mapLine = mapLine
        self.partLines = partLines
        self.map = map
        self.hasByteRange = hasByteRange
    }

    /// Size of the lines in bytes.
    package var byteCount: Int { bytes.count }

    package var hasParts: Bool { !partLines.isEmpty }

    /// The segment without its EXT-X-PART lines, for a segment whose parts are older than three target durations
    /// (rfc8216bis §6.2.2).
    package var withoutParts: RenderedSegment {
        guard hasParts else { return self }
        return RenderedSegment(
            duration: duration, bytes: Array(bytes[..<partLines.lowerBound] + bytes[partLines.upperBound...]),
            mapLine: mapLine, partLines: partLines.lowerBound..<partLines.lowerBound, map: map,
            hasByteRange: hasByteRange)
    }

    /// - Parameter current: the EXT-X-MAP in force before the segment; after the call, the one in force after it.
    func write(
        into writer: inout PlaylistWriter, map current: inout MediaInitializationSectionReference?, hasParts: Bool
    ) {
        let hasMapLine = map != nil && map != current
        if hasMapLine { current = map }
        let hasAllParts = hasParts || partLines.isEmpty
        if hasMapLine, hasAllParts {
            writer.text(bytes)
            return
        }
        if mapLine.lowerBound > 0 { writer.text(bytes[..<mapLine.lowerBound]) }
        let rest = hasMapLine ? mapLine.lowerBound : mapLine.upperBound
        if hasAllParts {
            writer.text(bytes[rest...])
        } else {
            writer.text(bytes[rest..<partLines.lowerBound])
            writer.text(bytes[partLines.upperBound...])
        }
    }
}
