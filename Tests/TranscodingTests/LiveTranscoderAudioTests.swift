import Codecs
import Foundation
import MediaCore
import NIOCore
import TestSupport
import Testing

@testable import Transcoding

extension LiveTranscoderTests {
    @Suite struct Sound {
        /// The samples that the encoder holds back: the frame whose end it has not seen, and its look-ahead; and those
        /// that the resampler and an unfinished frame keep.
        static let latencySampleCount = 4 * 1_024

        @Test(arguments: AudioCase.all)
        func audioKeepsItsPitchAndItsTimes(test: AudioCase) async throws {
            let start = Int64(test.clockRate) * 7
            let source = try await LiveSource.tone(test, start: start)
            let result = try source.transcribe()

            let first = try #require(result.configurations.first)
            guard case .aac(let configuration) = first.configuration else {
                Issue.record("\(first.configuration) is not AAC")
                return
            }
            #expect(result.configurations.count == 1)
            #expect(first.unitIndex == 0)
            #expect(configuration.objectType == 2)
            #expect(configuration.sampleRate == test.expectedRate)
            #expect(configuration.channelCount == test.channelCount)
            #expect(first.timescale == Timescale(UInt32(test.expectedRate)))

            let begin = Int64(test.expectedRate) * 7
            #expect(result.times == Self.frameTimes(from: begin, count: result.times.count))
            let missing =
                Int64(source.end) * Int64(test.expectedRate) / Int64(test.clockRate) - (result.times.last ?? 0) - 1_024
            #expect((0...Int64(Self.latencySampleCount)).contains(missing))
            #expect(result.units.allSatisfy { $0.isRandomAccessPoint && $0.decodeTime == $0.presentationTime })

            let heard = try await Self.decode(result, configuration)
            let meant = try await Self.decodeWithFFmpeg(source.file, test.arguments, test, rate: test.expectedRate)
            // The output matches the source sample for sample: a delay of one AAC frame would shift the phase.
            #expect(Self.correlation(heard, meant, from: 4_096) > 0.97)
            let pitch = Self.strength(of: 440, in: heard[4_096...], rate: test.expectedRate)
            #expect(pitch > 20 * Self.strength(of: 620, in: heard[4_096...], rate: test.expectedRate))
        }

        @Test func adaptiveMultiRateIsHeardAsFFmpegHearsIt() async throws {
            let source = try LiveSource.adaptiveMultiRate(frameCount: 150, start: 8_000)
            let result = try source.transcribe()
            guard case .aac(let configuration)? = result.configurations.first?.configuration else {
                Issue.record("no AAC")
                return
            }
            #expect(configuration.sampleRate == 48_000)
            #expect(result.times.first == 48_000)
            let heard = try await Self.decode(result, configuration)
            let meant = try await Self.pcm(["-i", source.file], rate: 48_000)
            // Noise suffers more from AAC than a tone does.
            #expect(Self.correlation(heard, meant, from: 4_096) > 0.8)
        }

        /// Phones send comfort noise frames and frames without data in pauses; libav's decoder refuses them.
        @Test func pausesOfAdaptiveMultiRateAreSilence() async throws {
            let source = try LiveSource.adaptiveMultiRate(frameCount: 250)
            var units = source.units
            for index in 50..<200 {
                let bytes: [UInt8] = index % 8 == 0 ? [0x44, 1, 2, 3, 4, 5] : [0x7C]
                units[index].payload = .frame(ByteBuffer(bytes: bytes))
            }
            let result = try LibAVLiveTranscoder.transcribe(units, source.codec, source.timescale)
            #expect(result.failures.isEmpty)
            #expect(result.times == Self.frameTimes(from: 0, count: result.times.count))
            guard case .aac(let configuration)? = result.configurations.first?.configuration else { return }
            let heard = try await Self.decode(result, configuration)
            #expect(Self.loudness(heard[60_000..<180_000]) < Self.loudness(heard[4_096..<40_000]) / 100)
            #expect(Self.loudness(heard[200_000...]) > Self.loudness(heard[4_096..<40_000]) / 10)
        }

        // MARK: Gaps and jumps

        @Test(arguments: [1, 5, 50]) func lostPacketsBecomeSilenceOfTheirLength(lostCount: Int) async throws {
            var source = try await LiveSource.tone(.g711)
            source.units.removeSubrange(40..<40 + lostCount)
            let result = try source.transcribe()
            #expect(result.times == Self.frameTimes(from: 0, count: result.times.count))
            guard case .aac(let configuration)? = result.configurations.first?.configuration else { return }
            let heard = try await Self.decode(result, configuration)
            let gap = 40 * 960 + 200..<(40 + lostCount) * 960 - 200
            #expect(Self.loudness(heard[gap]) < Self.loudness(heard[8_192..<30_000]) / 20)
            let meant = try await Self.decodeWithFFmpeg(source.file, AudioCase.g711.arguments, .g711, rate: 48_000)
            #expect(Self.correlation(heard, meant, from: (40 + lostCount) * 960 + 2_048) > 0.97)
        }

        /// The clock of each unit is off by up to 8 ms, which is too little for a gap.
        @Test func jitterOfTheSourceClockIsAbsorbed() async throws {
            var source = try await LiveSource.tone(.g711)
            for index in source.units.indices.dropFirst() {
                source.units[index].presentationTime += [0, 40, -24, 64, -64][index % 5]
            }
            let result = try source.transcribe()
            #expect(result.times == Self.frameTimes(from: 0, count: result.times.count))
            guard case .aac(let configuration)? = result.configurations.first?.configuration else { return }
            let heard = try await Self.decode(result, configuration)
            let meant = try await Self.decodeWithFFmpeg(source.file, AudioCase.g711.arguments, .g711, rate: 48_000)
            #expect(Self.correlation(heard, meant, from: 4_096) > 0.97)
        }

        /// The drift is far larger than that of any crystal, so that a short fixture shows it.
        @Test(arguments: [10, -10] as [Int64]) func aClockThatDriftsIsFollowed(percent: Int64) async throws {
            var source = try await LiveSource.tone(.g711)
            for index in source.units.indices {
                source.units[index].presentationTime = source.units[index].presentationTime * (100 + percent) / 100
            }
            let result = try source.transcribe()
            #expect(result.times == Self.frameTimes(from: 0, count: result.times.count))
            // 0.1 s of overlap is tolerated, one unit more is not; the encoder holds back the rest.
            let ahead = (result.times.last ?? 0) + 1_024 - source.end * 6
            #expect((-Int64(Self.latencySampleCount)...48_000 * 12 / 100).contains(ahead), "\(ahead)")
        }

        @Test(arguments: [30, -5] as [Int64]) func aClockThatJumpsIsFollowed(seconds: Int64) async throws {
            var source = try await LiveSource.tone(.g711, start: 10 * 8_000)
            for index in 75..<source.units.count { source.units[index].presentationTime += seconds * 8_000 }
            let landed = (10 + seconds) * 48_000 + 75 * 960
            let result = try LibAVLiveTranscoder.transcribe(source.units, source.codec, source.timescale)
            // With the same parameters a second configuration would cause a needless discontinuity.
            #expect(result.configurations.count == 1)
            let jump = try #require(result.times.firstIndex(of: landed))
            let before = result.times[..<jump]
            #expect(Array(before) == Self.frameTimes(from: 480_000, count: jump))
            let end: Int64 = 480_000 + 75 * 960
            #expect((end - 1_024...end).contains(before.last ?? 0))
            #expect(Array(result.times[jump...]) == Self.frameTimes(from: landed, count: result.times.count - jump))
        }

        @Test func anotherNumberOfChannelsIsAnotherConfiguration() async throws {
            let stereo = try await LiveSource.tone(AudioCase.all[5])
            let mono = AudioCase(
                codec: stereo.codec, sampleRate: 48_000, channelCount: 1, clockRate: 90_000,
                arguments: AudioCase.all[5].arguments, file: "mono.mp3", mpegBitRate: 128_000, unitTicks: 2_160,
                expectedRate: 48_000)
            let second = try await LiveSource.tone(mono, start: stereo.end)
            let units = stereo.units + second.units
            let result = try LibAVLiveTranscoder.transcribe(units, stereo.codec, .video90kHz)
            #expect(result.configurations.map(\.configuration.audioChannelCount) == [2, 1])
            #expect(zip(result.times, result.times.dropFirst()).allSatisfy { $0 < $1 })
            let end = MediaTime(value: second.end, timescale: .video90kHz).converted(to: Timescale(48_000)).value
            #expect((result.times.last ?? 0) >= end - 4_096)
        }

        // MARK: Listening

        /// The times of consecutive AAC frames.
        static func frameTimes(from start: Int64, count: Int) -> [Int64] {
            (0..<count).map { start + Int64($0) * 1_024 }
        }

        /// Decodes the output to mono samples with ffmpeg.
        static func decode(_ result: Transcription, _ configuration: AACConfiguration) async throws -> [Float] {
            let rates = [96_000, 88_200, 64_000, 48_000, 44_100, 32_000]
            let index = try #require(rates.firstIndex(of: configuration.sampleRate))
            let stream = result.units.flatMap { unit -> [UInt8] in
                let frame = result.bytes(of: unit)
                let length = frame.count + 7
                // An ADTS header without CRC, AAC-LC (ISO/IEC 13818-7 §6.2).
                let bits =
                    UInt64(0xFFF1) << 40 | 1 << 38 | UInt64(index) << 34 | UInt64(configuration.channelCount) << 30
                    | UInt64(length) << 13 | 0x7FF << 2
                return (0..<7).map { UInt8(truncatingIfNeeded: bits >> (48 - 8 * UInt64($0))) } + frame
            }
            let directory = try TemporaryDirectory(label: "live-transcoder")
            let file = try directory.write(stream, to: "heard.aac")
            return try await pcm(["-f", "aac", "-i", file], rate: configuration.sampleRate)
        }

        static func decodeWithFFmpeg(
            _ file: String, _ arguments: String, _ test: AudioCase, rate: Int
        ) async throws -> [Float] {
            let isRaw = test.mpegBitRate == nil && test.codec != .g722
            let format = test.file.hasSuffix("ul") ? "mulaw" : test.file.hasSuffix("al") ? "alaw" : "s16be"
            let raw = ["-f", format, "-ar", "\(test.sampleRate)", "-ac", "\(test.channelCount)"]
            return try await pcm((isRaw ? raw : []) + ["-i", file], rate: rate)
        }

        static func pcm(_ input: [String], rate: Int) async throws -> [Float] {
            let output = try await ExternalTool.ffmpeg().run(
                ["-nostdin", "-v", "error"] + input + ["-ac", "1", "-ar", "\(rate)", "-f", "f32le", "-"]
            ).output
            return stride(from: 0, to: output.count - 3, by: 4).map { index in
                Float(bitPattern: (0..<4).reduce(0) { $0 | UInt32(output[index + $1]) << (8 * UInt32($1)) })
            }
        }

        /// The correlation of two signals; 1 if they differ only in loudness.
        static func correlation(_ heard: [Float], _ meant: [Float], from start: Int) -> Float {
            let end = min(heard.count, meant.count)
            guard start < end else { return 0 }
            var (product, heardPower, meantPower) = (Float(0), Float(0), Float(0))
            for index in start..<end {
                product += heard[index] * meant[index]
                heardPower += heard[index] * heard[index]
                meantPower += meant[index] * meant[index]
            }
            return product / max(1e-9, (heardPower * meantPower).squareRoot())
        }

        static func loudness(_ samples: ArraySlice<Float>) -> Float {
            samples.isEmpty ? 0 : (samples.reduce(0) { $0 + $1 * $1 } / Float(samples.count)).squareRoot()
        }

        /// The strength of a frequency, by Goertzel's algorithm.
        static func strength(of frequency: Double, in samples: ArraySlice<Float>, rate: Int) -> Double {
            let coefficient = 2 * cos(2 * Double.pi * frequency / Double(rate))
            var (last, beforeLast) = (0.0, 0.0)
            for sample in samples { (last, beforeLast) = (Double(sample) + coefficient * last - beforeLast, last) }
            return (last * last + beforeLast * beforeLast - coefficient * last * beforeLast).squareRoot()
        }
    }
}
