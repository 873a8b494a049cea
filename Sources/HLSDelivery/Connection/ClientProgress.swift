import NIOCore

/// Decides whether a client still makes progress in receiving a response or in sending a request body. Only a lack of
/// progress ends a transfer, however long it takes in total.
struct ClientProgress {
    private struct Mark {
        var byteCount: Int
        var time: NIODeadline
    }

    /// Number of bytes not yet received by the client when it last made progress.
    private var taking: Mark?
    /// Number of bytes received from the client when it last made progress.
    private var sending: Mark?

    /// A client that receives less than ``minimumTakenByteCount`` in this time is disconnected.
    static let takingTimeout = Duration.seconds(60)
    /// 1 KB/s with ``takingTimeout``, too slow for any media, so that a client that reads very slowly cannot hold
    /// memory for hours.
    static let minimumTakenByteCount = 64 << 10
    /// A client that sends less than ``minimumSentByteCount`` of a body in this time is disconnected.
    static let sendingTimeout = Duration.seconds(150)
    /// 110 bytes/s with ``sendingTimeout``; slower uploads only serve to hold a connection.
    static let minimumSentByteCount = 16 << 10

    /// Starts the measurement again, because a piece has been received or nothing is expected of the client.
    mutating func reset() {
        taking = nil
        sending = nil
    }

    /// Updates the measurement while a response is sent.
    ///
    /// - Parameter unsentByteCount: bytes waiting in the server, socket included; `nil` if the number is not known.
    /// - Returns: whether the client is receiving fast enough.
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
        return now - (taking ?? mark).time < TimeAmount(Self.takingTimeout)
    }

    /// Updates the measurement while a request body is received.
    ///
    /// - Parameter receivedByteCount: bytes of request bodies received on this connection so far.
    /// - Returns: whether the client is sending fast enough.
    mutating func isSending(receivedByteCount: Int, now: NIODeadline) -> Bool {
        taking = nil
        guard let mark = sending, receivedByteCount - mark.byteCount < Self.minimumSentByteCount else {
            sending = Mark(byteCount: receivedByteCount, time: now)
            return true
        }
        return now - mark.time < TimeAmount(Self.sendingTimeout)
    }
}
