import Codecs
import MediaCore
import NIOCore

/// Writes a sample entry with its decoder configuration (ISO/IEC 14496-15 §5.4.2 and §8.4.1, 14496-14 §5.6, and
/// the bindings of Opus §4.3 and AV1 §2.2).
struct SampleEntryWriter {
    let configuration: CodecConfiguration

    func write(into buffer: inout ByteBuffer) {
        switch configuration {
        case .h264(let h264):
            writeVisual("avc1", into: &buffer) { $0.writeBox("avcC") { $0.writeBytes(h264.record) } }
        case .hevc(let hevc):
            writeVisual("hvc1", into: &buffer) { $0.writeBox("hvcC") { $0.writeBytes(hevc.record) } }
        case .aac(let aac):
            writeAudio(aac, into: &buffer)
        case .opus(let opus):
            writeAudio(opus, into: &buffer)
        case .av1(let av1):
            writeVisual("av01", into: &buffer) { $0.writeBox("av1C") { $0.writeBytes(av1.record) } }
        }
    }

    private func writeVisual(_ type: FourCC, into buffer: inout ByteBuffer, record: (inout ByteBuffer) -> Void) {
        let size = configuration.videoSize ?? (0, 0)
        let aspect = configuration.sampleAspectRatio
        buffer.writeBox(type) { buffer in
            buffer.writeMultipleIntegers(UInt32(0), UInt16(0), UInt16(1))  // reserved, data_reference_index
            buffer.writeMultipleIntegers(UInt64(0), UInt64(0))
            buffer.writeMultipleIntegers(UInt16(clamping: size.width), UInt16(clamping: size.height))
            buffer.writeMultipleIntegers(UInt32(0x48_0000), UInt32(0x48_0000), UInt32(0), UInt16(1))  // 72 dpi
            buffer.writeRepeatingByte(0, count: 32)  // compressorname
            buffer.writeMultipleIntegers(UInt16(0x18), UInt16(0xFFFF))
            record(&buffer)
            if aspect != .square {
                buffer.writeBox("pasp") { $0.writeMultipleIntegers(aspect.width, aspect.height) }
            }
        }
    }

    /// The fixed fields of an audio sample entry (ISO/IEC 14496-12 §12.2.3).
    private static func writeAudioFields(channelCount: Int, sampleRate: Int, into buffer: inout ByteBuffer) {
        buffer.writeMultipleIntegers(UInt32(0), UInt16(0), UInt16(1))
        buffer.writeMultipleIntegers(UInt64(0), UInt16(clamping: max(channelCount, 1)), UInt16(16), UInt32(0))
        // 16.16 fixed point; rates that do not fit are in the codec's own box only.
        buffer.writeInteger(UInt32(sampleRate <= 0xFFFF ? sampleRate << 16 : 0))
    }

    private func writeAudio(_ opus: OpusConfiguration, into buffer: inout ByteBuffer) {
        buffer.writeBox("Opus") { buffer in
            Self.writeAudioFields(
                channelCount: opus.channelCount, sampleRate: OpusConfiguration.clockRate, into: &buffer)
            buffer.writeBox("dOps") { $0.writeBytes(opus.record) }
        }
    }

    private func writeAudio(_ aac: AACConfiguration, into buffer: inout ByteBuffer) {
        buffer.writeBox("mp4a") { buffer in
            Self.writeAudioFields(channelCount: aac.channelCount, sampleRate: aac.sampleRate, into: &buffer)
            buffer.writeFullBox("esds") { buffer in
                let specific = aac.audioSpecificConfig
                Self.writeDescriptor(3, byteCount: 3 + 5 + 13 + 5 + specific.count + 5 + 1, into: &buffer)
                buffer.writeMultipleIntegers(UInt16(1), UInt8(0))
                Self.writeDescriptor(4, byteCount: 13 + 5 + specific.count, into: &buffer)
                buffer.writeMultipleIntegers(UInt8(0x40), UInt8(0x15), UInt8(0), UInt16(0), UInt32(0), UInt32(0))
                Self.writeDescriptor(5, byteCount: specific.count, into: &buffer)
                buffer.writeBytes(specific)
                Self.writeDescriptor(6, byteCount: 1, into: &buffer)
                buffer.writeInteger(UInt8(2))
            }
        }
    }

    /// Tag and size, the size in four bytes as most writers have it (ISO/IEC 14496-1 §8.3.3).
    private static func writeDescriptor(_ tag: UInt8, byteCount: Int, into buffer: inout ByteBuffer) {
        buffer.writeMultipleIntegers(tag, UInt8(0x80), UInt8(0x80), UInt8(0x80), UInt8(byteCount & 0x7F))
    }
}
