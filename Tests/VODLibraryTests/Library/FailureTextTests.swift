import LibraryCore
import Testing

@testable import MediaFolders
@testable import VODLibrary

struct FailureTextTests {
    private struct Words: Error, CustomStringConvertible { var description: String }

    @Test(arguments: [
        ("film.mkv: moov atom not found", "moov atom not found"), ("plain", "plain"),
        ("film.mkv: film.mkv: twice", "twice"), ("sub/film.mkv: whole name", "whole name"),
        ("/srv/media/vod/sub/film.mkv: at its path", "at its path"),
        ("film.mkv: killed; its last words: /srv/media/vod/sub/film.mkv: bad", "killed; its last words: bad"),
        ("film.mkv: cannot create /srv/data/movies/x.mp4.part: No space", "cannot create x.mp4.part: No space"),
        ("two\nlines", "two lines"),
    ])
    func namesTheFileOnceAndNoFolder(words: String, reason: String) {
        let file = FoundFile(
            name: "sub/film.mkv", path: "/srv/media/vod/sub/film.mkv", kind: .video, byteCount: 1, modificationTime: 1)
        let text = FailureText(
            Words(description: words), file: file, directories: ["/srv/data/movies", "/srv/media/vod", "/srv/data"])
        #expect(text.description == "sub/film.mkv: \(reason)")
    }

    @Test func isOfBoundedLength() {
        let file = FoundFile(name: "a.mkv", path: "/a.mkv", kind: .video, byteCount: 1, modificationTime: 1)
        let words = Words(description: String(repeating: "x", count: 1_000_000))
        #expect(FailureText(words, file: file, directories: []).description.count < 600)
    }
}
