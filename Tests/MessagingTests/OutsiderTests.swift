import Accounts
import DatabaseTestSupport
import GatewayTestSupport
import MediaCore
import TestSupport
import Testing

@testable import Messaging

/// Random members do random things, and whatever anybody reads, by whatever call, was written while they belonged to
/// the conversation and is not deleted for them.
@Suite(.eachEngine, .timeLimit(.minutes(5)))
struct OutsiderTests {
    /// The texts that each member may read: a plain model, which knows nothing of sequences.
    private struct Model {
        var members: [OpaqueID: Set<Int>] = [:]
        /// The texts that each member may read, by conversation.
        var readable: [Int: [OpaqueID: Set<String>]] = [:]
    }

    private static let names = (0..<5).map { "member\($0)" }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func nobodyReadsWhatIsNotTheirs(_ seed: UInt64) async throws {
        let fixture = try await MessagingFixture()
        let messaging = fixture.messaging
        var callers: [Caller] = []
        for name in Self.names { callers.append(try await fixture.member(name)) }
        for first in callers.indices {
            for second in callers.indices where second > first {
                try await fixture.connect(callers[first], callers[second])
            }
        }
        var (generator, model) = (SeededGenerator(seed: seed), Model())
        var groups: [OpaqueID] = []
        for step in 0..<120 {
            // So that the limit of messages a minute does not stop anybody.
            fixture.clock.advance(by: .seconds(5))
            let actor = Int.random(in: callers.indices, using: &generator)
            let other = Int.random(in: callers.indices, using: &generator)
            let group = groups.randomElement(using: &generator)
            switch Int.random(in: 0..<10, using: &generator) {
            case 0 where groups.count < 6:
                let members = Set([other]).subtracting([actor])
                let id = try await messaging.makeGroup(
                    "group\(step)", members: members.map { Self.names[$0] }, by: callers[actor]
                ).id
                groups.append(id)
                model.members[id] = members.union([actor])
            case 1:
                guard let group, other != actor,
                    await Refusal.of({ try await messaging.add(Self.names[other], to: group, by: callers[actor]) })
                        == nil
                else { continue }
                model.members[group]?.insert(other)
            case 2:
                guard let group,
                    await Refusal.of({ try await messaging.remove(Self.names[other], from: group, by: callers[actor]) })
                        == nil
                else { continue }
                model.members[group]?.remove(other)
                model.readable[other]?[group] = nil
            case 3:
                guard let group, await Refusal.of({ try await messaging.clear(group, by: callers[actor]) }) == nil
                else { continue }
                model.readable[actor]?[group] = nil
            case 4 where other != actor:
                let id = try await messaging.open(with: Self.names[other], by: callers[actor]).id
                model.members[id] = [actor, other]
                let text = "word\(step)"
                try await fixture.send(text, to: id, by: callers[actor])
                for member in [actor, other] { model.readable[member, default: [:]][id, default: []].insert(text) }
            default:
                guard let group else { continue }
                let text = "word\(step)"
                let refusal = await Refusal.of { try await fixture.send(text, to: group, by: callers[actor]) }
                #expect((refusal == nil) == (model.members[group]?.contains(actor) ?? false))
                guard refusal == nil else { continue }
                for member in model.members[group] ?? [] {
                    model.readable[member, default: [:]][group, default: []].insert(text)
                }
            }
        }
        for (number, caller) in callers.enumerated() {
            try await check(fixture, caller, of: model, number)
        }
    }

    private func check(_ fixture: MessagingFixture, _ caller: Caller, of model: Model, _ number: Int) async throws {
        let messaging = fixture.messaging
        let own = model.readable[number] ?? [:]
        for (id, members) in model.members {
            let read = await Refusal.of { try await messaging.messages(in: id, for: caller) }
            #expect((read == nil) == members.contains(number))
            guard members.contains(number) else {
                for refusal in [
                    await Refusal.of({ try await messaging.changes(in: id, after: 0, for: caller) }),
                    await Refusal.of({ try await messaging.conversation(id, for: caller) }),
                    await Refusal.of({ try await messaging.members(of: id, for: caller) }),
                    await Refusal.of({ try await messaging.search("word", in: id, for: caller) }),
                    await Refusal.of({ try await messaging.mark(delivered: 1, read: 1, id, by: caller) }),
                    await Refusal.of({ try await messaging.delete(1, of: id, forEverybody: false, by: caller) }),
                    await Refusal.of({ try await messaging.setMuted(true, id, by: caller) }),
                ] { #expect(refusal?.code == .notFound) }
                continue
            }
            let texts = Set(try await fixture.texts(in: id, for: caller))
            #expect(texts == own[id] ?? [])
            let changes = try await messaging.changes(in: id, after: 0, for: caller).messages
            #expect(Set(changes.filter { $0.kind == .text }.map(\.text)) == texts)
        }
        let all = Set(own.values.flatMap(\.self))
        var (found, cursor): (Set<String>, String?) = ([], nil)
        repeat {
            let page = try await messaging.search("word", for: caller, after: cursor, limit: 7)
            found.formUnion(page.items.map(\.text))
            cursor = page.next
        } while cursor != nil
        #expect(found == all)
        let user = try MessagingFixture.id(caller)
        let data = try await messaging.ownData(of: user)
        #expect(Set(data.messages.filter { $0.kind == .text }.map(\.text)) == all)
        for list in ConversationList.allCases {
            for item in try await messaging.conversations(list, of: caller, limit: 100).items {
                #expect(model.members[item.id]?.contains(number) == true)
                if let last = item.lastMessage, last.kind == .text { #expect(all.contains(last.text)) }
            }
        }
        for item in try await messaging.changes(of: user, after: 0).conversations {
            #expect(model.members[item.id]?.contains(number) == true)
            if let last = item.lastMessage, last.kind == .text { #expect(all.contains(last.text)) }
        }
    }
}
