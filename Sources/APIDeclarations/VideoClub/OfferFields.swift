package import APIContract

/// The fields of the offer of a title: its price, its times and its votes.
package struct OfferFields: ObjectFields {
    package static let name = "Offer"
    package static let fields = OfferFields()

    package let price = Field<Int>("price", "price of a rental in credits; 0 if the title is free", .minimum(0))
    package let regularPrice = Field<Int?>(
        "regularPrice", "regular price of a rental in credits, if it costs less now; null otherwise")
    package let featured = Field<Bool>("featured", "whether the operator recommends the title")
    package let needsRental = Field<Bool>("needsRental", "whether the title has to be rented")
    package let minutesToStart = Field<Int?>(
        "minutesToStart", "minutes in which a rental has to be activated; null for no limit")
    package let minutesToPlay = Field<Int>("minutesToPlay", "minutes for which an activated rental can be watched")
    package let playersPerRental = Field<Int>(
        "playersPerRental",
        "number of devices that can watch a rental at the same time; further ones get 403 (too-many-players)",
        .minimum(1))
    package let players = Field<Int>(
        "players", "number of devices on which the sender's rental is watched at the moment, on this server",
        .minimum(0))
    package let trailer = Field<String?>(
        "trailer", "ID of the title that is the trailer; null for none", .example("film-trailer"))
    package let votes = Field<APIObject<VotesFields>>("votes", "votes for the title")
    package let rental = Field<APIObject<RentalFields>?>(
        "rental", "the sender's last rental of the title; null for none")

    package init() {}
}
