import Accounts
import Catalogue
import Community
import DatabaseTestSupport
import GatewayTestSupport
import HLSDelivery
import HTTPTypes
import MediaCore
import NIOCore
import TestSupport
import Testing
import Workflows

@testable import Gateway

@Suite(.eitherEngine, .timeLimit(.minutes(2)))
struct VideoViewObserverTests {
    private let fixture: TestAccounts
    private let community: Community
    private let observer: VideoViewObserver
    private let video: OpaqueID

    init() async throws {
        fixture = try await TestAccounts()
        let catalogue = try await Catalogue.open(fixture.database, program: "test")
        _ = try await catalogue.add(InMemoryContent.title("film"))
        community = try await Community.open(fixture.database, program: "test", wallClock: fixture.clock.wallClock)
        video = try await community.publish(VideoContents(name: "film"), title: "film", by: TestAccounts.machine).id
        observer = VideoViewObserver(
            community: community, authority: TestOperator.authority(fixture.accounts))
    }

    private func play(
        _ agent: String, _ peer: String = "192.0.2.7", token: String? = nil, segments: Range<Int> = 0..<3,
        of subject: MediaSubject = .title(id: "film")
    ) throws {
        var fields: HTTPFields = [.userAgent: agent]
        if let token { fields[.authorization] = "Bearer \(token)" }
        for segment in segments {
            observer.played(
                TitlePlayback(
                    subject, segment: segment, duration: .seconds(4), of: .seconds(60), fields: fields,
                    peer: try SocketAddress(ipAddress: peer, port: 5)))
        }
    }

    private func views() async throws -> Int64 {
        try await observer.flush()
        return try await community.video(video, for: TestAccounts.machine, maySeeHidden: true).counts.views
    }

    @Test func strangersAreToldApartByAddressAndPlayer() async throws {
        try play("player")
        try play("player", segments: 3..<9)
        try play("other player", segments: 0..<2)
        try play("player", of: .channel("canalA"))
        #expect(try await views() == 1, "one has seen less than 10 seconds")
        try play("other player", segments: 2..<3)
        try play("player", "192.0.2.8")
        #expect(try await views() == 3)
    }

    @Test func anAccountCountsOnceHoweverManyPlayersItUses() async throws {
        let session = try await fixture.session("ana")
        let token = try await fixture.token(session).secret.text
        try play("player", token: token)
        try play("other player", "192.0.2.8", token: token)
        try play("other player", "192.0.2.9", token: "wrong")
        #expect(try await views() == 2, "a token that is none is a stranger's")
        try play("third player", "192.0.2.10", token: token)
        #expect(try await views() == 2)
    }
}
