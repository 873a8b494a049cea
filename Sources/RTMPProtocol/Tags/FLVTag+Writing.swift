package import NIOCore

extension FLVTag {
    /// The body of a tag of audio or video: as in FLV for H.264 and AAC, which old players know, and as enhanced RTMP
    /// has it for other codecs.
    ///
    /// - Returns: `nil` for a codec or content that is not sent.
    package func body() -> ByteBuffer? {
        var body = ByteBuffer()
        switch (codec, content) {
        case (.aac, .configuration(let bytes)): body.write(0xAF, 0, then: bytes)
        case (.aac, .frame(let bytes, _, _)): body.write(0xAF, 1, then: bytes)
        case (.h264, .configuration(let bytes)):
            body.writeBytes([0x17, 0])
            body.write24(0)
            body.writeImmutableBuffer(bytes)
        case (.h264, .frame(let bytes, let isKeyFrame, let composition)):
            body.writeBytes([isKeyFrame ? 0x17 : 0x27, 1])
            body.write24(UInt32(bitPattern: composition.milliseconds) & 0xFF_FFFF)
            body.writeImmutableBuffer(bytes)
        case (_, .nothing): return nil
        case (_, .configuration(let bytes)):
            guard let code = codec.fourCharacters else { return nil }
            // A key frame of video, and the number that means enhanced RTMP for audio, are alike.
            body.writeInteger(0x90 as UInt8)
            body.writeInteger(code)
            body.writeImmutableBuffer(bytes)
        case (_, .frame(let bytes, let isKeyFrame, let composition)):
            guard let code = codec.fourCharacters else { return nil }
            body.writeInteger((isVideo && !isKeyFrame ? 0xA1 : 0x91) as UInt8)
            body.writeInteger(code)
            if codec == .hevc { body.write24(UInt32(bitPattern: composition.milliseconds) & 0xFF_FFFF) }
            body.writeImmutableBuffer(bytes)
        }
        return body
    }

    package var isVideo: Bool { codec.isVideo }
}

extension ByteBuffer {
    fileprivate mutating func write(_ bytes: UInt8..., then rest: ByteBuffer) {
        writeBytes(bytes)
        writeImmutableBuffer(rest)
    }

    fileprivate mutating func write24(_ number: UInt32) {
        writeInteger(UInt8(truncatingIfNeeded: number >> 16))
        writeInteger(UInt16(truncatingIfNeeded: number))
    }
}
