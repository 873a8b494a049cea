package import APIContract
package import JSONDocument

/// The fields of the renditions that can be downloaded for a rental.
package struct CopyOfferFields: ObjectFields {
    package static let name = "CopyOffer"
    package static let fields = CopyOfferFields()

    package let rental = Field<APIObject<RentalFields>>("rental", "rental that the copies are for")
    package let title = Field<String>("title", "ID of the title", .example("film"))
    package let name = Field<String>("name", "name of the title when it was rented", .example("Garden of life"))
    package let details = Field<JSONText>(
        "details", "details of the title, as /api/v1/titles/{id}/details has them", .schema(.type("object")))
    package let renditions = Field<[APIObject<CopyOfferRenditionFields>]>(
        "renditions", "renditions that can be downloaded")

    package init() {}
}
