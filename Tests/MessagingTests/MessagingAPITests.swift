import Accounts
import DatabaseTestSupport
import GatewayTestSupport
import HTTPEndpoints
import HTTPTypes
import JSONDocument
import MediaCore
import Messaging
import TestSupport
import Testing

/// Contacts and conversations over HTTP, at a server with every feature.
@Suite(.eachEngine, .timeLimit(.minutes(5)))
struct MessagingAPITests {
    private let site: MessagingSite
    private let (ana, eva): (NewSession, NewSession)
    private static let (contacts, invitations, all) = (
        "/api/v1/me/contacts", "/api/v1/me/contact-invitations", "/api/v1/me/conversations"
    )

    init() async throws {
        site = try await MessagingSite()
        (ana, eva) = (try await site.session("ana"), try await site.session("eva"))
    }

    private func pair() async throws -> String {
        try await site.connect(ana, eva)
        let made = try await site.send(.post, Self.all, #"{"with": "eva"}"#, by: ana)
        #expect(made.status == 201)
        return "\(Self.all)/\(made.string("id"))"
    }

    @Test func membersInviteAnswerTalkAndMark() async throws {
        let sent = try await site.send(
            .post, Self.invitations, #"{"username": "eva", "text": "<script>alert(1)</script>"}"#, by: ana)
        #expect(sent.status == 201 && sent.string("state") == "open")
        #expect(sent.string("page") == "/comunidad/mensajes/invitaciones/\(sent.string("id"))")
        let waiting = try await site.send(.get, Self.invitations, by: eva)
        #expect(waiting.items.first?["text"]?.string == "<script>alert(1)</script>")
        let path = "\(Self.invitations)/\(sent.string("id"))"
        #expect(try await site.send(.post, "\(path)/answer", "{}", by: eva).status == 422)
        #expect(try await site.send(.post, "\(path)/answer", #"{"accept": true}"#, by: eva).status == 200)
        #expect(try await site.send(.post, "\(path)/answer", #"{"accept": true}"#, by: eva).status == 409)
        #expect(try await site.send(.get, Self.contacts, by: ana).items.first?["username"]?.string == "eva")
        let conversation = try await pair()
        let body = #"{"id": "m1", "text": "hello"}"#
        #expect(try await site.send(.post, "\(conversation)/messages", body, by: ana).status == 201)
        #expect(try await site.send(.post, "\(conversation)/messages", body, by: ana).status == 200)
        let list = try await site.send(.get, Self.all, by: eva).items
        #expect(list.count == 1 && list.first?["unread"]?.integer == 1)
        #expect(list.first?["lastMessage"]?["text"]?.string == "hello")
        #expect(try await site.send(.get, "\(Self.all)/badges", by: eva).json?["unread"]?.integer == 1)
        #expect(try await site.send(.put, "\(conversation)/marks", #"{"read": 1}"#, by: eva).status == 200)
        #expect(try await site.send(.get, "\(Self.all)/badges", by: eva).json?["unread"]?.integer == 0)
        let members = try await site.send(.get, "\(conversation)/members", by: ana).items
        #expect(members.first { $0["username"]?.string == "eva" }?["readThrough"]?.integer == 1)
        let changes = try await site.send(.get, "\(conversation)/changes?after=0", by: eva)
        #expect(changes.items.map { $0["id"]?.string } == ["m1"] && changes.json?["complete"]?.boolean == true)
        #expect(try await site.send(.delete, "\(conversation)/messages/1?for=everybody", by: eva).status == 403)
        #expect(try await site.send(.delete, "\(conversation)/messages/1?for=everybody", by: ana).status == 204)
        let gone = try await site.send(.get, "\(conversation)/messages", by: eva).items.first
        #expect(gone?["deleted"]?.boolean == true && gone?["text"]?.string == "")
    }

    @Test func groupsHaveMembersAndAdmins() async throws {
        _ = try await pair()
        let made = try await site.send(.post, Self.all, #"{"name": "Final", "members": ["eva"]}"#, by: ana)
        #expect(made.status == 201 && made.json?["members"]?.integer == 2 && made.json?["admin"]?.boolean == true)
        let path = "\(Self.all)/\(made.string("id"))"
        #expect(try await site.send(.patch, path, #"{"name": "x"}"#, by: eva).status == 403)
        #expect(try await site.send(.patch, path, #"{"muted": true}"#, by: eva).json?["muted"]?.boolean == true)
        #expect(try await site.send(.patch, "\(path)/members/eva", #"{"admin": true}"#, by: ana).status == 204)
        #expect(try await site.send(.patch, path, #"{"name": "Semi"}"#, by: eva).string("name") == "Semi")
        #expect(try await site.send(.delete, "\(path)/members/ana", by: eva).status == 204)
        #expect(try await site.send(.get, path, by: ana).status == 404)
        #expect(try await site.send(.put, "\(path)/members/ana", by: eva).status == 204)
        #expect(try await site.send(.delete, "\(path)?for=everybody", by: ana).status == 403)
        #expect(try await site.send(.delete, "\(path)?for=everybody", by: eva).status == 204)
        #expect(try await site.send(.get, path, by: eva).status == 404)
    }

    @Test func tokensAndStrangersAreRefusedEverywhere() async throws {
        let token = try await site.station.fixture.token(ana)
        let own = site.table.endpoints.filter {
            $0.path.hasPrefix("/api/v1/me/con") && !$0.path.hasPrefix("/api/v1/me/content")
        }
        #expect(own.count == 30)
        for endpoint in own {
            let path = endpoint.path.replacing("{id}", with: "\(OpaqueID())").replacing("{name}", with: "eva")
                .replacing("{member}", with: "eva").replacing("{sequence}", with: "1")
            let machine: HTTPFields = [.authorization: TestOperator.authorization]
            let bearer: HTTPFields = [.authorization: "Bearer \(token.secret.text)"]
            #expect(
                try await site.send(endpoint.method, path, fields: bearer).status == 403, "\(endpoint.method) \(path)")
            #expect(
                try await site.send(endpoint.method, path, fields: machine).status == 403,
                "\(endpoint.method) \(path)")
            #expect(try await site.send(endpoint.method, path, by: nil).status == 401, "\(endpoint.method) \(path)")
        }
    }

    @Test func wrongRequestsAreRefused() async throws {
        let path = try await pair()
        for (body, status) in [
            (#"{"text": "x"}"#, 422), (#"{"id": "a"}"#, 422), (#"{"id": "a b", "text": "x"}"#, 422),
            (#"{"id": "a", "text": " "}"#, 422), (#"{"id": "a", "latitude": 1}"#, 422),
            (#"{"id": "a", "latitude": 91, "longitude": 0}"#, 422), (#"{"id": "a", "contact": "nobody"}"#, 404),
            (#"{"id": "a", "text": "x", "contact": "eva"}"#, 422), (#"{"id": "a", "text": 5}"#, 422),
            (#"{"id": "a", "text": "x", "sequence": 1}"#, 422),
        ] {
            #expect(try await site.send(.post, "\(path)/messages", body, by: ana).status == status, "\(body)")
        }
        for (body, status) in [
            ("{}", 422), (#"{"with": "ana"}"#, 409), (#"{"with": "nobody"}"#, 404),
            (#"{"with": "eva", "name": "x"}"#, 422), (#"{"name": "x", "members": ["nobody"]}"#, 404),
            (#"{"name": "x", "members": [1]}"#, 422),
        ] {
            #expect(try await site.send(.post, Self.all, body, by: ana).status == status, "\(body)")
        }
        #expect(try await site.send(.get, "\(Self.all)?list=none", by: ana).status == 400)
        #expect(try await site.send(.get, "\(Self.all)/search?conversation=x", by: ana).status == 404)
        #expect(try await site.send(.put, "\(path)/marks", #"{"read": -1}"#, by: ana).status == 422)
        #expect(try await site.send(.delete, "\(path)/messages/0", by: ana).status == 404)
        #expect(try await site.send(.delete, "\(path)/messages/x", by: ana).status == 404)
    }

    @Test func membersAreFoundByNameAndAddress() async throws {
        let found = try await site.send(.get, "/api/v1/me/contact-search?q=ev", by: ana)
        #expect(found.items.map { $0["username"]?.string } == ["eva"])
        #expect(try await site.send(.get, "/api/v1/me/contact-search?q=an", by: ana).items.isEmpty, "not oneself")
        let unknown = try await site.send(.get, "/api/v1/me/contact-search?q=eva@example.org", by: ana)
        #expect(unknown.status == 200 && unknown.items.isEmpty)
        #expect(try await site.send(.get, "/api/v1/me/contact-search?q=%2B1", by: ana).status == 422)
        let settings = try await site.send(
            .patch, "/api/v1/me/contact-settings", #"{"foundByEmail": true, "sendsMarks": false}"#, by: eva)
        #expect(settings.json?["foundByEmail"]?.boolean == true && settings.json?["sharesPresence"]?.boolean == true)
        #expect(try await site.send(.get, "/api/v1/me/contact-settings", by: eva).json?["sendsMarks"]?.boolean == false)
    }

    @Test func aboutTellsTheLimits() async throws {
        let limits = try await site.send(.get, "/api/v1/about", by: nil).json?["messaging"]
        #expect(limits?["messageLength"]?.integer == 20_000 && limits?["groupMembers"]?.integer == 256)
        #expect(limits?["messagesAMinute"]?.integer == 60 && limits?["invitationsADay"]?.integer == 20)
    }

    @Test func theExportHasTheMembersMessages() async throws {
        let path = try await pair()
        _ = try await site.send(.post, "\(path)/messages", #"{"id": "a", "text": "hello"}"#, by: ana)
        let data = try await site.send(.get, "/api/v1/me/export", by: eva).json
        #expect(data?["contacts"]?.elements?.first?["username"]?.string == "ana")
        #expect(data?["conversations"]?.elements?.first?["lastMessage"]?["text"]?.string == "hello")
    }
}
