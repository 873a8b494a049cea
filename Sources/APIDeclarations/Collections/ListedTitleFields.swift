package import APIContract

/// The fields of a title in a list, with its price and its votes.
package struct ListedTitleFields: ObjectFields {
    package static let name = "ListedTitle"
    package static let base: (any ObjectFields.Type)? = TitleFields.self
    package static let fields = ListedTitleFields()
    /// The columns of the titles of a series.
    package static let columns = [
        TableColumn("SEASON", TitleFields.fields.season), TableColumn("EPISODE", TitleFields.fields.episode),
        TableColumn("TITLE", TitleFields.fields.title, .short), TableColumn("ID", TitleFields.fields.id),
    ]

    package let price = Field<Int>("price", "price of a rental in credits; 0 if the title is free", .minimum(0))
    package let regularPrice = Field<Int?>(
        "regularPrice", "regular price of a rental in credits, if it costs less now; null otherwise")
    package let featured = Field<Bool>("featured", "whether the operator recommends the title")
    package let votes = Field<APIObject<ListedTitleVotesFields>>("votes", "votes for the title")

    package init() {}
}
