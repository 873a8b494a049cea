package import APIContract

/// The fields of an import of details and terms.
package struct CatalogueTableFields: ObjectFields {
    package static let name = "CatalogueTable"
    package static let fields = CatalogueTableFields()

    package let items = Field<[APIObject<CatalogueEntryFields>]>(
        "items", "entries of the import, one for each title", .maximumCount(1000))

    package init() {}
}
