import NIOCore
import Testing

@testable import RTMPProtocol

/// Bodies of tags, as FLV and enhanced RTMP have them.
struct FLVTagTests {
    private static func tags(_ bytes: [UInt8], isVideo: Bool = true) throws -> [FLVTag] {
        try FLVTag.tags(in: RTMPMedia(isVideo: isVideo, timestamp: 0, payload: ByteBuffer(bytes: bytes)))
    }

    private static func frame(
        _ bytes: [UInt8], _ isKeyFrame: Bool = true, _ milliseconds: Int32 = 0, _ nanoseconds: UInt32 = 0
    ) -> FLVTag.Content {
        .frame(
            ByteBuffer(bytes: bytes), isKeyFrame: isKeyFrame,
            composition: .init(milliseconds: milliseconds, nanoseconds: nanoseconds))
    }

    private static func code(_ text: String) -> [UInt8] { Array(text.utf8) }

    @Test func tagsOfFLVAreRead() throws {
        #expect(
            try Self.tags([0x17, 0, 0, 0, 0, 1, 2])
                == [FLVTag(codec: .h264, content: .configuration(ByteBuffer(bytes: [1, 2])))])
        #expect(try Self.tags([0x27, 1, 0, 0, 40, 9]) == [FLVTag(codec: .h264, content: Self.frame([9], false, 40))])
        #expect(
            try Self.tags([0x17, 1, 0xFF, 0xFF, 0xD8, 9]) == [FLVTag(codec: .h264, content: Self.frame([9], true, -40))]
        )
        #expect(try Self.tags([0x17, 2, 0, 0, 0]) == [FLVTag(codec: .h264, content: .nothing)])
        #expect(try Self.tags([0x1C, 1, 0, 0, 0, 9]) == [FLVTag(codec: .hevc, content: Self.frame([9]))])
        #expect(try Self.tags([0x57, 0]) == [], "a command")
        #expect(
            try Self.tags([0xAF, 0, 0x12, 0x10], isVideo: false)
                == [FLVTag(codec: .aac, content: .configuration(ByteBuffer(bytes: [0x12, 0x10])))])
        #expect(try Self.tags([0xAF, 1, 7], isVideo: false) == [FLVTag(codec: .aac, content: Self.frame([7]))])
        #expect(try Self.tags([0x2F, 7], isVideo: false).map(\.codec) == [.mp3])
        #expect(try Self.tags([0xB2, 7], isVideo: false).map(\.codec) == [.other("Speex")])
        #expect(try Self.tags([0x12, 7]).map(\.codec) == [.other("Sorenson H.263")])
        #expect(try Self.tags([]) == [])
    }

    @Test func enhancedTagsAreRead() throws {
        #expect(
            try Self.tags([0x90] + Self.code("hvc1") + [1, 2])
                == [FLVTag(codec: .hevc, content: .configuration(ByteBuffer(bytes: [1, 2])))])
        #expect(
            try Self.tags([0xA1] + Self.code("hvc1") + [0, 0, 20, 9])
                == [FLVTag(codec: .hevc, content: Self.frame([9], false, 20))])
        #expect(
            try Self.tags([0x93] + Self.code("avc1") + [9]) == [FLVTag(codec: .h264, content: Self.frame([9]))])
        // AV1 and VP9 have no composition.
        #expect(try Self.tags([0x91] + Self.code("av01") + [9]) == [FLVTag(codec: .av1, content: Self.frame([9]))])
        #expect(try Self.tags([0x91] + Self.code("vp09") + [9]) == [FLVTag(codec: .vp9, content: Self.frame([9]))])
        #expect(try Self.tags([0x92] + Self.code("av01")) == [FLVTag(codec: .av1, content: .nothing)])
        for (name, codec) in [
            ("Opus", FLVCodec.opus), ("ac-3", .ac3), ("ec-3", .eac3), ("fLaC", .flac), ("mp4a", .aac),
        ] {
            #expect(
                try Self.tags([0x91] + Self.code(name) + [9], isVideo: false)
                    == [FLVTag(codec: codec, content: Self.frame([9]))])
        }
        #expect(try Self.tags([0x91] + Self.code("vvc1") + [9]).map(\.codec) == [.other("vvc1")])
    }

    /// Nanoseconds come in front of a frame, in a modifier.
    @Test func modifiersAreRead() throws {
        let modifier: [UInt8] = [2, 0, 1, 0, 0x01]
        #expect(
            try Self.tags([0x97] + modifier + Self.code("av01") + [9])
                == [FLVTag(codec: .av1, content: Self.frame([9], true, 0, 256))])
        // An unknown one is passed over, whatever its length.
        let long: [UInt8] = [255, 1, 0] + [UInt8](repeating: 7, count: 257) + [0x51]
        #expect(try Self.tags([0x97] + long + Self.code("av01") + [9]).count == 1)
        let endless = [UInt8]([0x97]) + [[UInt8]](repeating: [0, 0, 0x57], count: 100).flatMap { $0 }
        #expect(throws: RTMPError.self) { try Self.tags(endless) }
    }

    @Test func tracksAreRead() throws {
        // One track.
        #expect(
            try Self.tags([0x96, 0x01] + Self.code("av01") + [5, 9])
                == [FLVTag(track: 5, codec: .av1, content: Self.frame([9]))])
        // Two of one codec.
        #expect(
            try Self.tags([0x96, 0x11] + Self.code("av01") + [0, 0, 0, 1, 8] + [1, 0, 0, 2, 9, 9])
                == [
                    FLVTag(track: 0, codec: .av1, content: Self.frame([8])),
                    FLVTag(track: 1, codec: .av1, content: Self.frame([9, 9])),
                ])
        // Two with a codec each.
        let two = [0x95, 0x21] + Self.code("Opus") + [0, 0, 0, 1, 8] + Self.code("mp4a") + [1, 0, 0, 1, 9]
        #expect(
            try Self.tags(two, isVideo: false)
                == [
                    FLVTag(track: 0, codec: .opus, content: Self.frame([8])),
                    FLVTag(track: 1, codec: .aac, content: Self.frame([9])),
                ])
        let many = [0x96, 0x11] + Self.code("av01") + [[UInt8]](repeating: [0, 0, 0, 0], count: 17).flatMap { $0 }
        #expect(throws: RTMPError.self) { try Self.tags(many) }
    }

    /// A tag that ends anywhere is an error, or holds less.
    @Test(arguments: [
        [0x17, 1, 0, 0, 40, 9], [0x97, 2, 0, 1, 0, 0x01] + Self.code("hvc1") + [0, 0, 1, 9],
        [0x96, 0x21] + Self.code("av01") + [0, 0, 0, 1, 8] + Self.code("hvc1") + [1, 0, 0, 4, 0, 0, 1, 9],
    ]) func aTagThatIsCutOffDoesNoHarm(_ bytes: [UInt8]) {
        for count in 0..<bytes.count { _ = try? Self.tags(Array(bytes.prefix(count))) }
        for count in 0..<bytes.count { _ = try? Self.tags(Array(bytes.prefix(count)), isVideo: false) }
    }

    @Test(arguments: [
        FLVTag(codec: .h264, content: .configuration(ByteBuffer(bytes: [1]))),
        FLVTag(codec: .h264, content: frame([9], false, -5)), FLVTag(codec: .hevc, content: frame([9], true, 7)),
        FLVTag(codec: .hevc, content: .configuration(ByteBuffer(bytes: [1]))),
        FLVTag(codec: .av1, content: frame([9], false)), FLVTag(codec: .aac, content: frame([9])),
        FLVTag(codec: .opus, content: .configuration(ByteBuffer(bytes: [1]))),
        FLVTag(codec: .eac3, content: frame([9])),
    ]) func whatIsWrittenIsRead(_ tag: FLVTag) throws {
        let body = try #require(tag.body())
        #expect(try FLVTag.tags(in: RTMPMedia(isVideo: tag.isVideo, timestamp: 0, payload: body)) == [tag])
    }
}
