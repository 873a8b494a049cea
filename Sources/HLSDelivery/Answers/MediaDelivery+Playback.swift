import HTTPTypes
import Packaging

extension MediaDelivery {
    /// Tells the observer of a piece of a title that is sent. I-frames are for seeking, and part of a segment is no
    /// playback either.
    func notePlayback(_ exchange: MediaExchange, piece: TitlePiece) {
        guard playback != nil, case .segment(let rendition, let number) = piece else { return }
        notePlayback(exchange, segment: number, (rendition.duration(ofSegment: number), rendition.segmentSeconds))
    }

    /// - Parameter seconds: the playing times of the segment and of all segments of its rendition; `nil` for a segment
    ///   that there is not.
    func notePlayback(
        _ exchange: MediaExchange, segment: Int, _ seconds: @autoclosure () -> (segment: Double, all: Double)?
    ) {
        guard let playback, exchange.isForPlaying, let seconds = seconds() else { return }
        playback.played(
            TitlePlayback(
                exchange.media.subject, segment: segment, duration: .seconds(seconds.segment),
                of: .seconds(seconds.all), fields: exchange.request.headerFields, peer: exchange.address))
    }
}

extension MediaExchange {
    /// Whether the whole resource is requested. Some players ask for the range of all bytes.
    fileprivate var isForPlaying: Bool {
        guard request.method == .get else { return false }
        guard let range = request.headerFields.first(.range) else { return true }
        return range == "bytes=0-"
    }
}
