import APIContract
import APIDeclarations
import Accounts
import Catalogue
import Database
import DatabaseTestSupport
import GatewayTestSupport
import HLSDelivery
import HTTPEndpoints
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import JSONDocument
import MediaAccess
import MediaCore
import NIOCore
import Synchronization
import TestSupport
import Testing

@testable import WebAPI
@testable import VODLibrary

/// The outcome of a change whose author has not seen a concurrent change.
@Suite(.eachEngine) struct SimultaneousChangeTests {
    private let fixture: TestAccounts
    private let content = InMemoryContent()
    private let responder: GatewayResponder

    init() async throws {
        fixture = try await TestAccounts()
        let catalogue = try await Catalogue.open(fixture.database, program: "test")
        _ = try await catalogue.add(InMemoryContent.title("film"))
        content.state.withLock { $0.titles = [InMemoryContent.title("film")] }
        let table = EndpointTable.serving(
            content, authority: TestOperator.authority(fixture.accounts),
            with: TitleAudiences(fixture.database, accounts: fixture.accounts))
        responder = table.router().buildResponder()
    }

    private func send(
        _ method: HTTPRequest.Method, _ path: String, _ body: String? = nil, ifMatch: String? = nil,
        authorization: String = TestOperator.authorization
    ) async throws -> TestResponse {
        var headers: HTTPFields = [.authorization: authorization]
        if body != nil { headers[.contentType] = "application/json" }
        headers[.ifMatch] = ifMatch
        return try await Application(responder: responder).test(.live) { [headers] client in
            try await client.execute(
                uri: "/api/v1/\(path)", method: method, headers: headers, body: body.map { ByteBuffer(string: $0) })
        }
    }

    private func check(_ path: String, _ first: String, _ second: String, by authorization: String) async throws {
        let read = try await send(.get, path, authorization: authorization)
        let tag = try #require(read.headers[.eTag])
        let bare = try await send(.patch, path, first, authorization: authorization)
        #expect(bare.status == .preconditionRequired && String(buffer: bare.body).contains("precondition-needed"))
        #expect(try await send(.get, path, authorization: authorization).headers[.eTag] == tag, "nothing was changed")
        let changed = try await send(.patch, path, first, ifMatch: tag, authorization: authorization)
        #expect(changed.status == .ok && changed.headers[.eTag] != tag)
        for stale in [tag, "W/\(changed.headers[.eTag] ?? "")", "x", ""] {
            let late = try await send(.patch, path, second, ifMatch: stale, authorization: authorization)
            #expect(late.status == .preconditionFailed && String(buffer: late.body).contains("changed-meanwhile"))
        }
        let list = "\(tag), \(changed.headers[.eTag] ?? "")"
        #expect(try await send(.patch, path, second, ifMatch: list, authorization: authorization).status == .ok)
        #expect(try await send(.patch, path, first, ifMatch: "*", authorization: authorization).status == .ok)
    }

    @Test func anAccountIsChangedFromTheVersionThatWasRead() async throws {
        _ = try await fixture.session("ana")
        try await check(
            "users/ana", #"{"role": "moderator"}"#, #"{"role": "member"}"#, by: TestOperator.authorization)
    }

    @Test func theOwnProfileIsChangedFromTheVersionThatWasRead() async throws {
        let ana = try await fixture.session("ana")
        try await check("me", #"{"city": "Cádiz"}"#, #"{"city": "Vigo"}"#, by: "Bearer \(ana.secret.text)")
    }

    @Test func anAudienceIsChangedFromTheVersionThatWasRead() async throws {
        _ = try await fixture.session("ana")
        try await check(
            "titles/film/audience", #"{"audience": "invited"}"#, #"{"invited": ["ana"]}"#,
            by: TestOperator.authorization)
    }

    @Test func allOfAChangeIsMadeOrNothing() async throws {
        _ = try await fixture.session("ana")
        // An account that is active cannot be made active, so the role stays, too.
        let body = #"{"role": "moderator", "state": "active"}"#
        #expect(try await send(.patch, "users/ana", body, ifMatch: "*").status == .conflict)
        let account = try JSONParser.parse(try await send(.get, "users/ana").body.readableBytesView)
        #expect(account["role"]?.string == "member")
        let both = #"{"role": "moderator", "state": "suspended"}"#
        #expect(try await send(.patch, "users/ana", both, ifMatch: "*").status == .ok)
        let entries = try await fixture.accounts.auditLog().items.map(\.event)
        #expect(entries.prefix(2) == ["account.suspended", "account.role"])
    }

    @Test func aSuspensionCanHaveAnEnd() async throws {
        _ = try await fixture.session("ana")
        func suspend(_ body: String) async throws -> (HTTPResponse.Status, JSONNode) {
            let answer = try await send(.patch, "users/ana", body, ifMatch: "*")
            return (answer.status, try JSONParser.parse(answer.body.readableBytesView))
        }
        for wrong in [
            #"{"suspendedFor": 3600}"#, #"{"state": "active", "suspendedFor": 3600}"#,
            #"{"state": "suspended", "suspendedFor": 59}"#, #"{"state": "suspended", "suspendedFor": 315360001}"#,
            #"{"state": "suspended", "suspendedFor": "1d"}"#,
        ] {
            #expect(try await suspend(wrong).0 == .unprocessableContent, "\(wrong)")
        }
        let (status, account) = try await suspend(#"{"state": "suspended", "suspendedFor": 3600}"#)
        #expect(status == .ok && account["state"]?.string == "suspended")
        #expect(account["suspendedUntil"]?.string == "2026-01-01T01:00:00Z")
        let (_, forGood) = try await suspend(#"{"state": "suspended", "suspendedFor": null}"#)
        #expect(forGood["state"]?.string == "suspended" && forGood["suspendedUntil"]?.string == nil)
    }

    /// Two administrators who have read the same version, at the same time.
    @Test func oneOfManyChangesWins() async throws {
        _ = try await fixture.session("ana")
        let tag = try #require(try await send(.get, "users/ana").headers[.eTag])
        let statuses = try await withThrowingTaskGroup(of: HTTPResponse.Status.self) { group in
            for number in 0..<8 {
                let role = number % 2 == 0 ? "moderator" : "viewer"
                group.addTask {
                    try await send(.patch, "users/ana", "{\"role\": \"\(role)\"}", ifMatch: tag).status
                }
            }
            return try await group.reduce(into: [HTTPResponse.Status]()) { $0.append($1) }
        }
        #expect(statuses.filter { $0 == .ok }.count == 1)
        #expect(statuses.filter { $0 == .preconditionFailed }.count == 7, "\(statuses)")
    }

    /// Images and encryption are compared with the whole title or track.
    @Test func whatBelongsToATitleOrTrackIsChangedFromTheVersionThatWasRead() async throws {
        content.state.withLock { $0.tracks = [InMemoryContent.track("song")] }
        let cases: [(owner: String, method: HTTPRequest.Method, path: String, body: String?)] = [
            ("titles/film", .put, "titles/film/poster", #"{"at": 1}"#),
            ("titles/film", .delete, "titles/film/poster", nil),
            ("tracks/song", .delete, "tracks/song/cover", nil),
        ]
        for (owner, method, path, body) in cases {
            let tag = try #require(try await send(.get, owner).headers[.eTag])
            #expect(try await send(method, path, body).status == .preconditionRequired, "\(method) \(path)")
            for stale in ["\"\(tag.dropFirst(2))", "\"x\""] {
                #expect(try await send(method, path, body, ifMatch: stale).status == .preconditionFailed)
            }
            // The empty library of this test knows neither title nor track.
            for field in [tag, "*"] { #expect(try await send(method, path, body, ifMatch: field).status == .notFound) }
        }
        let encryption = #"{"encrypt": true}"#
        #expect(try await send(.patch, "titles/film", encryption).status == .preconditionRequired)
        // This server has no folder for keys.
        #expect(try await send(.patch, "titles/film", encryption, ifMatch: "*").status == .conflict)
    }

    /// The endpoints have seen the version that was read; whether it is still there is decided where it is changed.
    @Test func imagesAreChangedOnlyIfNothingElseWasChangedMeanwhile() async throws {
        content.state.withLock { $0.tracks = [InMemoryContent.track("song")] }
        let catalogue = content.folder.library().context.catalogue
        _ = try await catalogue.add(InMemoryContent.title("film"))
        _ = try await catalogue.add(InMemoryContent.track("song"))
        for (owner, path) in [("titles/film", "titles/film/poster"), ("tracks/song", "tracks/song/cover")] {
            let tag = try #require(try await send(.get, owner).headers[.eTag])
            let first = try await sendImage(path, ifMatch: tag)
            #expect(first.status == .ok && first.headers[.eTag] != tag, "\(String(buffer: first.body))")
            // The content of this test still shows the version before.
            #expect(try await send(.get, owner).headers[.eTag] == tag)
            let second = try await sendImage(path, ifMatch: tag)
            #expect(second.status == .preconditionFailed && String(buffer: second.body).contains("changed-meanwhile"))
            #expect(try await sendImage(path, ifMatch: "*").status == .ok)
        }
    }

    private func sendImage(_ path: String, ifMatch: String) async throws -> TestResponse {
        let headers: HTTPFields = [
            .authorization: TestOperator.authorization, .contentType: "image/jpeg", .ifMatch: ifMatch,
        ]
        return try await Application(responder: responder).test(.live) { client in
            try await client.execute(
                uri: "/api/v1/\(path)", method: .put, headers: headers, body: ByteBuffer(bytes: [0xFF, 0xD8, 0xFF, 0]))
        }
    }

    @Test func oneOfManyChangesOfAnEncryptionWins() async throws {
        let folder = try TemporaryDirectory(label: "keys")
        let keys = try TitleKeys(directory: folder.file("keys"))
        let endpoint = TitleEncryptionEndpoint(content: content, keys: keys).endpoint
        let router = EndpointTable([endpoint], authority: TestOperator.authority(fixture.accounts)).router()
        let tag = APIResources.tag(of: InMemoryContent.title("film"), keys: keys).field
        let statuses = try await Application(router: router).test(.live) { client in
            try await withThrowingTaskGroup(of: HTTPResponse.Status.self) { group in
                for _ in 0..<8 {
                    group.addTask {
                        try await client.execute(
                            uri: "/api/v1/titles/film", method: .patch,
                            headers: [
                                .authorization: TestOperator.authorization, .contentType: "application/json",
                                .ifMatch: tag,
                            ], body: ByteBuffer(string: #"{"encrypt": true}"#)
                        ).status
                    }
                }
                return try await group.reduce(into: [HTTPResponse.Status]()) { $0.append($1) }
            }
        }
        #expect(statuses.filter { $0 == .ok }.count == 1 && keys.isEncrypted(title: "film"))
        #expect(statuses.filter { $0 == .preconditionFailed }.count == 7, "\(statuses)")
    }

    @Test func aTitlesEncryptionIsOneOfThree() async throws {
        let folder = try TemporaryDirectory(label: "keys")
        let keys = try TitleKeys(directory: folder.file("keys"), defaultMethod: .cbcs)
        content.state.withLock { state in
            state.titles = [InMemoryContent.title("film")]
        }
        let endpoint = TitleEncryptionEndpoint(content: content, keys: keys).endpoint
        let router = EndpointTable([endpoint], authority: TestOperator.authority(fixture.accounts)).router()
        try await Application(router: router).test(.router) { client in
            for (title, body, status, encryption) in [
                ("film", #"{"encryption": "cbcs"}"#, 200, "cbcs"), ("film", #"{"encrypt": true}"#, 200, "aes-128"),
                ("film", #"{"encryption": "none"}"#, 200, "none"), ("film", #"{"encryption": null}"#, 200, "cbcs"),
                ("film", #"{"encrypt": false}"#, 200, "none"),
                ("film", #"{"encryption": "cenc"}"#, 400, "must be one of"),
                ("film", #"{"encryption": "cbcs", "encrypt": true}"#, 422, "either"), ("film", "{}", 422, "either"),
            ] {
                let answer = try await client.execute(
                    uri: "/api/v1/titles/\(title)", method: .patch,
                    headers: [
                        .authorization: TestOperator.authorization, .contentType: "application/json", .ifMatch: "*",
                    ], body: ByteBuffer(string: body))
                let text = String(buffer: answer.body)
                #expect(answer.status.code == status && text.contains(encryption), "\(body): \(text)")
            }
        }
        try keys.set(.byDefault, ofTitle: "film")
        let resource = APIResources.title(InMemoryContent.title("film"), keys: keys)
        #expect(resource.error == nil && resource.encryption == "cbcs" && resource.manifest != nil)
    }

    /// The progress of a job is shown, but is in no record.
    @Test func aTitleThatIsBeingConvertedIsTheOneThatWasRead() throws {
        var seen = InMemoryContent.title("film", state: .transcoding)
        let record = InMemoryContent.title("film", state: .queued)
        let tag = APIResources.tag(of: seen, keys: nil).version
        #expect(try APIResources.condition(seen, .versions([tag]), keys: nil)(record))
        let ready = InMemoryContent.title("film")
        #expect(try !APIResources.condition(seen, .versions([tag]), keys: nil)(ready))
        #expect(try APIResources.condition(seen, .any, keys: nil)(ready))
        seen.title = "other"
        #expect(throws: ProblemDetails.self) { try APIResources.condition(seen, .versions([tag]), keys: nil) }
    }

    @Test func aGrantIsMadeFromTheVersionOfTheAccountThatWasRead() async throws {
        _ = try await fixture.session("ana")
        let (path, body) = ("users/ana/channels/canalA", #"{"permissions": ["publish"]}"#)
        let tag = try #require(try await send(.get, "users/ana").headers[.eTag])
        #expect(try await send(.put, path, body).status == .preconditionRequired)
        let granted = try await send(.put, path, body, ifMatch: tag)
        let new = try #require(granted.headers[.eTag])
        #expect(granted.status == .ok && new != tag)
        #expect(String(buffer: granted.body).contains(#""canalA":["publish"]"#))
        // Neither another grant nor another change undoes it unseen.
        #expect(try await send(.put, path, #"{"permissions": []}"#, ifMatch: tag).status == .preconditionFailed)
        #expect(try await send(.patch, "users/ana", #"{"role": "viewer"}"#, ifMatch: tag).status == .preconditionFailed)
        #expect(try await send(.get, "users/ana").headers[.eTag] == new)
        #expect(try await send(.put, path, #"{"permissions": []}"#, ifMatch: new).status == .ok)
    }

    @Test(arguments: [
        "users?state=x", "users?role=king", "titles?state=x", "titles?sort=size", "tracks?sort=x",
    ])
    func aParameterWithoutSuchAValueIsMalformed(_ path: String) async throws {
        let answer = try await send(.get, path)
        #expect(answer.status == .badRequest && String(buffer: answer.body).contains("must be one of"), "\(path)")
    }
}
