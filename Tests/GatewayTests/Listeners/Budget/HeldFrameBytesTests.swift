import Testing

@testable import Gateway

struct HeldFrameBytesTests {
    /// Receives bytes in pieces of a size.
    private static func held(_ bytes: [UInt8], inPiecesOf size: Int) -> Int {
        var frames = HeldFrameBytes()
        var rest = bytes[...]
        while !rest.isEmpty {
            frames.receive(Array(rest.prefix(size)))
            rest = rest.dropFirst(size)
        }
        return frames.byteCount
    }

    @Test(arguments: [1, 7, 9, 1_000_000]) func headerBlocksAndUnfinishedFramesAreHeld(_ size: Int) {
        let block = [UInt8](repeating: 0, count: 4_000)
        let complete = RawFrame.frame(.headers, flags: RawFrame.endHeaders, stream: 1, block)
        let open = RawFrame.frame(.headers, stream: 1, block)
        let more = RawFrame.frame(.continuation, stream: 1, block)
        let last = RawFrame.frame(.continuation, flags: RawFrame.endHeaders, stream: 1, block)
        let data = RawFrame.frame(.data, stream: 1, [UInt8](repeating: 0, count: 16_000))
        let ping = RawFrame.frame(.ping, [UInt8](repeating: 0, count: 8))
        for (frames, expected) in [
            ([complete], 0), ([open], 4_000), ([open, more], 8_000), ([open, more, more], 12_000),
            ([open, more, last], 0), ([complete, data, ping, data], 0), ([open, last, complete, open], 4_000),
        ] {
            #expect(Self.held(RawFrame.preface + frames.flatMap { $0 }, inPiecesOf: size) == expected)
        }
        // The beginning of a frame: its head and the payload that has come; DATA is passed on.
        #expect(Self.held(RawFrame.preface + complete.prefix(1_009), inPiecesOf: size) == 1_009)
        #expect(Self.held(RawFrame.preface + complete.prefix(5), inPiecesOf: size) == 5)
        #expect(Self.held(RawFrame.preface + data.prefix(10_000), inPiecesOf: size) == 9)
    }
}
