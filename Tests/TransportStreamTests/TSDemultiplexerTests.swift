import Foundation
import NIOCore
import TestSupport
import Testing

@testable import TransportStream

/// Transport streams that ffmpeg has made, taken apart.
struct TSDemultiplexerTests {
    /// A packet as ffprobe reads it.
    private struct Probed: Hashable {
        var isVideo: Bool
        var presentationTime: Int64
        var decodeTime: Int64
        var byteCount: Int
    }

    /// Two seconds of video with B-frames and AAC.
    private static func make(_ options: [String] = [], in directory: TemporaryDirectory) async throws -> String {
        let path = try directory.file("stream.ts")
        _ = try await ExternalTool("ffmpeg").run(
            [
                "-v", "error", "-y", "-f", "lavfi", "-i", "testsrc2=size=320x180:rate=25:duration=2", "-f", "lavfi",
                "-i",
                "sine=frequency=440:sample_rate=48000:duration=2", "-c:v", "libx264", "-preset", "veryfast", "-bf", "2",
                "-g", "25", "-pix_fmt", "yuv420p", "-c:a", "aac", "-metadata:s:a:0", "language=spa",
            ] + options + ["-f", "mpegts", path])
        return path
    }

    private static func bytes(_ path: String) throws -> ByteBuffer {
        ByteBuffer(bytes: try Data(contentsOf: URL(fileURLWithPath: path)))
    }

    /// Takes a stream apart that comes in pieces.
    private static func events(_ bytes: ByteBuffer, piece: Int = 1_316) throws -> [TSEvent] {
        var (bytes, events) = (bytes, [TSEvent]())
        var demultiplexer = TSDemultiplexer()
        while let slice = bytes.readSlice(length: min(piece, bytes.readableBytes)), slice.readableBytes > 0 {
            demultiplexer.append(slice)
            while let event = try demultiplexer.next() { events.append(event) }
        }
        return events + demultiplexer.finish()
    }

    private static func frames(_ events: [TSEvent]) -> [TSFrame] {
        events.compactMap { if case .frame(let frame) = $0 { frame } else { nil } }
    }

    private static func streams(_ events: [TSEvent]) -> [[TSStream]] {
        events.compactMap { if case .streams(let streams) = $0 { streams } else { nil } }
    }

    /// The pictures that ffprobe finds: their times and sizes.
    private static func pictures(_ path: String) async throws -> [Probed] {
        let text = try await ExternalTool.ffprobe().run([
            "-v", "error", "-select_streams", "v", "-show_entries", "packet=pts,dts,size", "-of", "csv=p=0", path,
        ]).text
        return text.split(separator: "\n").compactMap { line in
            let fields = line.split(separator: ",").compactMap { Int64($0) }
            guard fields.count >= 3 else { return nil }
            return Probed(isVideo: true, presentationTime: fields[0], decodeTime: fields[1], byteCount: Int(fields[2]))
        }
    }

    private static func pictures(_ events: [TSEvent]) -> [Probed] {
        let video = streams(events).first?.first { $0.content == .h264 }?.identifier
        return frames(events).filter { $0.identifier == video }.map {
            Probed(
                isVideo: true, presentationTime: $0.presentationTime, decodeTime: $0.decodeTime,
                byteCount: $0.content.readableBytes)
        }
    }

    @Test(arguments: [1, 187, 1_316, 1 << 20]) func everyPictureIsFound(_ piece: Int) async throws {
        let directory = try TemporaryDirectory(label: "ts")
        let path = try await Self.make(in: directory)
        let events = try Self.events(Self.bytes(path), piece: piece)
        let streams = try #require(Self.streams(events).first)
        #expect(streams.map(\.content) == [.h264, .aac] && streams.last?.language == "spa")
        #expect(Self.streams(events).count == 1)
        let expected = try await Self.pictures(path)
        #expect(expected.count == 50 && Self.pictures(events) == expected)
        #expect(Self.frames(events).allSatisfy { !$0.isDamaged })
    }

    /// Packets with a time in front, as recorders write them.
    @Test func packetsOf192BytesAreFound() async throws {
        let directory = try TemporaryDirectory(label: "ts")
        let path = try await Self.make(["-mpegts_m2ts_mode", "1"], in: directory)
        let events = try Self.events(Self.bytes(path))
        #expect(Self.pictures(events).count == 50)
    }

    /// Packets with a code behind, and garbage in front.
    @Test func packetsOf204BytesAreFound() async throws {
        let directory = try TemporaryDirectory(label: "ts")
        var plain = try Self.bytes(try await Self.make(in: directory))
        var longer = ByteBuffer(repeating: 0x55, count: 300)
        while let packet = plain.readSlice(length: TSPacket.byteCount) {
            longer.writeImmutableBuffer(packet)
            longer.writeRepeatingByte(0xEE, count: 16)
        }
        let events = try Self.events(longer)
        #expect(Self.pictures(events).count == 50)
    }

    /// Times go on where their 33 bits end.
    @Test func timesWrap() async throws {
        let directory = try TemporaryDirectory(label: "ts")
        let path = try await Self.make(["-output_ts_offset", "95441.5"], in: directory)
        let times = try Self.pictures(Self.events(Self.bytes(path))).map(\.decodeTime)
        #expect(times.count == 50 && (times.last ?? 0) > 1 << 33)
        #expect(zip(times, times.dropFirst()).allSatisfy { $1 - $0 == 3_600 })
    }

    /// A lost packet damages the frame that it belongs to, and no other.
    @Test func aLostPacketDamagesOneFrame() async throws {
        let directory = try TemporaryDirectory(label: "ts")
        var bytes = try Self.bytes(try await Self.make(in: directory))
        let whole = bytes
        let video = Self.streams(try Self.events(whole)).first?.first { $0.content == .h264 }?.identifier
        var (rest, count) = (ByteBuffer(), 0)
        while let packet = bytes.readSlice(length: TSPacket.byteCount) {
            if let parsed = TSPacket(packet), parsed.identifier == video, !parsed.beginsUnit {
                count += 1
                if count == 20 { continue }
            }
            rest.writeImmutableBuffer(packet)
        }
        let frames = Self.frames(try Self.events(rest))
        let all = Self.frames(try Self.events(whole))
        #expect(frames.filter(\.isDamaged).count == 1 && frames.count == all.count)
    }

    @Test func packetsThatWereSentTwiceCountOnce() async throws {
        let directory = try TemporaryDirectory(label: "ts")
        var bytes = try Self.bytes(try await Self.make(in: directory))
        let whole = bytes
        var twice = ByteBuffer()
        while let packet = bytes.readSlice(length: TSPacket.byteCount) {
            twice.writeImmutableBuffer(packet)
            // Those without payload have no number of their own.
            if TSPacket(packet)?.payload != nil { twice.writeImmutableBuffer(packet) }
        }
        #expect(Self.frames(try Self.events(twice)) == Self.frames(try Self.events(whole)))
    }

    @Test(arguments: [
        ("libx265", ["-x265-params", "log-level=none"], "ac3", TSStream.Content.hevc, TSStream.Content.ac3),
        ("libx264", [], "libopus", .h264, .opus), ("libx264", [], "mp2", .h264, .mpegAudio),
        ("libx264", [], "eac3", .h264, .eac3),
    ]) func contentsAreKnown(
        _ video: String, _ options: [String], _ audio: String, _ videoContent: TSStream.Content,
        _ audioContent: TSStream.Content
    ) async throws {
        let directory = try TemporaryDirectory(label: "ts")
        let path = try await Self.make(["-c:v", video] + options + ["-c:a", audio], in: directory)
        let streams = try #require(Self.streams(try Self.events(Self.bytes(path))).first)
        #expect(streams.map(\.content) == [videoContent, audioContent])
        if audioContent == .opus { #expect(streams.last?.opusChannelCount == 1) }
    }

    @Test func aMapThatChangesIsAnnounced() async throws {
        let (first, second) = (try TemporaryDirectory(label: "ts"), try TemporaryDirectory(label: "ts"))
        var bytes = try Self.bytes(try await Self.make(in: first))
        bytes.writeImmutableBuffer(
            try Self.bytes(try await Self.make(["-c:a", "mp2", "-streamid", "1:500"], in: second)))
        let announced = Self.streams(try Self.events(bytes))
        #expect(announced.count == 2 && announced.last?.map(\.content) == [.h264, .mpegAudio])
        #expect(announced.last?.last?.identifier == 500)
    }

    // MARK: Bad input

    @Test func whatIsNoTransportStreamEnds() {
        var demultiplexer = TSDemultiplexer()
        demultiplexer.append(ByteBuffer(repeating: 0x47, count: 10))
        demultiplexer.append(ByteBuffer(repeating: 0, count: 100_000))
        #expect(throws: TSError.self) { while try demultiplexer.next() != nil {} }
    }

    /// Bytes that are changed anywhere are no trap, and cost bounded memory.
    @Test func damageDoesNoHarm() async throws {
        let directory = try TemporaryDirectory(label: "ts")
        let whole = try Self.bytes(try await Self.make(in: directory))
        var generator = SeededGenerator(seed: 1)
        for _ in 0..<40 {
            var damaged = whole
            for _ in 0..<200 {
                let index = Int.random(in: 0..<damaged.readableBytes, using: &generator)
                damaged.setInteger(UInt8.random(in: 0...255, using: &generator), at: index)
            }
            _ = try? Self.events(damaged)
        }
        for length in [0, 1, 187, 188, 400, 5_000] {
            _ = try? Self.events(try #require(whole.getSlice(at: 0, length: length)))
        }
    }

    /// A picture that never ends is dropped at its limit.
    @Test func aFrameWithoutEndIsDropped() async throws {
        let directory = try TemporaryDirectory(label: "ts")
        let bytes = try Self.bytes(try await Self.make(in: directory))
        let video = try #require(
            Self.streams(try Self.events(bytes)).first?.first { $0.content == .h264 }?.identifier)
        var demultiplexer = TSDemultiplexer()
        demultiplexer.append(bytes)
        while try demultiplexer.next() != nil {}
        var (continuity, largest): (UInt8, Int) = (0, 0)
        for index in 0..<60_000 {
            var packet = ByteBuffer(bytes: [0x47, UInt8(video >> 8) | (index == 0 ? 0x40 : 0), UInt8(video & 0xFF)])
            packet.writeInteger(0x10 | continuity)
            packet.writeRepeatingByte(0, count: 184)
            continuity = (continuity + 1) & 0xF
            demultiplexer.append(packet)
            while try demultiplexer.next() != nil {}
            largest = max(largest, demultiplexer.unfinishedByteCount)
        }
        #expect(largest > TSLimits.frameByteCount - 1_000 && largest <= TSLimits.frameByteCount)
    }
}
