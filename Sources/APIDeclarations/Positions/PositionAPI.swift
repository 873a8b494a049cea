package import APIContract
import MediaCore

/// The operations of the API for positions.
package enum PositionAPI {
    private static let kind = APIParameter.path(
        Field<String>("kind", "kind of the item", .oneOf("title", "video", "track")))
    private static let item = APIParameter.path(
        Field<String>("id", "ID of the title, the published video or the track", .minimumLength(1)))

    package static let listPositions = APIOperation(
        .get, "/api/v1/me/positions", "listPositions",
        "Positions at which the sender can go on, the last written first",
        "Items that are finished, were deleted, or may no longer be watched are left out, so that a page may be short.",
        parameters: [.cursor, .limit], answer: .page(of: PositionFields.self, "Positions")
    )
    .refusing(.invalidCursor)

    package static let getPosition = APIOperation(
        .get, "/api/v1/me/positions/{kind}/{id}", "getPosition", "Position of the sender in an item",
        parameters: [kind, item], answer: .object(PositionFields.self, "The position"))

    package static let setPosition = APIOperation(
        .put, "/api/v1/me/positions/{kind}/{id}", "setPosition", "Write the position of the sender in an item",
        "The write that arrives last counts. A position before 30 s takes it away. A position is kept for a year, and 1,000 of them for a member.",
        parameters: [kind, item], body: APIBody(.json(PositionChangeFields.self)), answer: .nothing("Written"))

    package static let deletePosition = APIOperation(
        .delete, "/api/v1/me/positions/{kind}/{id}", "deletePosition", "Forget the position of the sender in an item",
        parameters: [kind, item], answer: .nothing("Forgotten"))
}
