import Capture
import Foundation

/// The events of a broadcast as lines of JSON, for scripts; see docs/antena-broadcast.md.
package enum StatusJSON {
    private struct Line: Encodable {
        var event: String
        var state: String?
        var problem: String?
        var message: String?
        var code: String?
        var elapsed: Double?
        var framesSent: Int?
        var framesDropped: Int?
        var framesCaptured: Int?
        var frameRate: Double?
        var bitrate: Int?
        var videoBitrate: Int?
        var presetVideoBitrate: Int?
        var roundTrip: Double?
        var waiting: Double?
        var packetsLost: Int?
        var bytesSent: Int?
        var connections: Int?
        var video: String?
        var audio: String?
        /// The former names of `video` and `audio`, for scripts that were written for them.
        var picture: String?
        var sound: String?
        var received: ReceivedMedia?
    }

    /// A status event.
    package static func line(_ status: BroadcastStatus) -> String {
        var line = Line(event: status.state == .ended ? "ended" : "status")
        line.state = status.state.rawValue
        line.problem = status.problem
        line.elapsed = rounded(status.elapsed)
        line.framesSent = status.sentFrameCount
        line.framesDropped = status.droppedFrameCount + status.capture.lateFrameCount
        line.framesCaptured = status.capture.capturedFrameCount
        line.frameRate = rounded(status.frameRate)
        line.bitrate = Int(status.bitRate)
        line.videoBitrate = status.videoBitRate
        line.presetVideoBitrate = status.presetVideoBitRate
        line.roundTrip = status.roundTrip.map(rounded)
        line.waiting = rounded(status.waitingSeconds)
        line.packetsLost = status.lostPacketCount
        line.bytesSent = status.sentByteCount
        line.connections = status.connectionCount
        line.video = status.summary?.video
        line.audio = status.summary?.audio
        (line.picture, line.sound) = (line.video, line.audio)
        line.received = status.received
        return encoded(line)
    }

    /// A notice event.
    package static func line(notice: String) -> String {
        var line = Line(event: "notice")
        line.message = notice
        return encoded(line)
    }

    /// An error event.
    package static func line(_ error: BroadcastError) -> String {
        var line = Line(event: "error")
        line.code = error.code.rawValue
        line.message = error.reason
        return encoded(line)
    }

    private static func rounded(_ value: Double) -> Double { (value * 1_000).rounded() / 1_000 }

    private static func encoded(_ line: Line) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return (try? encoder.encode(line)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
    }
}
