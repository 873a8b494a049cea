package import APIContract

/// The fields of a change of the terms on which a title is rented.
package struct TermsChangeFields: ObjectFields {
    package static let name = "TermsChange"
    package static let isClosed = true
    package static let fields = TermsChangeFields()

    package let price = Field<Int?>(setting: TermsFields.fields.price, .optional, .minimum(0), .maximum(100000))
    package let regularPrice = Field<Int?>(
        setting: TermsFields.fields.regularPrice,
        "regular price of a rental in credits, more than the price; null for none", .optional, .minimum(1),
        .maximum(100000))
    package let featured = Field<Bool?>(setting: TermsFields.fields.featured, .optional)
    package let asksForFreeRental = Field<Bool?>(setting: TermsFields.fields.asksForFreeRental, .optional)
    package let minutesToStart = Field<Int?>(
        setting: TermsFields.fields.minutesToStart, .optional, .minimum(1), .maximum(5256000))
    package let minutesToPlay = Field<Int?>(
        setting: TermsFields.fields.minutesToPlay, .optional, .minimum(1), .maximum(5256000))
    package let trailer = Field<String?>(
        setting: TermsFields.fields.trailer, .optional, .maximumLength(1000), .example("film-trailer"))

    package init() {}
}
