import MediaCore
import NIOCore
import RTSPProtocol

/// Normal play time is the title's own time, from its beginning.
extension RTSPRange {
    init(from start: MediaTime, to end: MediaTime) {
        self.init(start: .at(TimeAmount(start)), end: TimeAmount(end))
    }

    /// `nil` for the live edge, too.
    var startTime: MediaTime? {
        guard case .at(let time)? = start else { return nil }
        return MediaTime(time)
    }

    var endTime: MediaTime? { end.map { MediaTime($0) } }
}

extension TimeAmount {
    /// To the nearest millisecond, which is what ``RTSPRange`` renders. A title's timeline may begin before zero.
    init(_ time: MediaTime) { self = .milliseconds(max(0, time.converted(to: .milliseconds).value)) }
}

extension MediaTime {
    fileprivate init(_ amount: TimeAmount) {
        self.init(value: amount.nanoseconds / 1_000, timescale: .microseconds)
    }
}
