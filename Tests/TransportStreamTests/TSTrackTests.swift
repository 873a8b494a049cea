import Codecs
import Foundation
import MediaCore
import NIOCore
import TestSupport
import Testing

@testable import TransportStream

/// Frames of transport streams become access units.
struct TSTrackTests {
    /// The units of a stream, with the track that made them.
    private static func units(
        _ options: [String], of content: TSStream.Content, damaging: Int? = nil
    ) async throws -> (track: TSTrack, units: [AccessUnit]) {
        let directory = try TemporaryDirectory(label: "ts-track")
        let path = try directory.file("stream.ts")
        _ = try await ExternalTool("ffmpeg").run(
            [
                "-v", "error", "-y", "-f", "lavfi", "-i", "testsrc2=size=320x180:rate=25:duration=2", "-f", "lavfi",
                "-i",
                "sine=frequency=440:sample_rate=48000:duration=2", "-c:v", "libx264", "-preset", "veryfast", "-bf", "2",
                "-g", "25", "-pix_fmt", "yuv420p", "-c:a", "aac",
            ] + options + ["-f", "mpegts", path])
        var demultiplexer = TSDemultiplexer()
        demultiplexer.append(ByteBuffer(bytes: try Data(contentsOf: URL(fileURLWithPath: path))))
        var (track, units, count) = (TSTrack?.none, [AccessUnit](), 0)
        var events: [TSEvent] = []
        while let event = try demultiplexer.next() { events.append(event) }
        for event in events + demultiplexer.finish() {
            switch event {
            case .streams(let streams): track = streams.first { $0.content == content }.flatMap(TSTrack.init)
            case .frame(var frame) where frame.identifier == track?.stream.identifier:
                frame.isDamaged = count == damaging
                count += 1
                units += try track?.units(of: frame).units ?? []
            default: break
            }
        }
        return (try #require(track), units)
    }

    @Test(
        arguments: [
            ([], TSStream.Content.h264),
            (["-c:v", "libx265", "-x265-params", "log-level=none:bframes=2:keyint=25"], .hevc),
        ] as [([String], TSStream.Content)]) func everyPictureIsAUnit(
            _ options: [String], _ content: TSStream.Content
        ) async throws
    {
        let (track, units) = try await Self.units(options, of: content)
        #expect(units.count == 50 && units.first?.isRandomAccessPoint == true)
        #expect(units.filter(\.isRandomAccessPoint).count == 2)
        #expect(zip(units, units.dropFirst()).allSatisfy { $1.decodeTime - $0.decodeTime == 3_600 })
        #expect(units.contains { $0.presentationTime > $0.decodeTime })
        #expect(track.configuration?.videoSize.map { [$0.width, $0.height] } == [320, 180])
        #expect(track.timescale.ticksPerSecond == 90_000)
    }

    @Test(arguments: [
        ("aac", TSStream.Content.aac, 1_024 as Int64), ("ac3", .ac3, 1_536), ("eac3", .eac3, 1_536),
        ("libopus", .opus, 960), ("mp2", .mpegAudio, 1_152),
    ]) func everyFrameOfAudioIsAUnit(_ codec: String, _ content: TSStream.Content, _ samples: Int64) async throws {
        let (track, units) = try await Self.units(["-c:a", codec], of: content)
        // Two seconds, and what encoders put in front and behind.
        #expect((96_000 / samples...96_000 / samples + 4).contains(Int64(units.count)), "\(units.count)")
        #expect(zip(units, units.dropFirst()).allSatisfy { $1.decodeTime - $0.decodeTime == samples })
        #expect(track.timescale.ticksPerSecond == 48_000 && track.isReady)
        if content == .mpegAudio {
            #expect(track.foreignCodec == .mpegAudio(sampleRate: 48_000, channelCount: 1))
        } else {
            #expect(track.configuration?.audioSampleRate == 48_000 && track.configuration?.audioChannelCount == 1)
        }
    }

    /// AAC in LATM, whose parameters are in the frames.
    @Test func aacInLATM() async throws {
        let (track, units) = try await Self.units(["-mpegts_flags", "latm"], of: .latm)
        let (adts, expected) = try await Self.units([], of: .aac)
        #expect(track.configuration?.audioSampleRate == 48_000 && track.isReady)
        #expect(track.configuration?.audioChannelCount == adts.configuration?.audioChannelCount)
        func bytes(_ units: [AccessUnit]) -> [[UInt8]] {
            units.map { unit in
                var bytes = ByteBuffer()
                unit.payload.write(into: &bytes)
                return Array(bytes.readableBytesView)
            }
        }
        #expect(bytes(units) == bytes(expected) && !units.isEmpty)
        #expect(zip(units, units.dropFirst()).allSatisfy { $1.decodeTime - $0.decodeTime == 1_024 })
    }

    /// After a damaged picture, those up to the next key frame would show the damage.
    @Test func picturesBehindADamagedOneAreLeftOut() async throws {
        let (_, units) = try await Self.units([], of: .h264, damaging: 10)
        #expect(units.count == 10 + 25 && units[10].isRandomAccessPoint)
    }

    /// Frames of audio that are cut anywhere come together again.
    @Test(arguments: [TSStream.Content.aac, .ac3, .mpegAudio, .opus])
    func framesThatSpanPacketsComeTogether(_ content: TSStream.Content) async throws {
        let codec = ["aac", "ac3", "mp2", "libopus"][[.aac, .ac3, .mpegAudio, .opus].firstIndex(of: content) ?? 0]
        let (reference, whole) = try await Self.units(["-c:a", codec], of: content)
        // The same bytes in pieces of another length: what the units were made of is put together first.
        var track = try #require(TSTrack(reference.stream))
        var again = 0
        for unit in whole {
            guard case .frame(let payload) = unit.payload else { continue }
            var bytes = payload
            if content == .aac { bytes = Self.withADTSHeader(payload) }
            if content == .opus { bytes = Self.withControlHeader(payload) }
            let half = bytes.readableBytes / 2
            for part in [bytes.readSlice(length: half), bytes.readSlice(length: bytes.readableBytes)] {
                guard let part else { continue }
                let frame = TSFrame(
                    identifier: 0, presentationTime: Int64(again) * 1_920, decodeTime: 0, content: part,
                    isDamaged: false)
                again += try track.units(of: frame).units.count
            }
        }
        #expect(again == whole.count)
    }

    private static func withADTSHeader(_ payload: ByteBuffer) -> ByteBuffer {
        let length = payload.readableBytes + 7
        var bytes = ByteBuffer(bytes: [
            0xFF, 0xF1, 0x4C, 0x40 | UInt8(length >> 11), UInt8(length >> 3 & 0xFF), UInt8((length & 7) << 5 | 0x1F),
            0xFC,
        ])
        bytes.writeImmutableBuffer(payload)
        return bytes
    }

    private static func withControlHeader(_ payload: ByteBuffer) -> ByteBuffer {
        var bytes = ByteBuffer(bytes: [0x7F, 0xE0])
        bytes.writeRepeatingByte(255, count: payload.readableBytes / 255)
        bytes.writeInteger(UInt8(payload.readableBytes % 255))
        bytes.writeImmutableBuffer(payload)
        return bytes
    }

    @Test func garbageMakesNoUnits() throws {
        var generator = SeededGenerator(seed: 3)
        for type in [0x0F, 0x1B, 0x24, 0x81, 0x87, 0x03] as [UInt8] {
            var track = try #require(TSTrack(TSStream(type: type, identifier: 1, descriptors: ByteBuffer())))
            for _ in 0..<200 {
                let bytes = (0..<Int.random(in: 0...600, using: &generator)).map { _ in
                    UInt8.random(in: 0...255, using: &generator)
                }
                let frame = TSFrame(
                    identifier: 1, presentationTime: 0, decodeTime: 0, content: ByteBuffer(bytes: bytes),
                    isDamaged: false)
                _ = try? track.units(of: frame)
            }
        }
        #expect(TSTrack(TSStream(type: 0x86, identifier: 1, descriptors: ByteBuffer())) == nil)
    }

    /// Times that jump as far as they can, again and again, are no trap.
    @Test func timesThatRunAwayDoNoHarm() throws {
        var track = try #require(TSTrack(TSStream(type: 0x0F, identifier: 1, descriptors: ByteBuffer())))
        let frame = Self.withADTSHeader(ByteBuffer(repeating: 1, count: 50))
        for time in [0, 1 << 33, 1 << 46, 1 << 50, 1 << 62, Int64.max, Int64.min] {
            let units = try track.units(
                of: TSFrame(identifier: 1, presentationTime: time, decodeTime: time, content: frame, isDamaged: false))
            #expect(units.units.count == 1)
        }
    }
}
