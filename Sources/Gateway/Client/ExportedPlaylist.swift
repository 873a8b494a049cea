/// A playlist of an export: what it leads to, and how it is written for a server that knows nothing of queries.
struct ExportedPlaylist {
    /// Relative to the playlist's own folder, without queries: each once, in their order.
    private(set) var files: [String] = []
    /// With queries, as they have to be asked for.
    private(set) var requests: [String: String] = [:]
    private(set) var text = ""

    /// Of one path, such as `r1/video/17.m4s`.
    private static let maximumComponentCount = 8

    struct ForeignAddress: Error {
        var uri: String
    }

    /// - Throws: ``ForeignAddress`` where the playlist leads out of its folder.
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
