import Codecs
import MediaCore
import NIOCore

/// Parses the sample entries of `stsd` (ISO/IEC 14496-12 §8.5.2) as far as the codec's parameters.
struct SampleEntryParser {
    let box: Box
    let mediaType: MediaType

    /// An unknown or damaged codec is no error of the file: such a track is converted, or left out.
    func parse() throws(ISOBMFFError) -> MovieTrack.Codec {
        var payload = try box.fullBox().rest
        _ = try payload.readField(UInt32.self, of: box)
        let entries = try Box(
            header: box.header, payload: payload
        ).children()
        guard let entry = entries.first else { throw box.invalid("has no sample entry") }
        guard entries.count == 1 else {
            return .unsupported(entry.type, reason: "\(entries.count) sample entries")
        }
        do {
            switch entry.type {
            case "avc1", "avc3":
                let record = try configurationRecord("avcC", in: entry, skipping: 78)
                return .supported(.h264(try H264Configuration(parsingRecord: record)))
            case "hvc1", "hev1":
                let record = try configurationRecord("hvcC", in: entry, skipping: 78)
                return .supported(.hevc(try HEVCConfiguration(parsingRecord: record)))
            case "mp4a":
                return .supported(.aac(try parseAAC(entry)))
            case "Opus":
                let record = try configurationRecord("dOps", in: entry, skipping: 28)
                return .supported(.opus(try OpusConfiguration(parsingRecord: record)))
            case "av01":
                let record = try configurationRecord("av1C", in: entry, skipping: 78)
                return .supported(.av1(try AV1Configuration(parsingRecord: record)))
            default:
                return .unsupported(entry.type, reason: "'\(entry.type)' is not packaged in place")
            }
        } catch let error as CodecError {
            return .unsupported(entry.type, reason: error.description)
        } catch let error as ISOBMFFError {
            throw error
        } catch {
            return .unsupported(entry.type, reason: "\(error)")
        }
    }

    /// - Parameter skipping: the fixed fields of a visual (§12.1.3) or audio (§12.2.3) sample entry.
    private func configurationRecord(_ type: FourCC, in entry: Box, skipping: Int) throws -> [UInt8] {
        let record = try entry.children(skipping: skipping).required(type, in: entry)
        return Array(try record.payload().readableBytesView)
    }

    /// An audio sample entry (§12.2.3), whose length in QuickTime files depends on its version, and whose `esds`
    /// hides there in a `wave` box.
    private func parseAAC(_ entry: Box) throws -> AACConfiguration {
        let payload = try entry.payload()
        guard let version = payload.getInteger(at: payload.readerIndex + 8, as: UInt16.self) else {
            throw entry.invalid("ends too early")
        }
        let fixedByteCount = [0: 28, 1: 44, 2: 64][Int(version)] ?? 28
        let children = try entry.children(skipping: fixedByteCount)
        if let esds = children.first("esds") { return try parseElementaryStreamDescriptor(esds) }
        let wave = try children.required("wave", in: entry)
        return try parseElementaryStreamDescriptor(try wave.children().required("esds", in: wave))
    }

    /// ES_Descriptor → DecoderConfigDescriptor → DecoderSpecificInfo (ISO/IEC 14496-1 §7.2.6).
    private func parseElementaryStreamDescriptor(_ box: Box) throws -> AACConfiguration {
        var rest = try box.fullBox().rest
        try openDescriptor(3, in: &rest, of: box)
        try rest.skipField(2, of: box)
        let flags = try rest.readField(UInt8.self, of: box)
        if flags & 0x80 != 0 { try rest.skipField(2, of: box) }
        if flags & 0x40 != 0 { try rest.skipField(Int(try rest.readField(UInt8.self, of: box)), of: box) }
        if flags & 0x20 != 0 { try rest.skipField(2, of: box) }
        try openDescriptor(4, in: &rest, of: box)
        let objectTypeIndication = try rest.readField(UInt8.self, of: box)
        // 0x40 is MPEG-4 audio; 0x66 to 0x68 are the same AAC under its MPEG-2 name.
        guard objectTypeIndication == 0x40 || (0x66...0x68).contains(objectTypeIndication) else {
            throw CodecError(
                .unsupported, in: "esds", "object type 0x\(String(objectTypeIndication, radix: 16)) is not AAC")
        }
        try rest.skipField(12, of: box)
        let byteCount = try openDescriptor(5, in: &rest, of: box)
        guard let bytes = rest.readBytes(length: byteCount) else { throw box.invalid("ends too early") }
        return try AACConfiguration(parsingAudioSpecificConfig: bytes)
    }

    /// Consumes a descriptor's tag and size.
    @discardableResult
    private func openDescriptor(_ tag: UInt8, in rest: inout ByteBuffer, of box: Box) throws(ISOBMFFError) -> Int {
        guard try rest.readField(UInt8.self, of: box) == tag else {
            throw box.invalid("has no descriptor \(tag) where one belongs")
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
