import HLSPlaylist
import Testing

struct DeltaUpdateTests {
    private func playlist(count: Int = 10, canSkipUntil: Double? = 12, canSkipDateRanges: Bool = true) -> MediaPlaylist
    {
        MediaPlaylist(
            version: 6, targetDuration: 2, mediaSequence: 100, discontinuitySequence: 4,
            segments: (0..<count).map {
                MediaSegment(uri: "\($0)", duration: 2, initializationSection: "i")
            },
            partTarget: 0.5,
            dateRanges: [DateRange(id: "old", startDate: 0), DateRange(id: "new", startDate: 1)]
        ).with(
            serverControl: ServerControl(canSkipUntil: canSkipUntil, canSkipDateRanges: canSkipDateRanges),
            openSegment: OpenSegment(
                parts: [PartialSegmentReference(uri: "p", duration: 0.5)], initializationSection: "i"))
    }

    private let directive = MediaPlaylist.SkipDirective.segmentsAndDateRanges(
        recentlyAdded: ["new"], recentlyRemoved: ["gone"])

    @Test func leavesOutWhatLiesBeyondTheBoundary() {
        let whole = playlist()
        let delta = whole.deltaUpdate(.segments)
        // Segments 4 to 9 are the last 12 s. The third segment ends exactly 12 s before the end, which is not beyond
        // the boundary.
        #expect(delta.skip == SkippedSegments(count: 3))
        #expect(delta.segments.map(\.uri) == (3..<10).map(String.init))
        #expect(delta.version == 9)
        #expect(delta.mediaSequence == 100)
        #expect(delta.discontinuitySequence == 4)
        #expect(delta.dateRanges == whole.dateRanges)
        #expect(delta.openSegment?.parts == whole.openSegment?.parts)
        #expect(!delta.rendered().contains("EXT-X-MAP"))
        #expect(
            delta.rendered().contains(
                "#EXT-X-INDEPENDENT-SEGMENTS\n#EXT-X-SKIP:SKIPPED-SEGMENTS=3\n#EXTINF:2.000000,\n3\n"))
    }

    @Test(
        arguments: [
            ([], 0, 0), ([2], 0, 0), ([2, 2], 0, 1), ([2, 2], 1.9, 1), ([2, 2], 2, 0), ([2, 2, 2], 2, 1),
            ([9, 9, 1, 1], 12, 0), ([9, 9, 4, 4], 12, 1), ([9, 12, 0.5], 12, 1), ([0, 0, 0], 0, 0),
        ] as [([Double], Double, Int)])
    func countsWholeSegmentsBeyondTheBoundary(_ durations: [Double], _ boundary: Double, _ count: Int) {
        #expect(MediaPlaylist.skippedCount(ofDurations: durations, canSkipUntil: boundary) == count)
    }

    @Test func leavesDateRangesOutForV2Only() {
        let delta = playlist().deltaUpdate(directive)
        #expect(delta.skip == SkippedSegments(count: 3, recentlyRemovedDateRanges: ["gone"]))
        #expect(delta.dateRanges.map(\.id) == ["new"])
        #expect(delta.version == 10)
    }

    @Test func keepsDateRangesWhereTheServerDoesNotSkipThem() {
        let delta = playlist(canSkipDateRanges: false).deltaUpdate(directive)
        #expect(delta.skip == SkippedSegments(count: 3))
        #expect(delta.dateRanges.map(\.id) == ["old", "new"])
        #expect(delta.version == 9)
    }

    @Test func keepsAHigherVersion() {
        var whole = playlist()
        whole.version = 11
        #expect(whole.deltaUpdate(.segments).version == 11)
    }

    @Test func givesTheWholePlaylistWhereNothingMayBeLeftOut() {
        var ended = playlist()
        ended.hasEndList = true
        var without = playlist()
        without.serverControl = nil
        for whole in [playlist(count: 7), playlist(count: 0), playlist(canSkipUntil: nil), ended, without] {
            #expect(whole.deltaUpdate(.segments) == whole)
            #expect(whole.deltaUpdate(directive) == whole)
        }
        let delta = playlist().deltaUpdate(.segments)
        #expect(delta.deltaUpdate(.segments) == delta)
    }

    @Test func writesAMapThatChangesBehindTheBoundary() throws {
        var whole = playlist()
        whole.segments[6].initializationSection = "j"
        whole.segments[7].initializationSection = "j"
        let delta = try MediaPlaylist(parsing: whole.deltaUpdate(.segments).rendered())
        #expect(
            delta.segments.map(\.initializationSection) == [nil, nil, nil, "j", "j", "i", "i"])
        #expect(delta.openSegment?.initializationSection == "i")
    }

    /// The open segment has the map of the skipped segments, but the segments before it have another one.
    @Test func anOpenSegmentKeepsTheMapItReturnsTo() throws {
        var whole = playlist()
        for index in 5..<10 { whole.segments[index].initializationSection = "j" }
        let delta = try MediaPlaylist(parsing: whole.deltaUpdate(.segments).rendered())
        #expect(delta.segments.last?.initializationSection == "j")
        #expect(delta.openSegment?.initializationSection == "i")
    }

    /// A gap does not have a map, so the preceding map remains in force.
    @Test func looksForTheMapBehindAGap() {
        var whole = playlist()
        whole.segments[2].initializationSection = nil
        whole.segments[4].initializationSection = nil
        #expect(!whole.deltaUpdate(.segments).rendered().contains("EXT-X-MAP"))
    }
}
