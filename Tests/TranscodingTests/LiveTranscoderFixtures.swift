import Codecs
import MediaCore
import NIOCore
import Synchronization
import TestSupport
import Testing

@testable import Transcoding

/// One test at a time: each runs ffmpeg, and blocks a thread while it waits for the transcoder.
@Suite(.serialized, .timeLimit(.minutes(2))) enum LiveTranscoderTests {}

/// A publisher's stream in one codec, made by ffmpeg, with ffmpeg's decoding of it.
struct LiveSource {
    var codec: ForeignCodec
    var timescale: Timescale
    var units: [AccessUnit]
    /// The file of the units, for ffmpeg to decode.
    var file: String
    var directory: TemporaryDirectory

    /// The duration of a unit in ticks.
    var unitDuration: Int64 { units.count > 1 ? units[1].presentationTime - units[0].presentationTime : 0 }
    var start: Int64 { units.first?.presentationTime ?? 0 }
    var end: Int64 { (units.last?.presentationTime ?? 0) + unitDuration }
}

/// The complete output of a transcoder.
struct Transcription: Sendable {
    var configurations: [(configuration: CodecConfiguration, timescale: Timescale, unitIndex: Int)] = []
    var units: [AccessUnit] = []
    var failures: [String] = []

    mutating func append(_ output: LibAVLiveTranscoder.Output) {
        switch output {
        case .configuration(let configuration, let timescale):
            configurations.append((configuration, timescale, units.count))
        case .unit(let unit): units.append(unit)
        case .failed(let reason): failures.append(reason)
        }
    }

    var times: [Int64] { units.map(\.presentationTime) }

    func bytes(of unit: AccessUnit) -> [UInt8] {
        var buffer = ByteBuffer()
        unit.payload.write(into: &buffer)
        return Array(buffer.readableBytesView)
    }
}

extension LibAVLiveTranscoder {
    /// Limits for a whole fixture at once, because no network paces it.
    static var roomyLimits: LiveTranscodingLimits {
        var limits = LiveTranscodingLimits.standard
        limits.maximumQueuedUnitCount = 100_000
        limits.maximumQueuedByteCount = 1 << 30
        return limits
    }

    /// Transcodes units and returns the complete output.
    static func transcribe(
        _ units: [AccessUnit], _ codec: ForeignCodec, _ timescale: Timescale,
        limits: LiveTranscodingLimits = roomyLimits
    ) throws -> Transcription {
        let transcription = Mutex(Transcription())
        let transcoder = try LibAVLiveTranscoder(codec: codec, timescale: timescale, limits: limits) { output in
            transcription.withLock { $0.append(output) }
        }
        for unit in units { _ = transcoder.send(unit) }
        transcoder.queue.waitUntilIdle()
        transcoder.close()
        return transcription.withLock { $0 }
    }
}

extension LiveSource {
    func transcribe() throws -> Transcription { try LibAVLiveTranscoder.transcribe(units, codec, timescale) }

    static func units(
        _ payloads: [[UInt8]], start: Int64, duration: Int64, isKey: (Int, [UInt8]) -> Bool = { _, _ in true }
    ) -> [AccessUnit] {
        payloads.enumerated().map { index, bytes in
            let time = start + Int64(index) * duration
            return AccessUnit(
                decodeTime: time, presentationTime: time, isRandomAccessPoint: isKey(index, bytes),
                payload: .frame(ByteBuffer(bytes: bytes)))
        }
    }

    static func chop(_ bytes: [UInt8], _ byteCount: Int) -> [[UInt8]] {
        stride(from: 0, to: bytes.count - byteCount + 1, by: byteCount).map { Array(bytes[$0..<$0 + byteCount]) }
    }

    private static func make(_ arguments: String, _ name: String) async throws -> (TemporaryDirectory, String) {
        let directory = try TemporaryDirectory(label: "live-transcoder")
        let file = try directory.file(name)
        _ = try await ExternalTool.ffmpeg().run(
            ["-nostdin", "-v", "error"] + arguments.split(separator: " ").map(String.init) + [file])
        return (directory, file)
    }

    // MARK: Audio

    /// A tone of three seconds at 440 Hz.
    static func tone(_ test: AudioCase, start: Int64 = 0) async throws -> LiveSource {
        let channels = test.channelCount == 1 ? "mono" : "stereo"
        let (directory, file) = try await make(
            "-f lavfi -i sine=frequency=440:sample_rate=\(test.sampleRate):duration=3 "
                + "-af aformat=channel_layouts=\(channels),volume=4 \(test.arguments)", test.file)
        let bytes = try bytesOfFile(file)
        let payloads =
            test.mpegBitRate.map { mpegFrames(bytes, $0, test.sampleRate) } ?? chop(bytes, test.unitByteCount)
        return LiveSource(
            codec: test.codec, timescale: Timescale(test.clockRate),
            units: units(payloads, start: start, duration: test.unitTicks), file: file, directory: directory)
    }

    /// Splits layers II and III into frames of 144 bytes per bit of a sample period's rate, plus one if the padding bit
    /// is set.
    private static func mpegFrames(_ bytes: [UInt8], _ bitRate: Int, _ sampleRate: Int) -> [[UInt8]] {
        var frames: [[UInt8]] = []
        var index = 0
        while index + 4 <= bytes.count {
            let length = 144 * bitRate / sampleRate + Int(bytes[index + 2] >> 1 & 1)
            guard bytes[index] == 0xFF, index + length <= bytes.count else { break }
            frames.append(Array(bytes[index..<index + length]))
            index += length
        }
        return frames
    }

    /// Noise with different bits in every frame: nothing in Debian encodes AMR-NB, but any bits are a valid frame.
    static func adaptiveMultiRate(frameCount: Int, start: Int64 = 0) throws -> LiveSource {
        var generator = SeededGenerator(seed: 7)
        // Frame type 7 has 12.2 kbit/s, 244 bits per frame.
        let frames = (0..<frameCount).map { _ in
            [0x3C] + (0..<31).map { _ in UInt8.random(in: 0...255, using: &generator) }
        }
        let directory = try TemporaryDirectory(label: "live-transcoder")
        let file = try directory.write(Array("#!AMR\n".utf8) + frames.flatMap { $0 }, to: "noise.amr")
        return LiveSource(
            codec: .adaptiveMultiRate, timescale: Timescale(8_000),
            units: units(frames, start: start, duration: 160), file: file, directory: directory)
    }

    // MARK: Video

    static func frames(_ test: VideoCase, seconds: Double = 4.4, start: Int64 = 0) async throws -> LiveSource {
        let (directory, file) = try await make(
            "-f lavfi -i testsrc2=size=\(test.size):rate=25:duration=\(seconds) -g 25 \(test.arguments)", test.file)
        let bytes = try bytesOfFile(file)
        let payloads = test.file.hasSuffix("ivf") ? ivfFrames(bytes) : h263Pictures(bytes)
        return LiveSource(
            codec: test.codec, timescale: .video90kHz,
            units: units(payloads, start: start, duration: 3_600) { index, bytes in
                switch test.codec {
                case .vp8: bytes[0] & 1 == 0
                case .vp9: bytes[0] & 0x0C == 0
                default: index % 25 == 0
                }
            }, file: file, directory: directory)
    }

    /// Splits an IVF file: a header of 32 bytes, then each frame after its length and its time.
    private static func ivfFrames(_ bytes: [UInt8]) -> [[UInt8]] {
        var frames: [[UInt8]] = []
        var index = 32
        while index + 12 <= bytes.count {
            let length = (0..<4).reduce(0) { $0 | Int(bytes[index + $1]) << (8 * $1) }
            guard index + 12 + length <= bytes.count else { break }
            frames.append(Array(bytes[index + 12..<index + 12 + length]))
            index += 12 + length
        }
        return frames
    }

    /// Splits a stream at picture start codes, 0000 0000 0000 0000 1000 00 (ITU-T H.263 §5.1.1).
    private static func h263Pictures(_ bytes: [UInt8]) -> [[UInt8]] {
        let starts = bytes.indices.dropLast(3).filter {
            bytes[$0] == 0 && bytes[$0 + 1] == 0 && bytes[$0 + 2] & 0xFC == 0x80
        }
        return zip(starts, starts.dropFirst() + [bytes.count]).map { Array(bytes[$0..<$1]) }
    }
}

struct AudioCase: Sendable, CustomTestStringConvertible {
    var codec: ForeignCodec
    var sampleRate: Int
    var channelCount: Int
    var clockRate: UInt32
    var arguments: String
    var file: String
    var unitByteCount = 0
    var mpegBitRate: Int?
    var unitTicks: Int64
    var expectedRate: Int

    var testDescription: String { "\(codec)" }

    static let g711 = AudioCase(
        codec: .pcmMuLaw(sampleRate: 8_000, channelCount: 1), sampleRate: 8_000, channelCount: 1, clockRate: 8_000,
        arguments: "-c:a pcm_mulaw -f mulaw -ar 8000 -ac 1", file: "tone.ul", unitByteCount: 160, unitTicks: 160,
        expectedRate: 48_000)

    static let all = [
        g711,
        AudioCase(
            codec: .pcmALaw(sampleRate: 8_000, channelCount: 1), sampleRate: 8_000, channelCount: 1, clockRate: 8_000,
            arguments: "-c:a pcm_alaw -f alaw -ar 8000 -ac 1", file: "tone.al", unitByteCount: 240, unitTicks: 240,
            expectedRate: 48_000),
        // The clock of G.722 is declared as 8000 by historical mistake (RFC 3551 §4.5.2).
        AudioCase(
            codec: .g722, sampleRate: 16_000, channelCount: 1, clockRate: 8_000, arguments: "-c:a g722 -f g722",
            file: "tone.g722", unitByteCount: 160, unitTicks: 160, expectedRate: 48_000),
        AudioCase(
            codec: .linearPCM(sampleRate: 44_100, channelCount: 2), sampleRate: 44_100, channelCount: 2,
            clockRate: 44_100, arguments: "-c:a pcm_s16be -f s16be", file: "tone.sb", unitByteCount: 441 * 4,
            unitTicks: 441, expectedRate: 44_100),
        AudioCase(
            codec: .linearPCM(sampleRate: 11_025, channelCount: 1), sampleRate: 11_025, channelCount: 1,
            clockRate: 90_000, arguments: "-c:a pcm_s16be -f s16be", file: "tone.sb", unitByteCount: 441 * 2,
            unitTicks: 3_600, expectedRate: 44_100),
        AudioCase(
            codec: .mpegAudio(sampleRate: 48_000, channelCount: 2), sampleRate: 48_000, channelCount: 2,
            clockRate: 90_000,
            arguments: "-c:a libmp3lame -b:a 128k -write_xing 0 -id3v2_version 0 -f mp3", file: "tone.mp3",
            mpegBitRate: 128_000, unitTicks: 2_160, expectedRate: 48_000),
        AudioCase(
            codec: .mpegAudio(sampleRate: 32_000, channelCount: 1), sampleRate: 32_000, channelCount: 1,
            clockRate: 90_000, arguments: "-c:a mp2 -b:a 64k -f mp2", file: "tone.mp2", mpegBitRate: 64_000,
            unitTicks: 3_240, expectedRate: 32_000),
    ]
}

struct VideoCase: Sendable, CustomTestStringConvertible {
    var codec: ForeignCodec
    var size: String
    var arguments: String
    var file: String
    var expectedWidth: Int
    var expectedHeight: Int

    var testDescription: String { "\(codec) \(size)" }

    static let vp8 = VideoCase(
        codec: .vp8, size: "320x180", arguments: "-c:v libvpx -threads 1 -deadline realtime -cpu-used 16 -b:v 1M",
        file: "p.ivf",
        expectedWidth: 320, expectedHeight: 180)
    static let h263 = VideoCase(
        codec: .h263, size: "176x144", arguments: "-c:v h263 -b:v 500k -f h263", file: "p.h263", expectedWidth: 176,
        expectedHeight: 144)
    static let vp9 = VideoCase(
        codec: .vp9, size: "320x180", arguments: "-c:v libvpx-vp9 -threads 1 -deadline realtime -cpu-used 8 -b:v 1M",
        file: "p.ivf", expectedWidth: 320, expectedHeight: 180)

    static let all = [
        h263, vp8, vp9,
        VideoCase(
            codec: .h263, size: "320x240", arguments: "-c:v h263p -b:v 800k -f h263", file: "p.h263",
            expectedWidth: 320, expectedHeight: 240),
        VideoCase(
            codec: .vp8, size: "175x143", arguments: "-c:v libvpx -threads 1 -deadline realtime -cpu-used 16 -b:v 500k",
            file: "p.ivf", expectedWidth: 174, expectedHeight: 142),
        VideoCase(
            codec: .vp9, size: "321x181",
            arguments: "-c:v libvpx-vp9 -threads 1 -pix_fmt yuv444p -deadline realtime -cpu-used 8 -b:v 1M",
            file: "p.ivf",
            expectedWidth: 320, expectedHeight: 180),
    ]
}
