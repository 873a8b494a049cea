package import JSONDocument
import MediaCore

/// The tables of `antena title` and `antena track`.
package enum DetailTables {
    /// - Parameter titles: titles in the API's representation.
    package static func titles(_ titles: [JSONNode]) -> String {
        var table = TextTable("ID", "TITLE", "KIND", "YEAR", "SERIES", "STATE", "DURATION", "PRICE", "ADDED")
        for title in titles {
            table.add(
                title.text("id"), TextTable.short(title.text("title")), title.text("kind"),
                title.text("year"), TextTable.short(episode(title)), title.text("state"), duration(title),
                title.text("price"),
                title.text("addedAt"))
        }
        return table.isEmpty ? "no titles" : table.text
    }

    /// - Parameter tracks: tracks in the API's representation.
    package static func tracks(_ tracks: [JSONNode]) -> String {
        var table = TextTable("ID", "TITLE", "ARTIST", "ALBUM", "YEAR", "STATE", "DURATION", "ADDED")
        for track in tracks {
            table.add(
                track.text("id"), TextTable.short(track.text("title")), TextTable.short(track.text("artist")),
                TextTable.short(track.text("album")), track.text("year"), track.text("state"), duration(track),
                track.text("addedAt"))
        }
        return table.isEmpty ? "no tracks" : table.text
    }

    /// - Parameter details: details in the API's representation.
    package static func details(_ details: JSONNode) -> String {
        var table = TextTable("FIELD", "VALUE", "FROM")
        for member in details.members ?? [] where member.name != "sources" {
            let value =
                member.value.elements.map { $0.compactMap(\.string).joined(separator: ", ") }
                ?? details.text(member.name)
            table.add(member.name, value, details["sources"]?.text(member.name) ?? "-")
        }
        return table.text
    }

    private static func duration(_ item: JSONNode) -> String {
        let text = item["duration"]?.number.map(PlayingTime.text) ?? ""
        return text.isEmpty ? "-" : text
    }

    private static func episode(_ title: JSONNode) -> String {
        guard let series = title["series"]?.string else { return "-" }
        let numbers = [("S", title["season"]?.integer), ("E", title["episode"]?.integer)].compactMap { letter, number in
            number.map { "\(letter)\($0 < 10 ? "0" : "")\($0)" }
        }
        return numbers.isEmpty ? series : "\(series) \(numbers.joined())"
    }
}
