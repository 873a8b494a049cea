import Foundation
import MediaCore
import TestSupport
import Testing

@testable import LiveChannels

struct ChannelStateStoreTests {
    @Test func whatWasSavedIsLoadedAndAFewNumbersAreSkipped() throws {
        let directory = try TemporaryDirectory()
        let store = try FileChannelStateStore(directory: directory.path, logger: TestMedia.silent)
        #expect(store.load(channel: "canalA") == nil)
        for number in 1...200 {
            store.save(ChannelState(nextMediaSequence: number, discontinuityCount: number / 10), channel: "canalA")
            store.save(ChannelState(nextMediaSequence: 7, discontinuityCount: 0), channel: "canalB")
        }
        store.flush()
        let other = try FileChannelStateStore(directory: directory.path, logger: TestMedia.silent)
        let loaded = try #require(other.load(channel: "canalA"))
        #expect(loaded.nextMediaSequence == 200 + FileChannelStateStore.skippedSegmentCount)
        #expect(loaded.discontinuityCount == 20 + FileChannelStateStore.skippedDiscontinuityCount)
        #expect(other.load(channel: "canalB")?.nextMediaSequence == 7 + FileChannelStateStore.skippedSegmentCount)
        #expect(other.load(channel: "canalC") == nil)
    }

    /// Whenever the server dies, none of the numbers that it used is used again.
    @Test func numbersThatWereNotWrittenAreSkipped() throws {
        for count in 1...20 {
            let directory = try TemporaryDirectory()
            let store = try FileChannelStateStore(directory: directory.path, logger: TestMedia.silent)
            for number in 1...count {
                store.save(ChannelState(nextMediaSequence: number, discontinuityCount: 0), channel: "canalA")
                store.flush()
            }
            let loaded = try #require(store.load(channel: "canalA"))
            // The segment that was being built had a number, too.
            #expect(loaded.nextMediaSequence > count)
        }
    }

    @Test(arguments: [
        "", "{", "[]", "null", #"{"nextMediaSequence":"5","discontinuityCount":0}"#, #"{"nextMediaSequence":5}"#,
        #"{"nextMediaSequence":9223372036854775807,"discontinuityCount":0}"#,
        #"{"nextMediaSequence":-1,"discontinuityCount":0}"#,
        #"{"nextMediaSequence":5,"discontinuityCount":9223372036854775807}"#,
        #"{"nextMediaSequence":5,"discontinuityCount":0,"targetDuration":0}"#,
        #"{"nextMediaSequence":5,"discontinuityCount":0,"neededTargetDuration":61}"#, "\u{0}\u{0}\u{0}\u{0}",
    ])
    func aDamagedFileStartsBeyondAnyCountedNumber(text: String) throws {
        let directory = try TemporaryDirectory()
        try directory.write(text, to: "canalA.json")
        let store = try FileChannelStateStore(directory: directory.path, logger: TestMedia.silent)
        let state = try #require(store.load(channel: "canalA"))
        #expect((1_700_000_000..<FileChannelStateStore.maximumCount).contains(state.nextMediaSequence))
        #expect((1_700_000_000..<FileChannelStateStore.maximumCount).contains(state.discontinuityCount))
        let clock = TestClock()
        let channel = TestMedia.channel(clock: clock, store: store)
        let publisher = SyntheticPublisher(channel, clock: clock)
        try publisher.begin()
        publisher.run(seconds: 30)
        #expect(PlaylistObserver(channel, clock: clock).loadAll() != nil)
        publisher.end()
        store.flush()
        let next = try #require(store.load(channel: "canalA"))
        #expect(next.nextMediaSequence > state.nextMediaSequence)
    }

    /// As version 1 writes it.
    @Test func aStateFromAnEarlierVersionIsReadAndWrittenAlike() throws {
        let text = """
            {"discontinuityCount":2,"mediaEnd":12000000,"mediaEndedAt":1763741234567,"neededTargetDuration":5,\
            "nextMediaSequence":7,"targetDuration":6}
            """
        let directory = try TemporaryDirectory()
        try directory.write(text, to: "canalA.json")
        let store = try FileChannelStateStore(directory: directory.path, logger: TestMedia.silent)
        let state = try #require(store.load(channel: "canalA"))
        #expect(state.mediaEndedAt == WallClockTime(millisecondsSince1970: 1_763_741_234_567))
        #expect(state.mediaStart(now: 1_763_741_235_567) == MediaTime(value: 13, timescale: Timescale(1)))
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let written = try JSONDecoder().decode(ChannelState.self, from: Data(text.utf8))
        #expect(String(decoding: try encoder.encode(written), as: UTF8.self) == text)
    }

    @Test func aStateThatCannotBeWrittenDoesNotStopTheChannel() throws {
        let directory = try TemporaryDirectory()
        let store = try FileChannelStateStore(directory: "\(directory.path)/states", logger: TestMedia.silent)
        try FileManager.default.removeItem(atPath: "\(directory.path)/states")
        let clock = TestClock()
        let channel = TestMedia.channel(clock: clock, store: store)
        let publisher = SyntheticPublisher(channel, clock: clock)
        try publisher.begin()
        publisher.run(seconds: 5)
        store.flush()
        #expect(PlaylistObserver(channel, clock: clock).loadAll() != nil)
    }
}
