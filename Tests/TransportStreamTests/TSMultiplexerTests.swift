import Codecs
import Foundation
import MediaCore
import NIOCore
import TestSupport
import Testing

@testable import TransportStream

/// Transport streams that are written: ffprobe reads them, and so does the demultiplexer.
struct TSMultiplexerTests {
    private static let timescale = Timescale(48_000)

    /// The tracks and units of a stream that ffmpeg has made.
    private static func source(
        _ options: [String], in directory: TemporaryDirectory
    ) async throws -> [(track: TSTrack, units: [AccessUnit])] {
        let path = try directory.file("source.ts")
        _ = try await ExternalTool("ffmpeg").run(
            [
                "-v", "error", "-y", "-f", "lavfi", "-i", "testsrc2=size=320x180:rate=25:duration=2", "-f", "lavfi",
                "-i", "sine=frequency=440:sample_rate=48000:duration=2", "-c:v", "libx264", "-preset", "veryfast",
                "-bf", "2", "-g", "25", "-pix_fmt", "yuv420p", "-c:a", "aac",
            ] + options + ["-f", "mpegts", path])
        return try read(ByteBuffer(bytes: try Data(contentsOf: URL(fileURLWithPath: path))))
    }

    private static func read(_ bytes: ByteBuffer) throws -> [(track: TSTrack, units: [AccessUnit])] {
        var demultiplexer = TSDemultiplexer()
        demultiplexer.append(bytes)
        var events: [TSEvent] = []
        while let event = try demultiplexer.next() { events.append(event) }
        var tracks: [(track: TSTrack, units: [AccessUnit])] = []
        for event in events + demultiplexer.finish() {
            switch event {
            case .streams(let streams): tracks = streams.compactMap { TSTrack($0) }.map { ($0, []) }
            case .frame(let frame):
                guard let index = tracks.firstIndex(where: { $0.track.stream.identifier == frame.identifier }) else {
                    continue
                }
                #expect(!frame.isDamaged)
                tracks[index].units += try tracks[index].track.units(of: frame).units
            case .splice: break
            }
        }
        return tracks
    }

    private static func write(_ tracks: [(track: TSTrack, units: [AccessUnit])]) -> ByteBuffer {
        var multiplexer = TSMultiplexer(tracks: tracks.map(\.track.configuration))
        let units = tracks.enumerated().flatMap { index, track in track.units.map { (index, $0) } }
        let sorted = units.sorted {
            let (first, second) = ($0.1.decodeTime, $1.1.decodeTime)
            return MediaTime(value: first, timescale: tracks[$0.0].track.timescale).seconds
                < MediaTime(value: second, timescale: tracks[$1.0].track.timescale).seconds
        }
        var output = ByteBuffer()
        for (index, unit) in sorted {
            multiplexer.write(unit, track: index, timescale: tracks[index].track.timescale, into: &output)
        }
        return output
    }

    private static func payloads(_ units: [AccessUnit]) -> [[UInt8]] {
        units.map { unit in
            var bytes = ByteBuffer()
            unit.payload.write(into: &bytes)
            return Array(bytes.readableBytesView)
        }
    }

    @Test(arguments: [
        [], ["-c:v", "libx265", "-x265-params", "log-level=none:bframes=2:keyint=25"], ["-c:a", "ac3"],
        ["-c:a", "libopus"],
    ]) func everyUnitComesBack(_ options: [String]) async throws {
        let directory = try TemporaryDirectory(label: "ts-writing")
        let source = try await Self.source(options, in: directory)
        let bytes = Self.write(source)
        #expect(bytes.readableBytes % TSPacket.byteCount == 0)
        let back = try Self.read(bytes)
        #expect(back.map(\.track.configuration) == source.map(\.track.configuration))
        for (before, after) in zip(source, back) {
            #expect(Self.payloads(before.units) == Self.payloads(after.units))
            let steps = { (units: [AccessUnit]) in units.map { $0.presentationTime - (units.first?.decodeTime ?? 0) } }
            let (first, second) = (steps(before.units), steps(after.units))
            // Times of audio are rounded to 90 kHz.
            #expect(zip(first, second).allSatisfy { abs($0 - $1) <= 1 })
            #expect(before.units.map(\.isRandomAccessPoint) == after.units.map(\.isRandomAccessPoint))
        }
    }

    /// Programs that are not ours find the same streams and no damage.
    @Test func ffprobeReadsIt() async throws {
        let directory = try TemporaryDirectory(label: "ts-writing")
        let source = try await Self.source([], in: directory)
        let path = try directory.file("written.ts")
        try Data(Self.write(source).readableBytesView).write(to: URL(fileURLWithPath: path))
        let result = try await ExternalTool.ffprobe().run([
            "-v", "warning", "-count_frames", "-show_entries", "stream=codec_name,nb_read_frames", "-of", "csv=p=0",
            path,
        ])
        #expect(result.text.contains("h264,50"))
        #expect(result.text.contains("aac,\(source[1].units.count)"))
        #expect(result.errorOutput.isEmpty, "\(result.errorOutput)")
    }

    @Test func codecsWithoutAPlaceAreLeftOut() throws {
        let opus = CodecConfiguration.opus(try OpusConfiguration(channelCount: 2))
        #expect(TSMultiplexer.carries(opus))
        var multiplexer = TSMultiplexer(tracks: [nil, opus])
        var output = ByteBuffer()
        let unit = AccessUnit(
            decodeTime: 0, presentationTime: 0, isRandomAccessPoint: true,
            payload: .frame(ByteBuffer(bytes: [0xFC, 1, 2])))
        multiplexer.write(unit, track: 0, timescale: Self.timescale, into: &output)
        #expect(output.readableBytes == 0)
        multiplexer.write(unit, track: 1, timescale: Self.timescale, into: &output)
        #expect(output.readableBytes == 3 * TSPacket.byteCount)
    }
}
