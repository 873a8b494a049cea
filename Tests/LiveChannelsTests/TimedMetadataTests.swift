import HLSPlaylist
import MediaCore
import NIOCore
import NIOEmbedded
import Packaging
import Testing
import TestSupport

@testable import LiveChannels

struct TimedMetadataTests {
    let clock = TestClock()

    private func live(
        seconds: Double, _ settings: SyntheticPublisher.Settings = .init()
    ) throws -> (LiveChannel, SyntheticPublisher) {
        try SyntheticPublisher.live(seconds: seconds, settings, clock: clock)
    }

    private func announce(_ publisher: SyntheticPublisher, _ metadata: TimedMetadata) throws -> DateRange {
        try #require(publisher.epoch).announce(metadata).get()
    }

    private func ranges(_ channel: LiveChannel, _ name: String) throws -> [DateRange] {
        let rendered = try #require(channel.playlist(named: name[...]))
        return try MediaPlaylist(parsing: String(buffer: rendered.plain)).dateRanges
    }

    private static let tag = ID3Tag(description: "title", value: "Ñ")

    @Test func aRangeBeginsAtTheEdgeOfEveryPlaylist() throws {
        let (channel, publisher) = try live(seconds: 9.2)
        let before = try #require(channel.playlist(named: "video"))
        let metadata = try TimedMetadata(
            id: "a", rangeClass: "c", duration: 4,
            attributes: [DateRange.Attribute("X-TITLE", .string("x"))].compactMap(\.self))
        let range = try announce(publisher, metadata)
        // Parts of twelve frames.
        #expect(WallClockTime(millisecondsSince1970: range.startDate) == TestClock.start + .milliseconds(8_960))
        for name in ["video", "audio", "ts", "iframes"] { #expect(try ranges(channel, name) == [range], "\(name)") }
        #expect(channel.playlist(named: "video") !== before)
        // Ten seconds later it is over, but in the window.
        publisher.run(seconds: 10)
        #expect(try ranges(channel, "video") == [range])
        publisher.run(seconds: 20)
        #expect(try ranges(channel, "video").isEmpty)
    }

    @Test func aRangeStaysUntilItHasLeftTheWindow() throws {
        let (channel, publisher) = try live(seconds: 9.2)
        _ = try announce(publisher, try TimedMetadata(id: "moment"))
        _ = try announce(publisher, try TimedMetadata(id: "planned", plannedDuration: 40))
        _ = try announce(publisher, try TimedMetadata(id: "open", rangeClass: "c", endsOnNext: true))
        publisher.run(seconds: 30)
        #expect(try ranges(channel, "video").map(\.id) == ["planned", "open"])
        publisher.run(seconds: 40)
        #expect(try ranges(channel, "video").map(\.id) == ["open"])
        _ = try announce(publisher, try TimedMetadata(id: "next", rangeClass: "c", endsOnNext: true))
        publisher.run(seconds: 30)
        #expect(try ranges(channel, "video").map(\.id) == ["next"])
    }

    /// Messages of a part, and where they are said to happen.
    private func messages(_ part: PartialSegment) -> [(type: String, bytes: [UInt8])] {
        var boxes: [(String, [UInt8])] = []
        var header = part.header
        while let size = header.readInteger(as: UInt32.self), let type = header.readString(length: 4),
            type != "mdat", let bytes = header.readBytes(length: Int(size) - 8)
        {
            boxes.append((type, bytes))
        }
        return boxes
    }

    @Test func theTagStandsInFrontOfTheNextPartOfEachRendition() throws {
        let (channel, publisher) = try live(seconds: 9.2)
        let observer = PlaylistObserver(channel, clock: clock)
        observer.loadAll()
        let edges = try ["video", "audio"].map { try #require(channel.window().rendition(named: $0[...])?.edge) }
        let range = try announce(publisher, try TimedMetadata(duration: 2, tag: Self.tag))
        for (name, edge) in zip(["video", "audio"], edges) {
            // What has been published does not change.
            let rendition = try #require(channel.window().rendition(named: name[...]))
            #expect(rendition.openSegment?.parts.allSatisfy { messages($0).map(\.type) == ["moof"] } == true)
            #expect(rendition.edge == edge)
        }
        publisher.run(seconds: 0.9)
        for (name, edge) in zip(["video", "audio"], edges) {
            let rendition = try #require(channel.window().rendition(named: name[...]))
            let parts = (rendition.listed.last?.parts ?? []) + (rendition.openSegment?.parts ?? [])
            let carriers = parts.filter { messages($0).contains { $0.type == "emsg" } }
            #expect(carriers.count == 1)
            let carrier = try #require(carriers.first)
            let address = LivePartAddress(
                rendition: name, epoch: try #require(rendition.newestEpoch), mediaSequence: edge.mediaSequence,
                index: (edge.part ?? -1) + 1)
            #expect(channel.part(at: address)?.header == carrier.header)
            let boxes = messages(carrier)
            #expect(boxes.map(\.type) == ["emsg", "moof"])
            var message = ByteBuffer(bytes: boxes[0].bytes)
            let (version, ticks) = (message.readInteger(as: UInt32.self), message.readInteger(as: UInt32.self))
            #expect(version == 0x0100_0000)
            let timescale = try #require(ticks)
            let time = message.readInteger(as: UInt64.self)
            let numbers = [message.readInteger(as: UInt32.self), message.readInteger(as: UInt32.self)]
            let texts = [message.readNullTerminatedString(), message.readNullTerminatedString()]
            // Ten seconds after zero is where the epoch begins.
            let sinceStart = range.startDate - TestClock.start.millisecondsSince1970
            let start = Int64(10 * timescale) + sinceStart * Int64(timescale) / 1_000
            #expect(time.map { Int64($0) } == start)
            #expect(numbers.first == 2 * timescale)
            #expect(texts == ["https://aomedia.org/emsg/ID3", ""])
            #expect(
                Array(message.readableBytesView)
                    == Array("ID3".utf8) + [4, 0, 0, 0, 0, 0, 19] + Array("TXXX".utf8) + [0, 0, 0, 9, 0, 0, 3]
                    + Array("title\0Ñ".utf8))
        }
        // The observer compares parts with their segment.
        publisher.run(seconds: 3)
        observer.loadAll()
    }

    @Test func withoutATagThePartsAreAsEver() throws {
        let (channel, publisher) = try live(seconds: 9.2)
        _ = try announce(publisher, try TimedMetadata(id: "a"))
        publisher.run(seconds: 2)
        let parts = try #require(channel.window().rendition(named: "video")).listed.flatMap(\.parts)
        #expect(parts.allSatisfy { messages($0).map(\.type) == ["moof"] })
    }

    @Test func identifiersAreUniqueAndMade() throws {
        let (channel, publisher) = try live(seconds: 9.2)
        _ = try announce(publisher, try TimedMetadata(id: "a"))
        #expect(throws: TimedMetadataError.self) { try announce(publisher, try TimedMetadata(id: "a")) }
        let made = [
            try announce(publisher, try TimedMetadata()).id, try announce(publisher, try TimedMetadata()).id,
        ]
        #expect(Set(made).count == 2)
        #expect(try ranges(channel, "audio").map(\.id) == ["a"] + made)
    }

    @Test(arguments: [0, 1, TimedMetadata.maximumAttributeCount])
    func announcementsAreLimitedInRateAndSize(_ attributeCount: Int) throws {
        let (channel, publisher) = try live(seconds: 9.2, .fewBytes)
        let text = String(repeating: "x", count: attributeCount == 1 ? 20 : TimedMetadata.maximumValueByteCount)
        let attributes = (0..<attributeCount).compactMap { DateRange.Attribute("X-A\($0)", .string(text)) }
        func announceAll(_ count: Int) throws -> Int {
            let metadata = try TimedMetadata(duration: TimedMetadata.maximumDuration, attributes: attributes)
            return (0..<count).count { _ in (try? announce(publisher, metadata)) != nil }
        }
        let first = try announceAll(50)
        #expect(first == (attributeCount > 1 ? 3 : MetadataCounter.maximumRate))
        // A range without attributes is some hundred bytes.
        for _ in 0..<(attributeCount > 1 ? 3 : 35) {
            publisher.run(seconds: 10)
            _ = try announceAll(30)
        }
        let carried = try ranges(channel, "video")
        let byteCount = carried.reduce(0) { $0 + $1.renderedByteCount }
        let largest = carried.map(\.renderedByteCount).max() ?? 0
        #expect(
            (LiveChannel.maximumDateRangeByteCount - largest...LiveChannel.maximumDateRangeByteCount).contains(
                byteCount))
        #expect(carried.count >= (attributeCount > 1 ? 3 : 400))
        let refusal = #expect(throws: TimedMetadataError.self) {
            try announce(publisher, try TimedMetadata(duration: 9, attributes: attributes))
        }
        #expect(refusal?.code == .tooMany)
    }

    /// Players take messages that have a number in common for the same event.
    @Test func numbersGoOnAfterARestart() {
        var counter = MetadataCounter()
        var numbers: [UInt32] = []
        for _ in 0..<2 {
            for _ in 0..<MetadataCounter.maximumRate {
                let number = counter.nextNumber(now: clock.time)
                counter.admit(number, now: clock.time)
                numbers.append(number)
            }
            let mayAdmit = counter.mayAdmit(now: clock.time)
            #expect(!mayAdmit)
            clock.advance(by: .milliseconds(10_000))
            counter = MetadataCounter()
        }
        #expect(Set(numbers).count == numbers.count && numbers == numbers.sorted())
    }

    @Test func nobodyLiveTakesNone() async throws {
        let channel = TestMedia.channel(clock: clock)
        await #expect(throws: TimedMetadataError.self) { try await channel.announce(try TimedMetadata()) }
        let publisher = SyntheticPublisher(channel, clock: clock)
        try publisher.begin()
        let epoch = try #require(publisher.epoch)
        // Begun, and nothing to see yet.
        guard case .failure(let early) = epoch.announce(try TimedMetadata()) else {
            Issue.record("there is no edge")
            return
        }
        #expect(early.code == .notLive)
        publisher.run(seconds: 3)
        publisher.end()
        guard case .failure(let late) = epoch.announce(try TimedMetadata()) else {
            Issue.record("the push has ended")
            return
        }
        #expect(late.code == .notLive)
    }

    /// Another push's media is no edge of this one.
    @Test func rangesOutliveAReconnect() throws {
        let (channel, publisher) = try live(seconds: 9.2)
        let range = try announce(publisher, try TimedMetadata(id: "a", duration: 60))
        publisher.end()
        try publisher.begin()
        #expect(throws: TimedMetadataError.self) { try announce(publisher, try TimedMetadata()) }
        publisher.run(seconds: 5)
        #expect(try ranges(channel, "video") == [range])
        #expect(try announce(publisher, try TimedMetadata()).startDate > range.startDate)
    }
}
