import Accounts
import GatewayTestSupport
import MediaCore
import NIOCore
import TestSupport
import Testing

@testable import VideoClub

/// How players of a rental are told apart and counted.
struct RentalPlayersTests {
    private let clock = TestClock()
    private let players: RentalPlayers

    init() {
        let clock = clock
        players = RentalPlayers(uptime: { clock.elapsed }, maximumCount: 8)
    }

    private static func player(_ address: String, _ program: String = "p", session: String = "s") -> RentalPlayer {
        let group = AddressGroup(try? SocketAddress(ipAddress: address, port: 0))
        return RentalPlayer(session: session, from: RequestOrigin(group, address: address, device: program))
    }

    private func admits(
        _ player: RentalPlayer, limit: Int = 2, isPlaying: Bool = true, rental: String = "r"
    ) -> Bool {
        players.admits(player, to: rental, limit: limit, isPlaying: isPlaying)
    }

    @Test func playersAreToldApartBySessionAddressAndProgram() {
        let first = Self.player("192.0.2.1")
        #expect(first == Self.player("192.0.2.1"))
        for other in [
            Self.player("192.0.2.2"), Self.player("192.0.2.1", "q"), Self.player("192.0.2.1", session: "t"),
        ] { #expect(first != other) }
        #expect(Self.player("2001:db8::1") == Self.player("2001:db8::2"), "addresses of one household")
    }

    @Test func whoIsBeyondTheLimitTakesNoPlace() {
        #expect(admits(Self.player("192.0.2.1")))
        #expect(admits(Self.player("192.0.2.2")))
        for _ in 0..<2 { #expect(!admits(Self.player("192.0.2.3"))) }
        #expect(admits(Self.player("192.0.2.3"), rental: "other"))
        #expect(players.count(of: "r") == 2)
        #expect(admits(Self.player("192.0.2.1")) && admits(Self.player("192.0.2.2")))
    }

    @Test func whoStopsAskingMakesRoom() {
        #expect(admits(Self.player("192.0.2.1")))
        #expect(admits(Self.player("192.0.2.2")))
        clock.advance(by: RentalPlayers.window - .milliseconds(1))
        #expect(admits(Self.player("192.0.2.1")))
        #expect(!admits(Self.player("192.0.2.3")))
        clock.advance(by: .milliseconds(1))
        #expect(players.count(of: "r") == 1)
        #expect(admits(Self.player("192.0.2.3")))
        #expect(!admits(Self.player("192.0.2.2")))
    }

    @Test func aLowerLimitKeepsThoseWhoBeganFirst() {
        #expect(admits(Self.player("192.0.2.1")))
        #expect(admits(Self.player("192.0.2.2")))
        #expect(!admits(Self.player("192.0.2.2"), limit: 1))
        #expect(admits(Self.player("192.0.2.1"), limit: 1))
    }

    /// Chapters come to the page beside the player, which may name itself otherwise, and to nobody else.
    @Test func whatIsBesideTheFilmTakesNoPlace() {
        #expect(admits(Self.player("192.0.2.1", "page"), limit: 1, isPlaying: false))
        #expect(players.count(of: "r") == 0)
        #expect(admits(Self.player("192.0.2.1", "player"), limit: 1))
        #expect(admits(Self.player("192.0.2.1", "page"), limit: 1, isPlaying: false))
        #expect(!admits(Self.player("192.0.2.1", "page"), limit: 1))
        #expect(!admits(Self.player("192.0.2.2", "page"), limit: 1, isPlaying: false))
        #expect(!admits(Self.player("192.0.2.1", "page", session: "t"), limit: 1, isPlaying: false))
    }

    @Test func memoryIsBounded() {
        for number in 0..<20 { #expect(admits(Self.player("192.0.2.\(number)"), rental: "\(number)")) }
        #expect(players.rememberedCount == 8)
        clock.advance(by: RentalPlayers.window)
        players.sweep()
        #expect(players.rememberedCount == 0)
        #expect(admits(Self.player("192.0.2.30")))
        #expect(players.count(of: "r") == 1)
    }
}
