import MediaCore

/// The name of a channel as people write it in encoders: `canalA`, `canalA.stream`, `live/canalA.stream`.
package enum ChannelPath {
    /// - Parameter text: the path, which a stranger has sent.
    /// - Returns: the name; `nil` for a text that cannot be one.
    package static func name(_ text: some StringProtocol) -> String? {
        var components = text.split(separator: "/").filter { $0 != "_definst_" }.map { String($0) }
        if components.count == 2, components[0] == "live" { components.removeFirst() }
        guard components.count == 1, var name = components.first else { return nil }
        if name.hasPrefix("flv:") || name.hasPrefix("mp4:") { name = String(name.dropFirst(4)) }
        if !name.hasSuffix(".stream") { name += ".stream" }
        guard case .channel(let name)? = MediaSubject(path: "/live/\(name)") else { return nil }
        return name.text
    }

    /// Reads the parameters of a query.
    ///
    /// - Parameters:
    ///   - query: the text behind the question mark.
    ///   - limit: the most parameters that are read.
    package static func parameters(
        _ query: some StringProtocol, limit: Int = 32
    ) -> [(name: String, value: String)] {
        query.split(whereSeparator: { $0 == "&" || $0 == "?" }).prefix(limit).map { pair in
            let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let value = sides.count > 1 ? Substring(sides[1]) : ""
            return (String(sides[0]), value.removingPercentEncoding ?? String(value))
        }
    }
}
