import Codecs
import MediaCore
import NIOCore

/// Writes a sample entry with its decoder configuration (ISO/IEC 14496-15 §5.4.2 and §8.4.1, 14496-14 §5.6, ETSI TS
/// 102 366 §F.3 and §F.5, and the ISO BMFF bindings of Opus §4.3, FLAC §3.3 and AV1 §2.2).
struct SampleEntryWriter {
    let configuration: CodecConfiguration
    /// Shape of a pixel that overrides the stream's own; `nil` to keep the stream's.
    let pixelAspectRatio: SampleAspectRatio?
    /// The encryption of the samples; `nil` if they are in the clear.
    let encryption: TrackEncryption?

    func write(into buffer: inout ByteBuffer) {
        switch configuration {
        case .h264(let h264):
            writeVisual("avc1", into: &buffer) { $0.writeBox("avcC") { $0.writeBytes(h264.record) } }
        case .hevc(let hevc):
            writeVisual("hvc1", into: &buffer) { $0.writeBox("hvcC") { $0.writeBytes(hevc.record) } }
        case .aac(let aac):
            writeAudio("mp4a", into: &buffer) { buffer in
                Self.writeElementaryStreamDescriptor(
                    objectTypeIndication: 0x40, decoderSpecificInformation: aac.audioSpecificConfig, into: &buffer)
            }
        case .opus(let opus):
            writeAudio("Opus", into: &buffer) { $0.writeBox("dOps") { $0.writeBytes(opus.record) } }
        case .dolby(let dolby):
            writeAudio(dolby.coding == .ac3 ? "ac-3" : "ec-3", into: &buffer) { buffer in
                buffer.writeBox(dolby.coding == .ac3 ? "dac3" : "dec3") { $0.writeBytes(dolby.record) }
            }
        case .mp3(let mp3):
            writeAudio("mp4a", into: &buffer) { buffer in
                Self.writeElementaryStreamDescriptor(
                    objectTypeIndication: mp3.objectTypeIndication, decoderSpecificInformation: nil, into: &buffer)
            }
        case .flac(let flac):
            writeAudio("fLaC", into: &buffer) { $0.writeBox("dfLa") { $0.writeBytes(flac.record) } }
        case .alac(let alac):
            writeAudio("alac", into: &buffer) { $0.writeBox("alac") { $0.writeBytes(alac.record) } }
        case .av1(let av1):
            writeVisual("av01", into: &buffer) { $0.writeBox("av1C") { $0.writeBytes(av1.record) } }
        }
    }

    private func writeVisual(_ type: FourCC, into buffer: inout ByteBuffer, record: (inout ByteBuffer) -> Void) {
        let size = configuration.videoSize ?? (0, 0)
        let aspect = pixelAspectRatio ?? configuration.sampleAspectRatio
        buffer.writeBox(encryption == nil ? type : "encv") { buffer in
            buffer.writeMultipleIntegers(UInt32(0), UInt16(0), UInt16(1))  // reserved, data_reference_index
            buffer.writeMultipleIntegers(UInt64(0), UInt64(0))
            buffer.writeMultipleIntegers(UInt16(clamping: size.width), UInt16(clamping: size.height))
            buffer.writeMultipleIntegers(UInt32(0x48_0000), UInt32(0x48_0000), UInt32(0), UInt16(1))  // 72 dpi
            buffer.writeRepeatingByte(0, count: 32)  // compressorname
            buffer.writeMultipleIntegers(UInt16(0x18), UInt16(0xFFFF))
            record(&buffer)
            if aspect != .square || configuration.sampleAspectRatio != .square {
                buffer.writeBox("pasp") { $0.writeMultipleIntegers(aspect.width, aspect.height) }
            }
            if let color = configuration.color { Self.writeColor(color, into: &buffer) }
            encryption?.write(format: type, into: &buffer)
        }
    }

    /// Writes `colr` of type `nclx` (ISO/IEC 14496-12 §12.1.5).
    private static func writeColor(_ color: ColorDescription, into buffer: inout ByteBuffer) {
        buffer.writeBox("colr") { buffer in
            buffer.writeInteger(FourCC("nclx").rawValue)
            buffer.writeMultipleIntegers(
                UInt16(color.primaries), UInt16(color.transferCharacteristics), UInt16(color.matrixCoefficients),
                UInt8(color.isFullRange ? 0x80 : 0))
        }
    }

    /// Writes the fixed fields of an audio sample entry (ISO/IEC 14496-12 §12.2.3).
    private static func writeAudioFields(channelCount: Int, sampleRate: Int, into buffer: inout ByteBuffer) {
        buffer.writeMultipleIntegers(UInt32(0), UInt16(0), UInt16(1))
        buffer.writeMultipleIntegers(UInt64(0), UInt16(clamping: max(channelCount, 1)), UInt16(16), UInt32(0))
        // The field is 16.16 fixed point; rates that do not fit are only in the codec's own box.
        buffer.writeInteger(UInt32(sampleRate <= 0xFFFF ? sampleRate << 16 : 0))
    }

    private func writeAudio(_ type: FourCC, into buffer: inout ByteBuffer, record: (inout ByteBuffer) -> Void) {
        buffer.writeBox(encryption == nil ? type : "enca") { buffer in
            Self.writeAudioFields(
                channelCount: configuration.audioChannelCount ?? 0, sampleRate: configuration.audioSampleRate ?? 0,
                into: &buffer)
            record(&buffer)
            encryption?.write(format: type, into: &buffer)
        }
    }

    /// - Parameter decoderSpecificInformation: `nil` for a codec whose frames are self-describing.
    private static func writeElementaryStreamDescriptor(
        objectTypeIndication: UInt8, decoderSpecificInformation: [UInt8]?, into buffer: inout ByteBuffer
    ) {
        let specificByteCount = decoderSpecificInformation.map { 5 + $0.count } ?? 0
        buffer.writeFullBox("esds") { buffer in
            writeDescriptor(3, byteCount: 3 + 5 + 13 + specificByteCount + 5 + 1, into: &buffer)
            buffer.writeMultipleIntegers(UInt16(1), UInt8(0))
            writeDescriptor(4, byteCount: 13 + specificByteCount, into: &buffer)
            buffer.writeMultipleIntegers(
                objectTypeIndication, UInt8(0x15), UInt8(0), UInt16(0), UInt32(0), UInt32(0))
            if let decoderSpecificInformation {
                writeDescriptor(5, byteCount: decoderSpecificInformation.count, into: &buffer)
                buffer.writeBytes(decoderSpecificInformation)
            }
            writeDescriptor(6, byteCount: 1, into: &buffer)
            buffer.writeInteger(UInt8(2))
        }
    }

    /// Writes a descriptor's tag, and its size in four bytes, as most writers do (ISO/IEC 14496-1 §8.3.3).
    private static func writeDescriptor(_ tag: UInt8, byteCount: Int, into buffer: inout ByteBuffer) {
        buffer.writeMultipleIntegers(tag, UInt8(0x80), UInt8(0x80), UInt8(0x80), UInt8(byteCount & 0x7F))
    }
}
