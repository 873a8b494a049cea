/// Finds the track that a SETUP means (RFC 2326 §C.1.1: control URLs are absolute, or relative to the session's).
struct TrackControl {
    /// Announced URL.
    var base: RTSPURL
    /// Each track's `a=control`, in order.
    var controls: [String?]

    enum Match: Equatable {
        case track(Int)
        /// The URL is the session's own.
        case aggregate
        case none
    }

    func match(_ uri: String) -> Match {
        guard let url = RTSPURL(parsing: uri) else { return .none }
        let target = withoutTrailingSlash(url.pathAndQuery)
        for (index, control) in controls.enumerated() {
            guard let control, control != "*" else { continue }
            if let absolute = RTSPURL(parsing: control) {
                if withoutTrailingSlash(absolute.pathAndQuery) == target { return .track(index) }
            } else if target == withoutTrailingSlash(base.pathAndQuery) + "/" + control
                || target == base.path + "/" + control
                || target == base.path + "/" + control + (base.query.map { "?" + $0 } ?? "")
            {
                return .track(index)
            }
        }
        if url.path == base.path && !(url.query ?? "").contains("/") { return .aggregate }
        return matchByNumber(url)
    }

    /// Tracks without a control attribute are called by number: `/trackID=1`, `/streamid=1`.
    private func matchByNumber(_ url: RTSPURL) -> Match {
        let target = url.pathAndQuery
        guard target.hasPrefix(base.path), let segment = target.split(separator: "/").last,
            let number = segment.split(separator: "=").last.flatMap({ Int($0) }), segment.contains("="),
            controls.indices.contains(number), controls[number] == nil
        else { return .none }
        return .track(number)
    }

    private func withoutTrailingSlash(_ text: String) -> String { text.hasSuffix("/") ? String(text.dropLast()) : text }
}
