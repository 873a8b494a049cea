import NIOCore
import Testing

@testable import MediaCore

/// The order of packets.
struct PacketOrderTests {
    private var order = PacketOrder(patience: .milliseconds(400), bitCount: 31)
    private var output = ByteBuffer()
    private let start = NIODeadline.uptimeNanoseconds(1_000_000_000)

    private mutating func take(_ sequences: Int32..., after milliseconds: Int64 = 0) -> [UInt8] {
        for sequence in sequences {
            order.take(
                ByteBuffer(bytes: [UInt8(truncatingIfNeeded: sequence)]), sequence: sequence,
                now: start + .milliseconds(milliseconds), into: &output)
        }
        defer { output.clear() }
        return Array(output.readableBytesView)
    }

    private mutating func giveUp(after milliseconds: Int64) -> [UInt8] {
        order.giveUp(now: start + .milliseconds(milliseconds), into: &output)
        defer { output.clear() }
        return Array(output.readableBytesView)
    }

    @Test mutating func whatComesInOrderIsPassedOn() {
        #expect(take(7, 8, 9) == [7, 8, 9])
        #expect(!order.hasGap && order.skippedCount == 0)
    }

    @Test mutating func whatIsSentAgainFillsTheGap() {
        #expect(take(1, 3, 4) == [1])
        #expect(order.hasGap)
        #expect(take(2, after: 80) == [2, 3, 4])
        #expect(take(3, 5, after: 90) == [5])
        #expect(order.skippedCount == 0)
    }

    @Test mutating func aLostPacketIsNotWaitedForForEver() {
        #expect(take(1, 4, 5) == [1])
        #expect(take(8, after: 100) == [])
        #expect(giveUp(after: 399) == [])
        #expect(giveUp(after: 400) == [4, 5])
        #expect(order.skippedCount == 2)
        #expect(giveUp(after: 500) == [8])
        #expect(order.skippedCount == 4 && !order.hasGap)
        // It comes after all.
        #expect(take(2, after: 600) == [])
    }

    @Test mutating func numbersWrap() {
        #expect(take(Int32.max - 1, Int32.max, 0, 1) == [254, 255, 0, 1])
        var other = PacketOrderTests()
        #expect(other.take(Int32.max, 1) == [255])
        #expect(other.take(0) == [0, 1])
    }

    @Test mutating func whatWaitsIsLimited() {
        _ = take(0)
        for sequence in 2...Int32(PacketOrder.maximumHeldCount) + 2 { _ = take(sequence) }
        #expect(!order.hasGap && order.skippedCount == 1)
    }
}
