import MediaCore
import Packaging
import TestSupport
import Testing

/// Playlists keep to rfc8216bis §4.4.4.9, whatever the publisher's cadence.
struct PartBoundsTests {
    private static func expectBounds(_ live: LiveFixture, partDuration: Double, _ comment: Comment) {
        for rendition in [RenditionID.video, .audio] {
            for segment in live.segments(rendition) where segment.listsParts {
                for part in segment.parts { #expect(part.duration.seconds <= partDuration + 0.000_02, comment) }
                for part in segment.parts.dropLast() {
                    #expect(part.duration.seconds >= 0.85 * partDuration - 0.000_02, comment)
                }
            }
            // A part begins no earlier than the one before it ends.
            let parts = live.segments(rendition).flatMap(\.parts)
            for (part, next) in zip(parts, parts.dropFirst()) {
                #expect((next.decodeTime - part.decodeTime).seconds >= part.duration.seconds - 0.000_02, comment)
            }
        }
    }

    @Test(arguments: [3, 4, 5, 6, 7, 7.5, 8, 9, 10, 11, 12, 12.5, 13, 14] as [Double], [0.2, 0.5, 1.0])
    func slowFramesMakePartsThatKeepToThem(_ frameRate: Double, _ partDuration: Double) throws {
        var live = try LiveFixture(configuration: LivePackagingConfiguration(partDuration: partDuration))
        live.send(seconds: 21, frameRate: frameRate, keyFrameInterval: Int((frameRate * 2).rounded()))
        live.finish()
        Self.expectBounds(live, partDuration: partDuration, "\(frameRate)/s")
        let video = live.segments(.video)
        // Playlists hint at the first part of the second segment before the rate is known, and the last one may end
        // with a still image for a part at which they have hinted.
        let whole = video.dropFirst(2).dropLast()
        #expect(whole.allSatisfy { $0.listsParts == (1 / frameRate <= partDuration) })
        // The first frames are taken for ones of the usual rate; then the parts add up.
        for segment in whole where segment.listsParts {
            let sum = segment.parts.reduce(0) { $0 + $1.duration.seconds }
            #expect(abs(sum - segment.duration.seconds) < 1 / frameRate, "\(segment.mediaSequence)")
        }
        // Nothing is lost, and time does not drift.
        let count = video.flatMap(\.parts).reduce(0) { $0 + $1.sampleCount }
        #expect([0, 1].contains(count - Int(21 * frameRate)), "\(count)")
        let sum = video.reduce(0) { $0 + $1.duration.seconds }
        #expect(abs(sum - Double(Int(21 * frameRate)) / frameRate) < 0.5, "\(sum)")
    }

    /// A still with audio: longer than a part.
    @Test(arguments: [0.5, 1.0])
    func framesThatLastLongerThanAPartArePublishedInWholeSegments(_ frameRate: Double) throws {
        var live = try LiveFixture(configuration: LivePackagingConfiguration(partDuration: 0.5))
        live.send(seconds: 40, frameRate: frameRate, keyFrameInterval: 2)
        live.finish()
        // The first frames are taken for ones of the usual rate.
        let later = live.segments(.video).dropFirst(3)
        #expect(later.allSatisfy { !$0.listsParts && $0.duration.seconds > 1 })
        let announced = Set(live.parts(.video).map(\.decodeTime))
        #expect(later.flatMap(\.parts).allSatisfy { !announced.contains($0.decodeTime) })
        #expect(live.segments(.audio).allSatisfy { $0.listsParts })
    }

    @Test(arguments: 1...12) func irregularFramesKeepToThem(_ seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var live = try LiveFixture()
        var time: Int64 = 0
        var nextAudio: Int64 = 0
        var count = 0
        while time < 60 * 90_000 {
            live.audioFrames(from: &nextAudio, until: Double(time) / 90_000)
            live.frame(at: time, isKey: count % 40 == 0)
            count += 1
            let longest: Int64 = count % 100 < 10 ? 60_000 : 12_000
            time += Int64.random(in: 900...longest, using: &generator)
        }
        live.finish()
        Self.expectBounds(live, partDuration: 0.5, "seed \(seed)")
        // One more is a still image for a part at which a playlist has hinted.
        let written = live.segments(.video).flatMap(\.parts).reduce(0) { $0 + $1.sampleCount }
        #expect([0, 1].contains(written - count), "\(written) of \(count)")
        // And time does not drift.
        let last = try #require(live.segments(.video).last?.parts.last)
        #expect(abs((last.decodeTime + last.duration).seconds - 10 - Double(time) / 90_000) < 1)
    }

    @Test func aPartKnowsItsSegment() throws {
        var live = try LiveFixture(firstMediaSequence: 7, isDiscontinuous: true)
        live.send(seconds: 5, frameRate: 25, keyFrameInterval: 50)
        live.finish()
        for rendition in [RenditionID.video, .audio] {
            var headings: [LiveSegmentHeader] = []
            for event in live.events {
                switch event {
                case .part(rendition, _, let header): headings.append(header)
                case .segment(rendition, let segment):
                    #expect(headings == Array(repeating: segment.header, count: segment.parts.count))
                    headings = []
                default: break
                }
            }
            #expect(headings.isEmpty)
        }
    }
}
