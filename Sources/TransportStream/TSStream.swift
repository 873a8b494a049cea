import NIOCore

/// A stream of the programme, as its map says.
package struct TSStream: Sendable, Hashable {
    /// The content of a stream.
    package enum Content: Sendable, Hashable {
        case h264, hevc
        /// AAC in frames of ADTS.
        case aac
        /// AAC in LATM.
        case latm
        case ac3, eac3, opus
        /// Layers I to III.
        case mpegAudio
        /// Splice information (SCTE 35).
        case spliceInformation
        /// Metadata such as KLV (SMPTE ST 336).
        case metadata
        /// Anything else, by its number.
        case other(UInt8)
    }

    package var identifier: UInt16
    package var content: Content
    /// Language of ISO 639; `nil` if the map does not say.
    package var language: String?
    /// The channels of Opus, as its descriptor says; `nil` for other content.
    package var opusChannelCount: Int?

    private enum Tag {
        static let registration: UInt8 = 5
        static let language: UInt8 = 10
        static let ac3: UInt8 = 0x6A
        static let enhancedAC3: UInt8 = 0x7A
        static let extension_: UInt8 = 0x7F
        static let opusExtension: UInt8 = 0x80
    }

    /// - Parameters:
    ///   - type: the number in the map (ISO/IEC 13818-1 table 2-34).
    ///   - identifier: the identifier of its packets.
    ///   - descriptors: what the map says more.
    init(type: UInt8, identifier: UInt16, descriptors: ByteBuffer) {
        self.identifier = identifier
        var content: Content =
            switch type {
            case 0x03, 0x04: .mpegAudio
            case 0x0F: .aac
            case 0x11: .latm
            case 0x1B: .h264
            case 0x24: .hevc
            case 0x81: .ac3
            case 0x87: .eac3
            case 0x86: .spliceInformation
            case 0x15: .metadata
            default: .other(type)
            }
        var rest = descriptors
        while let tag = rest.readInteger(as: UInt8.self), let length = rest.readInteger(as: UInt8.self),
            var body = rest.readSlice(length: Int(length))
        {
            switch tag {
            case Tag.registration:
                switch body.readString(length: 4) {
                case "Opus": content = .opus
                case "AC-3": content = .ac3
                case "EAC3": content = .eac3
                case "HEVC": content = .hevc
                case "KLVA": content = .metadata
                case "CUEI": content = .spliceInformation
                default: break
                }
            case Tag.language:
                let code = body.readString(length: 3)
                language = code.flatMap { text in
                    text.utf8.allSatisfy { (0x61...0x7A).contains($0) } ? text : nil
                }
            case Tag.ac3: content = .ac3
            case Tag.enhancedAC3: content = .eac3
            case Tag.extension_:
                if body.readInteger(as: UInt8.self) == Tag.opusExtension {
                    opusChannelCount = body.readInteger(as: UInt8.self).map(Int.init)
                }
            default: break
            }
        }
        self.content = content
    }
}
