import NIOCore
import Testing

@testable import WebIngest

/// The messages of browsers, which strangers can send as well.
struct IngestMessageTests {
    private static let hello = """
        {"type": "hello", "token": "abc", "preset": "high", "tracks": [
          {"id": 0, "codec": "avc1.64001f"}, {"id": 1, "codec": "opus", "sampleRate": 48000, "channels": 2}]}
        """

    @Test func aHelloSaysWhatComes() throws {
        let hello = try IngestHello(Self.hello)
        #expect(hello.token == "abc" && hello.preset == "high")
        #expect(hello.tracks.map(\.codec) == [.h264, .opus] && hello.tracks.map(\.number) == [0, 1])
        #expect(hello.tracks[1].channelCount == 2)
    }

    @Test(arguments: [
        "", "{}", "[]", #"{"type": "bye"}"#, #"{"type": "hello"}"#, #"{"type": "hello", "tracks": []}"#,
        #"{"type": "hello", "tracks": [{"id": 0, "codec": "theora"}]}"#,
        #"{"type": "hello", "tracks": [{"id": 256, "codec": "vp8"}]}"#,
        #"{"type": "hello", "tracks": [{"id": 0, "codec": "vp8"}, {"id": 1, "codec": "vp8"}]}"#,
        #"{"type": "hello", "tracks": [{"id": 0, "codec": "opus"}]}"#,
        #"{"type": "hello", "tracks": [{"id": 0, "codec": "opus", "sampleRate": 1, "channels": 2}]}"#,
        #"{"type": "hello", "tracks": [{"id": 7, "codec": "vp8"}, {"id": 7, "codec": "mp4a.40.2", "sampleRate": 48000, "channels": 2}]}"#,
    ]) func otherTextsAreRefused(_ text: String) { #expect(throws: IngestError.self) { try IngestHello(text) } }

    @Test func aFrameHasAHeader() throws {
        var message = ByteBuffer(bytes: [2, 1, 1, 0])
        message.writeInteger(Int64(1_000_000))
        message.writeInteger(UInt32(20_000))
        message.writeBytes([1, 2, 3])
        let frame = try IngestFrame(message)
        #expect(frame.kind == .frame && frame.track == 1 && frame.isKeyFrame)
        #expect(frame.time == 1_000_000 && frame.duration == 20_000 && frame.content == ByteBuffer(bytes: [1, 2, 3]))
        for count in 0..<16 {
            let short = try #require(message.getSlice(at: 0, length: count))
            #expect(throws: IngestError.self) { try IngestFrame(short) }
        }
        #expect(throws: IngestError.self) { try IngestFrame(ByteBuffer(repeating: 9, count: 20)) }
    }
}
