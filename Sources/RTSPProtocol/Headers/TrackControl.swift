/// Finds the track that a SETUP refers to. Control URLs are absolute, or relative to the session's URL (RFC 2326
/// §C.1.1).
struct TrackControl {
    /// URL of the session, as announced or described.
    var base: RTSPURL
    /// The `a=control` attributes of the tracks, in order.
    var controls: [String?]

    enum Match: Equatable {
        case track(Int)
        /// The URL is that of the session.
        case aggregate
        case none
    }

    func match(_ uri: String) -> Match {
        guard let url = RTSPURL(parsing: uri) else { return .none }
        // Absolute URLs may differ in their queries only. Queries are ignored only if no text is equal.
        for isSame in [isSameText, isSamePath] {
            if let index = controls.firstIndex(where: { $0.map { isSame($0, url) } ?? false }) { return .track(index) }
        }
        if url.path == base.path && !(url.query ?? "").contains("/") { return .aggregate }
        return matchByNumber(url)
    }

    private func isSameText(_ control: String, _ url: RTSPURL) -> Bool {
        guard control != "*", !control.isEmpty else { return false }
        let target = withoutTrailingSlash(url.pathAndQuery)
        if let absolute = RTSPURL(parsing: control) { return withoutTrailingSlash(absolute.pathAndQuery) == target }
        return target == withoutTrailingSlash(base.pathAndQuery) + "/" + control || target == base.path + "/" + control
    }

    /// Whether a URL has the path of a control. ffmpeg appends the control to the query, GStreamer puts it before the
    /// query, and other clients omit the query.
    private func isSamePath(_ control: String, _ url: RTSPURL) -> Bool {
        guard control != "*", !control.isEmpty else { return false }
        if let absolute = RTSPURL(parsing: control) {
            return absolute.path == url.path && absolute.path != base.path && absolute.query == nil
        }
        if url.path == base.path + "/" + control { return true }
        return url.path == base.path && withoutTrailingSlash(url.query ?? "").hasSuffix("/" + control)
    }

    /// Finds a track without a control attribute by its number: `/trackID=1`, `/streamid=1`.
    private func matchByNumber(_ url: RTSPURL) -> Match {
        let segments = [url.query, url.path].compactMap { $0?.split(separator: "/").last }
        guard url.path == base.path || url.path.hasPrefix(base.path + "/"),
            let segment = segments.first(where: { isTrackNumber($0) }),
            let number = segment.split(separator: "=").last.flatMap({ Int($0) }), controls.indices.contains(number),
            controls[number] == nil, url.withoutTrack.path == base.path
        else { return .none }
        return .track(number)
    }

    private func isTrackNumber(_ segment: Substring) -> Bool {
        let pair = segment.split(separator: "=", omittingEmptySubsequences: false)
        return pair.count == 2 && Int(pair[1]) != nil
    }

    private func withoutTrailingSlash(_ text: String) -> String { text.hasSuffix("/") ? String(text.dropLast()) : text }
}
