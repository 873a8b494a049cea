import MediaCore

/// Detects that a source has stopped delivering without an error: a hanging camera, a stopped sound server.
struct SourceWatch {
    /// The longest silence in seconds. Cameras expose longer in the dark, but not this long.
    static let patience = 5.0

    private struct Track {
        var lastTime: Double
        var isSilent = false
    }

    private var tracks: [MediaType: Track] = [:]

    /// Records a unit.
    ///
    /// - Parameter time: Seconds from the start of the broadcast.
    mutating func received(_ mediaType: MediaType, at time: Double) {
        tracks[mediaType, default: Track(lastTime: time)].lastTime = time
    }

    /// Checks all tracks.
    ///
    /// - Returns: Human-readable notices, one for each change.
    mutating func secondPassed(at time: Double) -> [String] {
        var notices: [String] = []
        for (mediaType, what) in [(MediaType.video, "video"), (.audio, "audio")] {
            guard let track = tracks[mediaType] else { continue }
            let isSilent = time - track.lastTime > Self.patience
            guard isSilent != track.isSilent else { continue }
            tracks[mediaType]?.isSilent = isSilent
            notices.append(
                isSilent
                    ? "no \(what) has arrived from the source for \(Int(Self.patience)) s; check the device and its cable"
                    : "\(what) arrives from the source again")
        }
        return notices
    }
}
