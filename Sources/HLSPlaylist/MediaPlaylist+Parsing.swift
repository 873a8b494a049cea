import MediaCore

extension MediaPlaylist {
    /// Parses a playlist that ``rendered()`` has written, or another server's playlist as far as it uses the same
    /// tags. Unknown tags are skipped (rfc8216bis §4.1).
    package init(parsing text: String) throws(PlaylistParsingError) {
        self.init(version: 1, targetDuration: 0, hasIndependentSegments: false)
        var next = MediaSegment(uri: "", duration: 0)
        var hasDuration = false
        for (number, line) in try PlaylistLines(text).lines {
            switch line {
            case .uri(let uri):
                guard hasDuration else { throw PlaylistParsingError(line: number, "a segment without EXTINF") }
                next.uri = uri
                segments.append(next)
                let byteRange = next.initializationByteRange
                next = MediaSegment(uri: "", duration: 0, initializationSection: next.initializationSection)
                next.initializationByteRange = byteRange
                hasDuration = false
            case .tag("EXTINF", let value):
                guard let duration = Double(value.prefix { $0 != "," }), duration.isFinite, duration >= 0 else {
                    throw PlaylistParsingError(line: number, "EXTINF is not a number: \(value)")
                }
                next.duration = duration
                hasDuration = true
            case .tag(let name, let value):
                try apply(tag: name, value: value, line: number, next: &next)
            }
        }
        guard targetDuration > 0 else { throw PlaylistParsingError(line: 1, "EXT-X-TARGETDURATION is missing") }
        openSegment = OpenSegment(leftOver: next, after: segments.last)
    }

    private mutating func apply(
        tag: String, value: String, line: Int, next: inout MediaSegment
    ) throws(PlaylistParsingError) {
        switch tag {
        case "EXT-X-VERSION": version = try Self.integer(value, line: line)
        case "EXT-X-TARGETDURATION": targetDuration = try Self.integer(value, line: line)
        case "EXT-X-MEDIA-SEQUENCE": mediaSequence = try Self.integer(value, line: line)
        case "EXT-X-DISCONTINUITY-SEQUENCE": discontinuitySequence = try Self.integer(value, line: line)
        case "EXT-X-PLAYLIST-TYPE": playlistType = PlaylistType(rawValue: value)
        case "EXT-X-INDEPENDENT-SEGMENTS": hasIndependentSegments = true
        case "EXT-X-I-FRAMES-ONLY": isIFramesOnly = true
        case "EXT-X-ENDLIST": hasEndList = true
        case "EXT-X-START", "EXT-X-SERVER-CONTROL", "EXT-X-PART-INF", "EXT-X-SKIP", "EXT-X-DATERANGE",
            "EXT-X-PRELOAD-HINT", "EXT-X-RENDITION-REPORT":
            try apply(tag: tag, AttributeList(value, line: line), line: line)
        default: try next.apply(tag: tag, value: value, line: line)
        }
    }

    /// Applies a tag that concerns the whole playlist and whose value is an attribute list.
    private mutating func apply(tag: String, _ list: AttributeList, line: Int) throws(PlaylistParsingError) {
        switch tag {
        case "EXT-X-START": start = try StartPoint(list, line: line)
        case "EXT-X-SERVER-CONTROL": serverControl = try ServerControl(list, line: line)
        case "EXT-X-PART-INF":
            guard let target = try list.decimal("PART-TARGET", line: line) else {
                throw PlaylistParsingError(line: line, "PART-TARGET is missing")
            }
            partTarget = target
        case "EXT-X-SKIP":
            guard skip == nil else { throw PlaylistParsingError(line: line, "EXT-X-SKIP occurs twice") }
            skip = try SkippedSegments(list, line: line)
        case "EXT-X-DATERANGE": dateRanges.append(try DateRange(list, line: line))
        case "EXT-X-PRELOAD-HINT":
            if let hint = try PreloadHint(list, line: line) { preloadHints.append(hint) }
        case "EXT-X-RENDITION-REPORT": renditionReports.append(try RenditionReport(list, line: line))
        default: break
        }
    }

    fileprivate static func integer(_ value: String, line: Int) throws(PlaylistParsingError) -> Int {
        guard let integer = Int(value), integer >= 0 else {
            throw PlaylistParsingError(line: line, "not a whole number: \(value)")
        }
        return integer
    }
}

extension MediaSegment {
    /// Applies a tag that precedes a segment and belongs to it.
    fileprivate mutating func apply(tag: String, value: String, line: Int) throws(PlaylistParsingError) {
        switch tag {
        case "EXT-X-DISCONTINUITY": isDiscontinuous = true
        case "EXT-X-GAP": isGap = true
        case "EXT-X-MAP":
            let list = try AttributeList(value, line: line)
            initializationSection = try list.required("URI", line: line)
            initializationByteRange = try list.byteRange("BYTERANGE", line: line)
        case "EXT-X-BYTERANGE":
            guard let range = ByteRange(parsing: value) else {
                throw PlaylistParsingError(line: line, "not a byte range: \(value)")
            }
            byteRange = range
        case "EXT-X-PART": parts.append(try PartialSegmentReference(AttributeList(value, line: line), line: line))
        case "EXT-X-PROGRAM-DATE-TIME":
            guard let date = ProgramDateTime(parsing: value) else {
                throw PlaylistParsingError(line: line, "not a date: \(value)")
            }
            programDateTime = date.millisecondsSince1970
        default: break
        }
    }
}

extension OpenSegment {
    /// Creates the open segment from the tags after the last segment; `nil` if there are none.
    fileprivate init?(leftOver next: MediaSegment, after last: MediaSegment?) {
        let hasOwnMap =
            next.initializationSection != last?.initializationSection
            || next.initializationByteRange != last?.initializationByteRange
        guard !next.parts.isEmpty || next.isDiscontinuous || next.programDateTime != nil || hasOwnMap else {
            return nil
        }
        self.init(
            parts: next.parts, isDiscontinuous: next.isDiscontinuous,
            initializationSection: next.initializationSection,
            initializationByteRange: next.initializationByteRange, programDateTime: next.programDateTime)
    }
}

extension ProgramDateTime {
    /// Parses `YYYY-MM-DDThh:mm:ss[.fff]` in UTC (`Z`) or with an offset (`±hh:mm`); `nil` for anything else.
    package init?(parsing text: String) {
        guard let separator = text.firstIndex(of: "T"), text[..<separator].utf8.count == 10 else { return nil }
        let date = text[..<separator].split(separator: "-").compactMap { Int64($0) }
        var time = text[text.index(after: separator)...]
        guard date.count == 3, (1...9_999).contains(date[0]), (1...12).contains(date[1]), (1...31).contains(date[2])
        else { return nil }
        var offsetMinutes: Int64 = 0
        if time.last == "Z" {
            time = time.dropLast()
        } else if let sign = time.lastIndex(where: { $0 == "+" || $0 == "-" }) {
            let offset = time[time.index(after: sign)...].split(separator: ":").compactMap { Int64($0) }
            guard offset.count == 2, offset.allSatisfy({ (0...59).contains($0) }) else { return nil }
            offsetMinutes = (offset[0] * 60 + offset[1]) * (time[sign] == "-" ? -1 : 1)
            time = time[..<sign]
        } else {
            return nil
        }
        let parts = time.split(separator: ":")
        guard parts.count == 3, let hour = Int64(parts[0]), let minute = Int64(parts[1]), let second = Double(parts[2]),
            (0...23).contains(hour), (0...59).contains(minute), second >= 0, second < 61
        else { return nil }
        let days = CivilDate(year: date[0], month: date[1], day: date[2]).daysSince1970
        let minutes = days * 1_440 + hour * 60 + minute - offsetMinutes
        self.init(millisecondsSince1970: days * 86_400_000)
        // Rejects a day that the month does not have; it would silently become a day of the next month.
        guard civilTime.date.day == date[2] else { return nil }
        millisecondsSince1970 = minutes * 60_000 + Int64((second * 1_000).rounded())
    }
}
