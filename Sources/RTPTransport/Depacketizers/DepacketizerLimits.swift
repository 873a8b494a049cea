/// Limits on what a publisher may put into one unit.
package struct DepacketizerLimits: Hashable, Sendable {
    /// Size of a coded picture in bytes. The largest IDR pictures of 4K cameras take about 2 MB; H.264 level 5.2
    /// allows little more in practice.
    package var maximumAccessUnitByteCount = 8 * 1_024 * 1_024
    /// NAL units of one picture: slices, parameter sets and SEI. Encoders use up to about 70 (one slice per
    /// macroblock row).
    package var maximumNALUnitCount = 512
    /// Fragments of one picture: 8 MB in packets of 1400 bytes are 6,000. Each costs a reference, however small it
    /// is.
    package var maximumFragmentCount = 8 * 1_024
    /// Size of an audio frame in bytes. A raw AAC frame has at most 6144 bits per channel (ISO/IEC 14496-3 §4.5.3.1),
    /// which makes 6144 bytes for eight channels.
    package var maximumAudioFrameByteCount = 8 * 1_024
    /// Size of an AudioMuxElement in bytes: 64 frames of 128 kbit/s, their lengths and the configuration.
    package var maximumAudioElementByteCount = 32 * 1_024
    /// Audio frames in one packet: 1400 bytes at 16 kbit/s hold about 20.
    package var maximumAudioFrameCount = 64

    /// Interleaved units that wait for earlier ones. sprop-interleaving-depth may be as large as 32767 (RFC 6184
    /// §8.1), and each waiting unit keeps its packets in memory. A stream that needs more is reordered within this
    /// limit.
    package var maximumInterleavedUnitCount = 256
    /// Size of the waiting units in bytes: two of the largest pictures.
    package var maximumInterleavedByteCount = 16 * 1_024 * 1_024
    /// OBUs of one AV1 temporal unit: tile groups, headers and metadata.
    package var maximumOBUCount = 512
    /// Layer frames of one VP9 picture; the index of a superframe has room for 8 (VP9 bitstream specification annex
    /// B).
    package var maximumLayerFrameCount = 8
    /// Time after the last IDR from which a recovery point counts as a random access point, in ticks of 90 kHz. Three
    /// seconds are longer than the key frame interval of live encoders, and the longest time that a viewer waits.
    package var recoveryPointPatience: UInt32 = 3 * 90_000

    package static let standard = DepacketizerLimits()

    package init() {}
}
