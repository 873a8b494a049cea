package import APIContract

/// The fields of the terms on which a title is rented.
package struct TermsFields: ObjectFields {
    package static let name = "Terms"
    package static let fields = TermsFields()

    package let price = Field<Int>(
        "price", "price of a rental in credits; a title that costs something has to be rented", .minimum(0))
    package let regularPrice = Field<Int?>(
        "regularPrice", "regular price of a rental in credits, if it costs less now; null otherwise")
    package let featured = Field<Bool>("featured", "whether the operator recommends the title")
    package let asksForFreeRental = Field<Bool>(
        "asksForFreeRental", "whether the title has to be rented although it is free")
    package let minutesToStart = Field<Int?>(
        "minutesToStart", "minutes in which a rental has to be activated; null for no limit")
    package let minutesToPlay = Field<Int?>(
        "minutesToPlay", "minutes for which an activated rental can be watched; null for the time in channels.json")
    package let trailer = Field<String?>(
        "trailer", "ID of another title that is the trailer, and needs no rental; null for none",
        .example("film-trailer"))

    package init() {}
}
