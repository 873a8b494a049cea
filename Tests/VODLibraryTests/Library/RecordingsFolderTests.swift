import Catalogue
import DatabaseTestSupport
import Foundation
import Testing

@testable import VODLibrary

@Suite(.eachEngine) struct RecordingsFolderTests {
    let fixture: LibraryFixture

    init() throws { fixture = try LibraryFixture() }

    private func recording(_ name: String) -> String { "\(fixture.folder)/data/recordings/\(name)" }

    @Test func recordingsAreTitlesToo() async throws {
        try fixture.write(SampleMedia.movie(), to: recording("canalA/canalA_2026.mp4"))
        try fixture.write(SampleMedia.movie(), to: recording("canalA/canalA_2027.mp4.part"))
        try fixture.write(SampleMedia.movie(), to: fixture.vod("film.mp4"))
        try await fixture.settle()
        let title = try #require(try await fixture.title("recordings/canalA/canalA_2026.mp4"))
        #expect(title.state == .ready)
        #expect(title.id == "canala-2026")
        #expect(title.mediaPath == recording("canalA/canalA_2026.mp4"))
        #expect(try await fixture.catalogue.allTitles().count == 2)
        // Looked at again, nothing is new; the next server knows it as well.
        try await fixture.settle()
        let next = try LibraryFixture(folder: fixture.folder)
        try await next.library.resume()
        try await next.settle()
        #expect(try await next.title("recordings/canalA/canalA_2026.mp4") == title)
        #expect(FileManager.default.fileExists(atPath: recording("canalA/canalA_2026.mp4")))
        fixture.remove()
    }

    /// The file's own title is read by a job; the answer to a request for a clip does not wait for it.
    @Test func aClipHasTheTitleThatWasAskedForFromTheBeginning() async throws {
        let name = "recordings/canalA/canalA-clip_2026-01-01_00-00-10.mp4"
        try fixture.write(SampleMedia.movie(), to: recording("canalA/canalA-clip_2026-01-01_00-00-10.mp4"))
        let asked = try #require(try await fixture.library.ingest(recording: name, title: "Gol ñ"))
        #expect(asked.title == "Gol ñ" && asked.file == name)
        let plain = try #require(try await fixture.library.ingest(recording: name))
        #expect(plain.id == asked.id && plain.title != "Gol ñ")
        #expect(try await fixture.library.ingest(recording: "recordings/canalA/none.mp4", title: "x") == nil)
        fixture.remove()
    }

    @Test func aDeletedRecordingIsForgotten() async throws {
        let path = try fixture.write(SampleMedia.movie(), to: recording("canalA/a.mp4"))
        try await fixture.settle()
        try FileManager.default.removeItem(atPath: path)
        try await fixture.settle()
        #expect(try await fixture.catalogue.allTitles().isEmpty)
        // A folder that is not there says nothing about what was in it.
        try fixture.write(SampleMedia.movie(), to: path)
        try await fixture.settle()
        try FileManager.default.moveItem(
            atPath: "\(fixture.folder)/data/recordings", toPath: "\(fixture.folder)/unmounted")
        try await fixture.settle()
        #expect(try await fixture.title("recordings/canalA/a.mp4")?.state == .ready)
        fixture.remove()
    }

    @Test func aFolderOfTheSameNameInTheMediaFolderComesSecond() async throws {
        try fixture.write(SampleMedia.movie(), to: recording("a.mp4"))
        try fixture.write(SampleMedia.movie(), to: fixture.vod("recordings/a.mp4"))
        try fixture.write(SampleMedia.movie(), to: fixture.vod("recordings/b.mp4"))
        try await fixture.settle()
        try await fixture.settle()
        #expect(try await fixture.title("recordings/a.mp4")?.mediaPath == recording("a.mp4"))
        #expect(try await fixture.title("recordings/b.mp4")?.mediaPath == fixture.vod("recordings/b.mp4"))
        fixture.remove()
    }
}
