package import APIContract
package import APIDeclarations
import JSONDocument

/// The tables of `antena rental`, `antena terms` and `antena me offer`, and what `antena credits check` says.
package enum ClubTables {
    /// - Parameters:
    ///   - rentals: the rows.
    ///   - nothing: the text instead of a table without rows.
    package static func rentals(_ rentals: [APIObject<RentalFields>], nothing: String) -> String {
        var table = TextTable("ID", "TITLE", "PRICE", "STATE", "RENTED", "ENDS", "OFFLINE")
        for rental in rentals {
            table.add(
                rental.id ?? "-", TextTable.short(rental.name ?? "-"), rental.price.cell, rental.state ?? "-",
                rental.rentedAt?.text ?? "-", rental.endsAt?.text ?? "-", copies(rental.offline))
        }
        return table.isEmpty ? nothing : table.text
    }

    /// The state of a rental's copies on devices: `laptop: downloaded, phone: partial`.
    private static func copies(_ offline: APIObject<RentalOfflineFields>?) -> String {
        guard let offline else { return "" }
        let devices = (offline.devices ?? []).map { device in
            "\(TextTable.short(device.name ?? "-")): \(device.state?.content ?? "-")"
        }
        return devices.isEmpty ? offline.state?.content ?? "-" : devices.joined(separator: ", ")
    }

    package static func offer(_ offer: APIObject<OfferFields>) -> String {
        var table = TextTable("FIELD", "VALUE")
        let (own, votes, rental) = (OfferFields.fields, VotesFields.fields, RentalFields.fields)
        let fields: [any DeclaredField] = [
            own.price, own.regularPrice, own.needsRental, own.minutesToStart, own.minutesToPlay, own.trailer,
        ]
        for field in fields { table.add(field.name, (offer.json[field.name] ?? .null).cell) }
        let inner: [(name: String, fields: [any DeclaredField])] = [
            (own.votes.name, [votes.count, votes.average, votes.own]),
            (own.rental.name, [rental.id, rental.state, rental.endsAt]),
        ]
        for (name, fields) in inner {
            guard let object = offer.json[name] else { continue }
            for field in fields { table.add("\(name).\(field.name)", (object[field.name] ?? .null).cell) }
        }
        return table.text
    }

    package static func terms(_ terms: APIObject<TermsFields>) -> String {
        let fields = TermsFields.fields
        return ObjectTable.fields(
            of: terms,
            [
                fields.price, fields.regularPrice, fields.featured, fields.asksForFreeRental, fields.minutesToStart,
                fields.minutesToPlay, fields.trailer,
            ])
    }

    /// The findings of a check of the ledger.
    package static func report(_ report: APIObject<LedgerCheckFields>) -> String {
        let findings = report.findings ?? []
        let summary =
            "\(report.movements.cell) movements, \(report.accounts.cell) accounts, \(report.credits.cell) credits"
        return (findings + [findings.isEmpty ? "\(summary): in order" : "\(summary): \(findings.count) findings"])
            .joined(separator: "\n")
    }
}
