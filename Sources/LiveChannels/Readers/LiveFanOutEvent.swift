package import Codecs

/// Events for a loop's readers, in order.
package enum LiveFanOutEvent: Sendable {
    case began(LiveBroadcast)
    case configured(CodecConfiguration, trackIndex: Int)
    case unit(LiveUnit)
    case ended
}
