package import APIContract
package import APIDeclarations

/// The tables of `antena competition`.
package enum CompetitionTables {
    package static func map(_ map: APIObject<CompetitionMapFields>) -> String {
        let own = CompetitionMapFields.fields
        let fields = ObjectTable.fields(of: map, [own.kind, own.north, own.west, own.south, own.east, own.image])
        let lines = map.lines ?? []
        guard !lines.isEmpty else { return fields }
        var table = TextTable("POINTS", "NAME")
        for line in lines { table.add("\(line.points?.count ?? 0)", TextTable.short(line.name ?? "-")) }
        return "\(fields)\n\n\(table.text)"
    }

    /// - Parameter competition: a competition with its days.
    package static func competition(_ competition: APIObject<CompetitionFields>) -> String {
        let own = CompetitionFields.fields
        let fields = ObjectTable.fields(
            of: competition,
            [
                own.id, own.name, own.description, own.timeZone, own.firstDay, own.dayCount, own.state, own.opensAt,
                own.image, own.map,
            ])
        var days = TextTable("DAY", "DATE", "STATE", "STARTS", "ENDS")
        for day in competition.days ?? [] {
            days.add(
                day.number.cell, day.date ?? "-", day.state?.content ?? "-",
                day.startsAt?.text ?? "-", day.endsAt?.text ?? "-")
        }
        return "\(fields)\n\n\(days.text)"
    }
}
