extension LivePlaylistHistory {
    /// Checks the parts of a low-latency playlist that may not change from load to load.
    mutating func checkLowLatency(_ document: PlaylistDocument, after last: PlaylistDocument) {
        checkConstant("PART-TARGET", of: "EXT-X-PART-INF", rule: "bis 4.4.3.7 change", document, after: last)
        for name in ["HOLD-BACK", "PART-HOLD-BACK", "CAN-SKIP-UNTIL"] {
            // bis 6.2.5.1: what has ended is not loaded again, whole or in part.
            if document.isEnded, name == "CAN-SKIP-UNTIL" { continue }
            checkConstant(name, of: "EXT-X-SERVER-CONTROL", rule: "bis 4.4.3.8 change", document, after: last)
        }
        checkParts(document, after: last)
        checkHint(document, after: last)
    }

    /// Apple's player stopped for good where one of these changed (error -12642).
    private mutating func checkConstant(
        _ attribute: String, of tag: String, rule: String, _ document: PlaylistDocument, after last: PlaylistDocument
    ) {
        let (before, now) = (last.decimal(attribute, of: tag), document.decimal(attribute, of: tag))
        guard before != now else { return }
        func text(_ value: Double?) -> String { value.map { "\($0) s" } ?? "nothing" }
        report(rule, document, tag, "\(attribute) changed from \(text(before)) to \(text(now))")
    }

    /// A part that was published stays as it is, until it leaves with all that is older.
    private mutating func checkParts(_ document: PlaylistDocument, after last: PlaylistDocument) {
        let groups = Dictionary(uniqueKeysWithValues: document.partGroups.map { ($0.sequenceNumber, $0) })
        for before in last.partGroups where !before.parts.isEmpty {
            guard let now = groups[before.sequenceNumber], !now.parts.isEmpty else { continue }
            let (old, new) = (before.parts, now.parts)
            let isSame: Bool
            if before.segment != nil {
                isSame = new.count <= old.count && zip(old.suffix(new.count), new).allSatisfy(Self.isSame)
            } else {
                // Its parts came in the meantime and some have left again: which ones is not known.
                if now.mayLackParts { continue }
                isSame = new.count >= old.count && zip(old, new).allSatisfy(Self.isSame)
            }
            if !isSame {
                findings.append(
                    Finding(
                        rule: "bis 6.2.1 parts", url: document.url, line: new.first?.line,
                        message: "parts of segment \(before.sequenceNumber) were not what they are now"))
            }
        }
        guard let open = last.partGroups.last, !open.parts.isEmpty, let now = groups[open.sequenceNumber],
            now.segment == nil, now.parts.isEmpty
        else { return }
        report("bis 6.2.1 parts", document, "EXT-X-PART-INF", "the parts of the open segment are gone")
    }

    private static func isSame(_ one: PlaylistDocument.Part, _ other: PlaylistDocument.Part) -> Bool {
        one.uri == other.uri && one.duration == other.duration && one.byteRange == other.byteRange
    }

    /// bis 6.2.6: what was hinted is the next part. It may also never come, where a discontinuity came instead.
    private mutating func checkHint(_ document: PlaylistDocument, after last: PlaylistDocument) {
        let hint = last.all("EXT-X-PRELOAD-HINT").first { $0.attributes["TYPE"] == "PART" }
        guard let hinted = hint?.attributes["URI"], let open = last.partGroups.last else { return }
        let groups = document.partGroups
        guard let position = groups.firstIndex(where: { $0.sequenceNumber == open.sequenceNumber }) else { return }
        // Nothing came, or parts have left again: then which one was next is not known.
        var group = groups[position]
        var index = open.parts.count
        guard !group.mayLackParts else { return }
        if group.parts.count <= index, group.segment != nil, !open.parts.isEmpty {
            guard group.parts.count == index, groups.indices.contains(position + 1) else { return }
            (group, index) = (groups[position + 1], 0)
        }
        guard group.parts.indices.contains(index) else { return }
        let next = group.parts[index]
        let isReplaced = index == 0 && group.isDiscontinuous
        guard next.uri != hinted, !isReplaced else { return }
        findings.append(
            Finding(
                rule: "bis 6.2.6 hint", url: document.url, line: next.line,
                message: "\(hinted) was hinted, the next part is \(next.uri ?? "without URI")"))
    }
}
