/// The parameters of an MP3 stream. Decoders do not need them in advance, because each frame repeats them.
package struct MPEGAudioConfiguration: Sendable, Hashable {
    /// Sampling rate in hertz.
    package private(set) var sampleRate: Int
    package private(set) var channelCount: Int

    private static let sampleRates: Set<Int> = [48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8_000]
    static let structure = "MPEG audio sample entry"

    /// - Throws: ``CodecError`` if MP3 does not define the sampling rate or the number of channels.
    package init(sampleRate: Int, channelCount: Int) throws(CodecError) {
        guard Self.sampleRates.contains(sampleRate), (1...2).contains(channelCount) else {
            throw CodecError(
                .unsupported, in: Self.structure,
                "has \(channelCount) channels at \(sampleRate) Hz, which MP3 does not define")
        }
        self.sampleRate = sampleRate
        self.channelCount = channelCount
    }

    /// Samples per frame of layer III.
    package var samplesPerFrame: Int { isMPEG1 ? 1_152 : 576 }

    /// Object type indication in `esds`: MPEG-1, or MPEG-2 for the lower rates (ISO/IEC 14496-1 table 5).
    package var objectTypeIndication: UInt8 { isMPEG1 ? 0x6B : 0x69 }

    private var isMPEG1: Bool { sampleRate >= 32_000 }

    /// CODECS entry (RFC 6381 §3.3). Chromium supports this form, but not Apple's `mp4a.40.34`.
    package var rfc6381: String { isMPEG1 ? "mp4a.6B" : "mp4a.69" }
}
