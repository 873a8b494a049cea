import Codecs
import HLSPlaylist
import MediaCore
import NIOCore
import NIOEmbedded
import Packaging
import TestSupport
import Testing

@testable import LiveChannels

/// A part at which a playlist has hinted always comes (rfc8216bis §6.2.6), however the publisher cuts, pauses or ends.
struct HintedPartTests {
    /// A publisher whose key frames come whenever they like.
    private final class Encoder {
        let clock: TestClock
        let channel: LiveChannel
        private let eventLoop = EmbeddedEventLoop()
        private var epoch: PublishingEpoch?
        /// Media times in 90 kHz and 48 kHz.
        private var videoTime: Int64 = 0
        private var audioTime: Int64 = 0
        private var untilKeyFrame: Int64 = 0
        var hasVideo = true
        var hasAudio = true
        var frameDuration: Int64 = 3_000
        var configuration = TestMedia.video360
        /// The part that a playlist named, and that is not there yet.
        private var awaited: Set<LivePartAddress> = []
        private(set) var hintCount = 0
        private(set) var refused: [String] = []
        private var former: [String: LivePartAddress] = [:]

        init(_ clock: TestClock, _ packaging: LivePackagingConfiguration) {
            self.clock = clock
            channel = TestMedia.channel(clock: clock, packaging: packaging)
        }

        func begin(_ random: inout SeededGenerator) throws {
            let tracks = [
                hasVideo ? PublishedTrack(track: TestMedia.videoTrack, configuration: configuration) : nil,
                hasAudio ? PublishedTrack(track: TestMedia.audioTrack, configuration: TestMedia.audioStereo) : nil,
            ]
            epoch = try channel.beginPublishing(
                TestMedia.publisher, tracks: tracks.compactMap(\.self), on: eventLoop
            ) { _ in }
            (videoTime, audioTime) = (90_000, 48_000)
            untilKeyFrame = 0
        }

        func end() {
            epoch?.end(reason: "over")
            epoch = nil
            look()
        }

        /// - Parameter keyFrameDistance: the distances of key frames, in ticks of 90 kHz.
        func run(
            seconds: Double, keyFrameDistance: ClosedRange<Int64>, muted: Set<MediaType>,
            _ random: inout SeededGenerator
        ) {
            let end = videoTime + Int64(seconds * 90_000)
            while videoTime < end {
                clock.advance(by: .microseconds(frameDuration * 100 / 9))
                while hasAudio, audioTime * 90_000 / 48_000 <= videoTime {
                    if !muted.contains(.audio) { send(audioTime, isKeyFrame: true, .audio) }
                    audioTime += 1_024
                }
                let isKeyFrame = untilKeyFrame <= 0
                if isKeyFrame { untilKeyFrame = Int64.random(in: keyFrameDistance, using: &random) }
                if hasVideo, !muted.contains(.video) { send(videoTime, isKeyFrame: isKeyFrame, .video) }
                untilKeyFrame -= frameDuration
                videoTime += frameDuration
            }
        }

        /// Nothing arrives.
        func pause(seconds: Double) {
            clock.advance(by: .milliseconds(Int64(seconds * 1_000)))
            videoTime += Int64(seconds * 90_000)
            audioTime += Int64(seconds * 48_000)
        }

        func change(_ configuration: CodecConfiguration) {
            self.configuration = configuration
            if hasVideo { epoch?.updateConfiguration(configuration, trackID: 0) }
            untilKeyFrame = 0
        }

        private func send(_ time: Int64, isKeyFrame: Bool, _ mediaType: MediaType) {
            let bytes = ByteBuffer(repeating: isKeyFrame ? 0x65 : 0x41, count: 8)
            let unit = AccessUnit(
                decodeTime: time, presentationTime: time, isRandomAccessPoint: isKeyFrame,
                payload: mediaType == .video ? .nalUnits([FragmentedNALUnit(bytes)]) : .frame(bytes))
            epoch?.append(unit, trackID: mediaType == .video ? 0 : 1)
            epoch?.unitsArrived()
            look()
        }

        /// Every playlist that there is, as a player would get it now.
        private func look() {
            let window = channel.window()
            for address in awaited {
                if channel.part(at: address) != nil {
                    awaited.remove(address)
                } else if !window.mayCome(address) {
                    refused.append("\(address)")
                    awaited.remove(address)
                }
            }
            for rendition in window.renditions {
                guard let hint = window.mediaPlaylist(of: rendition).preloadHints.first else { continue }
                let next = rendition.nextPart
                #expect(next.map { hint.uri.hasSuffix("\($0.rendition)/\($0.mediaSequence).\($0.index).m4s") } == true)
                guard let next, former[rendition.name] != next else { continue }
                former[rendition.name] = next
                awaited.insert(next)
                hintCount += 1
            }
        }

        var isOver: Bool { awaited.isEmpty }
    }

    @Test(arguments: 1...24 as ClosedRange<UInt64>) func noneOfTenThousandHintsIsRefused(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let parts = [0.2, 0.33, 0.5, 1.0].randomElement(using: &random) ?? 0.5
        let encoder = Encoder(
            TestClock(),
            LivePackagingConfiguration(
                partDuration: parts, segmentDuration: [1, 2, 4].randomElement(using: &random) ?? 2,
                targetDuration: [4, 6].randomElement(using: &random) ?? 6))
        while encoder.hintCount < 420 {
            encoder.hasVideo = Int.random(in: 0..<8, using: &random) != 0
            encoder.hasAudio = !encoder.hasVideo || Int.random(in: 0..<6, using: &random) != 0
            try encoder.begin(&random)
            var muted: Set<MediaType> = []
            for _ in 0..<Int.random(in: 1...12, using: &random) {
                encoder.frameDuration =
                    [1_500, 1_800, 3_000, 3_003, 3_600, 6_000, 18_000].randomElement(using: &random) ?? 3_000
                // Key frames exactly where parts end are the interesting ones.
                let raster = Int64(parts * 90_000)
                let distances: [ClosedRange<Int64>] = [
                    180_000...180_000, 63_000...315_000, 750_000...750_000, raster...raster, 5 * raster...5 * raster,
                    7 * raster...9 * raster, 30_000...900_000, 270_000...270_000,
                ]
                encoder.run(
                    seconds: Double.random(in: 0.3...9, using: &random),
                    keyFrameDistance: distances.randomElement(using: &random) ?? 180_000...180_000, muted: muted,
                    &random)
                switch Int.random(in: 0..<10, using: &random) {
                case 0: encoder.pause(seconds: Double.random(in: 0.05...12, using: &random))
                case 1: muted = [[], [.audio], [.video]].randomElement(using: &random) ?? []
                case 2:
                    encoder.change(
                        encoder.configuration == TestMedia.video360 ? TestMedia.video720 : TestMedia.video360)
                default: muted = []
                }
            }
            encoder.end()
            #expect(encoder.isOver, "the end of a push keeps all promises")
            encoder.pause(seconds: Double.random(in: 0...5, using: &random))
        }
        #expect(encoder.refused.isEmpty, "\(encoder.refused)")
    }

    /// Regular encoders are predictable: nearly every playlist has its hint.
    @Test(arguments: [(Int64(3_000), Int64(180_000)), (3_600, 180_000), (3_000, 270_000), (1_500, 90_000)])
    func regularStreamsHaveAHintAllTheTime(_ frameDuration: Int64, _ distance: Int64) throws {
        var random = SeededGenerator(seed: 1)
        let encoder = Encoder(TestClock(), LivePackagingConfiguration())
        encoder.frameDuration = frameDuration
        try encoder.begin(&random)
        encoder.run(seconds: 8, keyFrameDistance: distance...distance, muted: [], &random)
        let before = encoder.hintCount
        encoder.run(seconds: 20, keyFrameDistance: distance...distance, muted: [], &random)
        // Forty parts of video and forty of audio.
        #expect((78...110).contains(encoder.hintCount - before), "\(encoder.hintCount - before)")
        encoder.end()
        #expect(encoder.refused.isEmpty)
    }
}
