import Foundation
import LibraryCore
import TestSupport
import Testing

@testable import MediaFolders

struct CompanionFilesTests {
    private func files(_ names: String...) -> CompanionFiles {
        var files = CompanionFiles()
        for name in names where CompanionFiles.takes(name) {
            files.add(.init(name: name, path: "/m/\(name)", byteCount: 1, modificationTime: 1))
        }
        return files
    }

    @Test func theNotesOfAFilmGoBeforeThoseOfItsFolder() {
        let found = files(
            "Show/Season 1/a.nfo", "Show/Season 1/movie.nfo", "Show/tvshow.nfo", "tvshow.nfo", "movie.nfo",
            "Show/Season 1/b.nfo", "Show/Season 1/A.txt")
        #expect(
            found.notes(about: "Show/Season 1/A.mp4", in: .titles).map(\.name) == [
                "Show/Season 1/a.nfo", "Show/Season 1/movie.nfo", "Show/tvshow.nfo",
            ])
        // What lies in the section's folder is not about each film in it.
        #expect(found.notes(about: "c.mp4", in: .titles).isEmpty)
    }

    @Test func theNotesOfAnAlbumAreAboutItsTracks() {
        let found = files("Ana/Uno/album.nfo", "Ana/Uno/01.nfo", "album.nfo")
        #expect(
            found.notes(about: "Ana/Uno/01.mp3", in: .tracks).map(\.name) == ["Ana/Uno/01.nfo", "Ana/Uno/album.nfo"])
        #expect(found.notes(about: "01.mp3", in: .tracks).isEmpty)
    }

    @Test func theImageOfAFilmGoesBeforeThatOfItsFolder() {
        #expect(
            files("f/a.jpg", "f/a-poster.png", "f/folder.jpg").image(of: "f/a.mp4", in: .titles)?.name
                == "f/a-poster.png")
        #expect(files("f/A.JPG", "f/folder.jpg").image(of: "f/a.mp4", in: .titles)?.name == "f/A.JPG")
        #expect(files("f/folder.jpg", "f/poster.jpg").image(of: "f/a.mp4", in: .titles)?.name == "f/poster.jpg")
        #expect(files("folder.jpg", "poster.jpg").image(of: "a.mp4", in: .titles) == nil)
        #expect(files("a.jpg").image(of: "a.mp4", in: .titles)?.name == "a.jpg")
    }

    @Test func theImageOfATrackGoesBeforeThatOfItsAlbum() {
        #expect(files("a/1.jpg", "a/cover.jpg").image(of: "a/1.mp3", in: .tracks)?.name == "a/1.jpg")
        #expect(files("a/folder.jpg", "a/Cover.PNG").image(of: "a/1.mp3", in: .tracks)?.name == "a/Cover.PNG")
        #expect(files("a/folder.jpeg").image(of: "a/1.mp3", in: .tracks)?.name == "a/folder.jpeg")
        #expect(files("folder.jpg", "a/poster.jpg").image(of: "1.mp3", in: .tracks) == nil)
    }

    @Test func aScanFindsThem() throws {
        let folder = try TemporaryDirectory()
        try FileManager.default.createDirectory(
            atPath: "\(folder.path)/vod/Film", withIntermediateDirectories: true)
        for name in ["vod/Film/film.mp4", "vod/Film/film.nfo", "vod/Film/.hidden.nfo", "vod/Film/notes.txt"] {
            try Data("x".utf8).write(to: URL(filePath: "\(folder.path)/\(name)"))
        }
        let listing = try MediaFolder(section: .titles, mediaDirectory: folder.path).listing()
        let notes = listing.companions.notes(about: "Film/film.mp4", in: .titles)
        #expect(notes.map(\.path) == ["\(folder.path)/vod/Film/film.nfo"])
    }
}
