/// A playlist of an export: the files it refers to, and its text with all queries removed, for a server that ignores
/// queries.
struct ExportedPlaylist {
    /// Paths relative to the playlist's folder, without queries, each once and in order.
    private(set) var files: [String] = []
    /// The URIs with queries to request, keyed by path.
    private(set) var requests: [String: String] = [:]
    private(set) var text = ""

    /// Limit for one path, such as `r1/video/17.m4s`.
    private static let maximumComponentCount = 8

    /// The playlist contains a URI outside of its folder.
    struct ForeignAddress: Error {
        var uri: String
    }

    /// - Throws: ``ForeignAddress`` if a URI leads out of the playlist's folder.
    init(_ source: String) throws(ForeignAddress) {
        for line in source.split(separator: "\n") {
            if line.hasPrefix("#") {
                text += try withoutQuery(tag: line) + "\n"
            } else {
                text += try add(line) + "\n"
            }
        }
    }

    private mutating func withoutQuery(tag line: Substring) throws(ForeignAddress) -> String {
        guard let range = line.firstRange(of: "URI=\"") else { return String(line) }
        let uri = line[range.upperBound...].prefix { $0 != "\"" }
        return "\(line[..<range.upperBound])\(try add(uri))\(line[uri.endIndex...])"
    }

    private mutating func add(_ uri: Substring) throws(ForeignAddress) -> String {
        let path = String(uri.prefix { $0 != "?" })
        let components = path.split(separator: "/", omittingEmptySubsequences: false)
        guard !path.contains(":"), components.count <= Self.maximumComponentCount,
            !components.contains(where: { $0.isEmpty || $0.hasPrefix(".") })
        else { throw ForeignAddress(uri: String(uri)) }
        if requests[path] == nil { files.append(path) }
        requests[path] = String(uri)
        return path
    }
}
