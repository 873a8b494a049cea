import Codecs
import Testing

struct MPEGAudioFrameHeaderTests {
    /// Expected sizes according to the formulas of ISO/IEC 11172-3 §2.4.3.1 and 13818-3 §2.4.3.1.
    @Test(
        arguments: [
            // MPEG-1 layer III, 128 kbit/s at 44.1 kHz, without and with padding, joint stereo.
            (0xFFFB_9064, 3, 44_100, 2, 1_152, 417), (0xFFFB_9264, 3, 44_100, 2, 1_152, 418),
            // MPEG-1 layer II, 192 kbit/s at 48 kHz; layer I, 384 kbit/s at 32 kHz, mono.
            (0xFFFD_A404, 2, 48_000, 2, 1_152, 576), (0xFFFF_C8C4, 1, 32_000, 1, 384, 576),
            // MPEG-2 layer III, 64 kbit/s at 22.05 kHz, mono; MPEG-2.5, 8 kbit/s at 8 kHz.
            (0xFFF3_80C4, 3, 22_050, 1, 576, 208), (0xFFE3_18C4, 3, 8_000, 1, 576, 72),
        ] as [(UInt32, Int, Int, Int, Int, Int)])
    func readsHeaders(
        _ word: UInt32, _ layer: Int, _ sampleRate: Int, _ channelCount: Int, _ samplesPerFrame: Int,
        _ frameByteCount: Int
    ) throws {
        let header = try MPEGAudioFrameHeader(parsing: word)
        #expect(header.layer == layer)
        #expect(header.sampleRate == sampleRate)
        #expect(header.channelCount == channelCount)
        #expect(header.samplesPerFrame == samplesPerFrame)
        #expect(header.frameByteCount == frameByteCount)
    }

    @Test(arguments: [0, 0xFFEB_9064, 0xFFF9_9064, 0xFFFB_0064, 0xFFFB_F064, 0xFFFB_9C64] as [UInt32])
    func refusesWhatIsReservedOrFree(word: UInt32) {
        #expect(throws: CodecError.self) { try MPEGAudioFrameHeader(parsing: word) }
    }
}
