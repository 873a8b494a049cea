import APIContract
import APIDeclarations
import Accounts
import HLSDelivery
package import HTTPEndpoints
import HTTPTypes
import Hummingbird
import MediaCore
package import PlaybackPositions
package import Workflows

/// `/api/v1/me/positions`: the places at which a member goes on, on any device.
package struct PositionEndpoints: Sendable {
    private let positions: Positions
    private let items: PositionedItems

    /// - Parameters:
    ///   - positions: the positions.
    ///   - items: finds what they are about.
    package init(positions: Positions, items: PositionedItems) { (self.positions, self.items) = (positions, items) }

    private static let own = AccessRule.member(.session, reason: "the caller's own positions")

    package var endpoints: [Endpoint] {
        [
            Endpoint(PositionAPI.listPositions, Self.own) { request, caller in
                let page = try PageRequest(request)
                let found = try await positions.positions(
                    of: try caller.caller.requireMember().id, after: page.cursor, limit: page.limit)
                let shown = try await items.continued(found.items, caller)
                return APIPage(shown.map(Self.resource), next: found.next).response()
            },
            Endpoint(PositionAPI.getPosition, Self.own) { _, caller in
                let (kind, id) = try Self.item(caller)
                guard let found = try await positions.position(kind, id, of: try caller.caller.requireMember().id)
                else {
                    throw ProblemDetails(.notFound, "there is no position")
                }
                return Self.resource(PositionedItem(found)).response()
            },
            Endpoint(PositionAPI.setPosition, Self.own) { request, caller in
                let (kind, id) = try Self.item(caller)
                let body = try await BodyFields(request, PositionChangeFields.self)
                let (position, duration) = (
                    try Self.seconds(\.position, body), try Self.seconds(\.duration, body)
                )
                guard try await items.exists(kind, id, caller) else {
                    throw ProblemDetails(.notFound, "there is no such \(kind.rawValue)")
                }
                try await positions.write(position, of: duration, kind, id, by: try caller.caller.requireMember().id)
                return Response(status: .noContent)
            },
            Endpoint(PositionAPI.deletePosition, Self.own) { _, caller in
                let (kind, id) = try Self.item(caller)
                try await positions.remove(kind, id, of: try caller.caller.requireMember().id)
                return Response(status: .noContent)
            },
        ]
    }

    private static func item(_ caller: GatewayRequestContext) throws -> (PlaybackPosition.Kind, String) {
        let name = try caller.parameters.require("kind")
        guard let kind = PlaybackPosition.Kind(rawValue: name) else {
            throw ProblemDetails(.notFound, "there are no positions in a \(Refusal.quoted(name))")
        }
        return (kind, try caller.parameters.require("id"))
    }

    /// A number of seconds, which is no longer than any position.
    private static func seconds(
        _ field: KeyPath<PositionChangeFields, Field<some APIValue>>, _ body: BodyFields<PositionChangeFields>
    ) throws -> Duration {
        let name = PositionChangeFields.fields[keyPath: field].name
        guard let seconds = try body.number(field) else {
            throw Refusal.missing([name])
        }
        guard seconds.isFinite, seconds >= 0, seconds <= 1e9 else {
            throw Refusal(.invalidField, "the field `\(name)` must be a number of seconds", fields: [name])
        }
        return .milliseconds(Int64(seconds * 1_000))
    }

    private static func resource(_ item: PositionedItem) -> APIObject<PositionFields> {
        let position = item.position
        return PositionFields.object {
            [
                $0.kind(position.kind.rawValue), $0.id(position.item), $0.name(item.name), $0.poster(item.poster),
                $0.page(item.page), $0.position(position.position.seconds),
                $0.duration(position.duration.seconds), $0.finished(position.isFinished),
                $0.writtenAt(APIResources.time(position.writtenAt)),
            ]
        }
    }

    /// The positions of a member.
    package func export(of member: ExportedMember) async throws -> [ExportChapter] {
        var (all, cursor): ([PlaybackPosition], String?) = ([], nil)
        repeat {
            let page = try await positions.positions(of: member.account.id, after: cursor, limit: 100)
            all += page.items
            cursor = page.next
        } while cursor != nil
        return [
            ExportChapter(
                [.both(name: "positions", all.map { Self.resource(PositionedItem($0)) }.json)], text: "positions")
        ]
    }
}
