/// The limits on a live transcoder's memory and on the damage that it tolerates.
package struct LiveTranscodingLimits: Hashable, Sendable {
    /// The largest number of queued units: 2.5 s of audio in packets of 20 ms, 4 s of video at 30 frames per second.
    /// More would only add latency.
    package var maximumQueuedUnitCount = 128
    /// The largest number of queued bytes: 4 s at 8 Mbit/s. A larger unit is never accepted.
    package var maximumQueuedByteCount = 4 * 1_024 * 1_024
    /// The largest audio unit in bytes: no RTP packet is larger, and G.711 of that size lasts 8 s.
    package var maximumAudioUnitByteCount = 64 * 1_024
    /// The largest frame area in pixels that one thread can encode in time. A VP9 decoder holds a dozen such frames, 66
    /// MB.
    package var maximumFrameArea = 2_560 * 1_440
    /// The number of consecutive undecodable units after which the transcoder gives up: 1 s of audio, 2 s of video.
    package var maximumDamagedUnitRun = 50

    /// The limits that servers and their workers use.
    package static let standard = LiveTranscodingLimits()

    /// The limits for ladders, whose source is any video that a channel carries.
    package static let ladder = {
        var limits = LiveTranscodingLimits()
        limits.maximumFrameArea = 4_096 * 2_304
        return limits
    }()

    /// Creates the default limits.
    package init() {}
}
