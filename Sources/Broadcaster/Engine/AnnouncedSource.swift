import Capture
import Codecs
import MediaCore
import RTPTransport

/// The tracks that the capture has announced, and their formats.
struct AnnouncedSource {
    private var expected: Set<MediaType> = []
    private var formats: [MediaType: (format: RTPPayloadFormat, timescale: Timescale)] = [:]
    private(set) var summary: BroadcastSummary?
    /// The time of the capture's time zero; its first output follows it immediately.
    private(set) var start: WallClockTime?

    mutating func announce(_ tracks: Set<MediaType>, _ summary: BroadcastSummary) {
        expected = tracks
        self.summary = summary
    }

    /// True if the formats of all tracks are known.
    var isComplete: Bool { Set(formats.keys) == expected }

    /// Adopts a format.
    ///
    /// - Returns: false if it replaces one that it does not continue, so that an announcement of it is no longer valid.
    mutating func adopt(_ format: RTPPayloadFormat, _ timescale: Timescale, of mediaType: MediaType) -> Bool {
        guard let previous = formats.updateValue((format, timescale), forKey: mediaType) else { return true }
        return previous.format.isContinued(by: format) && previous.timescale == timescale
    }

    /// The time of a unit in seconds; `nil` if its track has no format.
    mutating func time(of unit: AccessUnit, _ mediaType: MediaType) -> Double? {
        guard let timescale = formats[mediaType]?.timescale else { return nil }
        if start == nil {
            start = WallClock.system.now() - MediaTime(value: max(0, unit.decodeTime), timescale: timescale)
        }
        return Double(unit.decodeTime) / Double(timescale.ticksPerSecond)
    }

    /// The tracks to publish, video first.
    func tracks(using generator: inout some RandomNumberGenerator) -> [PushTrack] {
        let kinds: [MediaType] = [.video, .audio].filter { expected.contains($0) }
        return kinds.enumerated().compactMap { index, kind in
            formats[kind].map { PushTrack($0.format, index: index, timescale: $0.timescale, using: &generator) }
        }
    }
}
