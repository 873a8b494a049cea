package import APIContract

/// The fields of a category of the forum.
package struct TopicCategoryFields: ObjectFields {
    package static let name = "TopicCategory"
    package static let fields = TopicCategoryFields()
    package static let columns = [
        TableColumn("ID", fields.id), TableColumn("NAME", fields.name), TableColumn("TOPICS", fields.topics),
        TableColumn("PLACE", fields.place), TableColumn("TEXT", fields.text, .short),
    ]

    package let id = Field<String>("id", "identifier of the category", .example("c5n1q8e7w3r9t2y6p4d0f8g7h5"))
    package let kind = Field<String>(
        "kind", "general for a category of the operators; otherwise its topics are about a channel or a title",
        .oneOf("general", "channel", "title"))
    package let name = Field<String>("name", "name of the category, or of the channel or title", .example("Cameras"))
    package let text = Field<String>("text", "description; may be empty", .example("What to film with"))
    package let place = Field<Int>("place", "position in the list", .minimum(0))
    package let topics = Field<Int>("topics", "number of topics", .minimum(0))
    package let channel = Field<String?>(
        "channel", "name of the channel that its topics are about; null for none", .example("canalA"))
    package let titleID = Field<String?>(
        "titleID", "ID of the title that its topics are about; null for none", .example("film"))

    package init() {}
}
