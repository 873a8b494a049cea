import MediaCore

/// Notices that a source has fallen silent without an error: a camera that hangs, a sound server that has stopped.
struct SourceWatch {
    /// Seconds. Cameras take longer over a picture in the dark, but not this long.
    static let patience = 5.0

    private struct Track {
        var lastTime: Double
        var isSilent = false
    }

    private var tracks: [MediaType: Track] = [:]

    /// - Parameter time: seconds from the start of the broadcast.
    mutating func received(_ mediaType: MediaType, at time: Double) {
        tracks[mediaType, default: Track(lastTime: time)].lastTime = time
    }

    /// - Returns: what a person should know, once for each change.
    mutating func secondPassed(at time: Double) -> [String] {
        var notices: [String] = []
        for (mediaType, what) in [(MediaType.video, "picture"), (.audio, "sound")] {
            guard let track = tracks[mediaType] else { continue }
            let isSilent = time - track.lastTime > Self.patience
            guard isSilent != track.isSilent else { continue }
            tracks[mediaType]?.isSilent = isSilent
            notices.append(
                isSilent
                    ? "no \(what) has come from the source for \(Int(Self.patience)) s; look at the device and its cable"
                    : "\(what) comes from the source again")
        }
        return notices
    }
}
