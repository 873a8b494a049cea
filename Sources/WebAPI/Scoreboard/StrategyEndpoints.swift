import APIContract
import APIDeclarations
import Accounts
package import HTTPEndpoints
import HTTPTypes
import Hummingbird
import JSONDocument
import LiveChannels
import MediaCore
package import Scoreboard
package import Workflows

/// `/api/v1/me/strategies`, and the drawings on the boards of channels.
///
/// Members who keep the score of a channel save drawings, and show them on its board to everybody who may see it.
package struct StrategyEndpoints: Sendable {
    private let scoreboard: Scoreboard
    private let channels: any ChannelContent

    /// Limit of a request: the lines of a drawing, and what stands around them.
    private static let maximumByteCount = StrategyDrawing.maximumByteCount + 4_096

    /// - Parameters:
    ///   - scoreboard: the drawings.
    ///   - channels: the channels.
    package init(scoreboard: Scoreboard, channels: any ChannelContent) {
        (self.scoreboard, self.channels) = (scoreboard, channels)
    }

    private static let own = AccessRule.member(.permissionForThing(.score), reason: "the caller's own drawings")
    private static let shows = AccessRule.credentialed(
        .permissionForThing(.score), reason: "the handler asks for the permission on the channel")

    package var endpoints: [Endpoint] {
        [
            Endpoint(StrategyAPI.listStrategies, Self.own) { request, caller in
                let wanted = try PageRequest(request)
                let found = try await scoreboard.strategies(
                    of: try caller.caller.requireMember().id, after: wanted.cursor, limit: wanted.limit)
                return APIPage(found.items.map(Self.summary), next: found.next).response()
            },
            Endpoint(StrategyAPI.createStrategy, Self.own) { request, caller in
                let owner = try caller.caller.requireMember().id
                if caller.scored(channels.channels()).isEmpty { try caller.require(.score, Resource(.match)) }
                let change = try await Self.change(request)
                return Self.answer(try await scoreboard.createStrategy(change, of: owner), status: .created)
            },
            Endpoint(StrategyAPI.getStrategy, Self.own) { _, caller in
                Self.answer(
                    try await scoreboard.strategy(
                        try caller.parameters.identifier(of: "drawing"), of: try caller.caller.requireMember().id))
            },
            Endpoint(StrategyAPI.changeStrategy, Self.own) { request, caller in
                let (id, owner) = (
                    try caller.parameters.identifier(of: "drawing"), try caller.caller.requireMember().id
                )
                let change = try await Self.change(request)
                let revisions = try IfMatch.required(in: request).revisions
                return Self.answer(try await scoreboard.changeStrategy(id, of: owner, from: revisions, change))
            },
            Endpoint(StrategyAPI.deleteStrategy, Self.own) { _, caller in
                try await scoreboard.removeStrategy(
                    try caller.parameters.identifier(of: "drawing"), of: try caller.caller.requireMember().id)
                return Response(status: .noContent)
            },
            Endpoint(StrategyAPI.getShownStrategy, .channel(.read)) { _, caller in
                let shown = try await scoreboard.shownDrawing(onChannel: try caller.parameters.require("name"))
                return APIPage(shown.map { [Self.shown($0)] } ?? []).response()
            },
            Endpoint(StrategyAPI.showStrategy, Self.shows) { request, caller in
                let channel = try scoredChannel(caller)
                let body = try await BodyFields(
                    request, ShownStrategyChangeFields.self, maximumByteCount: Self.maximumByteCount)
                let court = try body.value(\.court, StrategyCourt.self) ?? .plain
                let strokes = try Self.strokes(
                    try body.elements(\.strokes, maximumCount: StrategyDrawing.maximumStrokeCount))
                try await scoreboard.show(try StrategyDrawing(court, strokes), onChannel: channel)
                return Response(status: .noContent)
            },
            Endpoint(StrategyAPI.hideStrategy, Self.shows) { _, caller in
                try await scoreboard.hideDrawing(onChannel: try scoredChannel(caller))
                return Response(status: .noContent)
            },
        ]
    }

    /// The channel of the path, whose score the caller keeps.
    private func scoredChannel(_ caller: GatewayRequestContext) throws -> String {
        let name = try caller.parameters.require("name")
        try caller.require(.score, caller.matches(onChannel: name))
        guard channels.channel(named: name) != nil else { throw ProblemDetails.unknown(.channel, name) }
        return name
    }

    private static func change(_ request: Request) async throws -> Strategy.Change {
        let body = try await BodyFields(request, StrategyChangeFields.self, maximumByteCount: maximumByteCount)
        var change = Strategy.Change()
        change.name = try body.text(\.strategyName)
        change.court = try body.value(\.court, StrategyCourt.self)
        let strokes = try body.elements(\.strokes, maximumCount: StrategyDrawing.maximumStrokeCount)
        if body.has(\.strokes) { change.strokes = try Self.strokes(strokes) }
        return change
    }

    private static func strokes(_ nodes: [JSONNode]) throws -> [StrategyStroke] {
        try nodes.enumerated().map { index, node in
            do throws(StrategyStroke.Damage) {
                return try StrategyStroke(node)
            } catch {
                let field = "strokes[\(index)].\(error.field)"
                throw Refusal(.invalidField, "the field `\(field)` \(error.text)", fields: [field])
            }
        }
    }

    // MARK: Resources

    private static func summary(_ strategy: Strategy) -> APIObject<StrategyFields> {
        StrategyFields.object {
            [
                $0.id(strategy.id.text), $0.strategyName(strategy.name), $0.court(strategy.court.rawValue),
                $0.strokeCount(strategy.strokeCount), $0.revision(Int(clamping: strategy.revision)),
                $0.changedAt(APIResources.time(strategy.changedAt)),
            ]
        }
    }

    private static func resource(_ strategy: Strategy, _ drawing: StrategyDrawing) -> APIObject<StrategyDrawingFields> {
        StrategyDrawingFields.object {
            [
                $0.id(strategy.id.text), $0.strategyName(strategy.name), $0.court(drawing.court.rawValue),
                $0.strokes(drawing.strokes.map(\.json)), $0.revision(Int(clamping: strategy.revision)),
                $0.changedAt(APIResources.time(strategy.changedAt)),
            ]
        }
    }

    private static func answer(
        _ found: (strategy: Strategy, drawing: StrategyDrawing), status: HTTPResponse.Status = .ok
    ) -> Response {
        resource(found.strategy, found.drawing).response(status: status)
            .adding(.eTag, EntityTag(found.strategy.revision).field)
    }

    private static func shown(_ drawing: StrategyDrawing) -> APIObject<ShownStrategyFields> {
        ShownStrategyFields.object { [$0.court(drawing.court.rawValue), $0.strokes(drawing.strokes.map(\.json))] }
    }

    /// The drawings that a member has saved.
    package func export(of member: ExportedMember) async throws -> [ExportChapter] {
        var (all, cursor): ([APIObject<StrategyDrawingFields>], String?) = ([], nil)
        repeat {
            let page = try await scoreboard.strategies(of: member.account.id, after: cursor, limit: 100)
            for strategy in page.items {
                let found = try await scoreboard.strategy(strategy.id, of: member.account.id)
                all.append(Self.resource(found.strategy, found.drawing))
            }
            cursor = page.next
        } while cursor != nil
        return [ExportChapter([.both(name: "strategies", all.json)], text: "strategies")]
    }
}
