import XMLDocument

/// The notes that media centres keep beside media files: XML in files that end in `.nfo`, as Kodi's documentation
/// describes them ("NFO files": `movie`, `episodedetails`, `tvshow`, `musicvideo`, `album`).
package enum NFONotes {
    /// Limit of a file; those with actors and artwork have a few kilobytes.
    package static let maximumByteCount = 256 * 1_024

    private static let kinds: Set<String> = ["movie", "episodedetails", "tvshow", "musicvideo", "album"]

    /// Reads notes.
    ///
    /// - Returns: what they say; empty if they only hold the address of a page.
    /// - Throws: `XMLReader.Failure` if they are XML that cannot be read.
    package static func read(_ bytes: [UInt8]) throws -> ItemDetails {
        guard bytes.contains(UInt8(ascii: "<")) else { return ItemDetails() }
        let root = try XMLReader.read(bytes, isFollowed: true, toleratesMarkup: true)
        guard kinds.contains(root.name) else {
            throw XMLReader.Failure(reason: "`\(root.name)` is not a known root element of an NFO file", offset: 0)
        }
        var details = ItemDetails()
        let isShow = root.name == "tvshow"
        details.set(isShow ? .series : .title, fromFile: root["title"])
        details.set(.description, fromFile: root["plot"] ?? root["outline"] ?? root["review"])
        details.set(.year, fromFile: year(root))
        let genres = root.children(named: "genre").map(\.text).joined(separator: ",").replacing(" / ", with: ",")
        details.set(.genres, fromFile: genres)
        details.set(.cast, fromFile: cast(root))
        details.set(.ageRating, fromFile: root["mpaa"])
        details.set(.artist, fromFile: root["artist"])
        details.set(.series, fromFile: root["showtitle"])
        details.set(.season, fromFile: root["season"])
        details.set(.episode, fromFile: root["episode"])
        details.set(.website, fromFile: root["website"] ?? root["homepage"])
        if root.name == "album" {
            // The notes of an album are about all of its tracks.
            details[.album] = details[.title]
            details[.title] = nil
        }
        return details
    }

    /// The names of the people, each once, as many as a title has room for.
    private static func cast(_ root: XMLElement) -> String {
        let names = root.children(named: "actor").compactMap { $0["name"] }
            .map { String($0.filter { $0 != ";" }.prefix(DetailField.maximumEntryLength)) }
        return names.prefix(DetailField.maximumCastCount).joined(separator: ";") + ";"
    }

    private static func year(_ root: XMLElement) -> String? {
        let text = [root["year"], root["premiered"], root["aired"], root["releasedate"]].compactMap(\.self).first {
            !$0.isEmpty
        }
        return text.map { String($0.prefix(4)) }
    }
}
