import Catalogue
import DatabaseTestSupport
import Foundation
import LibraryCore
import MediaCore
import MediaWorker
import NIOCore
import Synchronization
import TestSupport
import Testing

@testable import JobRunning
@testable import VODLibrary

/// The cover of a track: an operator's, the image beside the file, or the one in it.
@Suite(.eachEngine) struct TrackCoverTests {
    private func fixture(_ worker: FakeWorker? = nil) async throws -> LibraryFixture {
        let worker =
            worker ?? FakeWorker { request, _ in try FakeWorker.succeed(request, hasCover: true) }
        let fixture = try LibraryFixture(worker: worker)
        try fixture.write(SampleMedia.matroska(), to: fixture.audio("Album/song.mp3"))
        try await fixture.settle()
        return fixture
    }

    private func track(_ fixture: LibraryFixture) async throws -> AudioTrackRecord {
        try #require(try await fixture.track("Album/song.mp3"))
    }

    private func covers(_ fixture: LibraryFixture) -> [String] {
        fixture.dataFiles.filter { $0.hasPrefix("covers/") }
    }

    @Test func theOperatorsGoesBeforeTheImageBesideTheFileAndThatBeforeTheOneInIt() async throws {
        let fixture = try await fixture()
        let embedded = try #require(try await track(fixture).shownCover)
        #expect(embedded.mediaType == "image/png" && covers(fixture).count == 1)
        try fixture.write(Data("image".utf8), to: fixture.audio("Album/folder.jpg"))
        try await fixture.settle()
        let beside = try #require(try await track(fixture).shownCover)
        #expect(beside.path.contains("-beside-") && beside.mediaType == "image/jpeg")
        #expect(FileManager.default.fileExists(atPath: beside.path) && covers(fixture).count == 2)
        let id = try await track(fixture).id
        let chosen = try #require(
            try await fixture.library.setCover(ofTrack: id, to: ByteBuffer(bytes: SampleMedia.jpegBeginning)))
        #expect(chosen.shownCover?.path == chosen.uploadedCover && chosen.uploadedCover != beside.path)
        #expect(covers(fixture).count == 3)
        let back = try #require(try await fixture.library.setCover(ofTrack: id, to: nil))
        #expect(back.shownCover?.path == beside.path && covers(fixture).count == 2)
        try FileManager.default.removeItem(atPath: fixture.audio("Album/folder.jpg"))
        try await fixture.settle()
        #expect(try await track(fixture).shownCover?.path == embedded.path)
        #expect(covers(fixture).count == 1)
        fixture.remove()
    }

    @Test func anotherImageBesideTheFileReplacesTheCover() async throws {
        let fixture = try await fixture()
        try fixture.write(Data("image".utf8), to: fixture.audio("Album/cover.jpg"))
        try await fixture.settle()
        let first = try await track(fixture).shownCover?.path
        try fixture.write(Data("another image".utf8), to: fixture.audio("Album/cover.jpg"))
        try await fixture.settle()
        let second = try await track(fixture).shownCover?.path
        #expect(second != first && second?.contains("-beside-") == true && covers(fixture).count == 2)
        fixture.remove()
    }

    @Test func anImageThatIsNoneLeavesTheCoverOfTheFile() async throws {
        let worker = FakeWorker { request, _ in
            if case .image = request.task { throw WorkerFailure(reason: "not an image") }
            return try FakeWorker.succeed(request, hasCover: true)
        }
        let fixture = try await fixture(worker)
        let embedded = try await track(fixture).shownCover?.path
        try fixture.write(Data("text".utf8), to: fixture.audio("Album/cover.jpg"))
        try await fixture.settle()
        #expect(try await track(fixture).shownCover?.path == embedded && covers(fixture).count == 1)
        let id = try await track(fixture).id
        await #expect(throws: LibraryError.self) {
            _ = try await fixture.library.setCover(ofTrack: id, to: ByteBuffer(string: "text"))
        }
        #expect(try await track(fixture).shownCover?.path == embedded && covers(fixture).count == 1)
        #expect(try await fixture.library.setCover(ofTrack: "none", to: ByteBuffer(string: "x")) == nil)
        fixture.remove()
    }

    @Test func theOperatorsCoverStaysWithEveryFileAndAfterARestart() async throws {
        let fixture = try await fixture()
        let id = try await track(fixture).id
        let chosen = try #require(
            try await fixture.library.setCover(ofTrack: id, to: ByteBuffer(bytes: SampleMedia.jpegBeginning)))
        try fixture.write(
            SampleMedia.matroska() + Data("more".utf8), to: fixture.audio("Album/song.mp3"))
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSinceNow: -60)], ofItemAtPath: fixture.audio("Album/song.mp3"))
        try await fixture.settle()
        try await fixture.settle()
        let replaced = try await track(fixture)
        #expect(replaced.state == .ready && replaced.revision != chosen.revision)
        #expect(replaced.shownCover?.path == chosen.uploadedCover)
        let second = try LibraryFixture(folder: fixture.folder)
        try await second.library.resume()
        try await second.settle()
        let path = try #require(try await track(second).shownCover?.path)
        #expect(path == chosen.uploadedCover && FileManager.default.fileExists(atPath: path))
        #expect(try await second.library.deleteTrack(id: id))
        #expect(second.dataFiles == [])
        fixture.remove()
    }

    @Test func aCoverOfATrackThatWasChangedMeanwhileIsNotKept() async throws {
        let fixture = try await fixture()
        let before = try await track(fixture)
        let library = fixture.library
        let asked = Mutex(0)
        for answers in [[false], [true, false]] {
            asked.withLock { $0 = 0 }
            let error = await #expect(throws: Refusal.self) {
                _ = try await library.setCover(ofTrack: before.id, to: ByteBuffer(bytes: SampleMedia.jpegBeginning)) {
                    _ in
                    asked.withLock { count in
                        count += 1
                        return answers[count - 1]
                    }
                }
            }
            #expect(error?.code == .changedMeanwhile && asked.withLock { $0 } == answers.count)
        }
        #expect(try await track(fixture) == before && covers(fixture).count == 1)
        fixture.remove()
    }
}
