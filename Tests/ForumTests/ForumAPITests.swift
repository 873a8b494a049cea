import Accounts
import DatabaseTestSupport
import Events
import Features
import Forum
import Foundation
import GatewayTestSupport
import HTTPEndpoints
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import JSONDocument
import Logging
import MediaCore
import NIOCore
import Notifications
import TestSupport
import Testing

/// The forum over HTTP, at a server with every feature.
@Suite(.eachEngine, .timeLimit(.minutes(3)))
struct ForumAPITests {
    private let site: ForumSite

    init() async throws { site = try await ForumSite() }

    @Test func aTopicIsBegunReadAndCommentedOn() async throws {
        let ana = try await site.member("ana")
        let category = try await site.category("Cameras")
        let body = #"{"title": "Which camera?", "text": "I **need** one", "category": "\#(category)"}"#
        let refused = try await site.api(.post, "", body, by: ana)
        #expect(refused.status == 409 && refused.json?["errors"]?.elements?.first?["field"]?.string == "acceptsRules")
        #expect(try await site.api(.put, "/rules/acceptance", nil, by: ana).status == 204)
        let new = try await site.api(.post, "", body, by: ana)
        #expect(new.status == 201 && new.json?["author"]?.string == "ana" && new.json?["comments"]?.integer == 1)
        let id = try #require(new.json?["id"]?.string)
        let again = try await site.api(.post, "", body, by: ana)
        #expect(again.status == 409 && again.json?["topic"]?.string == id)
        #expect(again.json?["topicTitle"]?.string == "Which camera?")
        for (title, text, status) in [("", "x", 422), ("abc", "x", 422), ("Long enough", "", 422)] {
            let json = #"{"title": "\#(title)", "text": "\#(text)", "category": "\#(category)"}"#
            #expect(try await site.api(.post, "", json, by: ana).status == status)
        }
        let eva = try await site.member("eva")
        let comment = try await site.api(
            .post, "/\(id)/comments", ##"{"text": "> #1 @ana\n> x\n\nThis one", "acceptsRules": true}"##, by: eva)
        #expect(comment.status == 201 && comment.json?["place"]?.integer == 2)
        let list = try await site.api(.get, "/\(id)/comments?page=1&limit=1", nil)
        #expect(list.json?["items"]?.elements?.map { $0["author"]?.string } == ["ana"])
        let second = try await site.api(.get, "/\(id)/comments?page=2&limit=1", nil)
        #expect(second.json?["items"]?.elements?.map { $0["author"]?.string } == ["eva"])
        #expect(try await site.api(.get, "?category=\(category)", nil).json?["items"]?.elements?.count == 1)
        #expect(try await site.api(.get, "/search?q=camera", nil).json?["items"]?.elements?.count == 1)
    }

    @Test func strangersReadAndTokensNeedThePermission() async throws {
        let ana = try await site.author("ana")
        let category = try await site.category("Cameras")
        #expect(try await site.api(.post, "", "{}").status == 401)
        let reading = try await site.station.fixture.token(ana, Scope(actions: ActionSet([.read])))
        let body = #"{"title": "Which camera?", "text": "x", "category": "\#(category)"}"#
        let refused = try await site.send(
            .post, "/api/v1/topics", body, [.authorization: "Bearer \(reading.secret.text)"])
        #expect(refused.status == .forbidden)
        #expect(try await site.api(.post, "/categories", #"{"name": "Mine"}"#, by: ana).status == 403)
        #expect(try await site.api(.put, "/rules", #"{"language": "en", "text": "x"}"#, by: ana).status == 403)
        #expect(try await site.api(.get, "", nil).status == 200)
    }

    @Test func topicsAboutAChannelAreForThoseWhoMayWatchIt() async throws {
        let ana = try await site.author("ana")
        let unknown = try await site.api(
            .post, "", #"{"title": "About it", "text": "x", "channel": "nowhere"}"#, by: ana)
        #expect(unknown.status == 404)
        #expect(try await site.api(.get, "?channel=nowhere", nil).status == 404)
        #expect(try await site.api(.get, "?category=rubbish", nil).status == 404)
        #expect(try await site.api(.get, "?category=rubbish&channel=x", nil).status == 422)
    }

    @Test func rulesHaveTenPointsInEachLanguageAndAreEdited() async throws {
        for language in ["en", "es"] {
            let rules = try await site.api(.get, "/rules?language=\(language)", nil).json
            #expect(rules?["text"]?.string?.split(separator: "\n").count == 10 && rules?["own"]?.boolean == false)
        }
        let changed = try await site.api(
            .put, "/rules", ##"{"language": "es", "text": "# Normas"}"##, as: TestOperator.authorization)
        #expect(changed.status == 200 && changed.json?["own"]?.boolean == true)
        #expect(try await site.api(.get, "/rules?language=es", nil).json?["text"]?.string == "# Normas")
        _ = try await site.api(
            .put, "/rules", #"{"language": "es", "text": ""}"#, as: TestOperator.authorization)
        #expect(try await site.api(.get, "/rules?language=es", nil).json?["own"]?.boolean == false)
        let unknown = try await site.api(
            .put, "/rules", #"{"language": "xx", "text": "x"}"#, as: TestOperator.authorization)
        #expect(unknown.status == 422)
    }

    @Test func followsAreListedAndSilenced() async throws {
        let ana = try await site.author("ana")
        let category = try await site.category("Cameras")
        let topic = try await site.topic("Which camera?", in: category, by: ana)
        for (path, state) in [("/follow", "following"), ("/categories/\(category)/follow", "silent")] {
            #expect(try await site.api(.put, path, #"{"state": "\#(state)"}"#, by: ana).status == 204)
        }
        #expect(try await site.api(.put, "/\(topic)/follow", #"{"state": "following"}"#, by: ana).status == 204)
        let list = try await site.api(.get, "/follows", nil, by: ana).json?["items"]?.elements ?? []
        #expect(list.map { $0["scope"]?.string } == ["all", "category", "topic"])
        #expect(list.map { $0["state"]?.string } == ["following", "silent", "following"])
        #expect(list.map { $0["name"]?.string } == [nil, "Cameras", "Which camera?"])
        #expect(try await site.api(.put, "/\(topic)/follow", #"{"state": "usual"}"#, by: ana).status == 204)
        #expect(try await site.api(.get, "/follows", nil, by: ana).json?["items"]?.elements?.count == 2)
        #expect(try await site.api(.put, "/follow", #"{"state": "loud"}"#, by: ana).status == 422)
    }

    @Test func moderatorsLockPinMoveAndDelete() async throws {
        let (ana, mod) = (try await site.author("ana"), try await site.author("mod", .moderator))
        let (category, other) = (try await site.category("Cameras"), try await site.category("Lenses"))
        let topic = try await site.topic("Which camera?", in: category, by: ana)
        #expect(try await site.api(.patch, "/\(topic)", #"{"locked": true}"#, by: ana).status == 403)
        let changed = try await site.api(
            .patch, "/\(topic)", #"{"locked": true, "pinned": true, "category": "\#(other)"}"#, by: mod)
        #expect(changed.json?["locked"]?.boolean == true && changed.json?["pinned"]?.boolean == true)
        #expect(changed.json?["category"]?["name"]?.string == "Lenses")
        #expect(try await site.api(.post, "/\(topic)/comments", #"{"text": "x"}"#, by: ana).status == 409)
        #expect(try await site.api(.delete, "/\(topic)", nil, by: mod).status == 204)
        #expect(try await site.api(.get, "/\(topic)", nil, by: mod).status == 404)
    }

    @Test func reportsReachTheQueueOfTheModerators() async throws {
        let (ana, eva) = (try await site.author("ana"), try await site.author("eva"))
        let mod = try await site.author("mod", .moderator)
        let topic = try await site.topic("Which camera?", in: try await site.category("Cameras"), by: ana)
        let comment = try await site.api(.post, "/\(topic)/comments", #"{"text": "rude"}"#, by: eva)
        let id = try #require(comment.json?["id"]?.string)
        #expect(try await site.api(.put, "/comments/\(id)/report", #"{"reason": "spam"}"#, by: ana).status == 204)
        let queue = try await site.send(.get, "/api/v1/moderation", nil, mod)
        let item = try JSONParser.parse(queue.body.readableBytesView)["items"]?.elements?.first
        #expect(item?["kind"]?.string == "topicComment" && item?["text"]?.string == "rude")
        let decided = try await site.send(
            .post, "/api/v1/moderation/topicComment/\(id)/decision", #"{"decision": "hidden"}"#, mod)
        #expect(decided.status == .noContent)
        let seen = try await site.api(.get, "/\(topic)/comments", nil, by: ana).json?["items"]?.elements?.last
        #expect(seen?["text"]?.string == "" && seen?["state"]?.string == "hidden")
    }

    @Test func newTopicsAndCommentsAreEvents() async throws {
        let ana = try await site.author("ana")
        let topic = try await site.topic("Which camera?", in: try await site.category("Cameras"), by: ana)
        _ = try await site.api(.post, "/\(topic)/comments", #"{"text": "x"}"#, by: ana)
        // Another server reads what this one has noted.
        let journal = try await EventJournal.open(
            site.station.fixture.database, program: "test", logger: Logger(label: "test"))
        let events = try await journal.missed(after: 0, through: 1_000).events
        let found = events.filter { $0.subject.kind.rawValue == "topic" }
        #expect(found.map(\.type.rawValue) == ["topic.begun", "topic.commented"])
        #expect(found.allSatisfy { $0.subject.name == topic && !$0.text.contains("camera") })
    }

    @Test func whatAMemberHasWrittenIsInTheirExport() async throws {
        let ana = try await site.author("ana")
        _ = try await site.topic("Which camera?", in: try await site.category("Cameras"), by: ana)
        let export = try await site.send(.get, "/api/v1/me/export", nil, ana)
        let forum = try JSONParser.parse(export.body.readableBytesView)["forum"]
        #expect(forum?["topics"]?.elements?.first?["title"]?.string == "Which camera?")
        #expect(forum?["comments"]?.elements?.count == 1)
    }
}
