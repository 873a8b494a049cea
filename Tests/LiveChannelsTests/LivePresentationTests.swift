import Codecs
import DASHConformance
import DASHManifest
import MediaCore
import NIOCore
import NIOEmbedded
import Packaging
import TestSupport
import Testing
import XMLDocument

@testable import LiveChannels

/// The manifest of a channel, read as a player reads it.
struct LivePresentationTests {
    private let clock = TestClock()

    private static func manifest(
        _ channel: LiveChannel, _ form: LivePlaylistForm = .lowLatency, from start: WallClockTime? = nil
    ) throws -> ManifestDocument {
        try ManifestDocument(parsing: text(channel, form, from: start))
    }

    private static func text(
        _ channel: LiveChannel, _ form: LivePlaylistForm = .lowLatency, from start: WallClockTime? = nil
    ) throws -> String {
        guard
            case .ready(let rendered) = channel.playlist(
                LivePlaylistRequest(name: LiveWindow.manifestName, form: form, start: start))
        else { throw ManifestDocument.Violation(description: "there is no manifest") }
        return String(buffer: rendered.plain)
    }

    /// The time of publication in milliseconds since 1970.
    private static func publishTime(_ manifest: ManifestDocument) throws -> Int64 {
        let seconds = try #require(manifest.root.attributes["publishTime"].flatMap(ManifestDocument.date))
        return Int64((seconds * 1_000).rounded())
    }

    /// Whether something can be fetched at an address in a manifest.
    private static func isThere(_ address: String, in channel: LiveChannel) throws -> Bool {
        let parts = address.split(separator: "/")
        let number = try #require(Int(parts[2].dropLast(".m4s".count)))
        if channel.segment(rendition: parts[1], mediaSequence: number, epoch: parts[0]) != nil { return true }
        if channel.archivedSegment(rendition: parts[1], mediaSequence: number, epoch: parts[0]) != nil { return true }
        let first = LivePartAddress(
            rendition: String(parts[1]), epoch: String(parts[0]), mediaSequence: number, index: 0)
        return channel.part(at: first) != nil
    }

    private var now: Double { Double(clock.time.millisecondsSince1970) / 1_000 }

    /// A player that asks every second: nothing that it was told changes, and whatever is announced is there.
    private struct Observer {
        private var starts: [String: Double] = [:]
        private var times: [String: (time: Int64, duration: Int64)] = [:]
        private var newest: [String: Int] = [:]
        private var begin: Double?
        private var last: (text: String, publishTime: Int64)?
        private(set) var periodCount = 0
        private(set) var patchCount = 0

        /// - Parameter patches: whether the player also asks for the patch of the manifest that it has.
        mutating func observe(_ channel: LiveChannel, now: Double, patches: Bool = true) throws {
            if patches, let last, case .ready(let rendered) = channel.manifestPatch(from: last.publishTime, .lowLatency)
            {
                let patch = try ManifestPatchDocument(parsing: String(buffer: rendered.plain))
                let expected = try ManifestDocument.elements(of: try LivePresentationTests.text(channel))
                #expect(try patch.applied(to: last.text) == expected)
                patchCount += 1
            }
            let text = try LivePresentationTests.text(channel)
            let manifest = try ManifestDocument(parsing: text)
            last = (text, try LivePresentationTests.publishTime(manifest))
            let begin = try #require(manifest.availabilityStart)
            #expect(self.begin ?? begin == begin, "the presentation begins at another time")
            self.begin = begin
            for period in manifest.periods {
                let known = starts.updateValue(period.start, forKey: period.id)
                if known == nil { periodCount += 1 }
                #expect(known ?? period.start == period.start, "period \(period.id) has moved")
                for rendition in period.renditions {
                    for segment in rendition.segments {
                        #expect(try LivePresentationTests.isThere(segment.address, in: channel), "\(segment.address)")
                        #expect(begin + segment.availableAt <= now + 0.15, "\(segment.address) is announced for later")
                        let known = times.updateValue((segment.time, segment.duration), forKey: segment.address)
                        #expect(known?.time ?? segment.time == segment.time, "\(segment.address) has moved")
                    }
                    for (first, next) in zip(rendition.segments, rendition.segments.dropFirst()) {
                        #expect(next.number == first.number + 1)
                    }
                    let last = rendition.segments.last?.number ?? 0
                    let known = newest.updateValue(last, forKey: rendition.id) ?? last
                    if period.id == manifest.periods.last?.id { #expect(last >= known, "\(rendition.id) went back") }
                }
            }
        }
    }

    @Test func theManifestHasTheSegmentsOfThePlaylistsAndTheOneThatIsBeingMade() throws {
        let (channel, _) = try SyntheticPublisher.live(seconds: 15.3, clock: clock)
        let manifest = try Self.manifest(channel)
        let window = channel.window()
        #expect(manifest.isLive && manifest.periods.count == 1)
        for rendition in try #require(manifest.periods.first).renditions {
            let live = try #require(window.rendition(named: rendition.id[...]))
            let open = try #require(live.openSegment)
            #expect(rendition.segments.map(\.number) == live.listed.map(\.mediaSequence) + [open.header.mediaSequence])
            #expect(
                rendition.segments.map(\.time)
                    == (live.listed.map(\.parts) + [open.parts]).compactMap(\.first?.decodeTime.value))
            #expect(rendition.descriptors("InbandEventStream") == ["https://aomedia.org/emsg/ID3="])
            #expect(rendition.initialization == "\(open.header.epoch)/\(rendition.id)/init-0.mp4")
            let first = try #require(rendition.segments.first)
            let begin = try #require(manifest.availabilityStart) + first.start
            #expect(abs(begin - Double(live.listed[0].programDateTime.millisecondsSince1970) / 1_000) < 0.05)
        }
        #expect(manifest.periods[0].renditions.map(\.content) == ["video", "audio"])
        #expect(manifest.periods[0].renditions[0].attributes["frameRate"] == "25")
        #expect(manifest.periods[0].renditions[1].attributes["audioSamplingRate"] == "48000")
        #expect(manifest.root.children.last?.attributes["value"] == "/\(LiveWindow.clockPath)")
        // Players that want complete segments only.
        let complete = try Self.manifest(channel, .wholeSegments)
        let last = try #require(complete.periods.last?.renditions.first?.segments.last)
        #expect(
            last.number == window.renditions[0].listed.last?.mediaSequence
                && last.availableAt <= now - (manifest.availabilityStart ?? 0))
        #expect(complete.root.children(named: "ServiceDescription").isEmpty)
    }

    /// An hour, asked for every second in its first ten minutes, and every five seconds then.
    @Test func nothingThatAPlayerWasToldChangesWithinAnHour() throws {
        let channel = TestMedia.channel(clock: clock)
        let publisher = SyntheticPublisher(channel, clock: clock, settings: .fewBytes)
        try publisher.begin()
        publisher.run(seconds: 5)
        var observer = Observer()
        var turn = 0
        for seconds in Array(repeating: 1.0, count: 600) + Array(repeating: 5.0, count: 600) {
            publisher.run(seconds: seconds)
            turn += 1
            try observer.observe(channel, now: now, patches: turn.isMultiple(of: 40))
        }
        #expect(observer.periodCount == 1 && observer.patchCount == 30)
    }

    /// Publishers that come and go, jump and change their parameters: a period for each time without a discontinuity.
    @Test func discontinuitiesBeginPeriods() throws {
        let channel = TestMedia.channel(clock: clock)
        var observer = Observer()
        func push(_ settings: SyntheticPublisher.Settings, seconds: Int) throws {
            let publisher = SyntheticPublisher(channel, clock: clock, settings: settings)
            try publisher.begin()
            publisher.run(seconds: 4)
            for _ in 4..<seconds {
                publisher.run(seconds: 1)
                try observer.observe(channel, now: now)
            }
            publisher.end()
            try observer.observe(channel, now: now)
        }
        try push(.fewBytes, seconds: 20)
        clock.advance(by: .seconds(7))
        try push(.fewBytes, seconds: 20)
        var audioOnly = SyntheticPublisher.Settings.fewBytes
        audioOnly.video = nil
        clock.advance(by: .seconds(3))
        try push(audioOnly, seconds: 20)
        #expect(observer.periodCount >= 3 && observer.patchCount > 40)
        let manifest = try Self.manifest(channel)
        for (period, next) in zip(manifest.periods, manifest.periods.dropFirst()) {
            let end = try #require(period.duration) + period.start
            #expect(end <= next.start + 0.002, "the break between two pushes belongs to neither")
        }
    }

    /// A restart of the server is a break like another one, and a longer break begins a presentation of its own.
    @Test func aPresentationGoesOnUntilNobodyCanBePlayingItAnyMore() throws {
        let channel = TestMedia.channel(clock: clock)
        func begin(after pause: Duration) throws -> (availabilityStart: Double?, start: Double?) {
            clock.set(clock.time + pause)
            let publisher = SyntheticPublisher(channel, clock: clock, settings: .fewBytes)
            try publisher.begin()
            publisher.run(seconds: 5)
            let manifest = try Self.manifest(channel)
            publisher.end()
            return (manifest.availabilityStart, manifest.periods.last?.start)
        }
        let first = try begin(after: .zero)
        #expect(first.start == 0)
        let second = try begin(after: .seconds(60))
        #expect(second.availabilityStart == first.availabilityStart && second.start ?? 0 >= 60)
        let third = try begin(after: LiveChannel.retention)
        #expect(third.availabilityStart ?? 0 > first.availabilityStart ?? 0 && third.start == 0)

        var saved = ChannelState(nextMediaSequence: 9, discontinuityCount: 1)
        saved.presentationStart = TestClock.start
        saved.mediaEndedAt = TestClock.start + .seconds(100)
        let retention = LiveChannel.retention
        let soon = TestClock.start + .seconds(130)
        #expect(saved.presentationStart(now: soon, retention: retention) == TestClock.start)
        let late = TestClock.start + .seconds(100) + retention
        #expect(saved.presentationStart(now: late, retention: retention) == nil)
    }

    /// A rendition that the next push does not have belongs to the periods in which it was there; nothing is made up
    /// for it, however long somebody plays.
    @Test func aRenditionThatEndsIsNotFilledForPlayersOfDASH() throws {
        let channel = TestMedia.channel(clock: clock)
        let first = SyntheticPublisher(channel, clock: clock, settings: .fewBytes)
        try first.begin()
        first.run(seconds: 20)
        first.end()
        var audioOnly = SyntheticPublisher.Settings.fewBytes
        audioOnly.video = nil
        let second = SyntheticPublisher(channel, clock: clock, settings: audioOnly)
        try second.begin()
        second.run(seconds: 6)
        let both = try Self.manifest(channel)
        #expect(both.periods.map { $0.renditions.map(\.id) } == [["video", "audio"], ["audio"]])
        for _ in 0..<60 {
            second.run(seconds: 1)
            _ = try Self.manifest(channel)
        }
        #expect(try Self.manifest(channel).periods.map { $0.renditions.map(\.id) } == [["audio"]])
        #expect(channel.window().renditions.map(\.name) == ["audio"], "the stand-in has ended")
    }

    /// A day of segments, in two renditions.
    @Test func aLongWindowIsListedWhole() throws {
        var window = LiveWindow(configuration: LivePackagingConfiguration(), archivedSeconds: 90_000)
        let part = try #require(
            SyntheticPublisher.live(seconds: 3, .fewBytes, clock: clock).0.window().renditions.first?.listed.first?
                .parts
                .first)
        for id in [RenditionID.video, .audio] {
            window.add(
                initializationSection: ByteBuffer(), configuration: TestMedia.video360, of: id, epoch: "e", number: 0,
                discontinuitySequence: 0)
        }
        for number in 0..<20_000 {
            for id in [RenditionID.video, .audio] {
                var part = part
                part.decodeTime.value += Int64(number) * 180_000
                let header = LiveSegmentHeader(
                    mediaSequence: number, programDateTime: TestClock.start + .seconds(2 * number),
                    isDiscontinuous: false, initializationNumber: 0, epoch: "e")
                let segment = LiveSegment(
                    header: header, parts: [part], duration: MediaTime(value: 180_000, timescale: .video90kHz))
                window.append(segment, to: id, placement: ArchivePlacement(.kept(segment)))
            }
        }
        let presentation = window.presentation(now: TestClock.start + .seconds(40_000))
        let document = try ManifestDocument(parsing: presentation.rendered())
        #expect(document.periods.map(\.id) == ["e-0"])
        #expect(document.periods[0].renditions.map(\.segments.count) == [20_000, 20_000])
    }

    // MARK: Patches

    /// A manifest of hours leads to patches, one of seconds does not.
    @Test(arguments: [LivePlaylistForm.lowLatency, .wholeSegments])
    func aLongManifestLeadsToItsPatch(_ form: LivePlaylistForm) throws {
        let channel = TestMedia.channel(clock: clock)
        let publisher = SyntheticPublisher(channel, clock: clock, settings: .fewBytes)
        try publisher.begin()
        publisher.run(seconds: 20)
        let window = channel.window()
        #expect(!window.presentation(form, now: clock.time).rendered().contains("PatchLocation"))
        let later = clock.time + .seconds(200)
        let text = window.presentation(form, now: later).rendered()
        let address = try #require(text.firstMatch(of: /<PatchLocation ttl="30">([^<]+)<\/PatchLocation>/)).1
        let query = form == .wholeSegments ? "ll=0&amp;" : ""
        #expect(address == "manifest.mpp?\(query)publishTime=\(later.millisecondsSince1970)")
        #expect(
            !window.presentation(form, from: later - .seconds(210), now: later).rendered().contains("PatchLocation"))
    }

    @Test func aManifestThatNobodyHasHasNoPatch() throws {
        let (channel, publisher) = try SyntheticPublisher.live(seconds: 15, .fewBytes, clock: clock)
        let published = try Self.publishTime(try Self.manifest(channel))
        func isUnknown(_ time: Int64, _ form: LivePlaylistForm = .lowLatency) -> Bool {
            if case .unknown = channel.manifestPatch(from: time, form) { true } else { false }
        }
        #expect(isUnknown(published + 1) && isUnknown(published - 1, .wholeSegments))
        // The same patch for all players.
        publisher.run(seconds: 6)
        guard case .ready(let first) = channel.manifestPatch(from: published, .lowLatency),
            case .ready(let second) = channel.manifestPatch(from: published, .lowLatency)
        else { throw ManifestDocument.Violation(description: "there is no patch") }
        #expect(first === second && String(buffer: first.plain).contains("originalPublishTime"))
        // A player that comes later than its patch is kept gets a whole manifest.
        for _ in 0..<40 {
            publisher.run(seconds: 1)
            _ = try Self.manifest(channel)
        }
        #expect(isUnknown(published))
        let silent = TestMedia.channel(clock: clock)
        if case .absent = silent.manifestPatch(from: published, .lowLatency) {} else { Issue.record("a manifest") }
    }

    @Test func theMemoryOfManifestsIsBounded() throws {
        let history = ManifestHistory()
        let (channel, _) = try SyntheticPublisher.live(seconds: 15, .fewBytes, clock: clock)
        let window = channel.window()
        func note(_ seconds: Int, _ form: LivePlaylistForm = .lowLatency) -> Int64 {
            let now = clock.time + .milliseconds(100 * seconds)
            history.note(window.presentation(form, now: now), form)
            return now.millisecondsSince1970
        }
        let times = (0..<ManifestHistory.maximumCount + 8).map { note($0) }
        let known = times.filter { history.patch(from: $0, .lowLatency) != nil }
        #expect(known == Array(times.suffix(ManifestHistory.maximumCount)))
        // Two manifests of the same millisecond cannot be told apart.
        history.note(window.presentation(.wholeSegments, now: clock.time + .seconds(60)), .lowLatency)
        history.note(window.presentation(.lowLatency, now: clock.time + .seconds(60)), .lowLatency)
        let doubtful = (clock.time + .seconds(60)).millisecondsSince1970
        #expect(history.patch(from: doubtful, .lowLatency) == nil)
    }

    /// Nothing follows, and nothing is taken away: players play to the end.
    @Test func aPresentationThatHasEndedSaysSo() throws {
        var window = try SyntheticPublisher.live(seconds: 15, .fewBytes, clock: clock).0.window()
        window.end()
        let text = window.presentation(now: clock.time + .seconds(3_600)).rendered()
        let document = try ManifestDocument(parsing: text)
        #expect(document.root.attributes["minimumUpdatePeriod"] == nil)
        #expect(document.root.attributes["timeShiftBufferDepth"] == nil)
        let period = try #require(document.periods.last)
        let end = try #require(period.renditions.first?.segments.last).end
        #expect(abs(period.start + (period.duration ?? 0) - end) < 0.01)
        #expect(document.root.children(named: "ServiceDescription").isEmpty)
    }

    @Test(arguments: [LivePlaylistForm.lowLatency, .wholeSegments])
    func captionsInTheFramesAreDeclared(form: LivePlaylistForm) throws {
        var window = try SyntheticPublisher.live(seconds: 9, .fewBytes, clock: clock).0.window()
        window.captions = [.cc1, .cc3, .service1]
        let document = try ManifestDocument(parsing: window.presentation(form, now: clock.time).rendered())
        let renditions = try #require(document.periods.last).renditions
        #expect(
            renditions[0].descriptors("Accessibility") == [
                "urn:scte:dash:cc:cea-608:2015=CC1;CC3", "urn:scte:dash:cc:cea-708:2015=1=lang:und",
            ])
        #expect(renditions[1].descriptors("Accessibility").isEmpty)
    }

    @Test func aManifestMayBeginLater() throws {
        let (channel, _) = try SyntheticPublisher.live(seconds: 15, .fewBytes, clock: clock)
        let all = try Self.manifest(channel)
        let start = clock.time - .seconds(5)
        let late = try Self.manifest(channel, from: start)
        let first = try #require(late.periods.first?.renditions.first?.segments.first)
        let point = now - 5 - (late.availabilityStart ?? 0)
        #expect(first.start <= point && first.end > point)
        #expect(late.periods.map(\.start) == all.periods.map(\.start), "the beginning of a period does not move")
    }
}
