package import JSONDocument

/// The tables of `antena competition`.
package enum CompetitionTables {
    /// - Parameter competitions: competitions in the API's representation.
    package static func competitions(_ competitions: [JSONNode]) -> String {
        var table = TextTable("FIRST DAY", "DAYS", "TIME ZONE", "STATE", "ID", "NAME")
        for competition in competitions {
            table.add(
                competition.text("firstDay"), competition.text("dayCount"), competition.text("timeZone"),
                competition.text("state"), competition.text("id"), TextTable.short(competition.text("name")))
        }
        return table.isEmpty ? "no competitions" : table.text
    }

    /// - Parameter map: the map of a competition, in the API's representation.
    package static func map(_ map: JSONNode) -> String {
        let fields = TextTable.fields(of: map, ["kind", "north", "west", "south", "east", "image"])
        let lines = map["lines"]?.elements ?? []
        guard !lines.isEmpty else { return fields.text }
        var table = TextTable("POINTS", "NAME")
        for line in lines { table.add("\(line["points"]?.elements?.count ?? 0)", TextTable.short(line.text("name"))) }
        return "\(fields.text)\n\n\(table.text)"
    }

    /// - Parameter competition: a competition with its days, in the API's representation.
    package static func competition(_ competition: JSONNode) -> String {
        let fields = TextTable.fields(
            of: competition,
            ["id", "name", "description", "timeZone", "firstDay", "dayCount", "state", "opensAt", "image", "map"])
        var days = TextTable("DAY", "DATE", "STATE", "STARTS", "ENDS")
        for day in competition["days"]?.elements ?? [] {
            days.add(
                day.text("number"), day.text("date"), day.text("state"), day.text("startsAt"), day.text("endsAt"))
        }
        return "\(fields.text)\n\n\(days.text)"
    }
}
