import LibraryCore
import Testing

@testable import MediaIntake

struct ReceivedNameTests {
    @Test(arguments: [
        ("../../etc/film.mp4", "film.mp4"), (".hidden.mp4", "hidden.mp4"), ("a\u{0}\n.mkv", "a  .mkv"),
        ("/x/y\\z.MP3", "z.MP3"), ("\u{202E}4pm.mp4", "4pm.mp4"), (" película ñ.mov ", "película ñ.mov"),
        ("a/\u{338}b.mp4", "\u{338}b.mp4"), ("../\u{301}/.\u{338}x.mp4", "\u{338}x.mp4"),
        (String(repeating: "é", count: 300) + ".mp4", String(repeating: "é", count: 98) + ".mp4"),
    ])
    func strangersNamesAreMadeHarmless(_ wish: String, _ name: String) throws {
        #expect(try ReceivedName(wish).text == name)
    }

    @Test(arguments: ["", "film", "..", "a/b/", "list.m3u8", ".mp4", "notes.txt"])
    func namesOfNoMediumAreRefused(_ wish: String) {
        #expect(throws: LibraryError.self) { try ReceivedName(wish) }
    }
}
