import MediaStorage
import Testing

struct MediaKeyTests {
    @Test(arguments: [
        "a", "movies/film-1a2b.mp4", "películas/año 1.mp4", "a/.hidden", "..a/b..", String(repeating: "k", count: 255),
    ])
    func acceptsPaths(key: String) throws { try MediaKey.check(key) }

    @Test(arguments: [
        "", "/a", "a/", "a//b", "..", "a/../b", ".", "a/./b", "a\u{0}b", "a\nb", "a/.antena-upload-1",
        String(repeating: "k", count: 256), Array(repeating: "abc", count: 200).joined(separator: "/"),
    ])
    func refusesWhatIsNoPathBelowAFolder(key: String) {
        let error = #expect(throws: MediaStorageError.self) { try MediaKey.check(key) }
        #expect(error?.code == .invalidRequest)
    }
}
