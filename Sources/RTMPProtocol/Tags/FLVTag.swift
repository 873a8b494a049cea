package import NIOCore

/// A piece of a track in the body of a tag of audio or video.
package struct FLVTag: Sendable, Hashable {
    package enum Content: Sendable, Hashable {
        /// The parameters of the codec, in the form of its box in MP4: `avcC`, `hvcC`, `av1C`, an AudioSpecificConfig,
        /// an Opus header, a FLAC header.
        case configuration(ByteBuffer)
        /// A frame, whose times are those of the tag and `composition` later in presentation.
        case frame(ByteBuffer, isKeyFrame: Bool, composition: Composition)
        /// The end of the track, and what tells nothing about media.
        case nothing
    }

    /// A distance of the time of presentation from that of decoding.
    package struct Composition: Sendable, Hashable {
        package var milliseconds: Int32 = 0
        /// Nanoseconds by which both times are later than the tag's.
        package var nanoseconds: UInt32 = 0

        package static let none = Composition()

        package init(milliseconds: Int32 = 0, nanoseconds: UInt32 = 0) {
            (self.milliseconds, self.nanoseconds) = (milliseconds, nanoseconds)
        }
    }

    /// The number of the track; 0 in tags for a single one.
    package var track: UInt8
    package var codec: FLVCodec
    package var content: Content

    /// The largest number of tracks in a tag.
    package static let maximumTrackCount = 16
    /// The largest number of modifiers in front of a tag.
    private static let maximumModifierCount = 8

    package init(track: UInt8 = 0, codec: FLVCodec, content: Content) {
        (self.track, self.codec, self.content) = (track, codec, content)
    }

    // MARK: Parsing

    /// Reads the body of a tag.
    ///
    /// - Parameter media: the tag.
    /// - Returns: its tracks, of which there is usually one; none for a tag that carries commands.
    /// - Throws: `RTMPError` if it is cut off or contradicts itself.
    package static func tags(in media: RTMPMedia) throws(RTMPError) -> [FLVTag] {
        var body = media.payload
        guard let first = body.readInteger(as: UInt8.self) else { return [] }
        return media.isVideo ? try video(first, &body) : try audio(first, &body)
    }

    private static func audio(_ first: UInt8, _ body: inout ByteBuffer) throws(RTMPError) -> [FLVTag] {
        let format = first >> 4
        guard format != 9 else { return try enhanced(first & 0xF, isVideo: false, isKeyFrame: true, &body) }
        let codec = FLVCodec.ofAudio(format)
        guard codec == .aac else {
            return [FLVTag(track: 0, codec: codec, content: .frame(body, isKeyFrame: true, composition: .none))]
        }
        guard let type = body.readInteger(as: UInt8.self) else { throw RTMPError("an AAC tag is cut off") }
        return [
            FLVTag(
                track: 0, codec: codec,
                content: type == 0 ? .configuration(body) : .frame(body, isKeyFrame: true, composition: .none))
        ]
    }

    private static func video(_ first: UInt8, _ body: inout ByteBuffer) throws(RTMPError) -> [FLVTag] {
        let frameType = first >> 4 & 7
        let isKeyFrame = frameType == 1
        // Commands, such as those around a seek, hold no frame.
        guard frameType != 5 else { return [] }
        if first & 0x80 != 0 { return try enhanced(first & 0xF, isVideo: true, isKeyFrame: isKeyFrame, &body) }
        let codec = FLVCodec.ofVideo(first & 0xF)
        if case .other = codec {
            return [FLVTag(track: 0, codec: codec, content: .frame(body, isKeyFrame: isKeyFrame, composition: .none))]
        }
        guard let type = body.readInteger(as: UInt8.self), let offset = body.readInteger24() else {
            throw RTMPError("a video tag is cut off")
        }
        let content: Content =
            switch type {
            case 0: .configuration(body)
            case 1: .frame(body, isKeyFrame: isKeyFrame, composition: .init(milliseconds: signed(offset)))
            default: .nothing
            }
        return [FLVTag(track: 0, codec: codec, content: content)]
    }

    /// The types of packets in enhanced RTMP. Audio and video have the same numbers for what both have.
    private enum PacketType {
        static let sequenceStart: UInt8 = 0
        static let codedFrames: UInt8 = 1
        static let codedFramesWithoutComposition: UInt8 = 3
        static let multitrackOfAudio: UInt8 = 5
        static let multitrackOfVideo: UInt8 = 6
        static let modifier: UInt8 = 7
    }

    private static func enhanced(
        _ type: UInt8, isVideo: Bool, isKeyFrame: Bool, _ body: inout ByteBuffer
    ) throws(RTMPError) -> [FLVTag] {
        var (type, composition) = (type, Composition.none)
        var modifierCount = 0
        while type == PacketType.modifier {
            modifierCount += 1
            guard modifierCount <= maximumModifierCount else {
                throw RTMPError("a tag has more than \(maximumModifierCount) modifiers")
            }
            type = try modify(&composition, &body)
        }
        guard type == (isVideo ? PacketType.multitrackOfVideo : PacketType.multitrackOfAudio) else {
            guard let code = body.readInteger(as: UInt32.self) else { throw RTMPError("an enhanced tag is cut off") }
            let codec = FLVCodec(fourCharacters: code)
            return [try tag(0, codec, type, isVideo: isVideo, isKeyFrame: isKeyFrame, composition, body)]
        }
        return try multitrack(isVideo: isVideo, isKeyFrame: isKeyFrame, composition, &body)
    }

    /// Reads a modifier, of which only nanoseconds are known.
    ///
    /// - Returns: the type of the packet that follows.
    private static func modify(
        _ composition: inout Composition, _ body: inout ByteBuffer
    ) throws(RTMPError) -> UInt8 {
        guard var length = body.readInteger(as: UInt8.self).map({ Int($0) + 1 }) else { throw cutOff }
        if length == 256 {
            guard let long = body.readInteger(as: UInt16.self) else { throw cutOff }
            length = Int(long) + 1
        }
        guard var data = body.readSlice(length: length), let kinds = body.readInteger(as: UInt8.self) else {
            throw cutOff
        }
        if kinds >> 4 == 0, let nanoseconds = data.readInteger24() {
            composition.nanoseconds = min(nanoseconds, 999_999)
        }
        return kinds & 0xF
    }

    private static var cutOff: RTMPError { RTMPError("a modifier of a tag is cut off") }

    private static func multitrack(
        isVideo: Bool, isKeyFrame: Bool, _ composition: Composition, _ body: inout ByteBuffer
    ) throws(RTMPError) -> [FLVTag] {
        guard let kinds = body.readInteger(as: UInt8.self) else { throw RTMPError("a tag of tracks is cut off") }
        let (arrangement, type) = (kinds >> 4, kinds & 0xF)
        // One track; several tracks of one codec; several with a codec each.
        guard arrangement <= 2 else { throw RTMPError("tracks are arranged in an unknown way, \(arrangement)") }
        var shared: FLVCodec?
        if arrangement != 2 {
            guard let code = body.readInteger(as: UInt32.self) else { throw RTMPError("a tag of tracks is cut off") }
            shared = FLVCodec(fourCharacters: code)
        }
        var tags: [FLVTag] = []
        repeat {
            guard tags.count < maximumTrackCount else {
                throw RTMPError("a tag has more than \(maximumTrackCount) tracks")
            }
            var codec = shared
            if codec == nil { codec = body.readInteger(as: UInt32.self).map(FLVCodec.init(fourCharacters:)) }
            guard let codec, let track = body.readInteger(as: UInt8.self) else {
                throw RTMPError("a tag of tracks is cut off")
            }
            var piece = body
            if arrangement != 0 {
                guard let length = body.readInteger24(), let slice = body.readSlice(length: Int(length)) else {
                    throw RTMPError("a track is longer than its tag")
                }
                piece = slice
            } else {
                body.moveReaderIndex(to: body.writerIndex)
            }
            tags.append(try tag(track, codec, type, isVideo: isVideo, isKeyFrame: isKeyFrame, composition, piece))
        } while body.readableBytes > 0
        return tags
    }

    private static func tag(
        _ track: UInt8, _ codec: FLVCodec, _ type: UInt8, isVideo: Bool, isKeyFrame: Bool, _ composition: Composition,
        _ body: ByteBuffer
    ) throws(RTMPError) -> FLVTag {
        var (body, composition) = (body, composition)
        let content: Content
        switch type {
        case PacketType.sequenceStart: content = .configuration(body)
        case PacketType.codedFrames:
            if isVideo, codec == .h264 || codec == .hevc {
                guard let offset = body.readInteger24() else { throw RTMPError("a video tag is cut off") }
                composition.milliseconds = signed(offset)
            }
            content = .frame(body, isKeyFrame: isKeyFrame, composition: composition)
        case PacketType.codedFramesWithoutComposition where isVideo:
            content = .frame(body, isKeyFrame: isKeyFrame, composition: composition)
        default: content = .nothing
        }
        return FLVTag(track: track, codec: codec, content: content)
    }

    /// A number of 24 bits with its sign.
    private static func signed(_ number: UInt32) -> Int32 { Int32(bitPattern: number << 8) >> 8 }
}
