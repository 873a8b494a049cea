package import JSONDocument

/// The tables of `antena credits`, `antena rental` and `antena terms`.
package enum ClubTables {
    /// - Parameter movements: movements of credits in the API's representation.
    package static func movements(_ movements: [JSONNode]) -> String {
        var table = TextTable("AT", "ID", "REASON", "AMOUNT", "BALANCE", "NOTE")
        for movement in movements {
            table.add(
                movement.text("happenedAt"), movement.text("id"), movement.text("reason"), movement.text("amount"),
                movement.text("balance"), TextTable.short(movement.text("note")))
        }
        return table.isEmpty ? "no movements" : table.text
    }

    /// - Parameter rentals: rentals in the API's representation.
    package static func rentals(_ rentals: [JSONNode]) -> String {
        var table = TextTable("ID", "TITLE", "PRICE", "STATE", "RENTED", "ENDS", "OFFLINE")
        for rental in rentals {
            table.add(
                rental.text("id"), TextTable.short(rental.text("name")), rental.text("price"), rental.text("state"),
                rental.text("rentedAt"), rental.text("endsAt"), copies(rental["offline"]))
        }
        return table.isEmpty ? "no rentals" : table.text
    }

    /// The state of a rental's copies on devices: `laptop: downloaded, phone: partial`.
    private static func copies(_ offline: JSONNode?) -> String {
        let devices = (offline?["devices"]?.elements ?? []).map { device in
            "\(TextTable.short(device.text("name"))): \(device.text("state"))"
        }
        return devices.isEmpty ? offline?.text("state") ?? "" : devices.joined(separator: ", ")
    }

    /// - Parameter offer: what a title costs a member, in the API's representation.
    package static func offer(_ offer: JSONNode) -> String {
        var table = TextTable.fields(
            of: offer, ["price", "regularPrice", "needsRental", "minutesToStart", "minutesToPlay", "trailer"])
        if let votes = offer["votes"] {
            for name in ["count", "average", "own"] { table.add("votes.\(name)", votes.text(name)) }
        }
        if let rental = offer["rental"] {
            for name in ["id", "state", "endsAt"] { table.add("rental.\(name)", rental.text(name)) }
        }
        return table.text
    }

    /// - Parameter terms: the terms of a title in the API's representation.
    package static func terms(_ terms: JSONNode) -> String {
        TextTable.fields(
            of: terms,
            ["price", "regularPrice", "featured", "asksForFreeRental", "minutesToStart", "minutesToPlay", "trailer"]
        ).text
    }

    /// - Parameter report: what a check of the ledger has found, in the API's representation.
    package static func report(_ report: JSONNode) -> String {
        let findings = (report["findings"]?.elements ?? []).compactMap(\.string)
        let summary =
            "\(report.text("movements")) movements, \(report.text("accounts")) accounts, \(report.text("credits")) credits"
        return (findings + [findings.isEmpty ? "\(summary): in order" : "\(summary): \(findings.count) findings"])
            .joined(separator: "\n")
    }
}
