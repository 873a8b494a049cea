import MediaCore
import NIOCore
import StreamConnections

/// The right of a reader to play what it has asked for last: how long it lasts, and what ends it early.
struct PlaybackPermit: Equatable {
    /// The subject of the playback; `nil` if it was hidden already, and the reader may play it all the same, such as a
    /// moderator.
    private(set) var subject: MediaSubject?
    /// The end of the time; `nil` for no end.
    private(set) var deadline: NIODeadline?
    /// The rental with which it is played; `nil` if it needs none.
    private(set) var rental: StreamRental?

    /// The right to play what is for everyone, until ``admit(for:rental:at:)`` limits it.
    init(of subject: MediaSubject?) { self.subject = subject }

    /// The reader has been let in.
    ///
    /// - Parameters:
    ///   - time: the time for which it may play; `nil` for as long as it wants.
    ///   - rental: the rental with which it plays; `nil` for none.
    ///   - now: the time of the decision.
    mutating func admit(for time: Duration?, rental: StreamRental?, at now: NIODeadline) {
        deadline = time.map { now + TimeAmount($0) }
        self.rental = rental
    }

    /// Why the reader may not play any longer; `nil` if it may.
    ///
    /// - Parameters:
    ///   - now: the time.
    ///   - isEndedEarly: whether a rental has ended before its time.
    ///   - isHidden: whether something was hidden.
    func end(
        at now: NIODeadline, isEndedEarly: (StreamRental) -> Bool, isHidden: (MediaSubject) -> Bool
    ) -> PlaybackEndReason? {
        if let deadline, deadline <= now { return .timeOver }
        if let rental, isEndedEarly(rental) { return .rentalEndedEarly }
        if let subject, isHidden(subject) { return .hidden }
        return nil
    }

    /// When ``end(at:isEndedEarly:isHidden:)`` is asked next.
    func nextCheck(after now: NIODeadline) -> NIODeadline {
        let next = now + TimeAmount(RTSPServerLimits.playbackCheckInterval)
        return deadline.map { min($0, next) } ?? next
    }
}
