import MediaCore
import NIOCore
import RTSPProtocol

/// Conversion of ranges: normal play time is the title's own time, from its beginning.
extension RTSPRange {
    init(from start: MediaTime, to end: MediaTime) {
        self.init(start: .at(TimeAmount(start)), end: TimeAmount(end))
    }

    /// Start of the range; `nil` if it is not given, or if it is the live edge.
    var startTime: MediaTime? {
        guard case .at(let time)? = start else { return nil }
        return MediaTime(time)
    }

    var endTime: MediaTime? { end.map { MediaTime($0) } }
}

extension TimeAmount {
    /// Converts a time to the nearest millisecond, the precision that ``RTSPRange`` renders. A title's timeline may
    /// begin before zero, which becomes zero.
    init(_ time: MediaTime) { self = .milliseconds(max(0, time.converted(to: .milliseconds).value)) }
}

extension MediaTime {
    fileprivate init(_ amount: TimeAmount) {
        self.init(value: amount.nanoseconds / 1_000, timescale: .microseconds)
    }
}
