/// A playlist's lines, read without any knowledge of what renders them.
package struct PlaylistDocument: Sendable {
    /// A line that starts with `#EXT`.
    package struct Tag: Sendable {
        /// Counts from 1.
        package var line: Int
        /// `EXT-X-MAP`, without `#`.
        package var name: String
        /// The text after the colon; empty if there is none.
        package var value: String
        /// The value read as an attribute list; quotes are removed.
        package var attributes: [String: String] { Self.attributes(of: value) }
    }

    /// A URI and the tags that stand before it and belong to it.
    package struct Segment: Sendable {
        package var line: Int
        package var uri: String
        package var tags: [Tag]
        package var duration: Double? {
            tag("EXTINF").flatMap { Double($0.value.prefix { $0 != "," }) }
        }
        package func tag(_ name: String) -> Tag? { tags.first { $0.name == name } }
    }

    package var url: String
    package var firstLine: String
    package var tags: [Tag] = []
    /// Segments of a media playlist, variants of a multivariant playlist.
    package var segments: [Segment] = []
    /// The tags after the last URI: in a low-latency playlist, the segment that is still being made.
    package var trailingTags: [Tag] = []
    /// One for each listed segment, and one for what stands behind the last.
    package private(set) var partGroups: [PartGroup] = []

    package init(_ load: PlaylistLoad) {
        url = load.url
        let lines = load.text.split(separator: "\n", omittingEmptySubsequences: false)
        firstLine = lines.first.map(String.init) ?? ""
        var pending: [Tag] = []
        for (index, line) in lines.enumerated() {
            let line = line.hasSuffix("\r") ? line.dropLast() : line
            if line.hasPrefix("#EXT") {
                let name = line.dropFirst().prefix { $0 != ":" }
                let tag = Tag(
                    line: index + 1, name: String(name), value: String(line.dropFirst(name.count + 2)))
                tags.append(tag)
                pending.append(tag)
            } else if !line.isEmpty, !line.hasPrefix("#") {
                segments.append(Segment(line: index + 1, uri: String(line), tags: pending))
                pending = []
            }
        }
        trailingTags = pending
        partGroups = madePartGroups()
    }

    package func first(_ name: String) -> Tag? { tags.first { $0.name == name } }
    package func all(_ name: String) -> [Tag] { tags.filter { $0.name == name } }
    package func integer(_ name: String) -> Int? { first(name).flatMap { Int($0.value) } }

    package var isMultivariant: Bool { first("EXT-X-STREAM-INF") != nil }
    package var isEnded: Bool { first("EXT-X-ENDLIST") != nil }
    package var targetDuration: Int { integer("EXT-X-TARGETDURATION") ?? 0 }
    package var mediaSequence: Int { integer("EXT-X-MEDIA-SEQUENCE") ?? 0 }
    package var discontinuitySequence: Int { integer("EXT-X-DISCONTINUITY-SEQUENCE") ?? 0 }

    /// Media sequence numbers of the segments that a DISCONTINUITY precedes.
    package var discontinuities: Set<Int> {
        Set(segments.indices.filter { segments[$0].tag("EXT-X-DISCONTINUITY") != nil }.map { mediaSequence + $0 })
    }

    /// The initialization section's URI that holds for each segment.
    package var initializationSections: [String?] {
        var current: String?
        return segments.map { segment in
            if let map = segment.tags.last(where: { $0.name == "EXT-X-MAP" }) { current = map.attributes["URI"] }
            return current
        }
    }
}

extension PlaylistDocument.Tag {
    /// rfc8216bis 4.2: `NAME=value,NAME="quoted, value"`.
    static func attributes(of list: String) -> [String: String] {
        var result: [String: String] = [:]
        var rest = Substring(list)
        while let equals = rest.firstIndex(of: "=") {
            let name = rest[..<equals].trimmingPrefix { $0 == " " || $0 == "," }
            rest = rest[rest.index(after: equals)...]
            let value: Substring
            if rest.first == "\"" {
                rest = rest.dropFirst()
                value = rest.prefix { $0 != "\"" }
                rest = rest.dropFirst(value.count + 1)
            } else {
                value = rest.prefix { $0 != "," }
                rest = rest.dropFirst(value.count)
            }
            result[String(name)] = String(value)
            rest = rest.dropFirst()
        }
        return result
    }
}

extension Substring {
    fileprivate func trimmingPrefix(_ isTrimmed: (Character) -> Bool) -> Substring { drop(while: isTrimmed) }
}
