/// Checks what a server sent against Apple's authoring rules and rfc8216bis.
///
/// Shares no code with what renders playlists and fragments, so that a misunderstanding is not made twice.
package enum HLSConformance {
    /// Everything that is wrong; empty for a presentation that keeps the rules this checker knows.
    package static func check(_ presentation: Presentation) -> [Finding] {
        let multivariant = PlaylistDocument(presentation.multivariant)
        let renditions = presentation.renditions.map { ($0, PlaylistDocument($0.playlist)) }
        let highestNeeded = renditions.map { VersionRule.needed(by: $0.1) }.max() ?? 1
        var findings = MultivariantRules.check(multivariant)
        findings += VersionRule.check(multivariant, highestAllowed: highestNeeded)
        findings += deliveryFindings(presentation.multivariant)
        for (rendition, document) in renditions {
            findings += MediaPlaylistRules.check(document, hasFullWindow: presentation.hasFullWindow)
            findings += VersionRule.check(document, highestAllowed: VersionRule.needed(by: document))
            findings += deliveryFindings(rendition.playlist)
            findings += SegmentRules.check(rendition, document)
            findings += LowLatencyRules.check(document)
            findings += PartRules.check(rendition, document)
        }
        findings += RenditionRules.check(renditions.map(\.1))
        findings += RenditionReportRules.check(renditions.map(\.1))
        findings += BandwidthRules.check(multivariant, renditions)
        return findings
    }

    /// Whether a delta update says what the whole playlist of the same revision says: bis 4.4.5.2, 6.2.5.1 and 8.
    package static func check(deltaUpdate: PlaylistLoad, of whole: PlaylistLoad) -> [Finding] {
        let delta = PlaylistDocument(deltaUpdate)
        let version = VersionRule.check(delta, highestAllowed: VersionRule.needed(by: PlaylistDocument(whole)))
        return DeltaUpdateRules.check(delta, deltaUpdate.text, of: PlaylistDocument(whole), whole.text) + version
    }

    /// 10.1 and 10.4.
    private static func deliveryFindings(_ load: PlaylistLoad) -> [Finding] {
        var findings: [Finding] = []
        let contentType = load.contentType?.prefix { $0 != ";" }
        if let contentType, contentType != "application/vnd.apple.mpegurl" {
            findings.append(Finding(rule: "10.4", url: load.url, message: "a playlist's type is \(contentType)"))
        }
        if load.contentEncoding != "gzip" {
            findings.append(
                Finding(rule: "10.1", url: load.url, message: "gzip was offered and the playlist came without it"))
        }
        return findings
    }
}

/// EXT-X-VERSION is no higher than needed, and no lower (rfc8216bis 8).
enum VersionRule {
    static func needed(by document: PlaylistDocument) -> Int {
        var version = 1
        if document.segments.contains(where: { $0.tag("EXTINF")?.value.prefix { $0 != "," }.contains(".") == true }) {
            version = 3
        }
        if document.first("EXT-X-BYTERANGE") != nil || document.first("EXT-X-I-FRAMES-ONLY") != nil { version = 4 }
        if document.first("EXT-X-MAP") != nil {
            version = document.first("EXT-X-I-FRAMES-ONLY") != nil ? 5 : 6
        }
        if document.tags.contains(where: { $0.name == "EXT-X-DEFINE" }) { version = 8 }
        if let skip = document.first("EXT-X-SKIP") {
            version = skip.attributes["RECENTLY-REMOVED-DATERANGES"] == nil ? 9 : 10
        }
        return version
    }

    static func check(_ document: PlaylistDocument, highestAllowed: Int) -> [Finding] {
        let tag = document.first("EXT-X-VERSION")
        let declared = tag.flatMap { Int($0.value) } ?? 1
        let needed = needed(by: document)
        guard declared < needed || declared > max(needed, highestAllowed) else { return [] }
        return [
            Finding(
                rule: "bis 8", url: document.url, line: tag?.line,
                message: "EXT-X-VERSION is \(declared), what is used needs \(needed)")
        ]
    }
}
