import Testing

@testable import MediaWorker

struct StoryboardTests {
    @Test(
        "Pictures for each duration",
        arguments: [
            (0.4, 5, 1, 1), (5, 5, 1, 1),
            (12, 5, 3, 1), (500, 5, 100, 1),
            (500.1, 5, 101, 2),
            (3_000, 5, 600, 6),
            (3_000.1, 10, 301, 4),
            (8 * 3_600, 60, 480, 5),
            (10_000_000, 16_667, 600, 6),
            (1e300, 1_666_667, 600, 6),
        ] as [(Double, Int, Int, Int)]) func isBounded(_ duration: Double, _ interval: Int, _ tiles: Int, _ sheets: Int)
        throws
    {
        let storyboard = try #require(Storyboard(duration: duration))
        #expect(storyboard.interval == interval)
        #expect(storyboard.tileCount == tiles)
        #expect(storyboard.sheetCount == sheets)
        #expect(storyboard.sheetCount <= Storyboard.maximumSheetCount)
        #expect(storyboard.times == storyboard.times.sorted())
    }

    @Test(arguments: [0, -1, .nan, .infinity] as [Double]) func needsADuration(_ duration: Double) {
        #expect(Storyboard(duration: duration) == nil)
    }

    @Test func saysWhereEachImageLies() throws {
        let storyboard = try #require(Storyboard(duration: 503.5))
        let text = storyboard.webVTT(tileWidth: 160, tileHeight: 90, version: "r1")
        #expect(text.hasPrefix("WEBVTT\n\n00:00:00.000 --> 00:00:05.000\nstoryboard-1.jpg?v=r1#xywh=0,0,160,90\n"))
        #expect(text.contains("\n00:00:55.000 --> 00:01:00.000\nstoryboard-1.jpg?v=r1#xywh=160,90,160,90\n"))
        #expect(text.hasSuffix("\n00:08:20.000 --> 00:08:23.500\nstoryboard-2.jpg?v=r1#xywh=0,0,160,90\n"))
        let first = try #require(Storyboard.FirstTile(index: text))
        #expect(first.sheets == "storyboard-$Number$.jpg?v=r1" && first.interval == 5)
        #expect(first.width == 160 && first.height == 90)
        #expect(Storyboard.FirstTile(index: text.replacing(",160,90", with: ",0,99999999999999999999")) == nil)
        #expect(storyboard.times.first == 2_500_000)
        #expect(storyboard.times.last == 501_750_000)
    }
}
