import MediaCore
import NIOCore
import Testing

@testable import RTSPServer

struct UDPPortAllocatorTests {
    private final class Connection {}

    private let connection = Connection()

    private func borrower(_ purpose: UDPPortAllocator.Purpose, _ address: String) throws -> UDPPortAllocator.Borrower {
        UDPPortAllocator.Borrower(
            purpose: purpose, group: AddressGroup(try SocketAddress(ipAddress: address, port: 1)),
            connection: ObjectIdentifier(connection))
    }

    @Test func findsThePairThatIsLeft() throws {
        let allocator = UDPPortAllocator(range: 20_001...20_208)
        let publisher = try borrower(.publishing, "192.0.2.1")
        let others = try (2...4).map { try borrower(.publishing, "192.0.2.\($0)") }
        var leases: [UDPPortAllocator.Lease] = []
        for index in 0..<103 { leases.append(try allocator.lend(to: others[index % 3])) }
        #expect(Set(leases.map(\.rtp)).count == 103 && leases.allSatisfy { $0.rtp % 2 == 0 && $0.rtcp == $0.rtp + 1 })
        #expect(leases.map(\.rtp).min() == 20_002 && leases.map(\.rtp).max() == 20_206)
        #expect(throws: UDPPortAllocator.Shortage.range) { try allocator.lend(to: publisher) }
        allocator.takeBack(leases[40])
        #expect(try allocator.lend(to: publisher) == leases[40])
    }

    @Test func takesPortsInTurn() throws {
        let allocator = UDPPortAllocator(range: 20_000...20_009)
        let publisher = try borrower(.publishing, "192.0.2.1")
        for index in 0..<12 {
            let lease = try allocator.lend(to: publisher)
            #expect(lease.rtp == 20_000 + index % 5 * 2)
            allocator.takeBack(lease)
        }
        #expect(allocator.lentCount == 0)
    }

    @Test func readersLeavePairsForPublishers() throws {
        let allocator = UDPPortAllocator(range: 20_000...20_099)
        var count = 0
        for address in 1...20 {
            let reader = try borrower(.playing, "192.0.2.\(address)")
            while (try? allocator.lend(to: reader)) != nil { count += 1 }
        }
        #expect(count == 38)
        #expect(throws: UDPPortAllocator.Shortage.range) { try allocator.lend(to: borrower(.playing, "192.0.2.99")) }
        let publisher = try borrower(.publishing, "192.0.2.99")
        for _ in 0..<12 { _ = try allocator.lend(to: publisher) }
    }

    @Test(arguments: [(.playing, 12), (.publishing, 25)] as [(UDPPortAllocator.Purpose, Int)])
    func oneSubscriberCannotTakeAll(_ purpose: UDPPortAllocator.Purpose, _ share: Int) throws {
        let allocator = UDPPortAllocator(range: 20_000...20_099)
        for host in 1...share { _ = try allocator.lend(to: borrower(purpose, "2001:db8::\(host)")) }
        #expect(throws: UDPPortAllocator.Shortage.addressGroup) {
            try allocator.lend(to: borrower(purpose, "2001:db8::ffff"))
        }
        _ = try allocator.lend(to: borrower(purpose, "2001:db8:0:1::1"))
    }

    @Test func aRangeWithoutAPairLendsNothing() throws {
        let allocator = UDPPortAllocator(range: 20_001...20_001)
        #expect(throws: UDPPortAllocator.Shortage.range) { try allocator.lend(to: borrower(.publishing, "192.0.2.1")) }
    }
}
