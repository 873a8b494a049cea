extension MediaPlaylist {
    /// The playlist as UTF-8 text, a line feed after each line.
    ///
    /// No text can break out of its line or its quotation marks: what a quoted string may not hold becomes what looks
    /// most alike, what a URI may not hold is percent-encoded.
    package func rendered() -> String {
        var writer = PlaylistWriter()
        writer.reserve(512 + segments.count * 128)
        writeHead(into: &writer)
        var map: MediaInitializationSectionReference?
        encryption?.write(into: &writer)
        for segment in segments { RenderedSegment(segment).write(into: &writer, map: &map, hasParts: hasParts) }
        writeTail(into: &writer, map: map)
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    /// The same bytes as ``rendered()`` with these segments, whose lines were written earlier: what a live window asks
    /// for with each revision.
    ///
    /// - Parameter segments: stand in for the playlist's own, which should be empty. Where there is a ``skip``, they are
    ///   the whole playlist's, and as many as it says are left out.
    package func rendered(concatenating segments: [RenderedSegment]) -> [UInt8] {
        let skippedCount = max(0, skip?.count ?? 0)
        let kept = segments.dropFirst(skippedCount)
        var map = segments.prefix(skippedCount).last { $0.map != nil }?.map
        var writer = PlaylistWriter()
        writer.reserve(1_024 + kept.reduce(0) { $0 + $1.byteCount } + (openSegment?.parts.count ?? 0) * 128)
        writeHead(into: &writer)
        for segment in kept { segment.write(into: &writer, map: &map, hasParts: hasParts) }
        writeTail(into: &writer, map: map)
        return writer.bytes
    }

    private var hasParts: Bool { partTarget != nil }

    private func writeHead(into writer: inout PlaylistWriter) {
        writer.tag("#EXTM3U")
        writer.tag("#EXT-X-VERSION", version)
        writer.tag("#EXT-X-TARGETDURATION", targetDuration)
        serverControl?.write(into: &writer)
        if let partTarget {
            writer.tag("#EXT-X-PART-INF") { list in
                list.attribute("PART-TARGET", decimal: DecimalFloatingPoint(partTarget))
            }
        }
        writer.tag("#EXT-X-MEDIA-SEQUENCE", mediaSequence)
        if let discontinuitySequence { writer.tag("#EXT-X-DISCONTINUITY-SEQUENCE", discontinuitySequence) }
        if let playlistType {
            writer.text("#EXT-X-PLAYLIST-TYPE:")
            writer.tag(playlistType.rawValue)
        }
        if isIFramesOnly { writer.tag("#EXT-X-I-FRAMES-ONLY") }
        if hasIndependentSegments { writer.tag("#EXT-X-INDEPENDENT-SEGMENTS") }
        start?.write(into: &writer)
        // §4.4.5.2: in the place of the segments that it stands for.
        skip?.write(into: &writer)
    }

    private func writeTail(into writer: inout PlaylistWriter, map: MediaInitializationSectionReference?) {
        if let openSegment {
            openSegment.write(into: &writer, map: map, hasParts: hasParts)
        }
        for range in dateRanges { range.write(into: &writer) }
        // §4.4.5.3: none where there is an end.
        if !hasEndList { for hint in preloadHints { hint.write(into: &writer) } }
        for report in renditionReports { report.write(into: &writer) }
        if hasEndList { writer.tag("#EXT-X-ENDLIST") }
    }
}

/// What an EXT-X-MAP names.
struct MediaInitializationSectionReference: Sendable, Hashable {
    var uri: String
    var byteRange: ByteRange?

    init?(_ uri: String?, _ byteRange: ByteRange?) {
        guard let uri else { return nil }
        (self.uri, self.byteRange) = (uri, byteRange)
    }

    func write(into writer: inout PlaylistWriter) {
        writer.tag("#EXT-X-MAP") { list in
            list.attribute("URI", uri: uri)
            if let byteRange { list.attribute("BYTERANGE", byteRange: byteRange) }
        }
    }
}

extension MediaSegment {
    var map: MediaInitializationSectionReference? {
        MediaInitializationSectionReference(initializationSection, initializationByteRange)
    }
}

extension OpenSegment {
    var map: MediaInitializationSectionReference? {
        MediaInitializationSectionReference(initializationSection, initializationByteRange)
    }

    fileprivate func write(
        into writer: inout PlaylistWriter, map current: MediaInitializationSectionReference?, hasParts: Bool
    ) {
        guard hasParts else { return }
        if isDiscontinuous { writer.tag("#EXT-X-DISCONTINUITY") }
        if let map, map != current { map.write(into: &writer) }
        if let programDateTime { writer.programDateTime(programDateTime) }
        for part in parts { part.write(into: &writer) }
    }
}

extension PlaylistWriter {
    mutating func programDateTime(_ milliseconds: Int64) {
        text("#EXT-X-PROGRAM-DATE-TIME:")
        ProgramDateTime(millisecondsSince1970: milliseconds).write(into: &self)
        endLine()
    }
}
