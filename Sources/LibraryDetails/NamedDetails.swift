import MediaCore

/// The details in the names of a file and its folders, if they follow the forms that media libraries have in common:
/// `Film (2019).mp4`, `Show/Season 2/S02E05 - Name.mp4`, `Artist/Album (2001)/03 - Song.mp3`.
package struct NamedDetails: Sendable, Hashable {
    /// The details in the names, without ``DetailField/title``.
    package private(set) var details = ItemDetails()
    /// The part of the name that is the title; `nil` if the names follow no form.
    package private(set) var title: String?

    /// Names that follow no form.
    package init() {}

    /// - Parameter path: the names of the folders and of the file without its extension, below the section's folder.
    package static func ofTitle(_ path: [String]) -> NamedDetails {
        var result = NamedDetails()
        guard let name = path.last.map(Self.spaced) else { return result }
        let folders = path.dropLast().map(Self.spaced)
        let season = folders.last.flatMap(Self.season)
        if let match = name.firstMatch(of: /(?i)(?:^|[ ._-])S(\d{1,4})[ ._]?E(\d{1,5})(?:$|[^0-9A-Za-z])/) {
            result.take(
                season: Int(match.1), episode: Int(match.2), before: name[..<match.range.lowerBound],
                after: name[match.range.upperBound...], folders, hasSeasonFolder: season != nil)
        } else if let match = name.firstMatch(of: /(?:^|[ ._-])(\d{1,2})x(\d{2,3})(?:$|[^0-9A-Za-z])/) {
            result.take(
                season: Int(match.1), episode: Int(match.2), before: name[..<match.range.lowerBound],
                after: name[match.range.upperBound...], folders, hasSeasonFolder: season != nil)
        } else if let season, folders.count > 1 {
            let match = name.prefixMatch(
                of: /(?i)(?:(?:episode|episodio|capítulo|capitulo|ep)\.? *)?(\d{1,5})(?: *[-–.] *| +|$)/)
            guard let match else { return result }
            result.take(
                season: season, episode: Int(match.1), before: "", after: name[match.range.upperBound...], folders,
                hasSeasonFolder: true)
        } else if let (rest, year) = Self.withoutYear(name) {
            result.title = rest
            result.details[.year] = .number(year)
        }
        return result
    }

    /// - Parameter path: as for ``ofTitle(_:)``.
    package static func ofTrack(_ path: [String]) -> NamedDetails {
        var result = NamedDetails()
        guard let name = path.last.map(Self.spaced), path.count > 1 else { return result }
        let folders = path.dropLast().map(Self.spaced)
        // "99 Luftballons" is a name, "09 Mar" and "9. Mar" have a number.
        let number = /(?:\d{1,2}-)?(?:(\d{1,3}) *[-–.] *|(0\d{1,2}) +)(?=\S)/
        guard let match = name.prefixMatch(of: number) else { return result }
        if let number = (match.1 ?? match.2).flatMap({ Int($0) }), DetailField.trackNumber.numbers.contains(number) {
            result.details[.trackNumber] = .number(number)
        }
        result.title = String(name[match.range.upperBound...])
        var album = folders.last ?? ""
        var artist = folders.count > 1 ? folders[folders.count - 2] : nil
        if Self.isDisc(album), folders.count > 1 {
            album = folders[folders.count - 2]
            artist = folders.count > 2 ? folders[folders.count - 3] : nil
        }
        if let (rest, year) = Self.withoutYear(album) {
            album = rest
            result.details[.year] = .number(year)
        }
        if artist == nil, let dash = album.firstRange(of: " - ") {
            artist = String(album[..<dash.lowerBound])
            album = String(album[dash.upperBound...])
        }
        result.details.set(.album, fromFile: album)
        result.details.set(.artist, fromFile: artist)
        return result
    }

    // MARK: Parts

    private mutating func take(
        season: Int?, episode: Int?, before: Substring, after: Substring, _ folders: [String], hasSeasonFolder: Bool
    ) {
        if let season, DetailField.season.numbers.contains(season) { details[.season] = .number(season) }
        if let episode, DetailField.episode.numbers.contains(episode) { details[.episode] = .number(episode) }
        let show = hasSeasonFolder ? folders.dropLast().last : folders.last
        let series = show ?? Self.trimmed(before)
        if let (rest, year) = Self.withoutYear(series) {
            details.set(.series, fromFile: rest)
            details[.year] = .number(year)
        } else {
            details.set(.series, fromFile: series)
        }
        let rest = Self.trimmed(after)
        if !rest.isEmpty { title = rest }
    }

    /// The number of a folder like `Season 2`, `Temporada 02` or `S2`; `nil` for any other.
    private static func season(_ folder: String) -> Int? {
        (folder.wholeMatch(of: /(?i)(?:season|temporada|staffel|saison|s) ?(\d{1,4})/)?.1).flatMap { Int($0) }
    }

    private static func isDisc(_ folder: String) -> Bool {
        folder.wholeMatch(of: /(?i)(?:cd|disc|disk|disco) ?\d{1,2}/) != nil
    }

    /// A name that ends in a year in parentheses, taken apart.
    private static func withoutYear(_ name: String) -> (rest: String, year: Int)? {
        guard let match = name.wholeMatch(of: /(.+?) *[(\[](1[89]\d\d|20\d\d)[)\]]/), let year = Int(match.2) else {
            return nil
        }
        return (String(match.1), year)
    }

    private static func spaced(_ name: String) -> String { name.replacing("_", with: " ") }

    /// A part of a name without the signs that separate it from the others.
    private static func trimmed(_ part: Substring) -> String {
        let signs: Set<Character> = [" ", "-", "–", ".", "_", ":"]
        let start = part.drop { signs.contains($0) }
        guard let end = start.lastIndex(where: { !signs.contains($0) }) else { return "" }
        return String(start[...end])
    }
}
