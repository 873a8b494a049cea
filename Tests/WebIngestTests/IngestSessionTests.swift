import Codecs
import LiveChannels
import Logging
import MediaCore
import NIOCore
import NIOEmbedded
import Packaging
import StreamConnections
import TestSupport
import Testing

@testable import WebIngest

/// Connections of browsers.
final class IngestSessionTests {
    /// libx264 (core 164): `-f lavfi -i testsrc2=s=1280x720:r=30 -profile:v main -bf 0`
    private static let sequenceSet: [UInt8] = [
        0x67, 0x4d, 0x40, 0x1f, 0xd9, 0x00, 0x50, 0x05, 0xbb, 0x01, 0x10, 0x00, 0x00, 0x03, 0x00, 0x10, 0x00, 0x00,
        0x03, 0x03, 0xc0, 0xf1, 0x83, 0x24, 0x80,
    ]
    private static let pictureSet: [UInt8] = [0x68, 0xeb, 0xc3, 0xcb, 0x20]
    private static let hello = #"{"type": "hello", "tracks": [{"id": 0, "codec": "avc1.4d401f"}]}"#

    private final class Receiver: LiveFanOutReceiver {
        var units: [AccessUnit] = []
        var log: [String] = []

        func receive(_ event: LiveFanOutEvent, subscription: Int) {
            switch event {
            case .began(let broadcast): log.append("began \(broadcast.tracks.count)")
            case .unit(let unit): units.append(unit.unit)
            case .ended: log.append("ended")
            case .configured: break
            }
        }
    }

    private let loop = EmbeddedEventLoop()
    private let directory: LiveChannelDirectory
    private let receiver = Receiver()
    private var output: [IngestOutput] = []

    init() {
        let preset = QualityPreset(
            name: "medium", width: 1_280, height: 720, frameRate: 30, videoBitRate: 1_200_000, audioBitRate: 96_000)
        var open = ChannelConfiguration(name: "canalA", title: "A", defaultPreset: "medium", presets: [preset])
        open.publishing.access = .anyone
        let local = ChannelConfiguration(name: "canalB", title: "B", defaultPreset: "medium", presets: [preset])
        directory = LiveChannelDirectory(
            configurations: [open, local], clock: TestClock().wallClock,
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    }

    private func session(_ channel: String = "canalA") throws -> IngestSession {
        let server = IngestServer(
            channels: directory, admission: nil, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        let peer = try SocketAddress(ipAddress: "192.0.2.1", port: 4_000)
        let made = IngestSession(
            server, channel: channel, browser: .init(peer: peer, userAgent: nil, session: nil, isSecure: true), on: loop
        ) { [unowned self] in output.append($0) }
        let session = try #require(made)
        session.begin()
        let channel = try #require(directory.channel(named: channel))
        _ = channel.fanOut.subscribe(receiver, on: loop)
        return session
    }

    private static func message(_ kind: UInt8, key: Bool = false, at time: Int64 = 0, _ content: [UInt8]) -> ByteBuffer
    {
        var message = ByteBuffer(bytes: [kind, 0, key ? 1 : 0, 0])
        message.writeInteger(time)
        message.writeInteger(UInt32(0))
        message.writeBytes(content)
        return message
    }

    private static func record() throws -> [UInt8] {
        try H264Configuration(sequenceParameterSets: [sequenceSet], pictureParameterSets: [pictureSet]).record
    }

    private static func frame(_ unit: [UInt8]) -> [UInt8] { [0, 0, 0, UInt8(unit.count)] + unit }

    private var closeCodes: [UInt16] {
        output.compactMap { if case .close(let code, _) = $0 { code } else { nil } }
    }

    @Test func aBroadcastReachesTheChannel() throws {
        let session = try session()
        session.receive(text: Self.hello)
        loop.run()
        #expect(output == [.text(#"{"type":"ready"}"#)])
        session.receive(binary: Self.message(1, try Self.record()))
        for index in 0..<3 {
            session.receive(
                binary: Self.message(
                    2, key: index == 0, at: Int64(index) * 40_000, Self.frame([index == 0 ? 0x65 : 0x41, 1, 2])))
        }
        loop.run()
        #expect(receiver.log == ["began 1"])
        #expect(receiver.units.map(\.decodeTime) == [0, 3_600, 7_200])
        #expect(receiver.units.map(\.isRandomAccessPoint) == [true, false, false])
        loop.advanceTime(by: .seconds(1))
        #expect(output.contains { if case .text(let text) = $0 { text.contains("\"isLive\":true") } else { false } })
        session.receive(text: #"{"type": "end"}"#)
        loop.run()
        #expect(receiver.log == ["began 1", "ended"] && closeCodes == [IngestCloseCode.normal])
        session.finish("again", isIntended: false, 1_000)
        #expect(closeCodes.count == 1)
    }

    /// Frames have the date of their capture on the server's clock, also if that is told before the first of them.
    @Test func framesAreDatedByTheirCapture() throws {
        let session = try session()
        let channel = try #require(directory.channel(named: "canalA"))
        session.receive(text: Self.hello)
        loop.run()
        let (captured, behind) = (TestClock.start - .seconds(2), Int64(70_000_000))
        session.receive(
            text: #"{"type": "clock", "time": \#(behind), "date": \#(captured.millisecondsSince1970)}"#)
        for text in [#"{"type": "clock"}"#, #"{"type": "clock", "time": -1, "date": 0}"#] {
            session.receive(text: text)
        }
        session.receive(binary: Self.message(1, try Self.record()))
        for index in 0..<250 {
            let isKey = index % 25 == 0
            session.receive(
                binary: Self.message(
                    2, key: isKey, at: behind + Int64(index) * 40_000, Self.frame([isKey ? 0x65 : 0x41, 1, 2])))
        }
        loop.run()
        let playlist = try #require(channel.playlist(named: "video"))
        #expect(String(buffer: playlist.plain).contains("DATE-TIME:2025-12-31T23:59:58.000Z"))
    }

    @Test func whoMayNotPublishIsToldWhy() throws {
        let session = try session("canalB")
        session.receive(text: Self.hello)
        loop.run()
        #expect(closeCodes == [IngestCloseCode.refused])
        #expect(output.contains { if case .text(let text) = $0 { text.contains("only accepts") } else { false } })
    }

    @Test func aSecondBrowserIsToldThatTheChannelIsTaken() throws {
        let first = try session()
        first.receive(text: Self.hello)
        first.receive(binary: Self.message(1, try Self.record()))
        loop.run()
        first.receive(binary: Self.message(2, key: true, Self.frame([0x65, 1])))
        let second = try session()
        second.receive(text: Self.hello)
        loop.run()
        #expect(closeCodes == [IngestCloseCode.busy])
        first.finish("over", isIntended: true, IngestCloseCode.normal)
    }

    @Test func silenceAndGarbageEndTheConnection() throws {
        _ = try session()
        loop.advanceTime(by: .seconds(12))
        #expect(closeCodes == [IngestCloseCode.policy])
        output = []
        let other = try session()
        other.receive(binary: Self.message(2, [1]))
        #expect(closeCodes == [IngestCloseCode.policy])
        output = []
        let third = try session()
        third.receive(text: Self.hello)
        loop.run()
        third.receive(binary: ByteBuffer(bytes: [2, 7, 0]))
        #expect(closeCodes == [IngestCloseCode.policy])
        output = []
        let silent = try session()
        silent.receive(text: Self.hello)
        loop.run()
        loop.advanceTime(by: .seconds(17))
        #expect(closeCodes == [IngestCloseCode.goingAway])
    }

    /// A damaged frame is left out; the broadcast goes on.
    @Test func aDamagedFrameIsNotTheEnd() throws {
        let session = try session()
        session.receive(text: Self.hello)
        loop.run()
        session.receive(binary: Self.message(1, try Self.record()))
        session.receive(binary: Self.message(2, key: true, Self.frame([0x65, 1])))
        session.receive(binary: Self.message(2, at: 40_000, [0, 0, 0, 200, 1]))
        session.receive(binary: Self.message(2, at: .max, Self.frame([0x41, 1])))
        loop.run()
        #expect(receiver.units.count == 2 && closeCodes.isEmpty)
        session.finish("over", isIntended: true, IngestCloseCode.normal)
    }
}
