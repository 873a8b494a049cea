import Codecs
import Foundation
import HLSPlaylist
import ISOBMFF
import LiveChannels
import MediaCore
import Packaging
import TestSupport
import Testing

struct RecordingTests {
    /// A channel that is pushed and recorded.
    private static func recording() throws -> (ArchiveFixture, SyntheticPublisher) {
        let archive = try ArchiveFixture()
        let publisher = SyntheticPublisher(archive.channel, clock: archive.clock)
        try publisher.begin()
        _ = try archive.channel.startRecording()
        return (archive, publisher)
    }

    @Test func aRecordingBecomesAFileWithATitle() throws {
        let archive = try ArchiveFixture()
        let publisher = SyntheticPublisher(archive.channel, clock: archive.clock)
        try publisher.begin()
        archive.run(publisher, seconds: 5)
        #expect(archive.status == RecordingStatus())
        #expect(archive.recordings().isEmpty)

        #expect(try archive.channel.startRecording().state == .recording)
        archive.run(publisher, seconds: 10)
        #expect(archive.status.state == .recording)
        #expect(abs(archive.status.duration - 10) < 0.05)
        #expect(archive.recordings().map { ($0 as NSString).pathExtension } == ["part"])

        let stopped = try archive.stopRecording()
        #expect(stopped.state == .idle && stopped.reason == nil)
        #expect(archive.recordings() == ["canalA_2026-01-01_00-00-04.mp4"])
        #expect(stopped.file == "recordings/canalA/canalA_2026-01-01_00-00-04.mp4")
        let path = archive.path(ofRecording: archive.recordings()[0])
        #expect(stopped.bytes == MediaFile.identity(ofFileAt: path)?.byteCount)
        let title = try PackagedTitle(path: path)
        #expect(title.name == "Canal A, 1 January 2026 00:00:04")
        #expect(abs(title.duration.seconds - 10) < 0.05)
        #expect(title.renditions.map(\.name) == ["video", "audio"])
        archive.run(publisher, seconds: 5)
        #expect(archive.recordings().count == 1)
    }

    /// A recording has the dates of its frames, also after an interruption: its playlists name them, as those of the
    /// channel did.
    @Test func aRecordingKeepsTheDatesOfItsFrames() throws {
        let (archive, publisher) = try Self.recording()
        archive.run(publisher, seconds: 8)
        let first = try #require(archive.channel.window().renditions.first).listed
        publisher.end()
        archive.pass(seconds: 20)
        try publisher.begin()
        archive.run(publisher, seconds: 8)
        let all = first + (try #require(archive.channel.window().renditions.first).listed)
        try archive.stopRecording()
        let title = try PackagedTitle(path: archive.path(ofRecording: archive.recordings()[0]))
        let video = try #require(title.video)
        for rendition in title.renditions {
            let dated = title.mediaPlaylist(of: rendition, pathPrefix: "").segments.filter { $0.programDateTime != nil }
            #expect(dated.count == 2, "the beginning, and the end of the interruption")
        }
        // Each segment of the channel has its date in the recording, where its frames are.
        let start = try #require(title.dates.date(at: .zero(.milliseconds)))
        #expect(all.contains { abs($0.programDateTime.millisecondsSince1970 - start.millisecondsSince1970) <= 2 })
        for segment in video.segments {
            let time = MediaTime(value: segment.decodeTime, timescale: video.track.timescale)
            let date = try #require(title.dates.date(at: time)).millisecondsSince1970
            #expect(all.contains { abs($0.programDateTime.millisecondsSince1970 - date) <= 2 }, "\(date)")
        }
        // Without an interruption the time since the beginning is that of the film.
        let end = try #require(title.dates.date(at: title.duration))
        #expect((end - start) - .seconds(title.duration.seconds) > .seconds(15))
    }

    @Test func startingAndStoppingAgainChangesNothing() throws {
        let archive = try ArchiveFixture()
        let publisher = SyntheticPublisher(archive.channel, clock: archive.clock)
        #expect(throws: RecordingError.self) { try archive.channel.startRecording() }
        #expect(try archive.stopRecording().state == .idle)
        try publisher.begin()
        _ = try archive.channel.startRecording()
        archive.run(publisher, seconds: 5)
        let before = archive.status
        _ = try archive.channel.startRecording()
        archive.run(publisher, seconds: 4)
        #expect(archive.status.since == before.since && archive.status.duration > before.duration)
        try archive.stopRecording()
        try archive.stopRecording()
        #expect(archive.recordings().count == 1)
    }

    @Test func aRecordingThatHasNothingIsNoFile() throws {
        let archive = try ArchiveFixture()
        let publisher = SyntheticPublisher(archive.channel, clock: archive.clock)
        try publisher.begin()
        archive.run(publisher, seconds: 3)
        _ = try archive.channel.startRecording()
        try archive.stopRecording()
        #expect(archive.status.file == nil)
        #expect(archive.recordings().isEmpty)
    }

    @Test func aPublisherThatComesBackIsInTheSameRecording() throws {
        let (archive, publisher) = try Self.recording()
        for _ in 0..<3 {
            archive.run(publisher, seconds: 8)
            publisher.end()
            archive.pass(seconds: 20)
            try publisher.begin()
        }
        archive.run(publisher, seconds: 8)
        publisher.end()
        archive.pass(seconds: 59)
        #expect(archive.status.state == .recording)
        archive.pass(seconds: 2)
        #expect(archive.status.state == .idle)
        #expect(archive.status.reason != nil)
        #expect(archive.recordings().count == 1)
        let title = try PackagedTitle(path: archive.path(ofRecording: archive.recordings()[0]))
        #expect(abs(title.duration.seconds - 32) < 0.2)
        // What comes later is another one, where somebody says so.
        try publisher.begin()
        archive.run(publisher, seconds: 5)
        #expect(archive.status.state == .idle)
        #expect(archive.recordings().count == 1)
    }

    @Test func otherParametersAreAnotherTitle() throws {
        let (archive, publisher) = try Self.recording()
        archive.run(publisher, seconds: 8)
        // In mid-stream.
        publisher.settings.video = TestMedia.video720
        archive.run(publisher, seconds: 8)
        publisher.end()
        // Another push, without audio.
        publisher.settings.audio = nil
        try publisher.begin()
        archive.run(publisher, seconds: 8)
        try archive.stopRecording()
        let titles = try archive.recordings().map { try PackagedTitle(path: archive.path(ofRecording: $0)) }
        #expect(titles.map { $0.video?.configuration.videoSize?.width } == [640, 1280, 1280])
        #expect(titles.map(\.renditions.count) == [2, 2, 1])
        #expect(abs(titles.reduce(0) { $0 + $1.duration.seconds } - 24) < 2.5)
    }

    @Test func aChannelMayAlwaysBeRecorded() throws {
        let archive = try ArchiveFixture(ArchivePolicy(recordsAlways: true))
        let publisher = SyntheticPublisher(archive.channel, clock: archive.clock)
        try publisher.begin()
        archive.run(publisher, seconds: 8)
        #expect(archive.status.state == .recording && archive.status.duration >= 6)
        publisher.end(isIntended: true)
        archive.pass(seconds: 61)
        #expect(archive.status.state == .idle)
        try publisher.begin()
        archive.run(publisher, seconds: 5)
        #expect(archive.recordings().count == 2)
        // Stopped by somebody, it stays so.
        try archive.stopRecording()
        publisher.end()
        archive.pass(seconds: 61)
        try publisher.begin()
        archive.run(publisher, seconds: 5)
        #expect(archive.status.state == .idle && archive.recordings().count == 2)
        _ = try archive.channel.startRecording()
        archive.run(publisher, seconds: 5)
        #expect(archive.recordings().count == 3)
    }

    @Test func aFullDiskEndsTheRecordingAndNotTheChannel() throws {
        let archive = try ArchiveFixture(ArchivePolicy(recordsAlways: true))
        let publisher = SyntheticPublisher(archive.channel, clock: archive.clock)
        let observer = PlaylistObserver(archive.channel, clock: archive.clock)
        try publisher.begin()
        archive.run(publisher, seconds: 8, observing: observer)
        archive.failure.errno = 28
        archive.run(publisher, seconds: 8, observing: observer)
        #expect(archive.status.state == .failed)
        #expect(archive.status.reason?.contains("the disk is full") == true)
        let title = try PackagedTitle(path: archive.path(ofRecording: try #require(archive.recordings().first)))
        #expect([6, 8].contains(title.duration.seconds.rounded()), "what had been written is a title")
        #expect(archive.channel.status().state == .live)
        // It is tried again when somebody may have made room.
        archive.run(publisher, seconds: 40)
        #expect(archive.status.state == .failed)
        archive.failure.errno = 0
        archive.run(publisher, seconds: 30)
        #expect(archive.status.state == .recording)
        #expect(archive.recordings().count == 2)
    }

    @Test func aDiskThatIsNearlyFullEndsTheRecording() throws {
        let archive = try ArchiveFixture(ArchivePolicy(recordsAlways: true))
        let publisher = SyntheticPublisher(archive.channel, clock: archive.clock)
        try publisher.begin()
        archive.run(publisher, seconds: 8)
        #expect(archive.status.state == .recording)
        archive.failure.freeByteCount = (256 << 20) - 1
        archive.run(publisher, seconds: 2)
        #expect(archive.status.state == .failed)
        #expect(archive.status.reason == "the disk is nearly full: 256 MiB are kept free")
        #expect(archive.recordings().map { ($0 as NSString).pathExtension } == ["mp4"])
        #expect(archive.channel.status().state == .live)
        archive.run(publisher, seconds: 70)
        #expect(archive.status.state == .failed)
        // Somebody has made room, or files were moved to the media store.
        archive.failure.freeByteCount = 256 << 20
        archive.run(publisher, seconds: 4)
        #expect(archive.status.state == .recording)
    }

    @Test func aKilledServersRecordingIsATitleAtTheNextStart() throws {
        let directory = try TemporaryDirectory(label: "archive")
        let archive = try ArchiveFixture(directory: directory)
        let publisher = SyntheticPublisher(archive.channel, clock: archive.clock)
        try publisher.begin()
        _ = try archive.channel.startRecording()
        archive.run(publisher, seconds: 9)
        let unfinished = try #require(archive.recordings().first)
        // In the middle of a write.
        let handle = try #require(FileHandle(forWritingAtPath: archive.path(ofRecording: unfinished)))
        try handle.seekToEnd()
        try handle.write(contentsOf: Data([0, 0, 1, 0] + Array("moof".utf8) + [1, 2, 3]))
        try handle.close()
        // Half a clip, and what was begun with nothing in it yet.
        let half = try bytesOfFile(archive.path(ofRecording: unfinished)).dropLast(9_000)
        try directory.write(half, to: "recordings/canalA/canalA-clip_2025.mp4.part")
        try directory.write("old", to: "archive/canalA/1.mp4")
        try directory.write("nothing", to: "recordings/canalA/canalA_2025.mp4.part")

        let next = try ArchiveFixture(directory: directory)
        #expect(next.recordings() == [String(unfinished.dropLast(".part".count))])
        let title = try PackagedTitle(path: next.path(ofRecording: next.recordings()[0]))
        #expect(title.duration.seconds.rounded() == 8)
        #expect(next.windowFiles().isEmpty)
    }

    @Test func anOrderlyEndFinishesTheRecording() throws {
        let (archive, publisher) = try Self.recording()
        archive.run(publisher, seconds: 5)
        publisher.end()
        archive.writer.close()
        #expect(archive.recordings().map { ($0 as NSString).pathExtension } == ["mp4"])
        #expect(archive.status.state == .idle)
        let title = try PackagedTitle(path: archive.path(ofRecording: archive.recordings()[0]))
        #expect(abs(title.duration.seconds - 5) < 0.1, "to the last frame")
    }

    @Test func theOldestRecordingsMakeRoomForNewOnes() throws {
        let limits = RecordingLimits(maximumByteCount: 2_000_000)
        let archive = try ArchiveFixture(ArchivePolicy(recordsAlways: true, recordingLimits: limits))
        let publisher = SyntheticPublisher(archive.channel, clock: archive.clock)
        try publisher.begin()
        archive.run(publisher, seconds: 180)
        let sizes = archive.recordings().compactMap {
            MediaFile.identity(ofFileAt: archive.path(ofRecording: $0))?.byteCount
        }
        #expect(sizes.count >= 4)
        #expect(sizes.reduce(0, +) < 2_300_000)
        #expect(sizes.reduce(0, +) > 1_200_000, "not more is deleted than need be")
        let first = try #require(archive.recordings().first)
        #expect(first > "canalA_2026-01-01_00-01", "the oldest went")
    }

    @Test func recordingsGrowTooOld() throws {
        let limits = RecordingLimits(maximumAgeDays: 2)
        let archive = try ArchiveFixture(ArchivePolicy(recordingLimits: limits))
        let now = archive.clock.time.secondsSince1970
        for (name, age) in [("canalA_a.mp4", 3), ("canalA_b.mp4", 1), ("mine.mp4", 9), ("canalA_c.mp4.part", 9)] {
            let path = try archive.directory.write("x", to: "recordings/canalA/\(name)")
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSince1970: Double(now) - Double(age) * 86_400)],
                ofItemAtPath: path)
        }
        archive.pass(seconds: 1)
        #expect(archive.recordings() == ["canalA_b.mp4", "canalA_c.mp4.part", "mine.mp4"])
    }
}
