import Capture
import LibAV
import Testing

@testable import Broadcaster

struct TerminalTextTests {
    private static func status(_ change: (inout BroadcastStatus) -> Void = { _ in }) -> BroadcastStatus {
        var status = BroadcastStatus(
            state: .live, problem: nil, elapsed: 3_725, liveSeconds: 10, summary: nil,
            capture: BroadcastCaptureStatistics(), sentFrameCount: 300, droppedFrameCount: 2,
            sentByteCount: 5_000_000,
            connectionCount: 1, frameRate: 29.97, bitRate: 1_310_000, videoBitRate: 1_200_000,
            presetVideoBitRate: 1_200_000, presetAudioBitRate: 96_000, roundTrip: 0.0123, waitingSeconds: 0,
            lostPacketCount: 0,
            received: ReceivedMedia(
                width: 854, height: 480, frameRate: 30, bitRate: 1_290_000, viewers: 1, lostPackets: 0))
        change(&status)
        return status
    }

    @Test func aStatusSaysWhatOneWantsToKnow() {
        let lines = StatusText.lines(Self.status(), columns: 200)
        #expect(lines[0] == "LIVE  1:02:05  300 frames, 2 dropped  30.0 fps  1.31 Mbit/s of 1.30  RTT 12 ms")
        #expect(lines[1] == "server receives  854x480  30.0 fps  1.29 Mbit/s  1 viewer")
        #expect(StatusText.lines(Self.status(), columns: 20).allSatisfy { $0.count <= 20 })
    }

    @Test func whatKeepsItFromBeingLiveIsSaid() {
        let status = Self.status {
            $0.state = .waiting
            $0.problem = "nothing listens"
            $0.videoBitRate = 660_000
        }
        let lines = StatusText.lines(status, columns: 200)
        #expect(lines[0].hasPrefix("RECONNECTING") && lines[0].contains("reduced to 0.76"))
        #expect(lines[1] == "nothing listens")
    }

    @Test func linesOfJSONHaveTheirNames() {
        let line = StatusJSON.line(Self.status())
        #expect(line.contains("\"event\":\"status\"") && line.contains("\"framesSent\":300"))
        #expect(line.contains("\"bitrate\":1310000") && line.contains("\"viewers\":1") && !line.contains("\n"))
        #expect(
            StatusJSON.line(BroadcastError(.channelBusy, "x"))
                == #"{"code":"channelBusy","event":"error","message":"x"}"#)
    }

    @Test func aLetterShowsTwoPixels() {
        let red: [UInt8] = [255, 0, 0]
        let blue: [UInt8] = [0, 0, 255]
        let frame = PreviewImage(width: 2, height: 3, bytes: red + red + blue + blue + red + blue)
        let lines = HalfBlockImage.lines(frame, columns: 4)
        #expect(lines.count == 2)
        #expect(lines[0] == " \u{1B}[38;2;255;0;0;48;2;0;0;255m▀▀\u{1B}[0m", "a run of one colour is said once")
        #expect(lines[1] == " \u{1B}[38;2;255;0;0;48;2;0;0;0m▀\u{1B}[38;2;0;0;255;48;2;0;0;0m▀\u{1B}[0m")
        #expect(HalfBlockImage.lines(PreviewImage(width: 9, height: 9, bytes: []), columns: 9).isEmpty)
    }

    @Test func exitCodesAreTheirOwn() {
        let codes = BroadcastError.Code.allCases.map(\.exitCode)
        #expect(!codes.contains { $0 < 64 || $0 > 78 })
    }

    @Test func sourcesExcludeEachOther() throws {
        var choice = SourceChoice()
        choice.usesTestCard = true
        #expect(
            try choice.source(title: "Canal Ñ", environment: [:])
                == .devices(video: .testCard(title: "CANAL N"), audio: .testTone))
        choice.isSilent = true
        #expect(
            try choice.source(title: "x", environment: [:]) == .devices(video: .testCard(title: "X"), audio: nil))
        choice.camera = "/dev/video0"
        #expect(throws: BroadcastError.self) { try choice.source(title: "x", environment: [:]) }
    }

    @Test func aMissingCameraNamesThoseThereAre() {
        var choice = SourceChoice()
        choice.camera = "/dev/video99"
        let entry = CaptureDeviceListing.Entry(
            device: CaptureDevice(format: "v4l2", name: "/dev/video0"), title: "Webcam", isDefault: true)
        var listing = CaptureDeviceListing()
        listing.cameras = [entry]
        #expect {
            try choice.source(title: "x", environment: [:]) { [listing] _ throws(BroadcastError) in listing }
        } throws: {
            ($0 as? BroadcastError)?.reason == "there is no camera /dev/video99; there are /dev/video0 (Webcam)"
        }
        choice.camera = nil
        #expect(throws: BroadcastError.self) {
            try choice.source(title: "x", environment: [:]) { _ throws(BroadcastError) in CaptureDeviceListing() }
        }
    }
}
