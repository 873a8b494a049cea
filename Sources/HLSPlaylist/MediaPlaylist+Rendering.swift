extension MediaPlaylist {
    /// The playlist as UTF-8 text, with a line feed after each line.
    ///
    /// No value can break out of its line or its quotation marks: characters that a quoted string may not hold are
    /// replaced by similar ones, and characters that a URI may not hold are percent-encoded.
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

    /// Renders the playlist with segments whose lines were written earlier; the bytes are the same as those of
    /// ``rendered()``. A live window calls this for each revision.
    ///
    /// - Parameter segments: the segments to list in place of the playlist's own, which should be empty. If there is
    ///   a ``skip``, these are the segments of the whole playlist, and the skipped ones are omitted.
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
        // EXT-X-SKIP precedes the segments (rfc8216bis §4.4.5.2).
        skip?.write(into: &writer)
    }

    private func writeTail(into writer: inout PlaylistWriter, map: MediaInitializationSectionReference?) {
        if let openSegment {
            openSegment.write(into: &writer, map: map, hasParts: hasParts)
        }
        for range in dateRanges { range.write(into: &writer) }
        // A playlist that has ended has no hints (rfc8216bis §4.4.5.3).
        if !hasEndList { for hint in preloadHints { hint.write(into: &writer) } }
        for report in renditionReports { report.write(into: &writer) }
        if hasEndList { writer.tag("#EXT-X-ENDLIST") }
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
