package import APIContract
import JSONDocument

/// The fields of the place up to which a member has watched or heard something.
package struct PositionFields: ObjectFields {
    package static let name = "Position"
    package static let fields = PositionFields()
    package static let columns = [
        TableColumn("KIND", fields.kind), TableColumn("ID", fields.id), TableColumn("NAME", fields.name, .short),
        TableColumn("POSITION", fields.position), TableColumn("DURATION", fields.duration),
        TableColumn("FINISHED", fields.finished, .yesOrNo), TableColumn("WRITTEN", fields.writtenAt),
    ]

    package let kind = Field<String>("kind", "kind of the item", .oneOf("title", "video", "track"))
    package let id = Field<String>("id", "ID of the title, the published video or the track", .example("film"))
    package let name = Field<String?>(
        "name", "name of the item; null in an answer about one item", .example("El faro del norte"))
    package let poster = Field<String?>("poster", "path of the item's picture; null without one")
    package let page = Field<String?>("page", "path of the item's page; null in an answer about one item")
    package let position = Field<Double>(
        "position", "seconds from the beginning", .minimum(0), .example(.integer(754)))
    package let duration = Field<Double>(
        "duration", "length of the item in seconds", .minimum(0), .example(.integer(6120)))
    package let finished = Field<Bool>("finished", "whether the position is in the last 5 %")
    package let writtenAt = Field<APITime>("writtenAt", "time at which the position was written")

    package init() {}
}
