/// Section 9 and 8.9, 8.10, 1.10: what a multivariant playlist declares.
enum MultivariantRules {
    static func check(_ document: PlaylistDocument) -> [Finding] {
        var findings: [Finding] = []
        if document.firstLine != "#EXTM3U" {
            findings.append(Finding(rule: "bis 4.4.1.1", url: document.url, line: 1, message: "no #EXTM3U"))
        }
        if document.first("EXT-X-INDEPENDENT-SEGMENTS") == nil {
            findings.append(Finding(rule: "9.11", url: document.url, message: "no EXT-X-INDEPENDENT-SEGMENTS"))
        }
        if document.segments.isEmpty {
            findings.append(Finding(rule: "9.1", url: document.url, message: "no variant"))
        }
        for tag in document.all("EXT-X-STREAM-INF") + document.all("EXT-X-I-FRAME-STREAM-INF") {
            findings += streamFindings(tag, document)
        }
        for tag in document.all("EXT-X-MEDIA") { findings += mediaFindings(tag, document) }
        return findings
    }

    static func hasVideo(_ codecs: String) -> Bool {
        codecs.split(separator: ",").contains { codec in
            ["avc", "hvc1", "hev1", "av01", "dvh"].contains { codec.hasPrefix($0) }
        }
    }

    private static func streamFindings(_ tag: PlaylistDocument.Tag, _ document: PlaylistDocument) -> [Finding] {
        let attributes = tag.attributes
        var findings: [Finding] = []
        func report(_ rule: String, _ message: String) {
            findings.append(Finding(rule: rule, url: document.url, line: tag.line, message: message))
        }
        let isVariant = tag.name == "EXT-X-STREAM-INF"
        let codecs = attributes["CODECS"] ?? ""
        if codecs.isEmpty { report(isVariant ? "9.1" : "9.2", "no CODECS") }
        if codecs.contains("avc3") || codecs.contains("hev1") { report("1.10", "CODECS is \(codecs)") }
        let hasVideo = hasVideo(codecs) || !isVariant
        if hasVideo, attributes["RESOLUTION"] == nil { report(isVariant ? "9.3" : "9.4", "no RESOLUTION") }
        if hasVideo, isVariant, attributes["FRAME-RATE"] == nil { report("9.15", "no FRAME-RATE") }
        let bandwidth = attributes["BANDWIDTH"].flatMap { Int($0) } ?? 0
        if bandwidth <= 0 { report("9.13", "no BANDWIDTH") }
        let average = attributes["AVERAGE-BANDWIDTH"].flatMap { Int($0) } ?? 0
        if average <= 0 { report("9.14", "no AVERAGE-BANDWIDTH") }
        if average > bandwidth { report("9.14", "AVERAGE-BANDWIDTH \(average) is above BANDWIDTH \(bandwidth)") }
        if let group = attributes["AUDIO"], !audioGroups(of: document).contains(group) {
            report("8.9", "no EXT-X-MEDIA for the audio group \(group)")
        }
        return findings
    }

    private static func audioGroups(of document: PlaylistDocument) -> Set<String> {
        Set(
            document.all("EXT-X-MEDIA").map(\.attributes).filter { $0["TYPE"] == "AUDIO" }
                .compactMap { $0["GROUP-ID"] })
    }

    private static func mediaFindings(_ tag: PlaylistDocument.Tag, _ document: PlaylistDocument) -> [Finding] {
        let attributes = tag.attributes
        var findings: [Finding] = []
        if attributes["TYPE"] != "VIDEO", attributes["LANGUAGE"]?.isEmpty ?? true {
            findings.append(Finding(rule: "8.10", url: document.url, line: tag.line, message: "no LANGUAGE"))
        }
        for name in ["TYPE", "GROUP-ID", "NAME"] where attributes[name] == nil {
            findings.append(Finding(rule: "8.9", url: document.url, line: tag.line, message: "no \(name)"))
        }
        return findings
    }
}
