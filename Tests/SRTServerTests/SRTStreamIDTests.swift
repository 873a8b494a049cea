import StreamConnections
import Testing

@testable import SRTServer

/// The forms of streamids.
struct SRTStreamIDTests {
    @Test(
        arguments: [
            ("publish:canalA", SRTStreamID.Purpose.publishing, StreamCredential?.none),
            ("publish:live/canalA.stream", .publishing, nil),
            (
                "publish:canalA:ana:secret:with:colons", .publishing,
                .password(username: "ana", secret: "secret:with:colons")
            ),
            ("publish:canalA?token=abc", .publishing, .token("abc")),
            ("publish:/live/canalA.stream?user=ana&pass=s%20t", .publishing, .password(username: "ana", secret: "s t")),
            ("read:canalA", .reading, nil), ("canalA", .reading, nil), ("live/canalA.stream", .reading, nil),
            ("read:canalA:ana:x", .reading, .password(username: "ana", secret: "x")),
            ("#!::r=canalA,m=publish", .publishing, nil), ("#!::r=live/canalA,m=request", .reading, nil),
            ("#!::r=canalA", .reading, nil),
            ("#!::u=ana,s=secret,r=canalA,m=publish", .publishing, .password(username: "ana", secret: "secret")),
            ("#!::r=canalA,m=publish,s=token-alone", .publishing, .token("token-alone")),
        ]) func formsInUse(_ text: String, _ purpose: SRTStreamID.Purpose, _ credential: StreamCredential?) throws
    {
        let streamID = try #require(SRTStreamID(text))
        #expect(streamID.purpose == purpose && streamID.channel == "canalA" && streamID.credential == credential)
    }

    @Test func thePresetIsNamedInTheQueryOrAField() throws {
        #expect(try #require(SRTStreamID("publish:canalA?preset=high")).preset == "high")
        #expect(try #require(SRTStreamID("#!::r=canalA,m=publish,preset=high")).preset == "high")
    }

    @Test func linksMayBringTheirPassphrase() throws {
        for text in ["publish:canalA?link=abc", "#!::r=canalA,m=publish,link=abc"] {
            let streamID = try #require(SRTStreamID(text))
            #expect(streamID.credential == .token("abc") && streamID.hasOwnPassphrase)
        }
        #expect(try #require(SRTStreamID("publish:canalA?token=abc")).hasOwnPassphrase == false)
    }

    @Test(arguments: ["", ":", "write:canalA", "#!::r", "#!::r=canalA,m=bidirectional", "a:b:c"])
    func otherTextsAreRefused(_ text: String) { #expect(SRTStreamID(text) == nil) }

    @Test(arguments: ["publish:", "publish:../x", "#!::m=publish", "publish:live/a/b", "read:vod/film.mp4"])
    func whatIsNoChannelHasNoName(_ text: String) throws { #expect(try #require(SRTStreamID(text)).channel == nil) }
}
