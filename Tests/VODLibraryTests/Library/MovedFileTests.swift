import Catalogue
import DatabaseTestSupport
import Foundation
import LibraryCore
import MediaCore
import MediaIntake
import MediaWorker
import Packaging
import TestSupport
import Testing

@testable import VODLibrary

/// An operator's choices belong to the content, not to the path.
@Suite(.eachEngine, .timeLimit(.minutes(2))) struct MovedFileTests {
    private let fixture: LibraryFixture

    init() throws { fixture = try LibraryFixture() }

    private func move(_ name: String, to newName: String) throws {
        let path = fixture.vod(newName)
        try FileManager.default.createDirectory(
            atPath: URL(filePath: path).deletingLastPathComponent().path, withIntermediateDirectories: true)
        try FileManager.default.moveItem(atPath: fixture.vod(name), toPath: path)
    }

    /// - Parameter filler: makes files differ.
    @discardableResult
    private func add(_ name: String, filler: Int = 8) async throws -> TitleRecord {
        try fixture.write(SampleMedia.movie() + Data(count: filler), to: fixture.vod(name))
        try await fixture.settle()
        return try #require(try await fixture.title(name))
    }

    @Test(arguments: ["other.mp4", "folder/film.mp4", "folder/deep/other name.mp4"], [true, false])
    func aRenamedFileKeepsItsIdItsChoicesAndItsURLs(_ newName: String, isDigested: Bool) async throws {
        let old = try await add("film.mp4")
        _ = try await fixture.library.setPoster(ofTitle: old.id, at: 1)
        if isDigested { try await fixture.library.duplicates.search(.titles) }
        let before = try #require(try await fixture.library.packagedTitle(old))
        let chosen = try #require(try await fixture.library.title(id: old.id))
        try move("film.mp4", to: newName)
        // Who watches goes on before the library has noticed.
        #expect(try await fixture.library.packagedTitle(old) === before)
        try await fixture.settle()
        let new = try #require(try await fixture.title(newName))
        #expect(new.id == old.id && new.revision == old.revision && new.addedAt == old.addedAt)
        #expect(new.posterTime == 1 && new.poster == chosen.poster)
        #expect(new.state == .ready && new.sourcePath == fixture.vod(newName) && new.mediaPath == new.sourcePath)
        #expect(try await fixture.library.packagedTitle(new) === before)
        #expect(try await fixture.title("film.mp4")?.id == old.id)
        #expect(try await fixture.catalogue.allTitles().count == 1)
        fixture.remove()
    }

    @Test func aFolderThatIsRenamedKeepsAllItsTitles() async throws {
        var ids: [String: String] = [:]
        for (index, name) in ["a.mp4", "b.mp4", "deep/a.mp4"].enumerated() {
            ids[name] = try await add("season/\(name)", filler: 8 * (index + 1)).id
        }
        try move("season", to: "series/one")
        try await fixture.settle()
        for (name, id) in ids { #expect(try await fixture.title("series/one/\(name)")?.id == id) }
        #expect(try await fixture.catalogue.allTitles().count == 3)
        fixture.remove()
    }

    /// Files of one size and one time, as an archive may have them.
    @Test func filesThatLookAlikeAreToldApartByTheirNames() async throws {
        for name in ["one/a.mp4", "one/b.mp4"] {
            try fixture.write(SampleMedia.movie(), to: fixture.vod(name))
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSince1970: 1_700_000_000)], ofItemAtPath: fixture.vod(name))
        }
        try await fixture.settle()
        let ids = (try await fixture.title("one/a.mp4")?.id, try await fixture.title("one/b.mp4")?.id)
        try move("one", to: "two")
        try await fixture.settle()
        #expect(try await fixture.title("two/a.mp4")?.id == ids.0)
        #expect(try await fixture.title("two/b.mp4")?.id == ids.1)
        fixture.remove()
    }

    @Test func aFileThatIsRenamedWhileTheServerIsDownKeepsItsRecord() async throws {
        let old = try await add("film.mp4")
        try move("film.mp4", to: "elsewhere/other.mp4")
        let next = try LibraryFixture(folder: fixture.folder)
        try await next.library.resume()
        try await next.settle()
        #expect(try await next.title("elsewhere/other.mp4")?.id == old.id)
        fixture.remove()
    }

    /// Between file systems `mv` copies; some programs do not keep the time.
    @Test func aCopyWhoseSourceWentWhileTheServerWasDownKeepsTheRecord() async throws {
        let old = try await add("film.mp4")
        _ = try await fixture.library.setPoster(ofTitle: old.id, at: 1)
        try await fixture.library.duplicates.search(.titles)
        try fixture.write(Data(contentsOf: URL(filePath: fixture.vod("film.mp4"))), to: fixture.vod("copy.mp4"))
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSince1970: 1_700_000_000)], ofItemAtPath: fixture.vod("copy.mp4"))
        try FileManager.default.removeItem(atPath: fixture.vod("film.mp4"))
        let next = try LibraryFixture(folder: fixture.folder)
        try await next.settle()
        let new = try #require(try await next.title("copy.mp4"))
        #expect(new.id == old.id && new.posterTime == 1 && new.state == .ready)
        fixture.remove()
    }

    /// A title whose file is copied while the server runs, and the copy's own title.
    private func copied(
        _ fixture: LibraryFixture, posterOfCopy: Double? = nil
    ) async throws -> (old: TitleRecord, copy: TitleRecord) {
        // The copy is made after the original has become a title; files of this time have come to rest.
        fixture.clock.set(WallClock.system.now() - .seconds(600))
        try fixture.write(SampleMedia.movie(), to: fixture.vod("season/film.mp4"))
        let lastYear = [FileAttributeKey.modificationDate: Date(timeIntervalSinceNow: -40_000_000)]
        try FileManager.default.setAttributes(lastYear, ofItemAtPath: fixture.vod("season/film.mp4"))
        try await fixture.settle()
        let id = try #require(try await fixture.title("season/film.mp4")).id
        let old = try #require(try await fixture.library.setPoster(ofTitle: id, at: 1))
        try await fixture.library.duplicates.search(.titles)
        fixture.clock.set(WallClock.system.now() + .seconds(60))
        try fixture.write(
            Data(contentsOf: URL(filePath: fixture.vod("season/film.mp4"))), to: fixture.vod("disk/film.mp4"))
        try await fixture.settle()
        let copy = try #require(try await fixture.title("disk/film.mp4"))
        #expect(copy.id != id)
        if let posterOfCopy { _ = try await fixture.library.setPoster(ofTitle: copy.id, at: posterOfCopy) }
        return (old, copy)
    }

    /// `mv` of a folder to another file system deletes nothing before all is copied.
    @Test(arguments: [60.0, 3_600])
    func aCopyTakesThePlaceOfAnOriginalThatGoesSoonAfter(seconds: Double) async throws {
        let (old, copy) = try await copied(fixture)
        try FileManager.default.removeItem(atPath: fixture.vod("season"))
        fixture.clock.set(WallClockTime(copy.addedAt) + .seconds(seconds))
        try await fixture.settle()
        let new = try #require(try await fixture.title("disk/film.mp4"))
        #expect(new.id == old.id && new.addedAt == old.addedAt && new.posterTime == 1 && new.state == .ready)
        #expect(new.mediaPath == fixture.vod("disk/film.mp4") && new.poster != nil)
        #expect(try await fixture.catalogue.allTitles().map(\.id) == [old.id])
        #expect(try await fixture.title("season/film.mp4")?.id == old.id, "its former name leads to it")
        try await fixture.settle()
        #expect(try await fixture.catalogue.allTitles().map(\.id) == [old.id])
        #expect(fixture.dataFiles.count == 1, "the copy's own poster has gone: \(fixture.dataFiles)")
        fixture.remove()
    }

    @Test func aCopyThatIsATitleForLongOrHasChoicesStaysItself() async throws {
        for (posterOfCopy, seconds) in [(0.5, 60.0), (nil, 3_700)] {
            let fixture = try LibraryFixture()
            let (_, copy) = try await copied(fixture, posterOfCopy: posterOfCopy)
            try FileManager.default.removeItem(atPath: fixture.vod("season"))
            fixture.clock.set(WallClockTime(copy.addedAt) + .seconds(seconds))
            try await fixture.settle()
            #expect(try await fixture.catalogue.allTitles().map(\.id) == [copy.id])
            #expect(try await fixture.title("disk/film.mp4")?.posterTime == posterOfCopy)
            fixture.remove()
        }
    }

    @Test func nothingTakesThePlaceOfATitleThatAnOperatorDeletes() async throws {
        let (old, copy) = try await copied(fixture)
        #expect(try await fixture.library.deleteTitle(id: old.id))
        try await fixture.settle()
        #expect(try await fixture.catalogue.allTitles().map(\.id) == [copy.id])
        fixture.remove()
    }

    @Test func otherContentOfTheSameSizeTakesNobodysPlace() async throws {
        let (_, copy) = try await copied(fixture)
        var movie = try SampleMedia.movie()
        movie[movie.count - 1] ^= 1
        try fixture.write(movie, to: fixture.vod("disk/film.mp4"))
        try await fixture.settle()
        try FileManager.default.removeItem(atPath: fixture.vod("season"))
        try await fixture.settle()
        #expect(try await fixture.catalogue.allTitles().map(\.id) == [copy.id])
        fixture.remove()
    }

    @Test func aCopyIsAnotherTitle() async throws {
        let old = try await add("film.mp4")
        try await fixture.library.duplicates.search(.titles)
        try FileManager.default.copyItem(atPath: fixture.vod("film.mp4"), toPath: fixture.vod("copy.mp4"))
        // As `cp -p` does.
        let date = try FileManager.default.attributesOfItem(atPath: fixture.vod("film.mp4"))[.modificationDate]
        try FileManager.default.setAttributes([.modificationDate: date as Any], ofItemAtPath: fixture.vod("copy.mp4"))
        try #require(link(fixture.vod("film.mp4"), fixture.vod("link.mp4")) == 0)
        try await fixture.settle()
        #expect(try await fixture.title("film.mp4") == fixture.library.title(id: old.id))
        for name in ["copy.mp4", "link.mp4"] { #expect(try await fixture.title(name)?.id != old.id) }
        #expect(try await fixture.catalogue.allTitles().count == 3)
        fixture.remove()
    }

    @Test func otherContentOfTheSameSizeAndTimeIsAnotherTitle() async throws {
        let old = try await add("film.mp4")
        try await fixture.library.duplicates.search(.titles)
        let date = Date(timeIntervalSince1970: 1_700_000_000)
        var movie = try Data(contentsOf: URL(filePath: fixture.vod("film.mp4")))
        try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: fixture.vod("film.mp4"))
        try await fixture.settle()
        try await fixture.library.duplicates.search(.titles)
        movie[movie.count - 1] = 1
        try FileManager.default.removeItem(atPath: fixture.vod("film.mp4"))
        try fixture.write(movie, to: fixture.vod("other.mp4"))
        try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: fixture.vod("other.mp4"))
        try await fixture.settle()
        #expect(try await fixture.title("other.mp4")?.id != old.id)
        #expect(try await fixture.library.title(id: old.id) == nil)
        fixture.remove()
    }

    @Test func aFileThatIsRenamedWhileItIsConvertedIsReadyUnderItsNewName() async throws {
        let folder = fixture.folder
        let worker = FakeWorker { request, _ in
            let names = ("\(folder)/media/vod/film.mkv", "\(folder)/media/vod/other.mkv")
            if case .toMovie = request.task, FileManager.default.fileExists(atPath: names.0) {
                try FileManager.default.moveItem(atPath: names.0, toPath: names.1)
            }
            return try FakeWorker.succeed(request)
        }
        let next = try LibraryFixture(folder: folder, worker: worker)
        try next.write(SampleMedia.matroska(), to: next.vod("film.mkv"))
        try await next.settle()
        let id = try #require(try await next.catalogue.allTitles().first).id
        try await next.settle()
        let new = try #require(try await next.title("other.mkv"))
        #expect(new.id == id && new.state == .ready && new.sourcePath == next.vod("other.mkv"))
        #expect(try await next.catalogue.allTitles().count == 1)
        fixture.remove()
    }

    @Test func aWorkerThatFindsNoFileAnyLongerBeginsAgainUnderTheNewName() async throws {
        let folder = fixture.folder
        let worker = FakeWorker { request, _ in
            let names = ("\(folder)/media/vod/film.mkv", "\(folder)/media/vod/other.mkv")
            if case .toMovie = request.task, FileManager.default.fileExists(atPath: names.0) {
                try FileManager.default.moveItem(atPath: names.0, toPath: names.1)
                throw WorkerFailure(reason: "no such file")
            }
            return try FakeWorker.succeed(request)
        }
        let next = try LibraryFixture(folder: folder, worker: worker)
        try next.write(SampleMedia.matroska(), to: next.vod("film.mkv"))
        try await next.settle()
        try await next.settle()
        try await next.settle()
        #expect(try await next.title("other.mkv")?.state == .ready)
        #expect(try await next.catalogue.allTitles().count == 1)
        fixture.remove()
    }

    @Test func aFileInTheMediaFolderThatIsIngestedByPathKeepsItsRecord() async throws {
        let old = try await add("film.mp4")
        try move("film.mp4", to: "other.mp4")
        guard case .title(let title) = try await fixture.library.ingest(path: fixture.vod("other.mp4")) else {
            Issue.record("a track")
            return
        }
        #expect(title.id == old.id && title.file == "other.mp4")
        fixture.remove()
    }

    @Test func tracksKeepTheirsToo() async throws {
        try fixture.write(SampleMedia.sound(), to: fixture.audio("a.m4a"))
        try await fixture.settle()
        let old = try #require(try await fixture.track("a.m4a"))
        try FileManager.default.moveItem(atPath: fixture.audio("a.m4a"), toPath: fixture.audio("b.m4a"))
        try await fixture.settle()
        #expect(try await fixture.track("b.m4a")?.id == old.id)
        fixture.remove()
    }

    /// This is what `mv` does between file systems.
    @Test func aCopyWhoseSourceGoesAMomentLaterKeepsTheRecord() async throws {
        let running = Task { [library = fixture.library] in try await library.run() }
        let film = fixture.vod("film.mp4")
        try fixture.write(SampleMedia.movie(), to: film)
        try await eventually { try await fixture.title("film.mp4")?.state == .ready }
        let id = try #require(try await fixture.title("film.mp4")).id
        try FileManager.default.copyItem(atPath: film, toPath: fixture.vod(".copy.mp4"))
        var status = stat()
        try #require(stat(film, &status) == 0)
        // To the nanosecond.
        var times = [status.st_atim, status.st_mtim]
        try #require(utimensat(AT_FDCWD, fixture.vod(".copy.mp4"), &times, 0) == 0)
        try #require(rename(fixture.vod(".copy.mp4"), fixture.vod("copy.mp4")) == 0)
        try FileManager.default.removeItem(atPath: film)
        try await eventually { try await fixture.library.title(id: id)?.file == "copy.mp4" }
        #expect(try await fixture.catalogue.allTitles().count == 1)
        running.cancel()
        try await running.value
        fixture.remove()
    }

    @Test func aWatchedFileIsRenamedWithoutItsTitlesGoingForAMoment() async throws {
        let running = Task { [library = fixture.library] in try await library.run() }
        try fixture.write(SampleMedia.movie(), to: fixture.vod("film.mp4"))
        try await eventually { try await fixture.title("film.mp4")?.state == .ready }
        let old = try #require(try await fixture.title("film.mp4"))
        for number in 1...5 {
            try move(number == 1 ? "film.mp4" : "\(number - 1)/film.mp4", to: "\(number)/film.mp4")
            try await eventually {
                let record = try #require(try await fixture.library.title(id: old.id))
                #expect(record.state == .ready)
                return record.file == "\(number)/film.mp4"
            }
        }
        #expect(try await fixture.catalogue.allTitles().count == 1)
        running.cancel()
        try await running.value
        fixture.remove()
    }
}
