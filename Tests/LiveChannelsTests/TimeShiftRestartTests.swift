import Foundation
import HLSPlaylist
import MediaCore
import NIOCore
import Packaging
import TestSupport
import Testing

@testable import LiveChannels

/// Time shift across a restart of the server.
struct TimeShiftRestartTests {
    private func listed(_ observer: PlaylistObserver, _ name: String = "video") throws -> MediaPlaylist {
        try #require(observer.load(name))
    }

    @Test(arguments: [ServerRestarts.End.kill, .close]) func thePlaylistReachesBackOverIt(_ end: ServerRestarts.End)
        throws
    {
        let servers = try ServerRestarts(ArchivePolicy(windowSeconds: 120))
        let observer = PlaylistObserver(servers.current.channel, clock: servers.clock)
        var publisher = try servers.publisher()
        for round in 0..<4 {
            servers.current.run(publisher, seconds: 50, observing: observer)
            observer.loadAll()
            let before = try listed(observer)
            let known = Dictionary(uniqueKeysWithValues: before.segments.map { ($0.uri, observer.fetch($0.uri)) })
            try servers.restart(end, after: round * 20)
            observer.channel = servers.current.channel
            #expect(observer.loadAll() == nil, "nobody pushes")
            publisher = try servers.publisher()
            servers.current.run(publisher, seconds: 4, observing: observer)
            observer.loadAll()
            let after = try listed(observer)
            let old = after.segments.filter { known[$0.uri] != nil && !$0.isGap }
            #expect(
                old.count >= before.segments.count { !$0.isGap } - FileChannelStateStore.skippedSegmentCount - 4,
                "\(round)")
            for segment in old { #expect(observer.fetch(segment.uri) == known[segment.uri], "\(segment.uri)") }
        }
    }

    @Test func aPlaylistThatWasHandedOutCanBePlayedToItsEnd() throws {
        let servers = try ServerRestarts(ArchivePolicy(windowSeconds: 60))
        let observer = PlaylistObserver(servers.current.channel, clock: servers.clock)
        servers.current.run(try servers.publisher(), seconds: 100, observing: observer)
        let before = try listed(observer)
        try servers.restart()
        observer.channel = servers.current.channel
        servers.current.run(try servers.publisher(), seconds: 10, observing: observer)
        #expect(before.segments.count >= 29)
        for segment in before.segments { #expect(observer.fetch(segment.uri) != nil, "\(segment.uri)") }
    }

    @Test func aRecordingServesThoseWhoLookBack() throws {
        let servers = try ServerRestarts(ArchivePolicy(windowSeconds: 120, recordsAlways: true))
        let observer = PlaylistObserver(servers.current.channel, clock: servers.clock)
        servers.current.run(try servers.publisher(), seconds: 30, observing: observer)
        #expect(servers.current.recordings().count == 1)
        let before = try listed(observer)
        try servers.restart()
        observer.channel = servers.current.channel
        servers.current.run(try servers.publisher(), seconds: 6, observing: observer)
        let after = try listed(observer)
        #expect(Set(before.segments.map(\.uri)).isSubset(of: after.segments.map(\.uri)))
        #expect(servers.current.recordings().count == 2)
    }

    @Test func tracksMayDifferFromServerToServer() throws {
        let servers = try ServerRestarts(ArchivePolicy(windowSeconds: 120))
        let observer = PlaylistObserver(servers.current.channel, clock: servers.clock)
        var videoOnly = SyntheticPublisher.Settings()
        videoOnly.audio = nil
        var audioOnly = SyntheticPublisher.Settings()
        audioOnly.video = nil
        for settings in [.init(), videoOnly, .init(), audioOnly, .init()] {
            servers.current.run(try servers.publisher(settings), seconds: 21, observing: observer)
            observer.loadAll()
            try servers.restart()
            observer.channel = servers.current.channel
        }
        servers.current.run(try servers.publisher(), seconds: 6, observing: observer)
        for name in ["video", "audio"] {
            let playlist = try listed(observer, name)
            #expect(playlist.segments.reduce(0) { $0 + $1.duration } > 70)
            #expect(playlist.segments.contains { $0.isGap })
        }
    }

    @Test func whatIsOlderThanTheWindowGoes() throws {
        let servers = try ServerRestarts(ArchivePolicy(windowSeconds: 60))
        servers.current.run(try servers.publisher(), seconds: 30)
        #expect(!servers.current.windowFiles().isEmpty)
        try servers.restart(after: 301)
        servers.current.writer.flush()
        #expect(servers.current.windowFiles().isEmpty)
        let publisher = try servers.publisher()
        servers.current.run(publisher, seconds: 4)
        let text = try #require(servers.current.channel.playlist(named: "video")).plain
        let segments = try MediaPlaylist(parsing: String(buffer: text)).segments
        #expect((1...2).contains(segments.count) && !segments.contains { $0.isGap }, "\(segments)")
    }

    /// Nobody comes back to the channel: what nobody is shown does not stay for ever.
    @Test func whatNobodyCanGoBackToGoes() throws {
        let servers = try ServerRestarts(ArchivePolicy(windowSeconds: 600))
        servers.current.run(try servers.publisher(), seconds: 30)
        try servers.restart()
        servers.current.pass(seconds: 500)
        _ = servers.current.channel.status()
        #expect(!servers.current.windowFiles().isEmpty)
        servers.current.pass(seconds: 100)
        _ = servers.current.channel.status()
        servers.current.writer.flush()
        #expect(servers.current.windowFiles().isEmpty)
    }

    @Test func aChannelThatKeepsNothingAnyMoreLeavesNothing() throws {
        let servers = try ServerRestarts(ArchivePolicy(windowSeconds: 600))
        servers.current.run(try servers.publisher(), seconds: 30)
        try servers.restart(with: ArchivePolicy())
        #expect(servers.current.windowFiles().isEmpty)
        let other = "\(servers.directory.path)/archive/canalZ"
        try FileManager.default.createDirectory(atPath: other, withIntermediateDirectories: true)
        try Data("x".utf8).write(to: URL(fileURLWithPath: "\(other)/1-1.mp4"))
        _ = LiveChannelDirectory(
            configurations: [TestMedia.channelConfiguration()], with: ChannelEquipment(archive: servers.current.writer),
            clock: servers.clock.wallClock, logger: TestMedia.silent)
        #expect(try FileManager.default.contentsOfDirectory(atPath: other).isEmpty)
    }

    // MARK: Damage

    enum Damage: CaseIterable {
        case journalIsCutInALine, journalIsEmpty, journalHasGarbage, journalHasHoles, journalCountsDown
        case movieIsCut, movieHasGone, stateHasGone, stateIsFarAhead
    }

    /// The remaining segments are played, and the rest is gaps; a playlist never goes back, and a segment never has
    /// other content.
    @Test(arguments: Damage.allCases) func damageCostsWhatIsDamaged(_ damage: Damage) throws {
        let servers = try ServerRestarts(ArchivePolicy(windowSeconds: 600))
        let observer = PlaylistObserver(servers.current.channel, clock: servers.clock)
        servers.current.run(try servers.publisher(), seconds: 60)
        let before = try listed(observer)
        let bytes = Dictionary(uniqueKeysWithValues: before.segments.map { ($0.uri, observer.fetch($0.uri)) })
        let journal = try #require(servers.journals.first)
        // What is still to be written would mend the state again.
        servers.store.flush()
        try apply(damage, journal: journal, directory: servers.directory.path)
        try servers.restart()
        observer.channel = servers.current.channel
        servers.current.run(try servers.publisher(), seconds: 6)
        let text = try #require(servers.current.channel.playlist(named: "video")).plain
        let after = try MediaPlaylist(parsing: String(buffer: text))
        #expect(after.mediaSequence >= before.mediaSequence)
        var oldCount = 0
        for segment in after.segments {
            guard !segment.isGap, let known = bytes[segment.uri] else { continue }
            oldCount += 1
            let read = observer.fetch(segment.uri)
            if damage == .movieIsCut, read == nil { continue }
            #expect(read == known, "\(segment.uri)")
        }
        switch damage {
        case .journalIsCutInALine: #expect(oldCount == before.segments.count - 1)
        case .journalHasHoles, .journalHasGarbage, .journalCountsDown, .movieIsCut: #expect(oldCount >= 10)
        case .journalIsEmpty, .movieHasGone, .stateHasGone, .stateIsFarAhead: #expect(oldCount == 0)
        }
    }

    private func apply(_ damage: Damage, journal: String, directory: String) throws {
        let url = URL(fileURLWithPath: journal)
        let movie = URL(fileURLWithPath: String(journal.dropLast(ArchiveJournal.suffix.count)) + ".mp4")
        let state = URL(fileURLWithPath: "\(directory)/channels/canalA.json")
        var lines = String(decoding: try Data(contentsOf: url), as: UTF8.self).split(separator: "\n")
        func writeLines() throws { try Data(lines.map { $0 + "\n" }.joined().utf8).write(to: url) }
        switch damage {
        case .journalIsCutInALine: try Data(contentsOf: url).dropLast(9).write(to: url)
        case .journalIsEmpty: try Data().write(to: url)
        case .journalHasGarbage:
            lines[20] = "row -1 99999999999999999999999 5,5,5 \u{7F}"
            try writeLines()
        case .journalHasHoles:
            lines.removeSubrange(18..<20)
            try writeLines()
        case .journalCountsDown:
            lines.append(lines[10])
            try writeLines()
        case .movieIsCut:
            let data = try Data(contentsOf: movie)
            try data.prefix(data.count / 2).write(to: movie)
        case .movieHasGone: try FileManager.default.removeItem(at: movie)
        case .stateHasGone: try FileManager.default.removeItem(at: state)
        case .stateIsFarAhead: try Data(#"{"nextMediaSequence":100000,"discontinuityCount":3}"#.utf8).write(to: state)
        }
    }

    // MARK: The journal

    @Test func aJournalIsReadAsItWasWritten() throws {
        let place = StoredSegment.Place(
            offset: 5_000_000_000, byteCount: 77, duration: .init(value: 180_000, timescale: .video90kHz),
            firstSequenceNumber: .max, decodeTimeShift: -12)
        let entry = ArchiveJournal.Entry(
            programDateTime: TestClock.start, isDiscontinuous: true, initializationNumber: 3, place: place,
            keyFrameByteCount: 40, isIndependent: true)
        var other = entry
        other.keyFrameByteCount = nil
        other.isIndependent = false
        let journal = ArchiveJournal(
            recordingName: "canalA_2026.mp4",
            tracks: [
                .init(rendition: .video, section: ByteBuffer(bytes: [0, 1, 255])),
                .init(rendition: .audio, section: ByteBuffer(string: "x")),
            ])
        let rows = [
            ArchiveJournal.Row(
                epoch: "a1", mediaSequence: 9, first: .init(video: 1, audio: 0), discontinuityCount: 2,
                entries: [entry, nil]),
            ArchiveJournal.Row(
                epoch: "a1", mediaSequence: 10, first: .init(video: 2, audio: 1), discontinuityCount: 3,
                entries: [nil, other]),
            ArchiveJournal.Row(
                epoch: "b2", mediaSequence: 11, first: .init(video: 2, audio: 1), discontinuityCount: 3,
                entries: [other, entry]),
        ]
        let directory = try TemporaryDirectory(label: "journal")
        let file = try ArchiveJournalFile(path: "\(directory.path)/1.journal", header: journal)
        for row in rows { try file.append(row) }
        let read = try #require(ArchiveJournalFile.read(path: "\(directory.path)/1.journal"))
        #expect(read.recordingName == journal.recordingName && read.tracks == journal.tracks)
        #expect(read.rows == rows)
    }

    /// As version 1 writes it.
    @Test func aJournalFromAnEarlierVersionIsReadAndWrittenAlike() throws {
        let header = "antena-archive 1\nrecording canalA_2026-11-21_17-20-00.mp4\ntrack video AAEC\n"
        let row = "row 98 38,38 5 1763741234567,0,0,902,41022,180000,90000,31,0,5204,1"
        let journal = try #require(ArchiveJournal(parsing: "\(header)epoch mbx4k21\n\(row)\n".utf8))
        #expect(journal.header == header)
        #expect(journal.rows.map(\.line) == [row])
        let entry = journal.rows.first?.entries.first ?? nil
        #expect(entry?.programDateTime == WallClockTime(millisecondsSince1970: 1_763_741_234_567))
    }

    /// Reading ends in front of it.
    @Test(arguments: [
        "row 1 0,0 0 1,0,0,0,-5,1,1,1,0,0,1", "row 1 0,0 0 1,0,0,-1,5,1,1,1,0,0,1", "row 1 0,0 0 1,0,0,0,5,0,1,1,0,0,1",
        "row 1 0,0 0 1,0,0,0,5,1,0,1,0,0,1", "row 1 0,0 0 1,0,0,0,5,1,1,1,0,6,1", "row 1 0,0 0 1,0,0,0,5,1,1,1,0,0",
        "row 1 0,0 0 1,0,0,0,9223372036854775808,1,1,1,0,0,1", "row 1 0,0 -1 -", "row -1 0,0 0 -", "row 1 0 0 -",
        "row 1 0,0 0", "row 1 0,0 0 - -", "row 1 0,0 0 ", "row 1 0,0 0 1,,0", "row  ", "", "epoch",
        "row 9007199254740993 0,0 0 -",
    ])
    func whatIsNoRowIsNotRead(_ line: String) throws {
        let text = "antena-archive 1\ntrack video AAAA\nepoch a\nrow 0 0,0 0 -\n\(line)\nrow 2 0,0 0 -\n"
        #expect(try #require(ArchiveJournal(parsing: text.utf8)).rows.map(\.mediaSequence) == [0])
    }

    @Test(arguments: [
        "", "antena-archive 2\n", "antena-archive 1\n", "antena-archive 1\ntrack text AAAA\n",
        "antena-archive 1\ntrack video !\n", "antena-archive 1\nrecording ../../x\ntrack video AAAA\n",
    ])
    func whatIsNoJournalIsNotRead(_ text: String) {
        #expect(ArchiveJournal(parsing: text.utf8) == nil)
    }
}
