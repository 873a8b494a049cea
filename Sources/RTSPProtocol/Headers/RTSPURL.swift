/// The parts of an `rtsp:` URL (RFC 2326 §3.2) that identify a resource. Host and port are ignored: a server behind a
/// forwarded port cannot know under which name it was reached.
package struct RTSPURL: Hashable, Sendable {
    /// The path from the first slash after the authority, without query and trailing slashes, such as
    /// "/live/canalA.stream".
    package var path: String
    /// The query without the question mark; `nil` if there is none.
    package var query: String?

    /// Parses a URL; `nil` unless it is an absolute `rtsp:` or `rtsps:` URL or an absolute path.
    package init?(parsing text: String) {
        guard var rest = Self.withoutAuthority(text) else { return nil }
        let parts = rest.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        rest = parts.first ?? ""
        while rest.last == "/" { rest.removeLast() }
        path = String(rest)
        query = parts.count > 1 ? String(parts[1]) : nil
    }

    private static func withoutAuthority(_ text: String) -> Substring? {
        guard let scheme = ["rtsp://", "rtsps://", "rtspu://"].first(where: { text.lowercased().hasPrefix($0) }) else {
            return text.hasPrefix("/") ? Substring(text) : nil
        }
        return text.dropFirst(scheme.count).drop { $0 != "/" && $0 != "?" }
    }

    /// Path and query unchanged, to compare with control URLs, which publishers append to either of them.
    var pathAndQuery: String { path + (query.map { "?" + $0 } ?? "") }

    /// The value of a query parameter; `nil` if there is none. Values also end at a slash, because ffmpeg and
    /// GStreamer append `/streamid=0` to the query.
    package func queryValue(_ name: String) -> String? {
        for parameter in (query ?? "").split(separator: "&") {
            let pair = parameter.split(separator: "=", maxSplits: 1)
            guard pair.count == 2, pair[0] == name else { continue }
            return String(pair[1].prefix { $0 != "/" })
        }
        return nil
    }

    /// The URL without a last segment such as `trackID=0`, in the path or in the query. It is the session's URL if a
    /// SETUP arrives without a preceding DESCRIBE.
    package var withoutTrack: RTSPURL {
        var url = self
        if let query, let start = Self.trackSegmentStart(query) {
            url.query = query[..<start].isEmpty ? nil : String(query[..<start])
        } else if let start = Self.trackSegmentStart(path) {
            url.path = String(path[..<start])
        }
        return url
    }

    /// Position of the slash before a last segment that consists of letters, an equals sign and digits; `nil` if
    /// there is no such segment.
    private static func trackSegmentStart(_ text: String) -> String.Index? {
        guard let slash = text.lastIndex(of: "/") else { return nil }
        let pair = text[slash...].dropFirst().split(separator: "=", omittingEmptySubsequences: false)
        guard pair.count == 2, !pair[0].isEmpty, pair[0].allSatisfy({ $0.isASCII && $0.isLetter }), !pair[1].isEmpty,
            pair[1].allSatisfy({ $0.isASCII && $0.isNumber })
        else { return nil }
        return slash
    }

    /// Turns a URL into a base to which relative control URLs are appended: without query, and with a slash at the
    /// end (RFC 2326 §C.1.1; without the slash, RFC 3986 would replace the last segment).
    static func contentBase(_ text: String) -> String {
        let path = text.prefix { $0 != "?" }
        return path.hasSuffix("/") ? String(path) : path + "/"
    }
}
