import Logging
import NIOCore
import NIOEmbedded
import StreamConnections
import Testing

@testable import RTSPServer

/// Admission and eviction of connections, with a clock that the tests control.
struct ConnectionRegistryTests {
    /// Records the events that its connection receives.
    private final class EventRecorder: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        private(set) var isEvicted = false

        func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
            if event is ConnectionEvictedEvent { isEvicted = true }
        }
    }

    private final class Table {
        let registry: ConnectionRegistry
        let counters = RTSPServerCounters()
        let limits: RTSPServerLimits
        var now = NIODeadline.uptimeNanoseconds(1_000_000_000)

        init(total: Int, perAddress: Int) {
            var limits = RTSPServerLimits()
            limits.maximumConnectionCount = total
            limits.maximumConnectionsPerAddress = perAddress
            self.limits = limits
            let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
            registry = ConnectionRegistry(limits: limits.connections, counting: counters, logger: logger)
        }

        /// - Returns: `nil` when it was refused.
        func connect(_ address: String) throws -> EmbeddedChannel? {
            let channel = EmbeddedChannel(handler: EventRecorder())
            channel.remoteAddress = try SocketAddress(ipAddress: address, port: 5_000)
            now = now + .milliseconds(1)
            do { try registry.admit(channel, now: now) } catch { return nil }
            return channel
        }

        func use(_ channel: EmbeddedChannel?, for use: ConnectionUse) -> Bool {
            channel.map { registry.use($0, for: use, now: now) } ?? false
        }

        func wait(_ time: TimeAmount) { now = now + time }
    }

    private static func isEvicted(_ channel: EmbeddedChannel?) throws -> Bool {
        try #require(channel).pipeline.syncOperations.handler(type: EventRecorder.self).isEvicted
    }

    @Test func whoHoldsIdleConnectionsLosesThemToAPublisher() throws {
        let table = Table(total: 64, perAddress: 16)
        var idle: [EmbeddedChannel?] = []
        for address in 1...4 { for _ in 0..<16 { idle.append(try table.connect("192.0.2.\(address)")) } }
        let publisher = try #require(try table.connect("198.51.100.1"))
        #expect(try idle.count { try Self.isEvicted($0) } == 1)
        #expect(try Self.isEvicted(idle[0]))
        // Another flood evicts its own connections, because its address group has the most.
        for _ in 0..<16 { idle.append(try table.connect("192.0.2.5")) }
        #expect(try !Self.isEvicted(publisher))
        #expect(table.use(publisher, for: .announced))
        #expect(table.use(publisher, for: .recording))
        for _ in 0..<100 { idle.append(try table.connect("192.0.2.6")) }
        #expect(try !Self.isEvicted(publisher))
        #expect(table.counters.snapshot.refusedConnectionCounts.isEmpty)
    }

    @Test func aSubscribersWholeIPv6NetworkIsOneAddress() throws {
        let table = Table(total: 64, perAddress: 8)
        let first = try table.connect("2001:db8::1")
        for host in 2...8 { _ = try table.connect("2001:db8::\(host)") }
        #expect(try !Self.isEvicted(first))
        _ = try table.connect("2001:db8::ffff:9")
        #expect(try Self.isEvicted(first))
        let other = try table.connect("2001:db8:0:1::1")
        #expect(try other != nil && !Self.isEvicted(other))
    }

    @Test func readersLeavePlacesForPublishers() throws {
        let table = Table(total: 8, perAddress: 8)
        var readers: [EmbeddedChannel?] = []
        for address in 1...6 {
            readers.append(try table.connect("192.0.2.\(address)"))
            #expect(table.use(readers.last ?? nil, for: .prepared) && table.use(readers.last ?? nil, for: .playing))
        }
        let seventh = try table.connect("192.0.2.7")
        #expect(seventh != nil && !table.use(seventh, for: .prepared))
        let publisher = try table.connect("192.0.2.8")
        #expect(table.use(publisher, for: .announced) && table.use(publisher, for: .recording))
        // A reader that leaves makes room for another one.
        #expect(table.use(readers[0], for: .idle))
        #expect(table.use(seventh, for: .prepared))
        // A closed connection no longer counts.
        _ = try readers[1]?.finish()
        #expect(table.use(readers[0], for: .prepared))
    }

    @Test func oneAddressLeavesPlacesForItsPublishers() throws {
        let table = Table(total: 100, perAddress: 4)
        let readers = try (0..<3).map { _ in try table.connect("192.0.2.1") }
        #expect(readers.allSatisfy { table.use($0, for: .prepared) })
        let fourth = try table.connect("192.0.2.1")
        #expect(!table.use(fourth, for: .prepared) && table.use(fourth, for: .announced))
    }

    @Test func whoSetsUpAndDoesNotGoOnIsLetGoAfterTenSeconds() throws {
        let table = Table(total: 4, perAddress: 4)
        let channels = try (1...4).map { try table.connect("192.0.2.\($0)") }
        #expect(table.use(channels[0], for: .announced))
        table.wait(.seconds(1))
        #expect(table.use(channels[1], for: .prepared))
        #expect(table.use(channels[2], for: .announced) && table.use(channels[2], for: .recording))
        #expect(table.use(channels[3], for: .prepared) && table.use(channels[3], for: .playing))
        #expect(try table.connect("192.0.2.5") == nil)
        #expect(table.counters.snapshot.refusedConnectionCounts == [.tooManyConnections: 1])
        table.wait(.seconds(10))
        #expect(try table.connect("192.0.2.6") != nil)
        #expect(try Self.isEvicted(channels[0]) && !Self.isEvicted(channels[1]))
    }

    @Test func portsThatAreNotUsedAreLetGoAndOthersAreNot() throws {
        let table = Table(total: 100, perAddress: 100)
        let channels = try (0..<4).map { _ in try #require(try table.connect("192.0.2.1")) }
        #expect(table.use(channels[0], for: .prepared) && table.use(channels[1], for: .prepared))
        #expect(table.use(channels[1], for: .playing) && table.use(channels[2], for: .prepared))
        let holders = Set(channels[1...2].map { ObjectIdentifier($0 as any Channel) })
        #expect(table.registry.evictHolderOfPorts(among: holders, of: nil, now: table.now) == nil)
        table.wait(.seconds(10))
        #expect(table.registry.evictHolderOfPorts(among: holders, of: nil, now: table.now) === channels[2])
        #expect(try Self.isEvicted(channels[2]) && !Self.isEvicted(channels[0]) && !Self.isEvicted(channels[1]))
        #expect(table.registry.evictHolderOfPorts(among: holders, of: nil, now: table.now) == nil)
    }
}
