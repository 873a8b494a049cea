import MediaCore
import Testing

struct MediaPathTests {
    @Test(
        arguments: [
            ("/vod/film/playlist.m3u8", ["vod", "film", "playlist.m3u8"]),
            ("/%76od/f%69lm/playlist%2Em3u8", ["vod", "film", "playlist.m3u8"]),
            ("/vod/mp4%3Aa%20b%C3%B1.mp4/x", ["vod", "mp4:a bñ.mp4", "x"]),
            ("/vod/mp4:a b\u{F1}.mp4/x", ["vod", "mp4:a bñ.mp4", "x"]),
            ("//vod//film/", ["vod", "film"]), ("/a;b/c,d=e/(f)", ["a;b", "c,d=e", "(f)"]),
            // Decoded once.
            ("/a%252Fb", ["a%2Fb"]), ("/.../..a/a..", ["...", "..a", "a.."]), ("/%3F%23", ["?#"]), ("/", []),
        ] as [(String, [String])])
    func pathsAreDecodedOnce(path: String, components: [String]) throws {
        #expect(try #require(MediaPath(path[...])).components.map(String.init) == components)
    }

    @Test(arguments: [
        "", "vod/film",
        "/a/../b", "/a/./b", "/..", "/.", "/a/%2e%2e/b", "/a/.%2E/b", "/a/%2e/b", "/a%2fb", "/a%2Fb",
        "/a%5cb", "/a\\b", "/a%00b", "/a%0ab", "/a%0D%0Ab", "/a%1fb", "/a%7Fb", "/a%C2%80b", "/a%c2%9fb", "/a\u{0}b",
        "/a\u{85}b", "/a#b", "/a%", "/a%2", "/a%zz", "/a%+1", "/a%u2215b",
        // Not UTF-8: overlong, cut, a surrogate, too large; and what a decoder puts in its place.
        "/a%c0%afb", "/%c0%ae%c0%ae/b", "/a%e0%80%afb", "/a%ff", "/a%C3", "/a%ED%A0%80", "/a%F4%90%80%80",
        "/a%EF%BF%BD",
        "/signed/", "/signed/x", "/%73igned/x%2F/a",
    ])
    func whatCanBeReadInTwoWaysHasNoReading(path: String) {
        #expect(MediaPath(path[...]) == nil)
    }

    @Test(arguments: ["/signed/exp=1,id=a,sig=b/vod/f/x", "/s%69gned/exp%3D1%2Cid%3Da,sig=b/vod/f/x"])
    func signaturesAreTakenApart(path: String) throws {
        let path = try #require(MediaPath(path[...]))
        #expect(path.signature == "exp=1,id=a,sig=b" && path.components == ["vod", "f", "x"])
    }

    @Test func emptyComponentsAreNoticed() {
        for path in ["//a/b", "/a//b", "/a/b/", "/a//%62", "/signed/s//a"] {
            #expect(MediaPath(path[...])?.hasEmptyComponent == true, "\(path)")
        }
        for path in ["/a/b", "/a/%62", "/signed/s/a", "/signed/%73/a"] {
            #expect(MediaPath(path[...])?.hasEmptyComponent == false, "\(path)")
        }
    }

    @Test(arguments: ["", ".", "..", "a b", "a/b", "a:b", "a%62", "ñ", "n\u{303}", "a\u{0}", "a\n", "\u{212A}", "a\\"])
    func namesStandInAddressesAsTheyAre(text: String) {
        #expect(MediaName(text) == nil && MediaName(text[...]) == nil)
    }

    @Test(arguments: ["a", "...", ".a", "AZaz09._~-", "r1-ab"]) func namesAreUnreserved(text: String) {
        #expect(MediaName(text)?.text == text && MediaName(text[...])?.text == text)
    }

    @Test(arguments: ["", "/a", "a/", "a//b", "../a", "a/../b", "a/./b", "a\\b", "a\u{0}", "a\u{85}", "a\u{FFFD}"])
    func namesOfFilesStayBelowTheirFolder(text: String) {
        #expect(MediaFileName(text) == nil)
    }

    /// Two files whose names only Unicode takes for equal.
    @Test func namesOfFilesAreComparedAsBytes() throws {
        let composed = try #require(MediaFileName("a/ma\u{F1}ana 100%.mp4"))
        let decomposed = try #require(MediaFileName("a/man\u{303}ana 100%.mp4"))
        #expect(composed != decomposed && Set([composed, decomposed]).count == 2)
        #expect(composed.encoded == "a/ma%C3%B1ana%20100%25.mp4")
    }
}
