package import APIContract
import MediaCore

/// The operations of the API for drawings on courts.
package enum StrategyAPI {
    package static let listStrategies = APIOperation(
        .get, "/api/v1/me/strategies", "listStrategies", "Drawings of the sender, newest first, without their lines",
        parameters: [.limit, .cursor], answer: .page(of: StrategyFields.self, "Drawings")
    )
    .refusing(.invalidCursor)

    package static let createStrategy = APIOperation(
        .post, "/api/v1/me/strategies", "createStrategy", "Save a drawing",
        "Needs the permission `score` on a channel. `name` is required. 409 if there are 100 already.",
        parameters: [.idempotencyKey], body: APIBody(.json(StrategyChangeFields.self)),
        answer: .object(StrategyDrawingFields.self, "The drawing; ETag is its version", status: 201)
    )
    .refusing(.tooMany, .missingFields)

    package static let getStrategy = APIOperation(
        .get, "/api/v1/me/strategies/{id}", "getStrategy", "A drawing of the sender", parameters: [.id],
        answer: .object(StrategyDrawingFields.self, "The drawing; ETag is its version"))

    package static let changeStrategy = APIOperation(
        .patch, "/api/v1/me/strategies/{id}", "changeStrategy", "Change a drawing of the sender",
        parameters: [.id, .ifMatch], body: APIBody(.json(StrategyChangeFields.self)),
        answer: .object(StrategyDrawingFields.self, "The drawing; ETag is its version")
    )
    .refusing(.missingFields)

    package static let deleteStrategy = APIOperation(
        .delete, "/api/v1/me/strategies/{id}", "deleteStrategy", "Delete a drawing of the sender",
        parameters: [.id], answer: .nothing("Deleted"))

    // MARK: The board of a channel

    package static let getShownStrategy = APIOperation(
        .get, "/api/v1/channels/{name}/strategy", "getShownStrategy", "The drawing that a channel's board shows",
        "No items without one; `next` is always null. The event `strategy.changed` tells of another one.",
        parameters: [.channel], answer: .page(of: ShownStrategyFields.self, "The drawing"))

    package static let showStrategy = APIOperation(
        .put, "/api/v1/channels/{name}/strategy", "showStrategy", "Show a drawing on a channel's board",
        "Needs the permission `score` on the channel. It is hidden half an hour after its last change.",
        parameters: [.channel], body: APIBody(.json(ShownStrategyChangeFields.self)), answer: .nothing("Shown"))

    package static let hideStrategy = APIOperation(
        .delete, "/api/v1/channels/{name}/strategy", "hideStrategy", "Hide the drawing of a channel's board",
        "Needs the permission `score` on the channel.", parameters: [.channel], answer: .nothing("Hidden"))
}
