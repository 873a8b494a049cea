import Codecs
import Foundation
import LiveChannels
import MediaCore
import Packaging
import TestSupport
import Testing

struct ClipTests {
    let archive: ArchiveFixture
    let publisher: SyntheticPublisher
    let begin: WallClockTime

    init() throws {
        archive = try ArchiveFixture(ArchivePolicy(windowSeconds: 600))
        publisher = SyntheticPublisher(archive.channel, clock: archive.clock)
        try publisher.begin()
        begin = archive.clock.time
        archive.run(publisher, seconds: 60)
    }

    private func clip(_ from: Double, _ to: Double, title: String? = nil) throws -> PackagedTitle {
        let plan = try archive.channel.planClip(
            from: begin + .seconds(from), to: begin + .seconds(to), title: title)
        let name = try plan.write().name
        #expect(name.hasPrefix("recordings/canalA/canalA-clip_2026-01-01_00-"))
        return try PackagedTitle(path: "\(archive.directory.path)/\(name)")
    }

    @Test(arguments: [
        // From disk, from disk and memory, from memory, up to now, one segment.
        (10.0, 20.0, 10.0), (9.5, 55.5, 48), (50, 56, 6), (40, 61, 18), (12.5, 13, 2), (0, 1, 2),
    ])
    func aClipIsTheWholeSegmentsThatCoverIt(_ from: Double, _ to: Double, _ seconds: Double) throws {
        let title = try clip(from, to)
        #expect(abs(title.duration.seconds - seconds) < 0.05, "\(title.duration.seconds)")
        #expect(title.renditions.map(\.name) == ["video", "audio"])
    }

    @Test func itsTitleIsWhatWasAskedForOrTheDate() throws {
        #expect(try clip(10, 20, title: "Gol ñ").name == "Gol ñ")
        #expect(try clip(10, 20).name == "Canal A, 1 January 2026 00:00:10")
        #expect(archive.recordings().count == 2)
    }

    @Test(arguments: [
        (20.0, 10.0, ClipError.Code.invalid), (10, 10, .invalid), (0, 15_000, .invalid), (-5, 10, .outsideWindow),
        (10, 100, .outsideWindow), (1_000, 1_010, .outsideWindow),
    ])
    func refusals(_ from: Double, _ to: Double, _ code: ClipError.Code) throws {
        let error = #expect(throws: ClipError.self) { try clip(from, to) }
        #expect(error?.code == code)
        #expect(archive.recordings().isEmpty)
    }

    @Test func aClipGoesAcrossAReconnectButNotAcrossOtherParameters() throws {
        publisher.end()
        archive.pass(seconds: 10)
        try publisher.begin()
        archive.run(publisher, seconds: 20)
        #expect(abs(try clip(50, 80).duration.seconds - 20) < 0.2)
        publisher.end()
        publisher.settings.video = TestMedia.video720
        try publisher.begin()
        archive.run(publisher, seconds: 20)
        #expect(try clip(92, 100).video?.configuration.videoSize?.width == 1_280)
        let error = #expect(throws: ClipError.self) { try clip(80, 100) }
        #expect(error?.code == .parametersChange)
        #expect(error?.reason.contains("2026-01-01T00:01:30") == true, "\(error?.reason ?? "")")
    }

    @Test func aFullDiskLeavesNothing() throws {
        archive.failure.errno = 28
        let error = #expect(throws: ClipError.self) { try clip(10, 20) }
        #expect(error?.code == .storage)
        #expect(error?.reason.contains("No space left on device") == true)
        #expect(archive.recordings().isEmpty)
    }

    @Test func aClipIsMadeOfWhatItsPlanHoldsOnTo() throws {
        let plan = try archive.channel.planClip(from: begin + .seconds(2), to: begin + .seconds(20), title: nil)
        publisher.end()
        archive.pass(seconds: 301)
        archive.pass(seconds: 1_000)
        #expect(archive.channel.window().renditions.isEmpty)
        _ = try plan.write()
        #expect(archive.recordings().count == 1)
    }
}
