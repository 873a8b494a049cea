import MediaCore
import Testing

/// The names of renditions.
struct RenditionIDTests {
    @Test func namesAreReadAsTheyAreWritten() throws {
        for id in [
            RenditionID.video, .audio, RenditionID(.audio, variant: "opus"), RenditionID(.video, variant: "540p"),
        ] {
            #expect(RenditionID(name: id.name) == id)
        }
        #expect(try #require(RenditionID(name: "audio-opus")).mediaType == .audio)
        #expect(try #require(RenditionID(name: "audio-opus")).isMain == false)
    }

    @Test(arguments: ["", "-", "other", "audio-", "audio-Opus", "audio-a/b", "video-..", "audio-12345678901234567"])
    func otherTextsAreNoNames(_ text: String) { #expect(RenditionID(name: text) == nil) }

    @Test func videoComesFirstAndTheMainOneBeforeOthers() {
        let other = RenditionID(.video, variant: "low")
        #expect(
            [RenditionID(.audio, variant: "opus"), .audio, other, .video].sorted().map(\.name) == [
                "video", "video-low", "audio", "audio-opus",
            ])
    }
}
