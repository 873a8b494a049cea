import Catalogue
import DatabaseTestSupport
import Foundation
import LibraryCore
import MediaIntake
import NIOPosix
import Packaging
import TestSupport
import Testing

@testable import VODLibrary

/// A file call that does not return delays only those that need its result.
@Suite(.eachEngine, .timeLimit(.minutes(2))) struct SlowDiskTests {
    private let disk = StillDisk()

    private func fixture() throws -> LibraryFixture {
        try LibraryFixture(
            files: LibraryFiles(
                identity: { [disk] path in
                    if path.hasSuffix("/slow.mp4") { disk.wait() }
                    return MediaFile.identity(ofFileAt: path)
                },
                unlink: { [disk] path in
                    if path.hasSuffix("/deleted.mp4") { disk.wait() }
                    return unlink(path) == 0 ? 0 : errno
                }))
    }

    private func untilTheDiskIsAsked() async throws {
        try await eventually { disk.waitingCount > 0 }
    }

    /// The calls of viewers, the site and the API to the library.
    private func everythingElseAnswers(_ fixture: LibraryFixture) async throws {
        let library = fixture.library
        let film = try #require(try await library.title(id: "film"))
        #expect(try await library.packagedTitle(film) != nil)
        #expect(await library.withProgress([film]) == [film])
        #expect(await library.jobs().isEmpty)
        #expect(await library.openJobs().isEmpty)
        try await library.scanner.scan(.tracks)
        #expect(try await library.createUpload(name: "a.mp4", byteCount: 1, from: .operators).byteCount == 1)
    }

    @Test func aStatThatDoesNotReturnStopsItsOwnTitleOnly() async throws {
        let fixture = try fixture()
        for name in ["slow.mp4", "film.mp4"] { try fixture.write(SampleMedia.movie(), to: fixture.vod(name)) }
        try await fixture.settle()
        let slow = try #require(try await fixture.library.title(id: "slow"))
        // Opened now, and compared with its file from then on.
        let opening = Task { [library = fixture.library] in
            _ = try await library.packagedTitle(slow)
            return try await library.packagedTitle(slow)
        }
        try await untilTheDiskIsAsked()
        try await everythingElseAnswers(fixture)
        disk.goOn()
        #expect(try await opening.value != nil)
        fixture.remove()
    }

    @Test func aFileThatIsDeletedForSecondsStopsNobody() async throws {
        let fixture = try fixture()
        for name in ["deleted.mp4", "film.mp4"] { try fixture.write(SampleMedia.movie(), to: fixture.vod(name)) }
        try await fixture.settle()
        let deletion = Task { [library = fixture.library] in try await library.deleteTitle(id: "deleted") }
        try await untilTheDiskIsAsked()
        try await everythingElseAnswers(fixture)
        disk.goOn()
        #expect(try await deletion.value)
        #expect(try await fixture.library.title(id: "deleted") == nil)
        fixture.remove()
    }

    @Test func whatACancelledJobMadeIsDeletedAllTheSame() async throws {
        let fixture = try fixture()
        let path = fixture.library.context.derived.path(.movies, id: "a", revision: "b", ending: ".mp4")
        try Data("half".utf8).write(to: URL(filePath: path))
        let deletion = Task { [library = fixture.library] in
            withUnsafeCurrentTask { $0?.cancel() }
            await library.context.deleteDerived([path])
        }
        await deletion.value
        #expect(!FileManager.default.fileExists(atPath: path))
        fixture.remove()
    }
}
