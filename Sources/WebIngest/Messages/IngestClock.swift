import JSONDocument
import MediaCore

/// A message that relates the clock of the frames to the server's, whose time the browser has asked for.
struct IngestClock: Sendable, Hashable {
    /// A time on the clock of the frames.
    var time: MediaTime
    /// The server's time then, as far as the browser can tell.
    var date: WallClockTime

    /// - Parameter node: the message, which a stranger has sent.
    /// - Returns: `nil` if a member is missing.
    init?(_ node: JSONNode) {
        guard let microseconds = node["time"]?.integer, let milliseconds = node["date"]?.integer, microseconds >= 0
        else { return nil }
        time = MediaTime(value: Int64(microseconds), timescale: .microseconds)
        date = WallClockTime(millisecondsSince1970: Int64(milliseconds))
    }
}
