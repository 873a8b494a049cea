/// The parts of an `rtsp:` URL (RFC 2326 §3.2) that tell what is meant. Host and port do not: a server behind a
/// forwarded port cannot know the name it was called by.
package struct RTSPURL: Hashable, Sendable {
    /// From the first slash after the authority, without query, without slashes at the end. "/live/canalA.stream".
    package var path: String
    /// Without the question mark; `nil` where there is none.
    package var query: String?

    /// `nil` for what is neither an absolute `rtsp:` or `rtsps:` URL nor an absolute path.
    package init?(parsing text: String) {
        var rest = Substring(text)
        if let scheme = ["rtsp://", "rtsps://", "rtspu://"].first(where: { text.lowercased().hasPrefix($0) }) {
            rest = rest.dropFirst(scheme.count)
            rest = rest.drop { $0 != "/" && $0 != "?" }
        } else if !text.hasPrefix("/") {
            return nil
        }
        let parts = rest.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        var path = parts.first ?? ""
        while path.last == "/" { path.removeLast() }
        self.path = String(path)
        query = parts.count > 1 ? String(parts[1]) : nil
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
}
