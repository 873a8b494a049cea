/// The parts of an `rtsp:` URL (RFC 2326 §3.2) that tell what is meant. Host and port do not: a server behind a
/// forwarded port cannot know the name it was called by.
package struct RTSPURL: Hashable, Sendable {
    /// From the first slash after the authority, without query, without slashes at the end. "/live/canalA.stream".
    package var path: String
    /// Without the question mark; `nil` where there is none.
    package var query: String?

    /// `nil` for what is neither an absolute `rtsp:` or `rtsps:` URL nor an absolute path.
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

    /// Path and query as they were, for comparing with control URLs, which publishers append to either.
    var pathAndQuery: String { path + (query.map { "?" + $0 } ?? "") }

    /// A parameter of the query. Values end at a slash too: ffmpeg and GStreamer append `/streamid=0` to the query.
    package func queryValue(_ name: String) -> String? {
        for parameter in (query ?? "").split(separator: "&") {
            let pair = parameter.split(separator: "=", maxSplits: 1)
            guard pair.count == 2, pair[0] == name else { continue }
            return String(pair[1].prefix { $0 != "/" })
        }
        return nil
    }

    /// Without a last segment like `trackID=0`, on the path or on the query: the session's URL, where a SETUP comes
    /// without the DESCRIBE that would tell it.
    package var withoutTrack: RTSPURL {
        var url = self
        if let query, let start = Self.trackSegmentStart(query) {
            url.query = query[..<start].isEmpty ? nil : String(query[..<start])
        } else if let start = Self.trackSegmentStart(path) {
            url.path = String(path[..<start])
        }
        return url
    }

    /// Of a last segment of letters, an equals sign and digits: the slash before it.
    private static func trackSegmentStart(_ text: String) -> String.Index? {
        guard let slash = text.lastIndex(of: "/") else { return nil }
        let pair = text[slash...].dropFirst().split(separator: "=", omittingEmptySubsequences: false)
        guard pair.count == 2, !pair[0].isEmpty, pair[0].allSatisfy({ $0.isASCII && $0.isLetter }), !pair[1].isEmpty,
            pair[1].allSatisfy({ $0.isASCII && $0.isNumber })
        else { return nil }
        return slash
    }

    /// `text`, a URL, as the base that relative control URLs are appended to: without query, with a slash at its end
    /// (RFC 2326 §C.1.1; without the slash RFC 3986 would have its last segment replaced).
    static func contentBase(_ text: String) -> String {
        let path = text.prefix { $0 != "?" }
        return path.hasSuffix("/") ? String(path) : path + "/"
    }
}
