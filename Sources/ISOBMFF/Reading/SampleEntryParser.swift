import Codecs
import MediaCore
import NIOCore

/// Parses the sample entries of `stsd` (ISO/IEC 14496-12 §8.5.2) to obtain the codec's parameters.
struct SampleEntryParser {
    let box: Box
    let mediaType: MediaType

    /// Size in bytes of the fixed fields of a VisualSampleEntry (ISO/IEC 14496-12 §12.1.3).
    private static let visualFieldByteCount = 78

    /// Returns ``MovieTrack/Codec/unsupported(_:reason:)`` for an unknown or damaged codec instead of throwing: such
    /// a track is converted or omitted.
    func parse() throws(ISOBMFFError) -> MovieTrack.Codec {
        var payload = try box.fullBox().rest
        guard try payload.readField(UInt32.self, of: box) > 0 else { throw box.invalid("has no sample entry") }
        let entries = try Box(
            header: box.header, payload: payload
        ).children()
        guard let entry = entries.first else { throw box.invalid("has no sample entry") }
        if let protected = entries.first(where: { Self.protectedTypes.contains($0.type) }) {
            return .encrypted(scheme: protectionScheme(of: protected))
        }
        guard entries.count == 1 else {
            return .unsupported(entry.type, reason: "the track has \(entries.count) sample entries")
        }
        do {
            guard let configuration = try configuration(of: entry) else {
                return .unsupported(entry.type, reason: "'\(entry.type)' is not packaged in place")
            }
            if let obstacle = configuration.obstacleToStreaming { return .unsupported(entry.type, reason: obstacle) }
            return .supported(configuration)
        } catch let error as CodecError {
            return .unsupported(entry.type, reason: error.description)
        } catch let error as ISOBMFFError {
            throw error
        } catch {
            return .unsupported(entry.type, reason: "\(error)")
        }
    }

    /// The sample entries of encrypted video and audio: those of the standard (ISO/IEC 14496-12 §8.12), which Common
    /// Encryption uses, and those of iTunes.
    private static let protectedTypes: Set<FourCC> = ["encv", "enca", "drmi", "drms"]

    /// The scheme from `schm` (ISO/IEC 14496-12 §8.12.5), such as `cenc`, `cbcs` or `itun`; `nil` if there is none.
    private func protectionScheme(of entry: Box) -> FourCC? {
        let children =
            mediaType == .video
            ? try? entry.children(skipping: Self.visualFieldByteCount) : try? audioChildren(of: entry)
        guard let scheme = try? children?.first("sinf")?.children().first("schm"),
            var rest = try? scheme.fullBox().rest
        else { return nil }
        return rest.readInteger(as: UInt32.self).map(FourCC.init(rawValue:))
    }

    /// The codec's parameters; `nil` for codecs that HLS does not support.
    private func configuration(of entry: Box) throws -> CodecConfiguration? {
        switch entry.type {
        case "avc1", "avc3":
            let record = try configurationRecord("avcC", in: entry, skipping: Self.visualFieldByteCount)
            return .h264(try H264Configuration(parsingRecord: record))
        case "hvc1", "hev1":
            let record = try configurationRecord("hvcC", in: entry, skipping: Self.visualFieldByteCount)
            return .hevc(try HEVCConfiguration(parsingRecord: record))
        case "mp4a":
            return try parseMPEG4Audio(entry)
        case ".mp3":
            return .mp3(try parseMP3(entry))
        case "ac-3":
            let record = try audioRecord("dac3", in: entry)
            return .dolby(try DolbyAudioConfiguration(parsingRecord: record, coding: .ac3))
        case "ec-3":
            let record = try audioRecord("dec3", in: entry)
            return .dolby(try DolbyAudioConfiguration(parsingRecord: record, coding: .enhancedAC3))
        case "fLaC":
            return .flac(try FLACConfiguration(parsingRecord: try audioRecord("dfLa", in: entry)))
        case "alac":
            return .alac(try ALACConfiguration(parsingRecord: try audioRecord("alac", in: entry)))
        case "Opus":
            let record = try configurationRecord("dOps", in: entry, skipping: 28)
            return .opus(try OpusConfiguration(parsingRecord: record))
        case "av01":
            let record = try configurationRecord("av1C", in: entry, skipping: Self.visualFieldByteCount)
            return .av1(try AV1Configuration(parsingRecord: record))
        default:
            return nil
        }
    }

    /// The shape of a pixel from `pasp` (ISO/IEC 14496-12 §12.1.4); `nil` if the entry has none. Players prefer it to
    /// the value in the stream, and many files state it nowhere else.
    func parsePixelAspectRatio() throws(ISOBMFFError) -> SampleAspectRatio? {
        var payload = try box.fullBox().rest
        _ = try payload.readField(UInt32.self, of: box)
        guard mediaType == .video,
            let entry = try Box(header: box.header, payload: payload).children().first,
            let children = try? entry.children(skipping: Self.visualFieldByteCount),
            var pixel = try children.first("pasp")?.payload(),
            let width = pixel.readInteger(as: UInt32.self), let height = pixel.readInteger(as: UInt32.self)
        else { return nil }
        return SampleAspectRatio(checkingWidth: width, height: height)
    }

    /// - Parameter skipping: size of the fixed fields of a visual (ISO/IEC 14496-12 §12.1.3) or audio (§12.2.3)
    ///   sample entry.
    private func configurationRecord(_ type: FourCC, in entry: Box, skipping: Int) throws -> [UInt8] {
        let record = try entry.children(skipping: skipping).required(type, in: entry)
        return Array(try record.payload().readableBytesView)
    }

    /// The boxes inside an audio sample entry (ISO/IEC 14496-12 §12.2.3). In QuickTime files the length of the fixed
    /// fields depends on the version, and some boxes are inside a `wave` box; those come last.
    private func audioChildren(of entry: Box) throws -> [Box] {
        let payload = try entry.payload()
        guard let version = payload.getInteger(at: payload.readerIndex + 8, as: UInt16.self) else {
            throw entry.invalid("ends too early")
        }
        let fixedByteCount = [0: 28, 1: 44, 2: 64][Int(version)] ?? 28
        let children = try entry.children(skipping: fixedByteCount)
        guard let wave = children.first("wave") else { return children }
        return children + (try wave.children())
    }

    private func audioRecord(_ type: FourCC, in entry: Box) throws -> [UInt8] {
        Array(try audioChildren(of: entry).required(type, in: entry).payload().readableBytesView)
    }

    private func parseMPEG4Audio(_ entry: Box) throws -> CodecConfiguration {
        let esds = try audioChildren(of: entry).required("esds", in: entry)
        let descriptor = try parseElementaryStreamDescriptor(esds)
        switch descriptor.objectTypeIndication {
        // 0x40 is MPEG-4 audio; the others denote the same AAC under its MPEG-2 name.
        case 0x40, 0x66...0x68:
            guard let bytes = descriptor.decoderSpecificInformation else { throw esds.invalid("ends too early") }
            return .aac(try AACConfiguration(parsingAudioSpecificConfig: bytes))
        case 0x69, 0x6B: return .mp3(try parseMP3(entry))
        case let other:
            throw CodecError(
                .unsupported, in: "esds", "object type 0x\(String(other, radix: 16)) is neither AAC nor MP3")
        }
    }

    /// Parameters from the fixed fields of an audio sample entry, the only place that holds them.
    private func parseMP3(_ entry: Box) throws -> MPEGAudioConfiguration {
        let payload = try entry.payload()
        guard let channelCount = payload.getInteger(at: payload.readerIndex + 16, as: UInt16.self),
            let sampleRate = payload.getInteger(at: payload.readerIndex + 24, as: UInt16.self)
        else { throw entry.invalid("ends too early") }
        return try MPEGAudioConfiguration(sampleRate: Int(sampleRate), channelCount: Int(channelCount))
    }

    private struct ElementaryStreamDescriptor {
        var objectTypeIndication: UInt8
        /// `nil` if the descriptor has none.
        var decoderSpecificInformation: [UInt8]?
    }

    /// Parses ES_Descriptor → DecoderConfigDescriptor → DecoderSpecificInfo (ISO/IEC 14496-1 §7.2.6).
    private func parseElementaryStreamDescriptor(_ box: Box) throws -> ElementaryStreamDescriptor {
        var rest = try box.fullBox().rest
        try openDescriptor(3, in: &rest, of: box)
        try rest.skipField(2, of: box)
        let flags = try rest.readField(UInt8.self, of: box)
        if flags & 0x80 != 0 { try rest.skipField(2, of: box) }
        if flags & 0x40 != 0 { try rest.skipField(Int(try rest.readField(UInt8.self, of: box)), of: box) }
        if flags & 0x20 != 0 { try rest.skipField(2, of: box) }
        try openDescriptor(4, in: &rest, of: box)
        let objectTypeIndication = try rest.readField(UInt8.self, of: box)
        try rest.skipField(12, of: box)
        guard rest.getInteger(at: rest.readerIndex, as: UInt8.self) == 5 else {
            return ElementaryStreamDescriptor(objectTypeIndication: objectTypeIndication)
        }
        let byteCount = try openDescriptor(5, in: &rest, of: box)
        guard let bytes = rest.readBytes(length: byteCount) else { throw box.invalid("ends too early") }
        return ElementaryStreamDescriptor(
            objectTypeIndication: objectTypeIndication, decoderSpecificInformation: bytes)
    }

    /// Consumes a descriptor's tag and size; returns the size.
    @discardableResult
    private func openDescriptor(_ tag: UInt8, in rest: inout ByteBuffer, of box: Box) throws(ISOBMFFError) -> Int {
        guard try rest.readField(UInt8.self, of: box) == tag else {
            throw box.invalid("lacks descriptor \(tag)")
        }
        var size = 0
        for _ in 0..<4 {
            let byte = try rest.readField(UInt8.self, of: box)
            size = size << 7 | Int(byte & 0x7F)
            if byte & 0x80 == 0 { break }
        }
        return size
    }
}
