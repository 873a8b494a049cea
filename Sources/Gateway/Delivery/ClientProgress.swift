import NIOCore

/// Judges whether a client still makes progress with taking an answer or with sending a request's body. Only the lack of
/// progress ends either of them, however long the whole takes.
struct ClientProgress {
    private struct Mark {
        var byteCount: Int
        var time: NIODeadline
    }

    /// What had not been taken when the client last made progress.
    private var taking: Mark?
    /// What had been received when the client last made progress.
    private var sending: Mark?

    /// A client that takes less than ``minimumTakenByteCount`` for this long is let go.
    static let takingTimeout = TimeAmount.seconds(60)
    /// 1 KB/s with `takingTimeout`: below any line that media is watched on, so that a client that takes its answer in
    /// drops does not hold memory for hours.
    static let minimumTakenByteCount = 64 << 10
    /// A client that sends less than ``minimumSentByteCount`` of a body for this long is let go.
    static let sendingTimeout = TimeAmount.seconds(150)
    /// 110 bytes/s with `sendingTimeout`: slower uploads come from nobody but those who want to hold a connection.
    static let minimumSentByteCount = 16 << 10

    /// Starts again: a piece has been taken, or nothing is expected of the client.
    mutating func reset() {
        taking = nil
        sending = nil
    }

    /// - Parameter unsentByteCount: what waits in the server, socket included; `nil` when it cannot be told.
    /// - Returns: whether the client takes what is sent to it.
    mutating func isTaking(unsentByteCount: Int?, now: NIODeadline) -> Bool {
        sending = nil
        let unsent = unsentByteCount ?? .max
        guard let mark = taking, unsent <= mark.byteCount else {
            taking = Mark(byteCount: unsent, time: now)
            return true
        }
        if unsent == 0 || mark.byteCount - unsent >= Self.minimumTakenByteCount {
            taking = Mark(byteCount: unsent, time: now)
        }
        return now - (taking ?? mark).time < Self.takingTimeout
    }

    /// - Parameter receivedByteCount: of bodies on this connection so far.
    /// - Returns: whether the client sends what it has announced.
    mutating func isSending(receivedByteCount: Int, now: NIODeadline) -> Bool {
        taking = nil
        guard let mark = sending, receivedByteCount - mark.byteCount < Self.minimumSentByteCount else {
            sending = Mark(byteCount: receivedByteCount, time: now)
            return true
        }
        return now - mark.time < Self.sendingTimeout
    }
}
