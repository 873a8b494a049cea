import CLibAV
import Glibc
import LibAV
import Testing
import TestSupport

@testable import Capture

/// The behaviour of cameras and microphones, simulated.
struct BroadcastDeviceTests {
    @Test func aDeviceThatCountsAsTheMachineDoesSaysWhenItTook() {
        var timeline = DeviceTimeline()
        let start: Int64 = 1_795_330_000_000_000
        // Data captured half a second before the start and read 100 ms after it was queued in between.
        let first = timeline.time(of: start - 500_000, arrival: 100_000, clocks: [start + 100_000, 77_000_000])
        let second = timeline.time(of: start + 40_000, arrival: 100_000, clocks: [start + 100_000, 77_000_000])
        #expect(first == -500_000 && second == 40_000)
        // The wall clock is set an hour ahead.
        let jump: Int64 = 3_600_000_000
        let third = timeline.time(
            of: start + jump + 1_000_000, arrival: 1_020_000, clocks: [start + jump + 1_020_000, 78_000_000])
        #expect(third == 1_000_000)
    }

    @Test func clocksOfCamerasCountFromTheMachinesStart() {
        var timeline = DeviceTimeline()
        let time = timeline.time(of: 77_000_000, arrival: 250_000, clocks: [1_795_330_000_000_000, 77_030_000])
        #expect(time == 220_000)
    }

    @Test func aClockOfItsOwnBeginsWithTheArrival() {
        var timeline = DeviceTimeline()
        let clocks: [Int64] = [1_795_330_000_000_000, 770_000_000]
        let times = [(5, 300_000), (40_005, 350_000), (9_000_000_000, 400_000), (9_000_040_000, 460_000)].map {
            timeline.time(of: Int64($0.0), arrival: Int64($0.1), clocks: clocks)
        }
        #expect(times == [300_000, 340_000, 400_000, 440_000])
        let untold = timeline.time(of: nil, arrival: 500_000, clocks: clocks)
        #expect(untold == 500_000)
    }

    @Test func largeFramesAreRequestedAsJPEGFirst() {
        func names(_ width: Int, _ height: Int, _ format: String) -> [[String]] {
            let encoding = BroadcastEncoding(
                width: width, height: height, frameRate: 30, videoBitRate: 1_000_000, audioBitRate: 64_000)
            return CapturePlan.videoOptions(format, encoding).map { $0.map { "\($0.name)=\($0.value)" } }
        }
        #expect(
            names(1_280, 720, "v4l2") == [
                ["input_format=mjpeg", "framerate=30", "video_size=1280x720"],
                ["framerate=30", "video_size=1280x720"], [],
            ])
        #expect(names(426, 240, "v4l2") == [["framerate=30", "video_size=426x240"], []])
        #expect(names(1_280, 720, "x11grab") == [["framerate=30"]])
        #expect(names(1_280, 720, "lavfi") == [[]])
    }

    /// Each row: libavdevice's error code, and the text for the user.
    @Test(arguments: [
        (EBUSY, "is in use by another program"), (ENOENT, "does not exist"), (EACCES, "group 'video'"),
        (ENOTTY, "is not a device that can be opened"),
    ])
    func whatKeepsADeviceFromBeingOpenedIsSaid(_ code: Int32, _ words: String) throws {
        try LibAVRuntime.load()
        let error = CaptureInput.failure(antena_averror(code), format: nil, name: "/dev/video0")
        #expect(error.description.hasPrefix("/dev/video0: ") && error.description.contains(words), "\(error)")
        #expect(CaptureInput.lost(antena_averror(ENODEV), name: "x").description.contains("unplugged"))
    }

    @Test func onlyEncodersOfH264ThatTakeFramesFromMemoryAreTaken() throws {
        var encoding = BroadcastEncoding(
            width: 320, height: 180, frameRate: 25, videoBitRate: 300_000, audioBitRate: 64_000)
        try encoding.check()
        for (name, words) in [
            ("aac", "does not encode H.264"), ("libx265", "H.264"), ("libnone", "has no encoder \"libnone\""),
        ] {
            encoding.encoderName = name
            #expect {
                try encoding.check()
            } throws: {
                let text = ($0 as? LibAVError)?.description ?? ""
                return text.contains(words) && text.contains("there are libx264")
            }
        }
    }

    @Test func plugInsAreNoMicrophones() {
        #expect(CaptureDeviceListing.isPlugIn("null") && !CaptureDeviceListing.isPlugIn("hw:CARD=C270,DEV=0"))
    }

    // MARK: A lost device

    @Test func aDeviceThatGoesIsStoodInForUntilItCanBeOpened() throws {
        try LibAVRuntime.load()
        let clock = TestClock()
        let control = BroadcastControl(videoBitRate: 0)
        var (sent, notices, attempts, isFinished): ([Int64], [String], [Int64], Bool) = ([], [], [], false)
        let standIn = DeviceTrack.StandIn(
            name: "silence is sent", interval: 20_000, send: { time in sent.append(time) },
            finish: { isFinished = true })
        let track = DeviceTrack(
            name: "mic", standIn: standIn, clock: clock.broadcastClock, control: control,
            notify: { notices.append($0) },
            open: { () throws(LibAVError) in
                attempts.append(clock.microseconds)
                if attempts.count == 3 { control.stop() }
                throw LibAVError(.noMedia, file: "mic", "is not there")
            })
        let source = try DyingSource(packetCount: 2)
        try track.run(
            DevicePump(
                source: source, info: source.streams[0], route: NullRoute(), clock: clock.broadcastClock,
                control: control),
            origin: 1_000_000)
        #expect(notices == ["mic: has been unplugged or switched off; silence is sent until it is back"])
        #expect(attempts.count == 3)
        #expect(zip(attempts, attempts.dropFirst()).allSatisfy { $1 - $0 >= DeviceTrack.attemptInterval })
        #expect(sent.count > 250 && zip(sent, sent.dropFirst()).allSatisfy { $1 - $0 == 20_000 })
        #expect(isFinished)
    }

    @Test func aDeviceThatNeverGaveAnythingIsAnError() throws {
        try LibAVRuntime.load()
        let source = try DyingSource(packetCount: 0)
        let pump = DevicePump(
            source: source, info: source.streams[0], route: NullRoute(), clock: TestClock().broadcastClock,
            control: BroadcastControl(videoBitRate: 0))
        #expect(throws: LibAVError.self) { try pump.run(origin: 0) }
    }

    private final class NullRoute: BroadcastRoute {
        func accept(_ packet: Packet?, shift: Int64) throws(LibAVError) {}
        func finish() throws(LibAVError) {}
    }

    /// Delivers some packets of silence, and then fails like an unplugged device.
    private final class DyingSource: PacketSource {
        private let inner: CaptureInput
        private var left: Int

        init(packetCount: Int) throws {
            inner = try CaptureInput(
                CaptureDevice(format: "lavfi", name: "anullsrc"), options: [], interruption: .never)
            left = packetCount
        }

        var name: String { inner.name }
        var context: UnsafeMutablePointer<AVFormatContext> { inner.context }
        var streams: [StreamInfo] { inner.streams }
        var isLive: Bool { true }

        func read(into packet: Packet) throws(LibAVError) -> Bool {
            guard left > 0 else { throw CaptureInput.lost(antena_averror(ENODEV), name: "mic") }
            left -= 1
            return try inner.read(into: packet)
        }
    }
}
