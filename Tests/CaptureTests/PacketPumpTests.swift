import CLibAV
import LibAV
import Testing
import TestSupport

@testable import Capture

/// Late sources and slow machines.
struct PacketPumpTests {
    /// A generator of 25 frames per second that stalls once.
    private final class StallingSource: PacketSource {
        private let inner: CaptureInput
        private let clock: TestClock
        private let stall: (packet: Int, microseconds: Int64)
        private var packetCount = 0

        init(_ clock: TestClock, stall: (packet: Int, microseconds: Int64)) throws {
            inner = try CaptureInput(
                CaptureDevice(format: "lavfi", name: "color=size=32x32:rate=25:duration=8"), options: [],
                interruption: .never)
            self.clock = clock
            self.stall = stall
        }

        var name: String { inner.name }
        var context: UnsafeMutablePointer<AVFormatContext> { inner.context }
        var streams: [StreamInfo] { inner.streams }
        var isLive: Bool { true }

        func read(into packet: Packet) throws(LibAVError) -> Bool {
            if packetCount == stall.packet { clock.advance(by: .microseconds(stall.microseconds)) }
            packetCount += 1
            return try inner.read(into: packet)
        }
    }

    /// A route that works for some time on each frame.
    private final class WorkingRoute: BroadcastRoute {
        private let clock: TestClock
        private let work: Int64
        private let punctuality: Punctuality
        private let origin: Int64
        private(set) var times: [Int64] = []

        init(_ clock: TestClock, work: Int64, control: BroadcastControl) {
            self.clock = clock
            self.work = work
            origin = clock.microseconds
            punctuality = Punctuality(clock: clock.broadcastClock, control: control)
        }

        func accept(_ packet: Packet?, shift: Int64) throws(LibAVError) {
            guard let packet, let ticks = packet.presentationTime else { return }
            let time = ticks * 40_000 + shift
            guard !punctuality.isLate(time, origin: origin) else { return }
            clock.advance(by: .microseconds(work))
            times.append(time)
        }

        func finish() throws(LibAVError) {}
    }

    private func run(
        stall: (packet: Int, microseconds: Int64), work: Int64
    ) throws -> (times: [Int64], lateCount: Int) {
        try LibAVRuntime.load()
        let (clock, control) = (TestClock(), BroadcastControl(videoBitRate: 0))
        let source = try StallingSource(clock, stall: stall)
        let route = WorkingRoute(clock, work: work, control: control)
        var pump = PacketPump(
            source, rewind: nil, clock: clock.broadcastClock, control: control, origin: clock.microseconds,
            beforeWait: {})
        pump.add(route, for: source.streams[0])
        try pump.run()
        return (route.times, control.statistics.lateFrameCount)
    }

    @Test func aSourceThatPausesAndDoesNotCatchUpLosesNothing() throws {
        let result = try run(stall: (packet: 50, microseconds: 1_500_000), work: 1_000)
        #expect(result.lateCount == 0 && result.times.count == 200, "\(result)")
        let steps = zip(result.times, result.times.dropFirst()).map { $1 - $0 }
        #expect(steps.filter { $0 > 1_000_000 }.count == 1, "time goes on behind the pause")
        #expect(steps.filter { $0 == 40_000 }.count == 198)
    }

    @Test func aMachineThatIsTooSlowLeavesFramesOutAndKeepsUp() throws {
        // Each frame takes twice its duration.
        let result = try run(stall: (packet: -1, microseconds: 0), work: 80_000)
        #expect((80...120).contains(result.lateCount), "\(result.lateCount) of 200")
        #expect(result.times.count + result.lateCount == 200)
        let isKept = zip(result.times, result.times.dropFirst()).allSatisfy { $1 - $0 <= 120_000 }
        #expect(isKept, "left out evenly: \(result.times)")
    }
}
