/// The rules that a low-latency playlist follows by itself.
///
/// | rule | what it asks |
/// | --- | --- |
/// | `bis 4.4.4.9` | parts have a URI and a duration, and are not longer than PART-TARGET |
/// | `bis 4.4.4.9 short` | nor shorter than 85 % of it, but for the exceptions |
/// | `bis 4.4.4.9 order` | tags that apply to the first part stand before it |
/// | `14.3` | PART-HOLD-BACK of at least three part targets |
/// | `bis 4.4.3.8 HOLD-BACK` | HOLD-BACK of at least three target durations |
/// | `bis 4.4.3.8 CAN-SKIP-UNTIL` | CAN-SKIP-UNTIL of at least six target durations, and there where it is needed |
/// | `bis B.1` | parts come with CAN-BLOCK-RELOAD |
/// | `bis 3.2 duration` | a segment's parts last as long as the segment |
/// | `bis 6.2.2 parts` | parts older than three target durations are gone |
/// | `bis 6.2.6` | one hint of each type |
/// | `bis 4.4.5.3` | a hint is complete, and there is none beside an end |
enum LowLatencyRules {
    static func check(_ document: PlaylistDocument) -> [Finding] {
        var checker = LowLatencyChecker(document: document)
        checker.checkServerControl()
        checker.checkHints()
        checker.checkParts()
        return checker.findings
    }

    /// The error of written decimals.
    static let roundingTolerance = 0.000_5
    /// A frame at 24 a second, the longest that is usual.
    static let frameTolerance = 0.042
}

private struct LowLatencyChecker {
    let document: PlaylistDocument
    var findings: [Finding] = []

    private mutating func report(_ rule: String, line: Int? = nil, _ message: String) {
        findings.append(Finding(rule: rule, url: document.url, line: line, message: message))
    }

    mutating func checkServerControl() {
        let control = document.first("EXT-X-SERVER-CONTROL")
        let attributes = control?.attributes ?? [:]
        let targetDuration = Double(document.targetDuration)
        func decimal(_ name: String) -> Double? { attributes[name].map { Double($0) ?? 0 } }
        if let holdBack = decimal("HOLD-BACK"), holdBack < 3 * targetDuration - LowLatencyRules.roundingTolerance {
            report("bis 4.4.3.8 HOLD-BACK", line: control?.line, "HOLD-BACK is \(holdBack) s")
        }
        if let boundary = decimal("CAN-SKIP-UNTIL") {
            if boundary < 6 * targetDuration - LowLatencyRules.roundingTolerance {
                report("bis 4.4.3.8 CAN-SKIP-UNTIL", line: control?.line, "CAN-SKIP-UNTIL is \(boundary) s")
            }
        } else if attributes["CAN-SKIP-DATERANGES"] != nil {
            report("bis 4.4.3.8 CAN-SKIP-UNTIL", line: control?.line, "CAN-SKIP-DATERANGES without CAN-SKIP-UNTIL")
        }
        guard let target = document.partTarget else { return }
        let partHoldBack = decimal("PART-HOLD-BACK") ?? 0
        if partHoldBack < 3 * target - LowLatencyRules.roundingTolerance {
            report("14.3", line: control?.line, "PART-HOLD-BACK is \(partHoldBack) s")
        }
        if attributes["CAN-BLOCK-RELOAD"] != "YES", !document.isEnded {
            report("bis B.1", line: control?.line, "parts without CAN-BLOCK-RELOAD=YES")
        }
    }

    mutating func checkHints() {
        var types: Set<String> = []
        for tag in document.all("EXT-X-PRELOAD-HINT") {
            if document.isEnded { report("bis 4.4.5.3", line: tag.line, "a hint beside EXT-X-ENDLIST") }
            guard let type = tag.attributes["TYPE"], tag.attributes["URI"]?.isEmpty == false else {
                report("bis 4.4.5.3", line: tag.line, "a hint without TYPE or URI")
                continue
            }
            if !types.insert(type).inserted { report("bis 6.2.6", line: tag.line, "a second hint of TYPE=\(type)") }
        }
    }

    mutating func checkParts() {
        let groups = document.partGroups
        let all = groups.flatMap(\.parts)
        guard let first = all.first else { return }
        guard let target = document.partTarget else {
            report("bis 4.4.4.9", line: first.line, "parts without EXT-X-PART-INF")
            return
        }
        for part in all {
            if part.uri?.isEmpty ?? true { report("bis 4.4.4.9", line: part.line, "a part without URI") }
            let duration = part.duration ?? .infinity
            if duration > target + LowLatencyRules.roundingTolerance {
                report("bis 4.4.4.9", line: part.line, "a part of \(duration) s with a PART-TARGET of \(target) s")
            }
        }
        for tags in document.segments.map(\.tags) + [document.trailingTags] { checkOrder(tags) }
        for group in groups { checkShortParts(group, target: target) }
        checkSums(groups)
        checkAge(groups)
    }

    private mutating func checkOrder(_ tags: [PlaylistDocument.Tag]) {
        let early: Set<String> = ["EXT-X-DISCONTINUITY", "EXT-X-KEY", "EXT-X-MAP", "EXT-X-PROGRAM-DATE-TIME"]
        for tag in tags.drop(while: { $0.name != "EXT-X-PART" }) where early.contains(tag.name) {
            report("bis 4.4.4.9 order", line: tag.line, "\(tag.name) behind the first part of its segment")
        }
    }

    /// The last part of a segment may be short, and the last of the open segment may turn out to be that.
    private mutating func checkShortParts(_ group: PlaylistDocument.PartGroup, target: Double) {
        for (part, next) in zip(group.parts, group.parts.dropFirst()) {
            let isExempt = part.isIndependent || part.isGap || next.isGap
            guard !isExempt, let duration = part.duration,
                duration < 0.85 * target - LowLatencyRules.roundingTolerance
            else { continue }
            report("bis 4.4.4.9 short", line: part.line, "a part of \(duration) s with a PART-TARGET of \(target) s")
        }
    }

    /// The oldest segment that still has parts may have lost some of them.
    private mutating func checkSums(_ groups: [PlaylistDocument.PartGroup]) {
        let withParts = groups.filter { !$0.parts.isEmpty }
        for (index, group) in withParts.enumerated() {
            guard let segment = group.segment, let duration = segment.duration else { continue }
            let difference = group.parts.reduce(0) { $0 + ($1.duration ?? 0) } - duration
            let isTooShort = index > 0 && difference < -LowLatencyRules.frameTolerance
            guard difference > LowLatencyRules.frameTolerance || isTooShort else { continue }
            report(
                "bis 3.2 duration", line: segment.line,
                "parts add up to \(duration + difference) s, EXTINF is \(duration) s")
        }
    }

    private mutating func checkAge(_ groups: [PlaylistDocument.PartGroup]) {
        var distance = 0.0
        for group in groups.reversed() {
            let partsDuration = group.parts.reduce(0) { $0 + ($1.duration ?? 0) }
            var partEnd = distance
            for part in group.parts.reversed() {
                if partEnd > 3 * Double(document.targetDuration) + LowLatencyRules.roundingTolerance {
                    report("bis 6.2.2 parts", line: part.line, "a part that ended \(partEnd) s before the end")
                }
                partEnd += part.duration ?? 0
            }
            distance += group.segment.map { $0.duration ?? 0 } ?? partsDuration
        }
    }
}

/// bis 3.2: a segment and its parts hold the same samples. With one writer for both they are the same bytes.
enum PartRules {
    static func check(_ rendition: RenditionLoad, _ document: PlaylistDocument) -> [Finding] {
        let groups = document.partGroups.filter { !$0.parts.isEmpty }
        return groups.enumerated().compactMap { index, group in
            guard let segment = group.segment, segment.tag("EXT-X-BYTERANGE") == nil,
                let whole = rendition.resources[resolve(segment.uri, against: document.url)]?.bytes,
                let parts = bytes(of: group.parts, rendition, document)
            else { return nil }
            // The oldest segment that still has parts may have lost some of them.
            let isSame = index == 0 ? whole.suffix(parts.count).elementsEqual(parts) : whole == parts
            guard !isSame else { return nil }
            return Finding(
                rule: "bis 3.2", url: document.url, line: segment.line,
                message: "the \(parts.count) bytes of its parts are not the \(whole.count) bytes of \(segment.uri)")
        }
    }

    /// `nil` where not all were loaded.
    private static func bytes(
        of parts: [PlaylistDocument.Part], _ rendition: RenditionLoad, _ document: PlaylistDocument
    ) -> [UInt8]? {
        var bytes: [UInt8] = []
        var nextOffset = 0
        for part in parts {
            guard let uri = part.uri, let whole = rendition.resources[resolve(uri, against: document.url)]?.bytes else {
                return nil
            }
            guard let range = part.byteRange else {
                bytes += whole
                continue
            }
            let numbers = range.split(separator: "@").compactMap { Int($0) }
            guard let length = numbers.first, length >= 0 else { return nil }
            let offset = numbers.count > 1 ? numbers[1] : nextOffset
            guard offset >= 0, offset <= whole.count, length <= whole.count - offset else { return nil }
            bytes += whole[offset..<(offset + length)]
            nextOffset = offset + length
        }
        return bytes
    }
}
