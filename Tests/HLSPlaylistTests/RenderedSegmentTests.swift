import HLSPlaylist
import Testing

struct RenderedSegmentTests {
    private static let parts = [
        PartialSegmentReference(uri: "p0", duration: 0.5, isIndependent: true),
        PartialSegmentReference(uri: "p1", duration: 0.5),
    ]

    /// Every kind of predecessor: the same map, another map, the same file with another range, no map.
    private static let segments: [MediaSegment] = [
        MediaSegment(uri: "0", duration: 2, initializationSection: "a"),
        MediaSegment(uri: "1", duration: 2, initializationSection: "a", programDateTime: 5),
        MediaSegment(uri: "2", duration: 2, isGap: true),
        MediaSegment(uri: "3", duration: 2, initializationSection: "a", parts: parts),
        MediaSegment(uri: "4", duration: 2, isDiscontinuous: true, initializationSection: "b", parts: parts),
        MediaSegment(
            uri: "5", duration: 2, initializationSection: "b", byteRange: ByteRange(length: 1, offset: 2)
        ).with(initializationByteRange: ByteRange(length: 9, offset: 0)),
        MediaSegment(uri: "6", duration: 2, initializationSection: "b", programDateTime: 7, parts: parts),
    ]

    private static func playlist(segments: [MediaSegment], partTarget: Double?) -> MediaPlaylist {
        MediaPlaylist(
            version: 6, targetDuration: 2, segments: segments, partTarget: partTarget,
            preloadHints: [PreloadHint(type: .part, uri: "p2")]
        ).with(openSegment: OpenSegment(parts: parts, initializationSection: "b"))
    }

    @Test(arguments: [nil, 0.5])
    func concatenationGivesTheSameText(_ partTarget: Double?) {
        for start in Self.segments.indices {
            for end in start...Self.segments.endIndex {
                let segments = Array(Self.segments[start..<end])
                let whole = Self.playlist(segments: segments, partTarget: partTarget)
                let head = Self.playlist(segments: [], partTarget: partTarget)
                let bytes = head.rendered(concatenating: segments.map(RenderedSegment.init))
                #expect(String(decoding: bytes, as: UTF8.self) == whole.rendered())
            }
        }
    }

    @Test(
        arguments: [
            .segments, .segmentsAndDateRanges(recentlyAdded: ["b"], recentlyRemoved: ["c"]),
        ] as [MediaPlaylist.SkipDirective])
    func concatenationOfADeltaUpdateGivesTheSameText(_ directive: MediaPlaylist.SkipDirective) {
        let lines = Self.segments.map(RenderedSegment.init)
        for boundary in 0..<16 {
            var whole = Self.playlist(segments: Self.segments, partTarget: 0.5)
            whole.serverControl = ServerControl(canSkipUntil: Double(boundary), canSkipDateRanges: true)
            whole.dateRanges = [DateRange(id: "a", startDate: 0), DateRange(id: "b", startDate: 0)]
            var head = whole
            head.segments = []
            let bytes = head.renderedDeltaUpdate(directive, concatenating: lines)
            #expect(String(decoding: bytes, as: UTF8.self) == whole.deltaUpdate(directive).rendered(), "\(boundary) s")
        }
    }

    @Test func concatenationNeedsTheSameVersion() {
        for segment in Self.segments {
            var playlist = MediaPlaylist(version: 1, targetDuration: 2, segments: [segment])
            let required = playlist.requiredVersion
            playlist.segments = []
            #expect(playlist.requiredVersion(concatenating: [RenderedSegment(segment)]) == required)
        }
    }

    @Test func partsLeaveASegmentThatStays() {
        for segment in Self.segments {
            var bare = segment
            bare.parts = []
            let lines = RenderedSegment(segment)
            #expect(lines.hasParts == !segment.parts.isEmpty)
            #expect(lines.withoutParts == RenderedSegment(bare))
            #expect(lines.withoutParts.byteCount <= lines.byteCount)
        }
    }
}
