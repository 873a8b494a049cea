extension MediaPlaylist {
    /// The playlist as UTF-8 text, a line feed after each line.
    package func rendered() -> String {
        var text = "#EXTM3U\n#EXT-X-VERSION:\(version)\n#EXT-X-TARGETDURATION:\(targetDuration)\n"
        text.reserveCapacity(256 + segments.count * 128)
        text += "#EXT-X-MEDIA-SEQUENCE:\(mediaSequence)\n"
        if let discontinuitySequence { text += "#EXT-X-DISCONTINUITY-SEQUENCE:\(discontinuitySequence)\n" }
        if let playlistType { text += "#EXT-X-PLAYLIST-TYPE:\(playlistType.rawValue)\n" }
        if hasIndependentSegments { text += "#EXT-X-INDEPENDENT-SEGMENTS\n" }
        var currentMap: String?
        for segment in segments { segment.render(into: &text, currentMap: &currentMap) }
        if hasEndList { text += "#EXT-X-ENDLIST\n" }
        return text
    }
}

extension MediaSegment {
    fileprivate func render(into text: inout String, currentMap: inout String?) {
        if isDiscontinuous { text += "#EXT-X-DISCONTINUITY\n" }
        if let initializationSection, initializationSection != currentMap {
            text += "#EXT-X-MAP:URI=\"\(initializationSection)\"\n"
            currentMap = initializationSection
        }
        if let programDateTime {
            text += "#EXT-X-PROGRAM-DATE-TIME:\(ProgramDateTime(millisecondsSince1970: programDateTime))\n"
        }
        if isGap { text += "#EXT-X-GAP\n" }
        text += "#EXTINF:\(DecimalFloatingPoint(duration)),\n\(uri)\n"
    }
}
