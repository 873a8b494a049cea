import Codecs
import ISOBMFF
import MediaCore
import NIOCore
import TestSupport
import Testing

struct MovieFragmentTests {
    struct Pattern: Sendable, CustomTestStringConvertible {
        var name: String
        var samples: [FragmentSample]
        var testDescription: String { name }

        init(
            _ name: String, sync: String, durations: [UInt32] = [3_600], offsets: [Int32] = [0]
        ) {
            self.name = name
            samples = sync.enumerated().map { index, character in
                FragmentSample(
                    duration: durations[index % durations.count], byteCount: UInt32(5 + index % 7),
                    compositionOffset: offsets[index % offsets.count], isSync: character == "I")
            }
        }
    }

    static let patterns = [
        Pattern("one key frame", sync: "I"),
        Pattern("one frame", sync: "P"),
        Pattern("a key frame and a follower", sync: "IP"),
        Pattern("a key frame and its followers", sync: "IPPPPPPPPP"),
        Pattern("followers only", sync: "PPP"),
        Pattern("a follower, then a key frame", sync: "PI"),
        Pattern("key frames only", sync: "IIII"),
        Pattern("a second key frame", sync: "IPPPIPPP"),
        Pattern("two key frames first", sync: "IIPPP"),
        Pattern("a key frame last", sync: "PPPI"),
        Pattern("uneven durations", sync: "IPPPP", durations: [3_003, 3_003, 3_004]),
        Pattern("reordered", sync: "IPPPP", offsets: [7_200, 14_400, 3_600, 0, 3_600]),
        Pattern("negative offsets", sync: "IPPPP", offsets: [0, 7_200, -3_600, -3_600]),
        Pattern("all of it uneven", sync: "PIPPIIP", durations: [1, 2, .max], offsets: [0, .min, .max]),
        Pattern("the last duration differs", sync: "IPP", durations: [10, 10, 11]),
        Pattern("the last offset differs", sync: "IPP", offsets: [0, 0, 1]),
        Pattern("zero durations", sync: "IP", durations: [0]),
        Pattern("a thousand frames of audio", sync: String(repeating: "I", count: 1_000), durations: [1_024]),
    ]

    @Test(arguments: patterns)
    func theHeaderIsAsLongAsTheLayoutSays(_ pattern: Pattern) {
        let layout = FragmentLayout(pattern.samples)
        var buffer = ByteBuffer()
        layout.writeHeader(of: pattern.samples, sequenceNumber: 7, decodeTime: 123_456, into: &buffer)
        #expect(buffer.readableBytes == layout.headerByteCount)
        #expect(layout.headerByteCount == layout.movieFragmentByteCount + 8)
        #expect(layout.sampleCount == pattern.samples.count)
        let movieFragmentByteCount = buffer.getInteger(at: 0, as: UInt32.self).map(Int.init)
        #expect(movieFragmentByteCount == layout.movieFragmentByteCount)
        let mediaByteCount = pattern.samples.reduce(8) { $0 + $1.byteCount }
        #expect(buffer.getInteger(at: layout.movieFragmentByteCount, as: UInt32.self) == mediaByteCount)
    }

    /// Fragments are written after other bytes, as in a part's buffer, and parsed again.
    @Test(arguments: patterns)
    func ourReaderReadsWhatIsWritten(_ pattern: Pattern) throws {
        let layout = FragmentLayout(pattern.samples)
        var file = try initializationSection().rendered()
        let start = Int64(file.readableBytes + layout.headerByteCount)
        layout.writeHeader(of: pattern.samples, sequenceNumber: 1, decodeTime: 90_000, into: &file)
        for (index, sample) in pattern.samples.enumerated() {
            file.writeRepeatingByte(UInt8(truncatingIfNeeded: index), count: Int(sample.byteCount))
        }
        let index = try MovieIndex.read(from: InMemoryMovie(Array(file.readableBytesView)))
        let track = try #require(index.tracks.first)
        #expect(Array(track.samples.durations) == pattern.samples.map(\.duration))
        #expect(track.samples.byteCounts == pattern.samples.map(\.byteCount))
        let indices = track.samples.offsets.indices
        #expect(indices.map { track.samples.compositionOffset(of: $0) } == pattern.samples.map(\.compositionOffset))
        #expect(indices.map { track.samples.isSync($0) } == pattern.samples.map(\.isSync))
        #expect(track.samples.offsets.first == start)
        // The decode time of the first fragment is the start of the track.
        #expect(track.edit.emptyDuration == MediaTime(value: 90_000, timescale: .video90kHz))
    }

    @Test func fragmentsRunOnAndAGapLengthensTheSampleBeforeIt() throws {
        var file = try initializationSection().rendered()
        let samples = Self.patterns[3].samples
        for (number, decodeTime) in [0, 36_000, 90_000].enumerated() {
            let layout = FragmentLayout(samples)
            layout.writeHeader(
                of: samples, sequenceNumber: UInt32(number + 1), decodeTime: Int64(decodeTime), into: &file)
            file.writeRepeatingByte(0, count: samples.reduce(0) { $0 + Int($1.byteCount) })
        }
        let track = try #require(try MovieIndex.read(from: InMemoryMovie(Array(file.readableBytesView))).tracks.first)
        #expect(track.samples.count == 30)
        #expect(track.samples.durations[9] == 3_600)
        #expect(track.samples.durations[19] == 3_600 + 18_000)
    }

    /// ffprobe reads a section with its fragments in the same way as the file that they were made from.
    @Test(arguments: [MovieFixture.bFrames, .hevc, .noBFrames, .anamorphic, .audioOnly])
    func ffprobeReadsWhatIsWritten(_ fixture: MovieFixture) async throws {
        let path = try await fixture.path()
        let bytes = try bytesOfFile(path)
        let index = try MovieIndex.read(from: InMemoryMovie(bytes))
        let packets = try await ProbedPacket.all(of: path)
        let directory = try TemporaryDirectory(label: "fragments")
        for (position, track) in index.tracks.enumerated() {
            let copy = try directory.write(try fragmented(track, of: bytes), to: "\(position).mp4")
            let written = try await ProbedPacket.all(of: copy)
            let original = packets.filter { $0.stream == position }
            #expect(written.map(\.byteCount) == original.map(\.byteCount))
            #expect(written.map(\.presentationTime) == original.map(\.presentationTime))
            #expect(written.map(\.isKey) == original.map(\.isKey))
            let streams = ["-v", "error", "-select_streams", "\(position)", "-show_entries"]
            let entries = "stream=codec_name,profile,width,height,sample_aspect_ratio,sample_rate,channels,time_base"
            let tool = try ExternalTool.ffprobe()
            let expected = try await tool.run(streams + [entries, "-of", "default", path])
            let actual = try await tool.run(
                ["-v", "error", "-select_streams", "0", "-show_entries", entries, "-of", "default", copy])
            #expect(actual.text == expected.text)
        }
    }

    @Test func theInitializationSectionKeepsLanguageMatrixAndEdit() throws {
        var section = try initializationSection()
        section.track.language = "spa"
        section.displayMatrix.values = [0, 0x10000, 0, 0xFFFF_0000, 0, 0, 0x5A_0000, 0, 0x4000_0000]
        section.firstPresentedMediaTime = 7_200
        let index = try MovieIndex.read(from: InMemoryMovie(Array(section.rendered().readableBytesView)))
        let track = try #require(index.tracks.first)
        #expect(index.isFragmented)
        #expect(track.track.language == "spa")
        #expect(track.track.timescale == .video90kHz)
        #expect(track.displayMatrix == section.displayMatrix)
        #expect(track.edit.mediaTime == 7_200)
        #expect(track.configuration == section.configuration)
        #expect(track.samples.count == 0)
    }

    @Test(arguments: [nil, "es-ES", "ES", "und", "", "ñññ"] as [String?])
    func aLanguageThatIsNotThreeLettersIsUndetermined(_ language: String?) throws {
        var section = try initializationSection()
        section.track.language = language
        let index = try MovieIndex.read(from: InMemoryMovie(Array(section.rendered().readableBytesView)))
        #expect(index.tracks.first?.track.language == nil)
    }

    /// Parameter sets of x264 for 320x240, from CodecsTests.
    private func initializationSection() throws -> MediaInitializationSection {
        let record = bytes(
            hexadecimal: "0142c00cffe100186742c00cd90141fb0110000003001000000301e0f142a48001000568cb83cb20")
        return MediaInitializationSection(
            track: Track(id: 9, mediaType: .video, timescale: .video90kHz),
            configuration: .h264(try H264Configuration(parsingRecord: record)))
    }

    /// The track on its own, in fragments of 50 samples.
    private func fragmented(_ track: MovieTrack, of file: [UInt8]) throws -> [UInt8] {
        let configuration = try #require(track.configuration)
        var buffer = MediaInitializationSection(track: track.track, configuration: configuration).rendered()
        var decodeTime: Int64 = 0
        for first in stride(from: 0, to: track.samples.count, by: 50) {
            let range = first..<min(first + 50, track.samples.count)
            let samples = range.map {
                FragmentSample(
                    duration: track.samples.durations[$0], byteCount: track.samples.byteCounts[$0],
                    compositionOffset: track.samples.compositionOffset(of: $0), isSync: track.samples.isSync($0))
            }
            FragmentLayout(samples).writeHeader(
                of: samples, sequenceNumber: UInt32(first / 50 + 1), decodeTime: decodeTime, into: &buffer)
            for sample in range {
                let start = Int(track.samples.offsets[sample])
                buffer.writeBytes(file[start..<(start + Int(track.samples.byteCounts[sample]))])
            }
            decodeTime += samples.reduce(0) { $0 + Int64($1.duration) }
        }
        return Array(buffer.readableBytesView)
    }
}
