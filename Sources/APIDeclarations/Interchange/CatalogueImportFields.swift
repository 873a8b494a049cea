package import APIContract

/// The fields of the result of an import of details and terms.
package struct CatalogueImportFields: ObjectFields {
    package static let name = "CatalogueImport"
    package static let fields = CatalogueImportFields()

    package let read = Field<Int>("read", "number of entries that were read", .minimum(0))
    package let changed = Field<Int>(
        "changed", "number of entries that have changed something, or that would in a trial", .minimum(0))
    package let problems = Field<[APIObject<CatalogueProblemFields>]>(
        "problems", "problems of the first 100 entries that could not be used", .maximumCount(100))

    package init() {}
}
