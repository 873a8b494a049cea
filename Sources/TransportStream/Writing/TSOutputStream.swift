import Codecs
import NIOCore

/// A stream of a programme that is written.
struct TSOutputStream: Sendable {
    var identifier: UInt16
    var configuration: CodecConfiguration

    /// Whether MPEG-TS carries a codec so that programs play it.
    static func carries(_ configuration: CodecConfiguration) -> Bool { type(configuration) != nil }

    /// The number in the map (ISO/IEC 13818-1 table 2-34).
    private static func type(_ configuration: CodecConfiguration) -> UInt8? {
        switch configuration {
        case .h264: 0x1B
        case .hevc: 0x24
        case .aac(let audio): (1...5).contains(audio.objectType) || audio.objectType == 29 ? 0x0F : nil
        case .dolby(let dolby): dolby.coding == .ac3 ? 0x81 : 0x87
        case .opus: 0x06
        case .mp3: 0x03
        case .flac, .alac, .av1: nil
        }
    }

    /// Writes the entry in the map.
    func writeEntry(into map: inout ByteBuffer) {
        map.writeInteger(Self.type(configuration) ?? 0x06)
        map.writeInteger(0xE000 | identifier)
        let descriptors: [UInt8] =
            switch configuration {
            case .opus(let opus):
                Self.registration("Opus") + [0x7F, 2, 0x80, UInt8(clamping: opus.channelCount)]
            case .hevc: Self.registration("HEVC")
            case .dolby(let dolby) where dolby.coding == .ac3: Self.registration("AC-3")
            default: []
            }
        map.writeInteger(0xF000 | UInt16(descriptors.count))
        map.writeBytes(descriptors)
    }

    private static func registration(_ name: String) -> [UInt8] { [5, 4] + Array(name.utf8) }

    /// The identifier in the header of PES packets (§2.4.3.7).
    var packetIdentifier: UInt8 {
        switch configuration {
        case .h264, .hevc, .av1: 0xE0
        case .aac, .mp3: 0xC0
        case .dolby, .opus, .flac, .alac: 0xBD
        }
    }
}
