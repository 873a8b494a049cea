import CLibAV
import Codecs
import Dispatch
import Foundation
import LibAV
import MediaCore
import NIOCore
import Synchronization
import TestSupport
import Testing

@testable import Transcoding

extension LiveTranscoderTests {
    /// The queue, failures, and the end of the thread.
    @Suite struct Life {
        static let everyCodec: [ForeignCodec] = [
            .pcmMuLaw(sampleRate: 8_000, channelCount: 1), .pcmALaw(sampleRate: 16_000, channelCount: 2), .g722,
            .linearPCM(sampleRate: 48_000, channelCount: 6), .adaptiveMultiRate,
            .mpegAudio(sampleRate: 44_100, channelCount: 2), .h263, .vp8, .vp9,
        ]

        // MARK: The queue

        /// Blocks the transcoder's thread in its first output until it is released.
        private final class Barrier: Sendable {
            let reached = DispatchSemaphore(value: 0)
            let mayGoOn = DispatchSemaphore(value: 0)
            private let isFirst = Mutex(true)

            func pass() {
                guard
                    isFirst.withLock({ isFirst in
                        defer { isFirst = false }; return isFirst
                    })
                else { return }
                reached.signal()
                mayGoOn.wait()
            }
        }

        @Test(arguments: [(10, 1 << 20, 10), (100, 800, 5), (100, 799, 4)])
        func aFullQueueDropsAtOnce(unitCount: Int, byteCount: Int, accepted: Int) throws {
            var limits = LiveTranscodingLimits.standard
            limits.maximumQueuedUnitCount = unitCount
            limits.maximumQueuedByteCount = byteCount
            let barrier = Barrier()
            let transcoder = try LibAVLiveTranscoder(
                codec: .pcmMuLaw(sampleRate: 8_000, channelCount: 1), timescale: Timescale(8_000), limits: limits
            ) { _ in barrier.pass() }
            let units = LiveSource.units(
                [[UInt8]](repeating: [UInt8](repeating: 0xFF, count: 160), count: 21), start: 0, duration: 160)
            #expect(transcoder.send(units[0]))
            barrier.reached.wait()
            let answers = units.dropFirst().map { transcoder.send($0) }
            #expect(answers == (0..<20).map { $0 < accepted })
            #expect(transcoder.statistics.droppedUnitCount == 20 - accepted)
            #expect(transcoder.statistics.acceptedUnitCount == accepted + 1)
            barrier.mayGoOn.signal()
            transcoder.close()
            #expect(!transcoder.send(units[0]))
        }

        @Test func aUnitLargerThanTheQueueNeverGetsIn() {
            var limits = LiveTranscodingLimits.standard
            limits.maximumQueuedByteCount = 100
            let queue = LiveUnitQueue(limits: limits, dropsUntilRandomAccess: false)
            let units = LiveSource.units([101, 100].map { [UInt8](repeating: 0, count: $0) }, start: 0, duration: 1)
            #expect(!queue.append(units[0]))
            #expect(queue.append(units[1]))
            #expect(queue.next()?.payload.byteCount == 100)
            #expect(queue.append(units[1]))
        }

        @Test func afterADroppedFrameOnlyAKeyFrameIsTaken() async throws {
            let source = try await LiveSource.frames(.vp8, seconds: 2)
            var limits = LiveTranscodingLimits.standard
            limits.maximumQueuedUnitCount = 2
            let barrier = Barrier()
            let transcoder = try LibAVLiveTranscoder(codec: .vp8, timescale: .video90kHz, limits: limits) { _ in
                barrier.pass()
            }
            defer { transcoder.close() }
            // A unit in the middle of a GOP has no frame to start from.
            #expect(!transcoder.send(source.units[1]))
            #expect(transcoder.send(source.units[0]))
            barrier.reached.wait()
            #expect((1...4).map { transcoder.send(source.units[$0]) } == [true, true, false, false])
            barrier.mayGoOn.signal()
            transcoder.queue.waitUntilIdle()
            // The queue has room again.
            #expect((5...24).allSatisfy { !transcoder.send(source.units[$0]) })
            #expect(transcoder.send(source.units[25]))
            #expect(transcoder.send(source.units[26]))
        }

        // MARK: Damage

        @Test(
            arguments: [
                .adaptiveMultiRate, .mpegAudio(sampleRate: 44_100, channelCount: 2), .h263, .vp8, .vp9,
            ] as [ForeignCodec])
        func nothingButGarbageEndsInAFailure(codec: ForeignCodec) async throws {
            var generator = SeededGenerator(seed: 11)
            let payloads = (0..<200).map { index -> [UInt8] in
                var bytes = (0..<Int.random(in: 1...1_500, using: &generator)).map { _ in
                    UInt8.random(in: 0...255, using: &generator)
                }
                // Most bits make a valid AMR frame; its frame types 12 to 14 are reserved.
                if codec == .adaptiveMultiRate { bytes[0] = UInt8(12 + index % 3) << 3 }
                return bytes
            }
            let units = LiveSource.units(payloads, start: 0, duration: 1_800)
            let result = try LibAVLiveTranscoder.transcribe(units, codec, .video90kHz)
            let failure = try #require(result.failures.first)
            #expect(failure.hasPrefix("\(codec.name): 50 units in a row could not be decoded; the first one "))
            #expect(result.units.isEmpty)
        }

        @Test(arguments: [VideoCase.vp8, .vp9, .h263])
        func largerFramesThanTheLimitAreNeverDecoded(test: VideoCase) async throws {
            let source = try await LiveSource.frames(test)
            var limits = LibAVLiveTranscoder.roomyLimits
            limits.maximumFrameArea = 176 * 144 - 1
            let result = try LibAVLiveTranscoder.transcribe(source.units, test.codec, .video90kHz, limits: limits)
            #expect(result.units.isEmpty)
            #expect(result.failures.first?.contains("more than 25343 pixels") == true, "\(result.failures)")
        }

        /// Empty units, units of another form and implausible times: each costs only itself.
        @Test func unitsThatMakeNoSenseAreSkipped() async throws {
            var source = try await LiveSource.tone(.g711)
            source.units[10].payload = .frame(ByteBuffer())
            source.units[12].payload = .nalUnits([FragmentedNALUnit(ByteBuffer(bytes: [1, 2, 3]))])
            source.units[14].payload = .frame(ByteBuffer(repeating: 0, count: 64 * 1_024 + 1))
            source.units[16].presentationTime = .min
            source.units[18].presentationTime = .max
            source.units[20].presentationTime = 1 << 59
            let result = try source.transcribe()
            #expect(result.failures.isEmpty)
            #expect(result.times == LiveTranscoderTests.Sound.frameTimes(from: 0, count: result.times.count))
        }

        /// Real streams with damaged bytes, as a bad network or a hostile publisher would send them: whatever the
        /// output, times rise and nothing crashes.
        @Test(arguments: VideoCase.all) func damagedFramesDoNoHarm(test: VideoCase) async throws {
            let source = try await LiveSource.frames(test, seconds: 4)
            try await sendDamaged(source, seed: 3)
        }

        @Test(arguments: AudioCase.all) func damagedAudioDoesNoHarm(test: AudioCase) async throws {
            try await sendDamaged(try await LiveSource.tone(test), seed: 5)
        }

        private func sendDamaged(_ source: LiveSource, seed: UInt64) async throws {
            var generator = SeededGenerator(seed: seed)
            let units = source.units.map { unit -> AccessUnit in
                guard case .frame(let buffer) = unit.payload, Bool.random(using: &generator) else { return unit }
                var bytes = Array(buffer.readableBytesView)
                for _ in 0..<Int.random(in: 1...20, using: &generator) {
                    bytes[Int.random(in: 0..<bytes.count, using: &generator)] = UInt8.random(
                        in: 0...255, using: &generator)
                }
                if Int.random(in: 0..<8, using: &generator) == 0 { bytes.removeLast(bytes.count / 2) }
                var damaged = unit
                damaged.payload = .frame(ByteBuffer(bytes: bytes))
                return damaged
            }
            let times = try LibAVLiveTranscoder.transcribe(units, source.codec, source.timescale).times
            #expect(zip(times, times.dropFirst()).allSatisfy { $0 < $1 })
        }

        // MARK: Unsupported codecs

        @Test(
            arguments: [
                (.pcmMuLaw(sampleRate: 0, channelCount: 1), "G.711 µ-law: 0 samples per second in 1 channels"),
                (.linearPCM(sampleRate: 1, channelCount: 1), "L16: 1 samples per second in 1 channels"),
                (.linearPCM(sampleRate: .max, channelCount: 2), "L16: \(Int.max) samples per second"),
                (.pcmALaw(sampleRate: 8_000, channelCount: 0), "G.711 A-law: 8000 samples per second in 0 channels"),
                (.linearPCM(sampleRate: 8_000, channelCount: -3), "L16: 8000 samples per second in -3 channels"),
                (
                    .mpegAudio(sampleRate: 48_000, channelCount: 99),
                    "MPEG audio: 48000 samples per second in 99 channels"
                ),
            ] as [(ForeignCodec, String)])
        func impossibleParametersAreRefused(codec: ForeignCodec, words: String) throws {
            let error = try #require(throws: LibAVError.self) {
                _ = try LibAVLiveTranscoder(codec: codec, timescale: Timescale(8_000)) { _ in }
            }
            #expect(error.description.hasPrefix(words))
            #expect(error.code == .codecUnsupported)
        }

        @Test func aMissingCodecIsNamedWithItsPackage() throws {
            let error = try #require(throws: LibAVError.self) {
                try ForeignCodec.vp9.requireCodec("decoder", "vp9", isPresent: false)
            }
            #expect(
                error.description
                    == "VP9: transcoding needs the decoder vp9, which this libav lacks; Debian's package libavcodec\(LIBAVCODEC_VERSION_MAJOR) has it"
            )
        }

        // MARK: The end

        @Test(arguments: everyCodec) func nothingComesAfterClose(codec: ForeignCodec) async throws {
            let units = try await Self.endlessUnits(codec)
            for round in 1...20 {
                let count = Atomic(0)
                let isClosed = Atomic(false)
                let lateCount = Atomic(0)
                let begun = DispatchSemaphore(value: 0)
                let transcoder = try LibAVLiveTranscoder(
                    codec: codec, timescale: .video90kHz, limits: LibAVLiveTranscoder.roomyLimits
                ) { _ in
                    if isClosed.load(ordering: .sequentiallyConsistent) { lateCount.add(1, ordering: .relaxed) }
                    if count.add(1, ordering: .relaxed).newValue == round { begun.signal() }
                }
                for unit in units { _ = transcoder.send(unit) }
                begun.wait()
                transcoder.close()
                isClosed.store(true, ordering: .sequentiallyConsistent)
                #expect(!transcoder.send(units[0]))
                transcoder.queue.waitUntilEnded()
                #expect(lateCount.load(ordering: .relaxed) == 0)
            }
        }

        @Test func closeWaitsForAnOutputThatIsUnderWay() async throws {
            let units = try await Self.endlessUnits(.g722)
            let begun = DispatchSemaphore(value: 0)
            let queue = Mutex<LiveUnitQueue?>(nil)
            let isOver = Atomic(false)
            let transcoder = try LibAVLiveTranscoder(
                codec: .g722, timescale: .video90kHz, limits: LibAVLiveTranscoder.roomyLimits
            ) { _ in
                begun.signal()
                // Queues units until it is closed, so that work is left.
                while queue.withLock({ $0 })?.append(units[0]) == true {}
                for _ in 0..<1_000 { sched_yield() }
                isOver.store(true, ordering: .sequentiallyConsistent)
            }
            queue.withLock { $0 = transcoder.queue }
            for unit in units { _ = transcoder.send(unit) }
            begun.wait()
            transcoder.close()
            let hasWaited = isOver.load(ordering: .sequentiallyConsistent)
            #expect(hasWaited)
        }

        @Test func anOutputMayClose() async throws {
            let units = try await Self.endlessUnits(.g722)
            let holder = Mutex<LibAVLiveTranscoder?>(nil)
            let count = Atomic(0)
            let transcoder = try LibAVLiveTranscoder(codec: .g722, timescale: .video90kHz) { _ in
                count.add(1, ordering: .relaxed)
                holder.withLock { $0 }?.close()
            }
            holder.withLock { $0 = transcoder }
            for unit in units { _ = transcoder.send(unit) }
            transcoder.queue.waitUntilEnded()
            holder.withLock { $0 = nil }
            #expect(count.load(ordering: .relaxed) == 1)
            transcoder.close()
        }

        @Test func aForgottenTranscoderEnds() async throws {
            let units = try await Self.endlessUnits(.vp8)
            let queue: LiveUnitQueue
            do {
                let transcoder = try LibAVLiveTranscoder(codec: .vp8, timescale: .video90kHz) { _ in }
                for unit in units { _ = transcoder.send(unit) }
                queue = transcoder.queue
            }
            queue.waitUntilEnded()
            #expect(!queue.append(units[0]))
        }

        /// Threads and memory are released, even if there was nothing to transcode.
        @Test func manyLivesLeaveNothingBehind() async throws {
            let frames = try await Self.endlessUnits(.vp8)
            let audio = try await Self.endlessUnits(.pcmMuLaw(sampleRate: 8_000, channelCount: 1))
            func live(_ round: Int) throws {
                let codec = round % 2 == 0 ? ForeignCodec.vp8 : .pcmMuLaw(sampleRate: 8_000, channelCount: 1)
                let begun = DispatchSemaphore(value: 0)
                let transcoder = try LibAVLiveTranscoder(codec: codec, timescale: .video90kHz) { _ in begun.signal() }
                if round % 3 > 0 {
                    for unit in round % 2 == 0 ? frames : audio { _ = transcoder.send(unit) }
                    begun.wait()
                }
                transcoder.close()
                transcoder.queue.waitUntilEnded()
            }
            for round in 0..<30 { try live(round) }
            let before = try Self.residentByteCount()
            for round in 0..<300 { try live(round) }
            // Threads on their last instructions are still counted.
            #expect(try Self.threadCount(named: "live-transcode") < 10)
            #expect(try Self.residentByteCount() - before < 48 << 20)
        }

        private static func endlessUnits(_ codec: ForeignCodec) async throws -> [AccessUnit] {
            switch codec {
            case .h263: try await LiveSource.frames(.h263, seconds: 4).units
            case .vp8: try await LiveSource.frames(.vp8, seconds: 4).units
            case .vp9: try await LiveSource.frames(.vp9, seconds: 4).units
            case .adaptiveMultiRate: try LiveSource.adaptiveMultiRate(frameCount: 300).units
            case .mpegAudio: try await LiveSource.tone(AudioCase.all[5]).units
            default:
                LiveSource.units(
                    [[UInt8]](repeating: [UInt8](repeating: 7, count: 960), count: 500), start: 0, duration: 1_800)
            }
        }

        private static func residentByteCount() throws -> Int {
            let fields = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(separator: " ")
            return try #require(Int(fields[1])) * 4_096
        }

        private static func threadCount(named name: String) throws -> Int {
            try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count { task in
                let found = try? String(contentsOfFile: "/proc/self/task/\(task)/comm", encoding: .utf8)
                return found == name + "\n"
            }
        }
    }
}
