import MediaCore
import NIOCore
import RTPTransport
import Testing

struct JitterBufferTests {
    static let start = NIODeadline.uptimeNanoseconds(0)

    /// The output as text: a sequence number, `-n` for n lost packets, `R` for a restart.
    static func run(
        _ numbers: [UInt16], _ reordering: JitterBuffer.Reordering, spacing: TimeAmount = .milliseconds(1)
    ) -> (output: [String], buffer: JitterBuffer) {
        var buffer = JitterBuffer(reordering: reordering)
        var output: [JitterBuffer.Output] = []
        var now = start
        for number in numbers {
            let packet = RTPPacket(
                payloadType: 96, marker: false, sequenceNumber: number, rtpTimestamp: 0, synchronizationSource: 1,
                payload: ByteBuffer())
            buffer.insert(packet, arrival: now, into: &output)
            now = now + spacing
        }
        return (output.map(describe), buffer)
    }

    static func describe(_ output: JitterBuffer.Output) -> String {
        switch output {
        case .packet(let packet): "\(packet.sequenceNumber)"
        case .lost(let count): "-\(count)"
        case .restarted: "R"
        }
    }

    @Test(
        arguments: [
            ([1, 2, 3], "1 2 3"), ([1, 3, 2, 4], "1 2 3 4"), ([1, 4, 3, 2, 5], "1 2 3 4 5"),
            ([65_534, 0, 65_535, 1], "65534 65535 0 1"), ([65_535, 2, 1, 0], "65535 0 1 2"),
            ([1, 1, 2, 2, 1], "1 2"), ([1, 3, 3, 2], "1 2 3"),
            ([1, 3, 4, 5], "1"), ([1, 3, 4, 5, 6, 7], "1 -1 3 4 5 6 7"),
            ([10, 40_000, 40_001], "10 R 40000 40001"), ([1_000, 800, 801], "1000 R 800 801"),
        ] as [([UInt16], String)])
    func putsPacketsInOrder(numbers: [UInt16], expected: String) {
        let result = Self.run(numbers, .upTo(packetCount: 4, delay: .seconds(1)))
        #expect(result.output.joined(separator: " ") == expected)
    }

    @Test func waitsNoLongerThanItsDelay() {
        let result = Self.run([1, 3, 4], .upTo(packetCount: 100, delay: .milliseconds(50)), spacing: .milliseconds(60))
        #expect(result.output == ["1", "-1", "3", "4"])
    }

    @Test func overTCPEveryPacketGoesThroughAndGapsAreLosses() {
        let result = Self.run([1, 2, 5, 6, 4, 65_535], .passThrough)
        #expect(result.output == ["1", "2", "-2", "5", "6"])
        #expect(result.buffer.lateOrDuplicateCount == 2)
    }

    @Test func handsOnWhatIsOverdueWithoutANewPacket() {
        var (_, buffer) = Self.run([1, 3], .udp)
        var output: [JitterBuffer.Output] = []
        buffer.flushOverdue(now: Self.start + .milliseconds(100), into: &output)
        #expect(output.isEmpty)
        buffer.flushOverdue(now: Self.start + .seconds(1), into: &output)
        #expect(output.map(Self.describe) == ["-1", "3"])
    }

    @Test func holdsNoMoreThanItsLimit() {
        let numbers = [1] + (0..<1_000).map { UInt16(3 + 2 * $0) }
        let (output, _) = Self.run(numbers, .upTo(packetCount: 16, delay: .seconds(100)), spacing: .nanoseconds(1))
        #expect(output.filter { !$0.hasPrefix("-") }.count >= 1_001 - 16)
    }

    @Test func reportsLossAsRFC3550Counts() throws {
        var statistics = ReceptionStatistics(clockRate: 90_000)
        #expect(statistics.makeReportBlock(now: Self.start) == nil)
        for number in [65_530, 65_531, 65_534, 65_535, 0, 1] as [UInt16] {
            statistics.received(
                RTPPacket(
                    payloadType: 96, marker: false, sequenceNumber: number, rtpTimestamp: 0, synchronizationSource: 7,
                    payload: ByteBuffer()), arrival: Self.start)
        }
        let report = RTCPSenderReport(
            source: 7, ntpTimestamp: NTPTimestamp(rawValue: 0xAAAA_BBBB_CCCC_DDDD), rtpTimestamp: 0)
        statistics.received(report, arrival: Self.start)
        let made = statistics.makeReportBlock(now: Self.start + .seconds(2))
        let block = try #require(made)
        #expect(block.source == 7 && block.cumulativeLost == 2 && block.fractionLost == 64)
        #expect(block.extendedHighestSequenceNumber == 65_537)
        #expect(block.lastSenderReport == 0xBBBB_CCCC && block.delaySinceLastSenderReport == 131_072)
        #expect(statistics.makeReportBlock(now: Self.start)?.fractionLost == 0)
    }
}
