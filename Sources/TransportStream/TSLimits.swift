/// Limits of a stream, so that a sender costs bounded memory.
package enum TSLimits {
    /// Bytes in which there has to be a packet: anything else is no transport stream.
    package static let unsynchronizedByteCount = 64 << 10
    /// Bytes of a section, as its length can say (ISO/IEC 13818-1 §2.4.4).
    package static let sectionByteCount = 4_096
    /// Bytes of a PES packet of video, which may leave its length open: a key frame of 2160p takes some 2 MB.
    package static let frameByteCount = 8 << 20
    /// Bytes of all PES packets that have begun and not ended.
    package static let unfinishedByteCount = 12 << 20
    /// Streams of the programme; cameras and encoders have two to four.
    package static let streamCount = 16
}
