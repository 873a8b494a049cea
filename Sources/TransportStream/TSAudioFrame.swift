import Codecs
import MediaCore
import NIOCore

/// A frame of audio at the beginning of some bytes, with its header read.
struct TSAudioFrame {
    /// Bytes of the frame with its header.
    let byteCount: Int
    let sampleCount: Int64
    /// The frame as a sample has it; `nil` if it is not complete.
    let content: ByteBuffer?
    /// The codec if HLS does not carry it; `nil` otherwise.
    let foreignCodec: ForeignCodec?
    private let kind: Kind

    private enum Kind {
        case aac(configuration: [UInt8])
        case dolby(header: [UInt8], DolbyAudioConfiguration.Coding)
        case opus(channelCount: Int)
        case foreign(ForeignCodec)
        /// An element that holds its own parameters.
        case latm
        /// Too short to tell.
        case unknown
    }

    private static let adtsHeaderByteCount = 7
    private static let dolbyHeaderByteCount = 64
    private static let latmHeaderByteCount = 3

    /// - Parameters:
    ///   - stream: the stream.
    ///   - bytes: the bytes.
    /// - Returns: `nil` if they do not begin with the header of a frame.
    init?(_ stream: TSStream, _ bytes: ByteBuffer) {
        func byte(_ index: Int) -> Int {
            bytes.getInteger(at: bytes.readerIndex + index, as: UInt8.self).map(Int.init) ?? 0
        }
        switch stream.content {
        case .aac:
            guard byte(0) == 0xFF, byte(1) & 0xF6 == 0xF0 || bytes.readableBytes < 2 else { return nil }
            guard bytes.readableBytes >= Self.adtsHeaderByteCount else {
                self.init(incomplete: .unknown)
                return
            }
            let length = (byte(3) & 3) << 11 | byte(4) << 3 | byte(5) >> 5
            let header = Self.adtsHeaderByteCount + (byte(1) & 1 == 0 ? 2 : 0)
            // Several blocks in a frame are not used by anybody.
            guard length > header, byte(6) & 3 == 0 else { return nil }
            let (type, rate, channels) = ((byte(2) >> 6) + 1, byte(2) >> 2 & 0xF, (byte(2) & 1) << 2 | byte(3) >> 6)
            let configuration = [UInt8(type << 3 | rate >> 1), UInt8((rate & 1) << 7 | channels << 3)]
            self.init(bytes, length, skipping: header, sampleCount: 1_024, .aac(configuration: configuration))
        case .latm:
            // AudioSyncStream (ISO/IEC 14496-3 §1.7.2): 11 bits to synchronize, and 13 of the length.
            guard byte(0) == 0x56, byte(1) & 0xE0 == 0xE0 || bytes.readableBytes < 2 else { return nil }
            guard bytes.readableBytes >= Self.latmHeaderByteCount else {
                self.init(incomplete: .unknown)
                return
            }
            let length = (byte(1) & 0x1F) << 8 | byte(2)
            guard length > 0 else { return nil }
            self.init(
                bytes, Self.latmHeaderByteCount + length, skipping: Self.latmHeaderByteCount, sampleCount: 0, .latm)
        case .ac3, .eac3:
            guard byte(0) == 0x0B, byte(1) == 0x77 || bytes.readableBytes < 2 else { return nil }
            guard bytes.readableBytes >= 6 else {
                self.init(incomplete: .unknown)
                return
            }
            let isEnhanced = byte(5) >> 3 > 10
            let length = isEnhanced ? (((byte(2) & 7) << 8 | byte(3)) + 1) * 2 : Self.ac3ByteCount(byte(4))
            guard length > 6 else { return nil }
            let blocks = isEnhanced && byte(4) >> 6 != 3 ? [1, 2, 3, 6][byte(4) >> 4 & 3] : 6
            let head = bytes.getBytes(
                at: bytes.readerIndex, length: min(bytes.readableBytes, Self.dolbyHeaderByteCount))
            self.init(
                bytes, length, skipping: 0, sampleCount: Int64(blocks) * 256,
                .dolby(header: head ?? [], isEnhanced ? .enhancedAC3 : .ac3))
        case .opus:
            // The control header (ETSI TS 103 491 annex): 11 bits, flags, and the size in bytes of 255 and one below.
            guard byte(0) == 0x7F, byte(1) & 0xE0 == 0xE0 else { return nil }
            var (header, length) = (2, 0)
            while header < bytes.readableBytes {
                let piece = byte(header)
                length += piece
                header += 1
                if piece < 255 { break }
            }
            if byte(1) & 0x10 != 0 { header += 2 }
            if byte(1) & 0x08 != 0 { header += 2 }
            if byte(1) & 0x04 != 0 { header += 1 + byte(header) }
            guard length > 0 else { return nil }
            let second = length > 1 ? UInt8(byte(header + 1)) : nil
            guard let samples = OpusConfiguration.sampleCount(first: UInt8(byte(header)), second: second), samples > 0
            else { return nil }
            self.init(
                bytes, header + length, skipping: header, sampleCount: Int64(samples),
                .opus(channelCount: min(max(1, stream.opusChannelCount ?? 2), 2)))
        case .mpegAudio:
            guard bytes.readableBytes >= MPEGAudioFrameHeader.byteCount else {
                guard byte(0) == 0xFF else { return nil }
                self.init(incomplete: .unknown)
                return
            }
            guard let word = bytes.getInteger(at: bytes.readerIndex, as: UInt32.self),
                let header = try? MPEGAudioFrameHeader(parsing: word),
                header.frameByteCount > MPEGAudioFrameHeader.byteCount
            else { return nil }
            self.init(
                bytes, header.frameByteCount, skipping: 0, sampleCount: Int64(header.samplesPerFrame),
                .foreign(.mpegAudio(sampleRate: header.sampleRate, channelCount: header.channelCount)))
        default: return nil
        }
    }

    private init(incomplete kind: Kind) {
        (byteCount, sampleCount, content, foreignCodec, self.kind) = (0, 0, nil, nil, kind)
    }

    private init(_ bytes: ByteBuffer, _ length: Int, skipping header: Int, sampleCount: Int64, _ kind: Kind) {
        byteCount = length
        self.sampleCount = sampleCount
        self.content = bytes.getSlice(at: bytes.readerIndex + header, length: length - header)
        if case .foreign(let codec) = kind { foreignCodec = codec } else { foreignCodec = nil }
        self.kind = kind
    }

    /// Bytes of a frame of AC-3 (ETSI TS 102 366 table 4.13); zero for a code that is none.
    private static func ac3ByteCount(_ code: Int) -> Int {
        let kilobits = [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384, 448, 512, 576, 640]
        let (rate, index) = (code >> 6, code & 0x3F)
        guard kilobits.indices.contains(index >> 1) else { return 0 }
        let bits = kilobits[index >> 1]
        return switch rate {
        case 0: bits * 4
        case 1: (bits * 1_000 * 96 / 44_100 + (index & 1)) * 2
        case 2: bits * 6
        default: 0
        }
    }

    /// The parameters.
    ///
    /// - Throws: `CodecError` if they cannot be used.
    func configuration() throws(CodecError) -> CodecConfiguration? {
        switch kind {
        case .aac(let configuration): .aac(try AACConfiguration(parsingAudioSpecificConfig: configuration))
        case .dolby(let header, let coding): .dolby(try DolbyAudioConfiguration(frame: header, coding: coding))
        case .opus(let channelCount): .opus(try OpusConfiguration(channelCount: channelCount))
        case .foreign, .latm, .unknown: nil
        }
    }
}
