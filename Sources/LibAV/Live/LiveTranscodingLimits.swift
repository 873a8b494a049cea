/// What one live transcoder may hold, and how much damage it bears.
package struct LiveTranscodingLimits: Hashable, Sendable {
    /// Units that wait: 2.5 s of sound in packets of 20 ms, 4 s of pictures at 30 a second. More would only come late.
    package var maximumQueuedUnitCount = 128
    /// Bytes that wait: 4 s at 8 Mbit/s. A unit larger than this never gets in.
    package var maximumQueuedByteCount = 4 * 1_024 * 1_024
    /// One unit of sound: no RTP packet is larger, and G.711 of that size lasts 8 s.
    package var maximumAudioUnitByteCount = 64 * 1_024
    /// Width times height: what one thread can encode in time. A VP9 decoder holds a dozen such pictures, 66 MB.
    package var maximumPictureArea = 2_560 * 1_440
    /// Units in a row that cannot be decoded, after which the transcoder gives up: 1 s of sound, 2 s of pictures.
    package var maximumDamagedUnitRun = 50

    package static let standard = LiveTranscodingLimits()

    package init() {}
}

/// What became of the units that a live transcoder was sent.
package struct LiveTranscodingStatistics: Hashable, Sendable {
    /// Taken into the queue.
    package var acceptedUnitCount = 0
    /// Refused: the queue was full, or a picture could not be decoded after one that was dropped.
    package var droppedUnitCount = 0
    /// Could not be decoded.
    package var damagedUnitCount = 0

    package init() {}
}
