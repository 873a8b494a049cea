import GatewayTestSupport
import Logging
import NIOCore
import NIOEmbedded
import NIOPosix
import Testing

@testable import Gateway

struct HTTPConnectionRegistryTests {
    private func connection(_ address: String) throws -> EmbeddedChannel {
        let channel = EmbeddedChannel()
        try channel.connect(to: SocketAddress(ipAddress: address, port: 4_000)).wait()
        return channel
    }

    /// A registry without a reserve, unless the limits name one.
    private func registry(_ limits: HTTPConnectionRegistry.Limits, log: LogRecorder = LogRecorder())
        -> HTTPConnectionRegistry
    {
        HTTPConnectionRegistry(limits: limits, logger: Logger(label: "test") { _ in log })
    }

    @Test func oneAddressHasALimitAndOthersAreAdmitted() throws {
        let log = LogRecorder()
        let registry = registry(.init(connectionCount: 100, connectionCountPerAddress: 2, reservedCount: 0), log: log)
        let first = try connection("2001:db8::1")
        try registry.admit(first)
        try registry.admit(connection("2001:db8::2"))
        #expect(throws: HTTPConnectionRefused.self) { try registry.admit(connection("2001:db8::3")) }
        try registry.admit(connection("2001:db8:0:1::1"))
        try registry.admit(connection("192.0.2.1"))
        #expect(registry.count == 4)
        #expect(log.text.contains("peer.address=2001:db8:0:0::/64"))
        try first.close().wait()
        first.embeddedEventLoop.run()
        #expect(registry.count == 3)
        try registry.admit(connection("2001:db8::3"))
    }

    @Test func allTogetherHaveALimit() throws {
        let registry = registry(.init(connectionCount: 3, connectionCountPerAddress: 2, reservedCount: 0))
        for number in 1...3 { try registry.admit(connection("192.0.2.\(number)")) }
        let refused = try connection("192.0.2.9")
        #expect(throws: HTTPConnectionRefused.self) { try registry.admit(refused) }
        #expect(!refused.isActive, "closed, because nobody would serve it")
        #expect(throws: HTTPConnectionRefused.self) { try registry.admit(connection("127.0.0.1")) }
    }

    /// Behind a reverse proxy on the same machine every client has the proxy's address.
    @Test func thisMachinesOwnConnectionsAreNotLimitedPerAddress() throws {
        let registry = registry(.init(connectionCount: 100, connectionCountPerAddress: 2, reservedCount: 0))
        for _ in 0..<50 { try registry.admit(connection("127.0.0.1")) }
        for _ in 0..<50 { try registry.admit(connection("::1")) }
        #expect(registry.count == 100)
    }

    @Test func aConnectionThatSpeaksRTSPIsCountedThere() throws {
        let registry = registry(.init(connectionCount: 100, connectionCountPerAddress: 2, reservedCount: 0))
        let channel = try connection("192.0.2.1")
        let counted = try registry.admit(channel)
        counted.release()
        #expect(registry.count == 0)
        try channel.close().wait()
        #expect(registry.count == 0, "not a second time")
    }

    @Test func manyRefusalsAreOneLineInTheLog() throws {
        let log = LogRecorder()
        let registry = registry(.init(connectionCount: 0, reservedCount: 0), log: log)
        for _ in 0..<100 { _ = try? registry.admit(connection("192.0.2.1")) }
        #expect(log.text.split(separator: "\n").count == 1)
    }

    @Test func aConnectionInTheReserveHasFiveSecondsToShowACredential() throws {
        let registry = registry(.init(connectionCount: 0, reservedCount: 2))
        let (silent, proven) = (try connection("192.0.2.1"), try connection("192.0.2.2"))
        try registry.admit(silent)
        try registry.admit(proven)
        #expect(registry.isUnproven(silent) && registry.isUnproven(proven))
        registry.prove(proven)
        #expect(!registry.isUnproven(proven))
        for channel in [silent, proven] {
            channel.embeddedEventLoop.advanceTime(by: TimeAmount(HTTPConnectionRegistry.proofTimeout) - .nanoseconds(1))
        }
        #expect(silent.isActive && proven.isActive)
        for channel in [silent, proven] { channel.embeddedEventLoop.advanceTime(by: .nanoseconds(1)) }
        #expect(!silent.isActive && proven.isActive)
        #expect(registry.count == 1)
    }

    @Test func theConnectionThatLosesItsPlaceIsClosed() throws {
        let registry = registry(.init(connectionCount: 0, reservedCount: 1))
        let (first, second) = (try connection("192.0.2.1"), try connection("192.0.2.2"))
        try registry.admit(first)
        try registry.admit(second)
        first.embeddedEventLoop.run()
        #expect(!first.isActive && second.isActive)
        #expect(registry.count == 1 && registry.isUnproven(second))
        registry.prove(second)
        #expect(throws: HTTPConnectionRefused.self) { try registry.admit(connection("192.0.2.3")) }
    }
}
