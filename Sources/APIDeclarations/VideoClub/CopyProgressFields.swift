package import APIContract
package import JSONDocument

/// The fields of an offline copy that is being prepared.
package struct CopyProgressFields: ObjectFields {
    package static let name = "CopyProgress"
    package static let fields = CopyProgressFields()

    package let rental = Field<APIObject<RentalFields>>("rental", "rental that the copy is for")
    package let title = Field<String>("title", "ID of the title", .example("film"))
    package let name = Field<String>("name", "name of the title when it was rented", .example("Garden of life"))
    package let details = Field<JSONText>(
        "details", "details of the title, as /api/v1/titles/{id}/details has them", .schema(.type("object")))
    package let rendition = Field<String>("rendition", "name of the rendition", .example("video"))
    package let byteCount = Field<Int>(
        "byteCount", "size of the copy in bytes", .minimum(1), .example(.integer(734_003_200)))
    package let progress = Field<Double>(
        "progress", "progress of the preparation from 0 to 1", .minimum(0), .maximum(1))

    package init() {}
}
