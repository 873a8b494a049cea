import Testing

@testable import LibAV

struct InputFormatTests {
    @Test(arguments: [
        ("#EXTM3U\n#EXT-X-VERSION:3\n", "an M3U playlist"),
        ("\u{FEFF}#EXTM3U\n", "an M3U playlist"),
        ("ffconcat version 1.0\nfile 'a.mp4'\n", "an ffconcat script"),
        ("# made by hand\n\nfile 'a.mp4'\n", "a concat script"),
        ("<?xml version=\"1.0\"?>\n<!-- x -->\n<MPD xmlns=\"\">", "a DASH manifest"),
        ("[playlist]\nFile1=http://example.org/a", "a PLS playlist"),
        ("v=0\r\no=- 0 0 IN IP4 127.0.0.1\r\n", "a session description"),
        ("https://example.org/a.mp4\n", "a list of addresses"),
    ])
    func namesPlaylists(text: String, kind: String) {
        #expect(InputFormat.playlistKind(Array(text.utf8)) == kind)
    }

    @Test(arguments: ["hello", "", "#", "# a\n# b", "<?xml", "\u{0}\u{0}\u{0}\u{18}ftypisom", "ID3", "RIFF"])
    func takesOtherBeginningsForNoPlaylist(text: String) {
        #expect(InputFormat.playlistKind(Array(text.utf8)) == nil)
    }

    @Test(arguments: ["ape", "dsf", "wv", "mpc", "mpc8", "ac3", "eac3", "tta", "aiff", "asf", "ogg", "matroska,webm"])
    func allowsFormatsOfAudio(name: String) { #expect(InputFormat.allowedNames.contains(name)) }

    /// A demuxer that follows references or uses the network must never be added to the list by accident.
    @Test(arguments: ["concat", "hls", "dash", "sdp", "rtsp", "rtp", "image2", "ffmetadata", "tee", "lavfi", "imf"])
    func allowsNoFormatThatRefersElsewhere(name: String) {
        #expect(!InputFormat.allowedNames.contains(name))
    }
}
