import Accounts
import DatabaseTestSupport
import MediaAccess
import MediaCore
import NIOCore
import TestSupport
import Testing

/// Links with which one publisher pushes to one channel.
@Suite(.eachEngine) struct PublishLinkTests {
    private func origin(_ address: String) -> RequestOrigin {
        RequestOrigin(
            AddressGroup(try? SocketAddress(ipAddress: address, port: 1)), address: address, device: "RTSP")
    }

    @Test func theFirstPublisherGetsTheLinkAndMayComeBack() async throws {
        let fixture = try await LinksFixture()
        let new = try await fixture.links.createPublishLink("guest", channel: "canalA", by: fixture.caller)
        let secret = new.secret.text
        func admits(_ address: String, _ channel: String = "canalA", text: String? = nil) async throws -> Bool {
            try await fixture.links.publisher(with: text ?? secret, to: channel, from: origin(address)) != nil
        }
        #expect(try await !admits("192.0.2.1", "canalB"))
        #expect(try await !admits("192.0.2.1", text: secret + "x"))
        #expect(try await !admits("192.0.2.1", text: ""))
        #expect(try await admits("192.0.2.1"))
        #expect(try await admits("192.0.2.1"), "an encoder that has lost its network comes back")
        #expect(try await !admits("192.0.2.2"))
        let list = try await fixture.links.publishLinks(of: "canalA").items
        #expect(list.map(\.usedBy) == ["192.0.2.1"] && list.first?.usedAt != nil)
        #expect(try await fixture.links.publishLinks(of: "canalB").items.isEmpty)
        fixture.clock.advance(by: .seconds(86_400))
        #expect(try await !admits("192.0.2.1"))
    }

    @Test func aLinkHasAddressesForEveryEncoder() async throws {
        let fixture = try await LinksFixture()
        let new = try await fixture.links.createPublishLink("guest", channel: "canalA", by: fixture.caller)
        let other = try await fixture.links.createPublishLink("guest", channel: "canalA", by: fixture.caller)
        let (secret, passphrase) = (new.secret.text, new.passphrase)
        #expect(passphrase.utf8.count == 24 && passphrase != other.passphrase)
        #expect(fixture.links.passphrase(ofPublishSecret: secret) == passphrase)
        #expect(fixture.links.passphrase(ofPublishSecret: "x" + secret) == nil)
        let ports = PublishingPorts(rtsp: { 554 }, rtmp: { 1_935 }, srt: { 9_710 })
        let addresses = PublishLinkAddresses(new, host: "[2001:db8::1]", ports)
        #expect(addresses.rtsp == "rtsp://[2001:db8::1]:554/live/canalA.stream?token=\(secret)")
        #expect(addresses.rtmp == "rtmp://[2001:db8::1]:1935/live/canalA.stream?token=\(secret)")
        #expect(
            addresses.srt
                == "srt://[2001:db8::1]:9710?streamid=publish:canalA?link=\(secret)&passphrase=\(passphrase)")
        let unknown = PublishLinkAddresses(new, host: nil, ports)
        #expect(unknown.rtsp == "/live/canalA.stream?token=\(secret)" && unknown.rtmp == nil && unknown.srt == nil)
        let alone = PublishLinkAddresses(new, host: "192.0.2.1", PublishingPorts())
        #expect(alone.rtmp == nil && alone.srt == nil)
    }

    @Test func ofManyPublishersOneGetsIt() async throws {
        let fixture = try await LinksFixture()
        let new = try await fixture.links.createPublishLink("guest", channel: "canalA", by: fixture.caller)
        let admitted = try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 1...20 {
                group.addTask { [links = fixture.links, origin = origin("192.0.2.\(number)")] in
                    try await links.publisher(with: new.secret.text, to: "canalA", from: origin) != nil
                }
            }
            return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(admitted == 1)
    }

    @Test func aRevokedLinkLetsNobodyIn() async throws {
        let fixture = try await LinksFixture()
        let new = try await fixture.links.createPublishLink("guest", channel: "canalA", by: fixture.caller)
        await #expect(throws: Refusal.self) {
            try await fixture.links.revokePublishLink(new.link.id, of: "canalB", by: fixture.caller)
        }
        try await fixture.links.revokePublishLink(new.link.id, of: "canalA", by: fixture.caller)
        let admitted = try await fixture.links.publisher(
            with: new.secret.text, to: "canalA", from: origin("192.0.2.1"))
        #expect(admitted == nil)
        #expect(try await fixture.links.publishLinks(of: "canalA").items.first?.revokedAt != nil)
    }

    @Test func linksEndAndAreLimited() async throws {
        let fixture = try await LinksFixture()
        for end in [fixture.links.now, fixture.links.now + PublishLink.maximumLife + .seconds(1)] {
            await #expect(throws: Refusal.self) {
                try await fixture.links.createPublishLink("g", channel: "canalA", until: end, by: fixture.caller)
            }
        }
        for _ in 0..<PublishLink.maximumCount {
            _ = try await fixture.links.createPublishLink("g", channel: "canalA", by: fixture.caller)
        }
        await #expect(throws: Refusal.self) {
            try await fixture.links.createPublishLink("g", channel: "canalA", by: fixture.caller)
        }
        _ = try await fixture.links.createPublishLink("g", channel: "canalB", by: fixture.caller)
        fixture.clock.advance(by: PublishLink.defaultLife + PublishLink.remembranceAfterEnd + .seconds(1))
        try await fixture.links.maintain()
        #expect(try await fixture.links.publishLinks(of: "canalA").items.isEmpty)
    }
}
