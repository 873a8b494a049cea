import Accounts
import DatabaseTestSupport
import Foundation
import GatewayTestSupport
import HTTPEndpoints
import HTTPTypes
import JSONDocument
import MediaCore
import Messaging
import TestSupport
import Testing

/// Nobody outside a conversation reads a byte of it, whichever address of the server they ask: random members write and
/// come and go, and then everybody asks every address that can be read, with all IDs that there are.
@Suite(.eachEngine, .timeLimit(.minutes(10)))
struct OutsiderEndpointTests {
    /// The texts that each member may read, by member.
    private struct Model {
        var members: [String: Set<Int>] = [:]
        var readable: [Int: [String: Set<String>]] = [:]

        func texts(_ member: Int) -> Set<String> {
            Set((readable[member] ?? [:]).values.flatMap(\.self))
        }
    }

    private static let names = ["member0", "member1", "member2", "member3"]
    private static let all = "/api/v1/me/conversations"

    /// The beginnings of the addresses of members, communities and moderators. Those of media and channels know nothing
    /// of conversations, and some of them wait for a channel.
    private static let beginnings = ["/api/v1/me", "/api/v1/moderation", "/api/v1/users", "/comunidad", "/cuenta"]

    @Test(arguments: [11] as [UInt64])
    func nobodyOutsideReadsAByteFromAnyAddress(_ seed: UInt64) async throws {
        let site = try await MessagingSite()
        var sessions: [NewSession] = []
        for name in Self.names { sessions.append(try await site.session(name)) }
        for first in sessions.indices {
            for second in sessions.indices where second > first {
                try await site.connect(sessions[first], sessions[second])
            }
        }
        var (generator, model) = (SeededGenerator(seed: seed), Model())
        for step in 0..<60 {
            site.station.fixture.clock.advance(by: .seconds(5))
            try await act(step, site, sessions, &model, &generator)
        }
        let administrator = try await site.session("boss", .administrator)
        let moderator = try await site.session("judge", .moderator)
        let token = try await site.station.fixture.token(sessions[0])
        let none: Set<String> = []
        var askers: [(fields: HTTPFields, texts: Set<String>)] = []
        for number in sessions.indices { askers.append((MessagingSite.cookie(sessions[number]), model.texts(number))) }
        askers.append((MessagingSite.cookie(administrator), none))
        askers.append((MessagingSite.cookie(moderator), none))
        askers.append(([:], none))
        askers.append(([.authorization: "Bearer \(token.secret.text)"], none))
        askers.append(([.authorization: TestOperator.authorization], none))
        var asked = 0
        for endpoint in site.table.endpoints
        where endpoint.method == .get && !Self.isLeftOut(endpoint.path) {
            for path in Self.paths(of: endpoint.path, model) {
                for (fields, texts) in askers {
                    let answer = try await site.send(.get, path, fields: fields)
                    asked += 1
                    let read = Set(answer.text.matches(of: /secretword[0-9]+x/).map { String($0.output) })
                    #expect(read.isSubset(of: texts), "\(path)")
                }
            }
        }
        #expect(asked > 300)
    }

    /// Streams never end, and archives are no text.
    private static func isLeftOut(_ path: String) -> Bool {
        path.hasSuffix("/events") || path.hasSuffix("export.zip") || !beginnings.contains { path.hasPrefix($0) }
    }

    private static func paths(of pattern: String, _ model: Model) -> [String] {
        let hasOwn = pattern.contains("conversations") || pattern.contains("/mensajes")
        let ids =
            pattern.contains("{id}") && hasOwn
            ? Array(model.members.keys) : [model.members.keys.first ?? "x"]
        return ids.map { id in
            let path = pattern.replacing("{id}", with: id).replacing("{name}", with: names[1])
                .replacing("{member}", with: names[1]).replacing("{sequence}", with: "1")
            let filled = path.replacing(/\{[a-z]+\}/, with: "1")
            return filled.contains("search") || filled.contains("buscar")
                ? "\(filled)?q=secretword" : filled
        }
    }

    private func act(
        _ step: Int, _ site: MessagingSite, _ sessions: [NewSession], _ model: inout Model,
        _ generator: inout SeededGenerator
    ) async throws {
        let actor = Int.random(in: sessions.indices, using: &generator)
        let other = Int.random(in: sessions.indices, using: &generator)
        let id = model.members.keys.sorted().randomElement(using: &generator)
        let session = sessions[actor]
        switch (Int.random(in: 0..<8, using: &generator), id) {
        case (0, _), (_, nil):
            let members = other == actor ? "" : "\"\(Self.names[other])\""
            let made = try await site.send(
                .post, Self.all, #"{"name": "group \#(step)", "members": [\#(members)]}"#, by: session)
            model.members[made.string("id")] = [actor, other]
        case (1, _) where other != actor:
            let made = try await site.send(
                .post, Self.all, #"{"with": "\#(Self.names[other])"}"#, by: session)
            model.members[made.string("id")] = [actor, other]
        case (2, let id?):
            let path = "\(Self.all)/\(id)/members/\(Self.names[other])"
            if try await site.send(.put, path, by: session).status == 204 {
                model.members[id]?.insert(other)
            }
        case (3, let id?):
            let path = "\(Self.all)/\(id)/members/\(Self.names[other])"
            guard try await site.send(.delete, path, by: session).status == 204 else { return }
            model.members[id]?.remove(other)
            model.readable[other]?[id] = nil
        case (_, let id?):
            let text = "secretword\(step)x"
            let sent = try await site.send(
                .post, "\(Self.all)/\(id)/messages", #"{"id": "\#(step)", "text": "\#(text)"}"#, by: session
            )
            #expect((sent.status == 201) == (model.members[id]?.contains(actor) ?? false))
            guard sent.status == 201 else { return }
            for member in model.members[id] ?? [] {
                model.readable[member, default: [:]][id, default: []].insert(text)
            }
        }
    }
}
