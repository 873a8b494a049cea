import HLSPlaylist
import MediaCore
import NIOCore
import Packaging
import TestSupport
import Testing

/// Open groups of pictures: decoding can start at their key frames, but the frames that are displayed before those
/// refer to the segment before.
struct OpenGroupTests {
    private static func segments(refersBack: (Int) -> Bool, isKey: (Int) -> Bool) throws -> [LiveSegment] {
        var fixture = try LiveFixture(.video)
        var events: [LivePackagingEvent] = []
        for index in 0..<300 {
            let time = Int64(index) * 3_600
            var unit = AccessUnit(
                decodeTime: time, presentationTime: time, isRandomAccessPoint: isKey(index),
                payload: .nalUnits([FragmentedNALUnit(ByteBuffer(repeating: 0x41, count: 9))]))
            unit.refersBack = refersBack(index)
            events += fixture.packager.append(
                unit, to: .video, now: LiveFixture.startOfTime + .milliseconds(index * 40))
        }
        return events.segments(.video)
    }

    @Test func aSegmentWithLeadingFramesIsNotIndependent() throws {
        // The frame after each key frame is a leading one, except after the very first.
        let open = try Self.segments(refersBack: { $0 % 50 == 1 && $0 > 1 }, isKey: { $0 % 50 == 0 })
        #expect(open.count == 5)
        #expect(open.map(\.isIndependent) == [true, false, false, false, false])
        // A player can still begin there.
        #expect(open.allSatisfy { $0.parts.first?.isIndependent == true && $0.keyFrameByteCount != nil })
        let closed = try Self.segments(refersBack: { _ in false }, isKey: { $0 % 50 == 0 })
        #expect(!closed.map(\.isIndependent).contains(false))
    }

    /// Frames before the second key frame of a segment are in the segment.
    @Test func aGroupWithinASegmentIsComplete() throws {
        let inner = try Self.segments(refersBack: { $0 % 50 == 26 }, isKey: { $0 % 25 == 0 })
        #expect(inner.count == 5 && !inner.map(\.isIndependent).contains(false))
    }

    /// A recovery point is itself incomplete.
    @Test func recoveryPointsAreNotIndependent() throws {
        let segments = try Self.segments(refersBack: { $0 % 50 == 0 && $0 > 0 }, isKey: { $0 % 50 == 0 })
        #expect(segments.map(\.isIndependent) == [true, false, false, false, false])
    }

    @Test(arguments: [(MovieFixture.bFrames, true), (.noBFrames, true), (.openGroups, false)])
    func titlesSaySoToo(_ fixture: MovieFixture, isIndependent: Bool) async throws {
        let title = try await ExportedTitle(fixture).title
        let video = try #require(title.video)
        #expect(title.mediaPlaylist(of: video, pathPrefix: "").hasIndependentSegments == isIndependent)
        #expect(title.multivariantPlaylist().hasIndependentSegments == isIndependent)
        #expect(title.transportStreamMultivariantPlaylist().hasIndependentSegments == isIndependent)
        for audio in title.audio {
            #expect(title.mediaPlaylist(of: audio, pathPrefix: "").hasIndependentSegments)
        }
    }
}
