package import JSONDocument

/// Series, albums and artists as tables.
package enum CollectionTables {
    /// - Parameter series: series in the API's representation.
    package static func series(_ series: [JSONNode]) -> String {
        var table = TextTable("ID", "SERIES", "TITLES")
        for item in series { table.add(item.text("id"), TextTable.short(item.text("name")), item.text("titleCount")) }
        return table.isEmpty ? "no series" : table.text
    }

    /// - Parameter titles: titles of a series in the API's representation.
    package static func episodes(_ titles: [JSONNode]) -> String {
        var table = TextTable("SEASON", "EPISODE", "TITLE", "ID")
        for title in titles {
            table.add(
                title.text("season"), title.text("episode"), TextTable.short(title.text("title")), title.text("id"))
        }
        return table.text
    }

    /// - Parameter albums: albums in the API's representation.
    package static func albums(_ albums: [JSONNode]) -> String {
        var table = TextTable("ID", "ALBUM", "ARTIST", "YEAR", "TRACKS")
        for item in albums {
            table.add(
                item.text("id"), TextTable.short(item.text("name")), TextTable.short(item.text("artist")),
                item.text("year"), item.text("trackCount"))
        }
        return table.isEmpty ? "no albums" : table.text
    }

    /// - Parameter tracks: tracks of an album in the API's representation.
    package static func tracks(_ tracks: [JSONNode]) -> String {
        var table = TextTable("NUMBER", "TITLE", "ARTIST", "ID")
        for track in tracks {
            table.add(
                track.text("trackNumber"), TextTable.short(track.text("title")), TextTable.short(track.text("artist")),
                track.text("id"))
        }
        return table.text
    }

    /// - Parameter artists: artists in the API's representation.
    package static func artists(_ artists: [JSONNode]) -> String {
        var table = TextTable("ID", "ARTIST", "TRACKS")
        for item in artists { table.add(item.text("id"), TextTable.short(item.text("name")), item.text("trackCount")) }
        return table.isEmpty ? "no artists" : table.text
    }
}
