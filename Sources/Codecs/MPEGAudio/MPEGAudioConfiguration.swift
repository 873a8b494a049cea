/// An MP3 stream's parameters, which no decoder needs in advance: each frame says them.
package struct MPEGAudioConfiguration: Sendable, Hashable {
    package private(set) var sampleRate: Int
    package private(set) var channelCount: Int

    private static let sampleRates: Set<Int> = [48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8_000]
    static let structure = "MPEG audio sample entry"

    package init(sampleRate: Int, channelCount: Int) throws(CodecError) {
        guard Self.sampleRates.contains(sampleRate), (1...2).contains(channelCount) else {
            throw CodecError(
                .unsupported, in: Self.structure, "\(channelCount) channels at \(sampleRate) Hz are no MP3")
        }
        self.sampleRate = sampleRate
        self.channelCount = channelCount
    }

    /// Of layer III.
    package var samplesPerFrame: Int { isMPEG1 ? 1_152 : 576 }

    /// Object type indication of `esds`: MPEG-1, or MPEG-2 with its lower rates (ISO/IEC 14496-1 table 5).
    package var objectTypeIndication: UInt8 { isMPEG1 ? 0x6B : 0x69 }

    private var isMPEG1: Bool { sampleRate >= 32_000 }

    /// RFC 6381 §3.3. Chromium knows this form and not Apple's own `mp4a.40.34`.
    package var rfc6381: String { isMPEG1 ? "mp4a.6B" : "mp4a.69" }
}
