import Codecs
import ISOBMFF
import MediaCore
import NIOCore
import Packaging
import TestSupport
import Testing

struct LivePackagerTests {
    @Test(arguments: [25, 30_000.0 / 1_001, 30, 50, 60, 24, 15, 20], [0.5, 1.0])
    func partsKeepWithinTheirBounds(_ frameRate: Double, _ partDuration: Double) throws {
        var live = try LiveFixture(configuration: LivePackagingConfiguration(partDuration: partDuration))
        live.send(seconds: 13, frameRate: frameRate, keyFrameInterval: Int(frameRate.rounded()) * 2)
        live.finish()
        for rendition in [RenditionID.video, .audio] {
            let segments = live.segments(rendition)
            #expect(segments.count == 7)
            for segment in segments {
                for part in segment.parts { #expect(part.duration.seconds <= partDuration) }
                for part in segment.parts.dropLast() { #expect(part.duration.seconds >= 0.85 * partDuration) }
            }
            // What was announced part by part is what the segments hold.
            #expect(segments.flatMap(\.parts).map(\.decodeTime) == live.parts(rendition).map(\.decodeTime))
        }
    }

    @Test(arguments: [25, 30_000.0 / 1_001, 30, 50, 60])
    func aPartIsPublishedWhenItsLastFrameArrives(_ frameRate: Double) throws {
        var live = try LiveFixture(.video)
        var sent = 0
        var published = 0
        var partCount = 0
        for index in 0..<Int(frameRate * 2) {
            sent += 1
            let time = Int64((Double(index) * 90_000 / frameRate).rounded())
            for part in live.frame(at: time, isKey: index == 0).parts(.video) {
                published += part.sampleCount
                partCount += 1
                #expect(published == sent)
            }
        }
        #expect(partCount >= 3)
    }

    @Test func segmentsAreCutAtKeyFramesFromTwoSecondsOn() throws {
        var live = try LiveFixture(.video)
        // A key frame every 0.8 s: the first at or behind 2 s is at 2.4 s.
        live.send(seconds: 10, frameRate: 25, keyFrameInterval: 20, withAudio: false)
        live.finish()
        #expect(
            live.segments(.video).dropLast().allSatisfy { abs($0.duration.seconds - 2.4) < 0.001 && $0.isIndependent })
        #expect(live.segments(.video).map(\.mediaSequence) == Array(100..<105))
        #expect(live.packager.nextMediaSequence == 105)
        #expect(!live.events.hasLateKeyFrame)
    }

    @Test func aSegmentWithoutKeyFrameIsClosedAtTheTargetDuration() throws {
        var live = try LiveFixture(configuration: LivePackagingConfiguration(targetDuration: 4))
        live.send(seconds: 13, frameRate: 25, keyFrameInterval: .max)
        live.finish()
        #expect(live.events.hasLateKeyFrame)
        let segments = live.segments(.video)
        #expect(segments.map(\.isIndependent) == [true, false, false, false])
        #expect(segments.allSatisfy { $0.duration.seconds <= 4 })
        #expect(segments.dropLast().allSatisfy { $0.duration.seconds > 3.9 })
        #expect(live.segments(.audio).count == segments.count)
    }

    @Test func audioFollowsTheVideosCuts() throws {
        var live = try LiveFixture()
        live.send(seconds: 9, frameRate: 25, keyFrameInterval: 50)
        live.finish()
        let (video, audio) = (live.segments(.video), live.segments(.audio))
        #expect(video.map(\.mediaSequence) == audio.map(\.mediaSequence))
        #expect(audio.allSatisfy { !$0.isGap })
        for (video, audio) in zip(video, audio) {
            let (start, audioStart) = (try #require(video.parts.first), try #require(audio.parts.first))
            // Within a frame of audio: the one that straddles the cut comes before the key frame that makes it.
            #expect(abs(start.decodeTime.seconds - audioStart.decodeTime.seconds) <= 1_024.0 / 48_000)
            #expect((video.programDateTime - audio.programDateTime).magnitude <= .milliseconds(22))
        }
    }

    @Test func decodeTimesRunOnAndSegmentsAddUp() throws {
        var live = try LiveFixture()
        live.send(seconds: 9, frameRate: 30_000.0 / 1_001, keyFrameInterval: 60)
        live.finish()
        for rendition in [RenditionID.video, .audio] {
            let parts = live.parts(rendition)
            for (part, next) in zip(parts, parts.dropFirst()) {
                // Times of 29.97 frames a second are whole ticks here, so nothing is ever predicted wrong.
                #expect(part.decodeTime + part.duration == next.decodeTime)
            }
            let section = try #require(live.packager.initializationSection(for: rendition))
            for segment in live.segments(rendition) {
                let track = try #require(try segment.read(behind: section))
                #expect(track.samples.count == segment.parts.reduce(0) { $0 + $1.sampleCount })
                let duration = track.samples.durations.reduce(0) { $0 + Int64($1) }
                #expect(duration == segment.duration.value)
                #expect(segment.byteCount == segment.parts.reduce(0) { $0 + $1.byteCount })
            }
            #expect(parts.first?.decodeTime.seconds ?? 0 >= 10)
        }
    }

    @Test func programDateTimeGrowsWithTheMedia() throws {
        var live = try LiveFixture(.video)
        live.send(seconds: 7, frameRate: 25, keyFrameInterval: 50, withAudio: false)
        live.finish()
        let start = LiveFixture.startOfTime
        #expect(live.segments(.video).map(\.programDateTime) == [0, 2, 4, 6].map { start + .seconds($0) })
    }

    @Test func missingAudioIsSilence() throws {
        var live = try LiveFixture()
        live.send(seconds: 11, frameRate: 25, keyFrameInterval: 50, withAudio: false)
        #expect(live.segments(.video).count == 5)
        // Two segments are waited for; from then on there is silence.
        #expect(live.segments(.audio).count == 5)
        live.finish()
        #expect(live.segments(.audio).map(\.mediaSequence) == live.segments(.video).map(\.mediaSequence))
        for (sound, picture) in zip(live.segments(.audio), live.segments(.video)) {
            #expect(!sound.isGap && abs(sound.duration.seconds - picture.duration.seconds) < 0.025)
        }
    }

    /// The silence of the codec is unknown, so the segment becomes a gap.
    @Test func missingAudioOfAnUnknownLayoutIsAGap() throws {
        var live = try LiveFixture(audio: .aac(try AACConfiguration(parsingAudioSpecificConfig: [0x11, 0x80])))
        live.send(seconds: 11, frameRate: 25, keyFrameInterval: 50, withAudio: false)
        // Two segments are waited for; the others are given up.
        #expect(live.segments(.audio).count == 3)
        live.finish()
        #expect(live.segments(.audio).map(\.mediaSequence) == live.segments(.video).map(\.mediaSequence))
        #expect(live.segments(.audio).allSatisfy { $0.isGap && $0.byteCount == 0 })
        #expect(live.segments(.audio).map(\.duration) == live.segments(.video).map(\.duration))
    }

    @Test(arguments: [8.0, 10.0, 15.0])
    func audioThatComesBackAfterAGapIsHeardInItsPlace(_ silence: Double) throws {
        var live = try LiveFixture()
        var nextAudio: Int64 = 0
        for index in 0..<600 {
            let seconds = Double(index) / 25
            if !(4..<(4 + silence)).contains(seconds) {
                if seconds >= 4 + silence { nextAudio = max(nextAudio, Int64((4 + silence) * 48_000)) }
                live.audioFrames(from: &nextAudio, until: seconds)
            }
            live.frame(at: Int64(index) * 3_600, isKey: index % 50 == 0)
        }
        live.finish()
        let audio = live.segments(.audio)
        #expect(audio.map(\.mediaSequence) == live.segments(.video).map(\.mediaSequence))
        #expect(audio.allSatisfy { !$0.isGap })
        let last = try #require(audio.last?.parts.last)
        let lastFrame = try #require(live.segments(.video).last?.parts.last)
        #expect(
            abs((last.decodeTime + last.duration).seconds - (lastFrame.decodeTime + lastFrame.duration).seconds)
                < 0.1)
    }

    @Test(arguments: [8.0, 15.0, 60.0])
    func videoThatComesBackAfterAGapIsInItsPlace(_ darkness: Double) throws {
        var live = try LiveFixture()
        var nextAudio: Int64 = 0
        for index in 0..<Int((8 + darkness) * 25) {
            let seconds = Double(index) / 25
            live.audioFrames(from: &nextAudio, until: seconds)
            if !(3..<(3 + darkness)).contains(seconds) {
                live.frame(at: Int64(index) * 3_600, isKey: index % 25 == 0)
            }
        }
        live.finish()
        let (video, audio) = (live.segments(.video), live.segments(.audio))
        #expect(audio.map(\.mediaSequence) == video.map(\.mediaSequence))
        #expect((video + audio).allSatisfy { $0.duration.seconds < 6.5 })
        #expect(audio.allSatisfy { !$0.isGap })
        let last = try #require(audio.last?.parts.last)
        let lastFrame = try #require(video.last?.parts.last)
        let distance = (last.decodeTime + last.duration) - (lastFrame.decodeTime + lastFrame.duration)
        #expect(abs(distance.seconds) < 0.1)
    }

    @Test func audioThatOutlivesTheVideoIsFlushed() throws {
        var live = try LiveFixture()
        var nextAudio: Int64 = 0
        for index in 0..<50 {
            live.audioFrames(from: &nextAudio, until: Double(index) / 25)
            live.frame(at: Int64(index) * 3_600, isKey: index == 0)
        }
        live.audioFrames(from: &nextAudio, until: 20)
        live.finish()
        let frames = live.segments(.audio).reduce(0) { $0 + $1.parts.reduce(0) { $0 + $1.sampleCount } }
        #expect(frames == 938)
        #expect(live.segments(.audio).map(\.mediaSequence) == live.segments(.video).map(\.mediaSequence))
        #expect(live.segments(.video).allSatisfy { !$0.isGap && $0.duration.seconds < 6.5 })
    }

    @Test func audioBeforeTheFirstFrameIsLeftOut() throws {
        var live = try LiveFixture()
        for index in 0..<20 { #expect(live.audio(at: Int64(index) * 1_024).isEmpty) }
        live.frame(at: 45_000, isKey: true)
        var nextAudio: Int64 = 24_576
        for index in 1..<120 {
            live.audioFrames(from: &nextAudio, until: 0.5 + Double(index) / 25)
            live.frame(at: 45_000 + Int64(index) * 3_600, isKey: index % 50 == 0)
        }
        live.finish()
        let (video, audio) = (try #require(live.parts(.video).first), try #require(live.parts(.audio).first))
        #expect(abs(video.decodeTime.seconds - audio.decodeTime.seconds) < 0.03)
    }

    @Test func nothingIsPublishedBeforeTheFirstKeyFrame() throws {
        var live = try LiveFixture(.video)
        for index in 0..<40 { #expect(live.frame(at: Int64(index) * 3_600, isKey: false).isEmpty) }
        #expect(live.packager.finish().isEmpty)
        for index in 40..<140 { live.frame(at: Int64(index) * 3_600, isKey: index % 50 == 40) }
        live.finish()
        #expect(live.segments(.video).first?.isIndependent == true)
        #expect(live.segments(.video).reduce(0) { $0 + $1.parts.reduce(0) { $0 + $1.sampleCount } } == 100)
    }

    @Test func audioAloneIsCutByItself() throws {
        var live = try LiveFixture(.audio)
        var next: Int64 = 0
        live.audioFrames(from: &next, until: 9)
        live.finish()
        let segments = live.segments(.audio)
        #expect(segments.count == 5)
        #expect(segments.dropLast().allSatisfy { abs($0.duration.seconds - 2) < 0.03 })
        #expect(!live.events.hasLateKeyFrame)
    }

    struct Jump: Sendable, CustomTestStringConvertible {
        var name: String
        var ticks: Int64
        var absorbed: Int
        /// Seconds that the output may be longer than what was sent.
        var hole: Double = 0
        var testDescription: String { name }
    }

    @Test(arguments: [
        Jump(name: "backwards 0.3 ms", ticks: -27 - 3_600, absorbed: 0),
        Jump(name: "standing still", ticks: -3_600, absorbed: 0),
        Jump(name: "forward 30 s", ticks: 30 * 90_000, absorbed: 1),
        Jump(name: "back 5 s", ticks: -5 * 90_000, absorbed: 1),
        Jump(name: "back an hour", ticks: -3_600 * 90_000, absorbed: 1),
        Jump(name: "0.3 s missing", ticks: 27_000, absorbed: 0, hole: 0.3),
        Jump(name: "4 s missing", ticks: 4 * 90_000, absorbed: 0, hole: 4),
        Jump(name: "10 ms late", ticks: 900, absorbed: 0, hole: 0.01),
    ])
    func aStepOfTheClockNeverBreaksTheParts(_ jump: Jump) throws {
        // Everywhere in a part and in a segment.
        for position in 60..<80 {
            var live = try LiveFixture(.video)
            for index in 0..<250 {
                let time = Int64(index) * 3_600 + (index >= position ? jump.ticks : 0)
                live.frame(at: time, isKey: index % 50 == 0)
            }
            live.finish()
            #expect(live.packager.absorbedJumpCount == jump.absorbed)
            let parts = live.parts(.video)
            #expect(parts.reduce(0) { $0 + $1.sampleCount } == 250)
            #expect(parts.allSatisfy { $0.duration.seconds <= 0.5 && $0.duration.value > 0 }, "at \(position)")
            for (part, next) in zip(parts, parts.dropFirst()) {
                #expect(part.decodeTime < next.decodeTime)
                // Never an overlap of more than what one prediction was off.
                #expect((part.decodeTime + part.duration - next.decodeTime).value <= 3_630)
            }
            let segments = live.segments(.video)
            #expect(segments.allSatisfy { $0.duration.seconds <= 6 })
            #expect(segments.map(\.mediaSequence) == Array(100..<(100 + segments.count)))
            let end = try #require(parts.last.map { $0.decodeTime + $0.duration }).seconds - 10
            #expect(abs(end - 10 - jump.hole) < 0.09, "ends at \(end)")
        }
    }

    /// The publisher's clock is set: both tracks jump, one a little before the other.
    @Test(arguments: [30.0, -5.0, 3_600.0, -3_600.0], [-0.2, 0.0, 0.2])
    func videoAndAudioStayTogetherWhenTheClockIsSet(_ jump: Double, _ audioLead: Double) throws {
        var live = try LiveFixture()
        var nextAudio: Int64 = 0
        for index in 0..<500 {
            let seconds = Double(index) / 25
            while Double(nextAudio) < seconds * 48_000 {
                let hasJumped = Double(nextAudio) / 48_000 >= 8 - audioLead
                live.audio(at: nextAudio + (hasJumped ? Int64(jump * 48_000) : 0))
                nextAudio += 1_024
            }
            live.frame(at: Int64((seconds + (seconds >= 8 ? jump : 0)) * 90_000), isKey: index % 50 == 0)
        }
        live.finish()
        #expect(live.packager.absorbedJumpCount == 2)
        let (video, audio) = (try #require(live.parts(.video).last), try #require(live.parts(.audio).last))
        let distance = (audio.decodeTime + audio.duration) - (video.decodeTime + video.duration)
        #expect(abs(distance.seconds) < 0.1)
        #expect(live.segments(.video).map(\.mediaSequence) == live.segments(.audio).map(\.mediaSequence))
        #expect(live.segments(.audio).allSatisfy { !$0.isGap })
    }

    @Test func jitterDoesNotAddUp() throws {
        var live = try LiveFixture(.video)
        var generator = SeededGenerator(seed: 3_550)
        for index in 0..<1_500 {
            let jitter = index == 0 ? 0 : Int64.random(in: -900...900, using: &generator)
            live.frame(at: Int64(index) * 3_600 + jitter, isKey: index % 50 == 0)
        }
        live.finish()
        #expect(live.parts(.video).allSatisfy { $0.duration.seconds <= 0.5 })
        let sum = live.segments(.video).reduce(0) { $0 + $1.duration.seconds }
        #expect(abs(sum - 60) < 0.05)
    }

    @Test func reorderedFramesKeepTheirOffsets() throws {
        var live = try LiveFixture(.video)
        // I P B B: decoded in this order, presented as I B B P, one frame's delay.
        let offsets: [Int64] = [3_600, 10_800, 0, 0]
        for index in 0..<120 {
            live.frame(
                at: Int64(index) * 3_600, isKey: index % 60 == 0,
                compositionOffset: offsets[index % 4])
        }
        live.finish()
        let section = try #require(live.packager.initializationSection(for: .video))
        let tracks = try live.segments(.video).compactMap { try $0.read(behind: section) }
        let written = tracks.flatMap { track in
            track.samples.offsets.indices.map { Int64(track.samples.compositionOffset(of: $0)) }
        }
        #expect(Array(written.prefix(120)) == (0..<120).map { offsets[$0 % 4] })
        #expect(written.count <= 121, "at most a still image for a part at which a playlist has hinted")
    }

    @Test func theFirstSegmentOfALaterEpochIsDiscontinuous() throws {
        var live = try LiveFixture(firstMediaSequence: 7, isDiscontinuous: true)
        live.send(seconds: 5, frameRate: 25, keyFrameInterval: 50)
        live.finish()
        for rendition in [RenditionID.video, .audio] {
            #expect(live.segments(rendition).map(\.isDiscontinuous) == [true, false, false])
            #expect(live.segments(rendition).map(\.mediaSequence) == [7, 8, 9])
            #expect(live.segments(rendition).allSatisfy { $0.epoch == "e1" })
        }
    }

    @Test func finishingFlushesWhatIsBuiltOnce() throws {
        var live = try LiveFixture()
        live.send(seconds: 1.3, frameRate: 25, keyFrameInterval: 50)
        #expect(live.segments(.video).isEmpty)
        live.finish()
        #expect(live.segments(.video).count == 1 && live.segments(.audio).count == 1)
        #expect(live.segments(.video).first?.parts.reduce(0) { $0 + $1.sampleCount } == 32)
        #expect(live.packager.finish().isEmpty)
    }

    /// ffmpeg decodes what a player would fetch: real frames, pushed one by one.
    @Test func ffmpegDecodesTheSegments() async throws {
        let path = try await MovieFixture.noBFrames.path()
        let bytes = try bytesOfFile(path)
        let source = try #require(
            try MovieIndex.read(from: InMemorySegment(initializationSection: ByteBuffer(), segment: bytes)).tracks.first
        )
        var packager = LivePackager(
            configuration: LivePackagingConfiguration(),
            tracks: [LivePackagerTrack(track: source.track, configuration: try #require(source.configuration))],
            epoch: "e", firstMediaSequence: 0, isDiscontinuous: false, allocator: ByteBufferAllocator())
        var stream = try #require(packager.initializationSection(for: .video))
        var decodeTime: Int64 = 0
        var events: [LivePackagingEvent] = []
        for sample in 0..<source.samples.count {
            let start = Int(source.samples.offsets[sample])
            let picture = ByteBuffer(bytes: bytes[start..<(start + Int(source.samples.byteCounts[sample]))])
            events += packager.append(
                AccessUnit(
                    decodeTime: decodeTime, presentationTime: decodeTime,
                    isRandomAccessPoint: source.samples.isSync(sample), payload: .frame(picture)),
                to: .video, now: 0)
            decodeTime += Int64(source.samples.durations[sample])
        }
        events += packager.finish()
        for part in events.parts(.video) {
            stream.writeImmutableBuffer(part.header)
            stream.writeImmutableBuffer(part.media)
        }
        let directory = try TemporaryDirectory(label: "live")
        let copy = try directory.write(stream.readableBytesView, to: "live.mp4")
        let expected = try await Decoded.frames(path)
        #expect(try await Decoded.frames(copy).map(\.md5) == expected.map(\.md5))
    }
}
