import Capture
import Foundation

/// The status of a broadcast as text.
package enum StatusText {
    /// Returns two lines for a terminal: the state of the broadcast, and what the server receives.
    ///
    /// - Parameters:
    ///   - status: The status to describe.
    ///   - columns: The width to which lines are cut.
    package static func lines(_ status: BroadcastStatus, columns: Int) -> [String] {
        var lines = [headline(status)]
        if let problem = status.problem, status.state != .live {
            lines.append(problem)
        } else {
            lines.append(received(status))
        }
        return lines.map { String($0.prefix(max(1, columns))) }
    }

    private static func headline(_ status: BroadcastStatus) -> String {
        var parts = [word(status), clock(status.elapsed)]
        let dropped = status.droppedFrameCount + status.capture.lateFrameCount
        parts.append("\(status.sentFrameCount) frames, \(dropped) dropped")
        parts.append(String(format: "%.1f fps", status.frameRate))
        let preset = Double(status.presetVideoBitRate + status.presetAudioBitRate)
        let now = Double(status.videoBitRate + status.presetAudioBitRate)
        let reduced = status.isReduced ? String(format: ", reduced to %.2f", now / 1e6) : ""
        parts.append(String(format: "%.2f Mbit/s of %.2f", status.bitRate / 1e6, preset / 1e6) + reduced)
        if let roundTrip = status.roundTrip { parts.append(String(format: "RTT %.0f ms", roundTrip * 1e3)) }
        return parts.joined(separator: "  ")
    }

    private static func word(_ status: BroadcastStatus) -> String {
        switch status.state {
        case .opening: "OPENING"
        case .connecting: "CONNECTING"
        case .live: "LIVE"
        case .waiting: "RECONNECTING"
        case .ended: "ENDED"
        }
    }

    private static func received(_ status: BroadcastStatus) -> String {
        guard let received = status.received else { return "" }
        var parts: [String] = []
        if let width = received.width, let height = received.height { parts.append("\(width)x\(height)") }
        if let rate = received.frameRate { parts.append(String(format: "%.1f fps", rate)) }
        parts.append(String(format: "%.2f Mbit/s", Double(received.bitRate) / 1e6))
        parts.append(received.viewers == 1 ? "1 viewer" : "\(received.viewers) viewers")
        if received.lostPackets > 0 { parts.append("\(received.lostPackets) packets lost") }
        return "server receives  " + parts.joined(separator: "  ")
    }

    /// A summary of a broadcast that has ended.
    package static func summary(_ status: BroadcastStatus) -> String {
        let dropped = status.droppedFrameCount + status.capture.lateFrameCount
        let megabytes = String(format: "%.1f MB", Double(status.sentByteCount) / 1e6)
        let connections = status.connectionCount == 1 ? "1 connection" : "\(status.connectionCount) connections"
        let isAudioOnly = status.sentFrameCount == 0 && dropped == 0 && status.sentByteCount > 0
        let frames = isAudioOnly ? "audio only" : "\(status.sentFrameCount) frames sent, \(dropped) dropped"
        return "Broadcast ended after \(clock(status.elapsed)): \(frames), \(megabytes) over \(connections)."
    }

    /// Formats seconds as `1:02:03`.
    static func clock(_ seconds: Double) -> String {
        let whole = Int(seconds)
        return String(format: "%d:%02d:%02d", whole / 3_600, whole / 60 % 60, whole % 60)
    }
}
