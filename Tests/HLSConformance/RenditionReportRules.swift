/// bis 6.2.4: every low-latency playlist reports every other rendition; bis 4.4.5.4: and what it says can be true.
enum RenditionReportRules {
    /// Playlists are loaded one after the other, and renditions close their segments one after the other.
    private static let sequenceNumberTolerance = 2

    static func check(_ documents: [PlaylistDocument]) -> [Finding] {
        documents.flatMap { document -> [Finding] in
            guard document.partTarget != nil, !document.isEnded else { return [] }
            let reports = document.all("EXT-X-RENDITION-REPORT")
            let others = documents.filter { $0.url != document.url }
            var findings: [Finding] = []
            for other in others where other.first("EXT-X-I-FRAMES-ONLY") == nil {
                let found = reports.filter { resolve($0.attributes["URI"] ?? "", against: document.url) == other.url }
                guard let report = found.first, found.count == 1 else {
                    let message = "\(found.count) reports of \(other.url)"
                    findings.append(Finding(rule: "bis 6.2.4", url: document.url, message: message))
                    continue
                }
                findings += check(report, in: document, of: other).map {
                    Finding(rule: "bis 4.4.5.4", url: document.url, line: report.line, message: $0)
                }
            }
            return findings + strayFindings(reports, document, others)
        }
    }

    /// Reports of what is no rendition.
    private static func strayFindings(
        _ reports: [PlaylistDocument.Tag], _ document: PlaylistDocument, _ others: [PlaylistDocument]
    ) -> [Finding] {
        let urls = Set(others.map(\.url))
        return reports.compactMap { report in
            let uri = report.attributes["URI"] ?? ""
            guard uri.contains("://") || !urls.contains(resolve(uri, against: document.url)) else { return nil }
            return Finding(
                rule: "bis 4.4.5.4", url: document.url, line: report.line,
                message: "\(uri.isEmpty ? "no URI" : uri) is no other rendition's relative URI")
        }
    }

    private static func check(
        _ report: PlaylistDocument.Tag, in document: PlaylistDocument, of other: PlaylistDocument
    ) -> [String] {
        // An attribute that is left out has the value that it would have for the playlist itself.
        let own = document.lastPart
        let ownNumber = own?.sequenceNumber ?? document.mediaSequence + document.segments.count - 1
        let number = report.attributes["LAST-MSN"].map { Int($0) ?? -1 } ?? ownNumber
        let newest = other.lastPart?.sequenceNumber ?? other.mediaSequence + other.segments.count - 1
        guard abs(number - newest) <= sequenceNumberTolerance else {
            return ["LAST-MSN is \(number), \(other.url) has come to \(newest)"]
        }
        guard other.partTarget != nil else {
            return report.attributes["LAST-PART"] == nil ? [] : ["LAST-PART of a rendition without parts"]
        }
        guard let part = report.attributes["LAST-PART"].map({ Int($0) ?? -1 }) ?? own?.index, part >= 0 else {
            return ["no LAST-PART"]
        }
        // How many parts a segment has is known when it is complete.
        guard let group = other.partGroups.first(where: { $0.sequenceNumber == number }), group.segment != nil,
            !group.parts.isEmpty, part >= group.parts.count
        else { return [] }
        return ["LAST-PART is \(part), segment \(number) has \(group.parts.count) parts"]
    }
}
