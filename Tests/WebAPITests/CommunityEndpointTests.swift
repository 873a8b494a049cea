import APIContract
import Accounts
import Catalogue
import Community
import Crypto
import DatabaseTestSupport
import GatewayTestSupport
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

/// Published videos, comments, follows, reports and moderation over HTTP, without sockets.
@Suite(.eitherEngine, .timeLimit(.minutes(3)))
struct CommunityEndpointTests {
    private let fixture: TestAccounts
    private let community: Community
    private let audiences: TitleAudiences
    private let responder: GatewayResponder
    private let content = InMemoryContent()

    init() async throws {
        fixture = try await TestAccounts { $0.apiRequestCount = 1_000_000 }
        let catalogue = try await Catalogue.open(fixture.database, program: "test")
        let clock = fixture.clock
        community = try await Community.open(
            fixture.database, program: "test", settings: CommunitySettings(reportThreshold: 2),
            wallClock: clock.wallClock)
        let links = try await MediaLinks.open(
            fixture.database, program: "test", key: SymmetricKey(size: .bits256), wallClock: clock.wallClock,
            uptime: { clock.elapsed })
        audiences = TitleAudiences(fixture.database, accounts: fixture.accounts, wallClock: clock.wallClock)
        let titles = [InMemoryContent.title("a"), InMemoryContent.title("b")]
        for title in titles { _ = try await catalogue.add(title) }
        content.state.withLock { $0.titles = titles }
        let table = EndpointTable.serving(
            content, authority: TestOperator.authority(fixture.accounts), with: links, audiences, community)
        responder = table.router().buildResponder()
    }

    private func send(
        _ method: HTTPRequest.Method, _ path: String, _ body: String? = nil, by token: String? = nil,
        _ fields: HTTPFields = [:]
    ) async throws -> (status: Int, json: JSONNode?, headers: HTTPFields) {
        var headers = fields
        if let token { headers[.authorization] = "Bearer \(token)" }
        if body != nil { headers[.contentType] = "application/json" }
        // What another server or the next half second would do.
        try await audiences.refresh()
        let response = try await Application(responder: responder).test(.router) { [headers] client in
            try await client.execute(
                uri: path, method: method, headers: headers, body: body.map { ByteBuffer(string: $0) })
        }
        return (
            Int(response.status.code), try? JSONParser.parse(response.body.readableBytesView), response.headers
        )
    }

    private func member(_ name: String, _ role: Role = .member, _ scope: Scope = .full) async throws -> String {
        try await fixture.token(try await fixture.session(name, role), scope).secret.text
    }

    private func publish(_ fields: String) async throws -> String {
        let reply = try await send(.post, "/api/v1/videos", fields, by: TestOperator.token.text)
        #expect(reply.status == 201)
        return try #require(reply.json?["id"]?.string)
    }

    @Test func aVideoIsPublishedLikedAndTalkedAbout() async throws {
        let (ana, eva) = (try await member("ana"), try await member("eva"))
        #expect(try await send(.post, "/api/v1/videos", #"{"title": "a", "name": "x"}"#, by: ana).status == 403)
        let id = try await publish(
            #"{"title": "a", "name": "Start", "tags": ["rally"], "latitude": 40.4, "longitude": -3.7}"#)
        let shown = try await send(.get, "/api/v1/videos/\(id)")
        #expect(shown.json?["playlist"]?.string == "/vod/a/playlist.m3u8" && shown.json?["owner"]?.value == .null)
        #expect(shown.json?["latitude"]?.number == 40.4)
        #expect(try await send(.put, "/api/v1/videos/\(id)/like").status == 401)
        let liked = try await send(.put, "/api/v1/videos/\(id)/like", by: ana)
        #expect(liked.json?["likes"]?.integer == 1 && liked.json?["liked"]?.boolean == true)
        let likers = try await send(.get, "/api/v1/videos/\(id)/likes")
        #expect(likers.json?["items"]?.elements?.first?["username"]?.string == "ana")
        let comment = try await send(.post, "/api/v1/videos/\(id)/comments", #"{"text": "good"}"#, by: ana)
        #expect(comment.status == 201)
        let parent = try #require(comment.json?["id"]?.string)
        let answer = try await send(
            .post, "/api/v1/videos/\(id)/comments", #"{"text": "yes", "parent": "\#(parent)"}"#, by: eva)
        #expect(answer.status == 201)
        let comments = try await send(.get, "/api/v1/videos/\(id)/comments")
        let first = comments.json?["items"]?.elements?.first
        #expect(first?["replies"]?.elements?.first?["text"]?.string == "yes" && first?["replyCount"]?.integer == 1)
        #expect(try await send(.delete, "/api/v1/comments/\(parent)", by: eva).status == 403)
        #expect(try await send(.delete, "/api/v1/comments/\(parent)", by: ana).status == 204)
        let followed = try await send(.put, "/api/v1/users/eva/follow", by: ana)
        #expect(followed.json?["followers"]?.integer == 1)
        // What the export of one's data has.
        let activity = try await community.activity(of: try await community.member(named: "ana"))
        #expect(activity.likes.map(\.video.text) == [id] && activity.followings == ["eva"])
        #expect(APIResources.activity(activity).json.rendered.contains("\"likes\""))
        #expect(try await send(.get, "/api/v1/me/feed", by: ana).json?["items"]?.elements?.count == 0)
        #expect(try await send(.get, "/api/v1/videos?q=sta&sort=likes").json?["items"]?.elements?.count == 1)
    }

    @Test func aChangeNamesTheVersionItIsMeantFor() async throws {
        let id = try await publish(#"{"title": "a", "name": "Start"}"#)
        let token = TestOperator.token.text
        let (path, change) = ("/api/v1/videos/\(id)", #"{"name": "Finish"}"#)
        #expect(try await send(.patch, path, change, by: token).status == 428)
        #expect(try await send(.patch, path, change, by: token, [.ifMatch: "\"7\""]).status == 412)
        let tag = try #require(try await send(.get, path).headers[.eTag])
        let changed = try await send(.patch, path, change, by: token, [.ifMatch: tag])
        #expect(changed.status == 200 && changed.json?["name"]?.string == "Finish")
        #expect(try await send(.patch, path, change, by: try await member("ana"), [.ifMatch: "*"]).status == 403)
    }

    @Test func anUnlistedVideoHasASignedAddress() async throws {
        let id = try await publish(#"{"title": "a", "name": "Start", "visibility": "unlisted"}"#)
        #expect(try await send(.get, "/api/v1/videos").json?["items"]?.elements?.isEmpty == true)
        #expect(try await send(.get, "/api/v1/titles/a").status == 404)
        let playlist = try #require(try await send(.get, "/api/v1/videos/\(id)").json?["playlist"]?.string)
        #expect(playlist.hasPrefix("/signed/") && playlist.hasSuffix("/vod/a/playlist.m3u8"))
    }

    @Test func aReportedVideoIsHiddenEverywhereUntilAModeratorRestoresIt() async throws {
        let id = try await publish(#"{"title": "a", "name": "Start"}"#)
        let moderator = try await member("mod", .moderator)
        let report = #"{"reason": "spam", "text": "an advert"}"#
        let reporters = [try await member("ana"), try await member("eva")]
        for reporter in reporters {
            #expect(try await send(.put, "/api/v1/videos/\(id)/report", report, by: reporter).status == 204)
        }
        let addresses = [
            "/api/v1/videos/\(id)", "/api/v1/videos/\(id)/comments", "/api/v1/videos/\(id)/likes",
        ]
        for address in addresses {
            #expect(try await send(.get, address, by: reporters[0]).status == 404, "\(address)")
        }
        #expect(try await send(.get, "/api/v1/titles/a", by: reporters[0]).status == 200, "the film is the station's")
        #expect(try await send(.get, "/comunidad/video/\(id)").status == 404)
        #expect(try await send(.put, "/api/v1/videos/\(id)/like", by: reporters[0]).status == 404)
        #expect(try await send(.get, "/api/v1/videos").json?["items"]?.elements?.isEmpty == true)
        #expect(try await send(.get, "/api/v1/moderation", by: reporters[0]).status == 403)
        let queue = try await send(.get, "/api/v1/moderation", by: moderator)
        #expect(queue.json?["items"]?.elements?.first?["reportCount"]?.integer == 2)
        let item = "/api/v1/moderation/video/\(id)"
        let found = try await send(.get, item, by: moderator)
        #expect(found.json?["reports"]?.elements?.first?["text"]?.string == "an advert")
        #expect(try await send(.post, "\(item)/claim", by: moderator).json?["claimedBy"]?.string == "mod")
        let decision = #"{"decision": "restored", "note": "It is fine."}"#
        #expect(try await send(.post, "\(item)/decision", decision, by: TestOperator.token.text).status == 409)
        #expect(try await send(.post, "\(item)/decision", decision, by: moderator).status == 204)
        for address in addresses { #expect(try await send(.get, address).status == 200, "\(address)") }
    }

    @Test func aTokenForSomethingElseTakesNoPart() async throws {
        let id = try await publish(#"{"title": "a", "name": "Start"}"#)
        let reader = try await member("ana", .member, Scope(actions: ActionSet([.read])))
        for (method, path, body) in [
            (HTTPRequest.Method.put, "/api/v1/videos/\(id)/like", String?.none),
            (.post, "/api/v1/videos/\(id)/comments", #"{"text": "x"}"#), (.put, "/api/v1/users/ana/follow", nil),
            (.put, "/api/v1/videos/\(id)/report", #"{"reason": "spam"}"#),
        ] {
            #expect(try await send(method, path, body, by: reader).status == 403, "\(method) \(path)")
        }
    }

    @Test func membersFindBlockAndMuteEachOther() async throws {
        let (ana, eva) = (try await member("ana"), try await member("eva"))
        let profile = try await send(
            .patch, "/api/v1/me/profile", #"{"about": "driver", "visibility": "members", "showsLikes": false}"#, by: ana
        )
        #expect(profile.json?["about"]?.string == "driver" && profile.json?["showsFollows"]?.boolean == true)
        #expect(try await send(.get, "/api/v1/me/profile", by: ana).json?["showsLikes"]?.boolean == false)
        #expect(try await send(.patch, "/api/v1/me/profile", #"{"visibility": "nobody"}"#, by: ana).status == 422)
        #expect(try await send(.get, "/api/v1/me/profile").status == 401)
        #expect(try await send(.get, "/api/v1/users/ana/profile").status == 401)
        #expect(try await send(.get, "/api/v1/videos?owner=ana").status == 401)
        #expect(try await send(.get, "/api/v1/users/ana/profile", by: eva).json?["about"]?.string == "driver")
        #expect(try await send(.get, "/api/v1/members?q=AN").json?["items"]?.elements?.count == 0)
        let found = try await send(.get, "/api/v1/members?q=AN", by: eva)
        #expect(found.json?["items"]?.elements?.first?["username"]?.string == "ana")
        #expect(try await send(.get, "/api/v1/members?cursor=xy").status == 422)
        for (kind, field) in [("block", "blocked"), ("mute", "muted")] {
            let set = try await send(.put, "/api/v1/users/eva/\(kind)", by: ana)
            #expect(set.status == 200 && set.json?[field]?.boolean == true)
            let list = try await send(.get, "/api/v1/me/\(kind)s", by: ana)
            #expect(list.json?["items"]?.elements?.first?["username"]?.string == "eva")
        }
        #expect(try await send(.put, "/api/v1/users/ana/follow", by: eva).status == 403)
        #expect(try await send(.delete, "/api/v1/users/eva/block", by: ana).json?["blocked"]?.boolean == false)
        #expect(try await send(.put, "/api/v1/users/ana/follow", by: eva).status == 200)
        #expect(try await send(.put, "/api/v1/users/eva/mute").status == 401)
        _ = try await send(.delete, "/api/v1/users/eva/mute", by: ana)
        let news = try await send(.get, "/api/v1/me/activities?list=news", by: ana)
        #expect(news.json?["items"]?.elements?.map { $0["kind"]?.string } == ["follower"])
        #expect(try await send(.get, "/api/v1/me/activities?list=other", by: ana).status == 400)
    }

    @Test func moderatorsWarnAndSuspend() async throws {
        let (ana, eva, leo) = (try await member("ana"), try await member("eva"), try await member("leo"))
        let moderator = try await member("mod", .moderator)
        let id = try await community.member(named: "ana").text
        let report = #"{"reason": "spam", "text": "adverts"}"#
        #expect(try await send(.put, "/api/v1/users/ana/report", report, by: eva).status == 204)
        #expect(try await send(.put, "/api/v1/users/ana/report", report, by: eva).status == 409)
        #expect(try await send(.delete, "/api/v1/users/ana/report", by: eva).status == 204)
        for reporter in [eva, leo] { _ = try await send(.put, "/api/v1/users/ana/report", report, by: reporter) }
        #expect(try await send(.get, "/api/v1/users/ana/profile", by: eva).status == 404)
        #expect(try await send(.get, "/api/v1/users/ana/profile", by: moderator).status == 200)
        let item = "/api/v1/moderation/profile/\(id)"
        #expect(try await send(.post, "\(item)/warning", #"{"text": "Stop."}"#, by: eva).status == 403)
        #expect(try await send(.post, "\(item)/warning", #"{"text": "Stop."}"#, by: moderator).status == 204)
        let shown = try await send(.get, item, by: moderator)
        #expect(shown.json?["history"]?.elements?.first?["moderator"]?.string == "mod")
        let own = try await send(.get, "/api/v1/me/warnings", by: ana)
        #expect(own.json?["items"]?.elements?.first?["text"]?.string == "Stop.")
        #expect(own.json?["items"]?.elements?.first?["moderator"] == nil)
        let decision = #"{"decision": "hidden"}"#
        #expect(try await send(.post, "\(item)/decision", decision, by: moderator).status == 204)
        #expect(try await send(.post, "/api/v1/me/profile/appeal", #"{"text": "Why?"}"#, by: ana).status == 204)
        #expect(try await send(.post, "\(item)/suspension", #"{"note": "Enough."}"#, by: moderator).status == 204)
        #expect(try await send(.get, "/api/v1/me", by: ana).status == 401)
    }
}
