package import APIContract
package import APIDeclarations
import JSONDocument
import MediaCore

/// The tables of `antena title` and `antena track`.
package enum DetailTables {
    package static func titles(_ titles: [APIObject<ListedTitleFields>]) -> String {
        var table = TextTable("ID", "TITLE", "KIND", "YEAR", "SERIES", "STATE", "DURATION", "PRICE", "ADDED")
        for listed in titles {
            let title = listed.title
            table.add(
                title.id.cell, TextTable.short(title.title.cell), title.kind.cell, title.year.cell,
                TextTable.short(episode(title)), title.state.cell, duration(title.duration), listed.price.cell,
                title.addedAt.cell)
        }
        return table.isEmpty ? "no titles" : table.text
    }

    package static func tracks(_ tracks: [APIObject<TrackFields>]) -> String {
        var table = TextTable("ID", "TITLE", "ARTIST", "ALBUM", "YEAR", "STATE", "DURATION", "ADDED")
        for track in tracks {
            table.add(
                track.id.cell, TextTable.short(track.title.cell), TextTable.short(track.artist.cell),
                TextTable.short(track.album.cell), track.year.cell, track.state.cell, duration(track.duration),
                track.addedAt.cell)
        }
        return table.isEmpty ? "no tracks" : table.text
    }

    /// - Parameter details: the details of a title or track.
    package static func details(_ details: APIObject<some ObjectFields>) -> String {
        guard case .members(let members) = details.json else { return "" }
        let sources = details.json["sources"]
        var table = TextTable("FIELD", "VALUE", "FROM")
        for member in members where member.name != "sources" {
            let value = [String](json: member.value)?.joined(separator: ", ") ?? member.value.cell
            table.add(member.name, value, sources?[member.name]?.cell ?? "-")
        }
        return table.text
    }

    private static func duration(_ seconds: Double?) -> String {
        let text = seconds.map(PlayingTime.text) ?? ""
        return text.isEmpty ? "-" : text
    }

    private static func episode(_ title: APIObject<TitleFields>) -> String {
        guard let series = title.series else { return "-" }
        let parts: [(letter: String, number: Int?)] = [("S", title.season), ("E", title.episode)]
        let numbers = parts.compactMap { letter, number in
            number.map { "\(letter)\($0 < 10 ? "0" : "")\($0)" }
        }
        return numbers.isEmpty ? series : "\(series) \(numbers.joined())"
    }
}
