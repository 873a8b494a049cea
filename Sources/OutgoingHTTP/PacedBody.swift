package import AsyncHTTPClient
package import NIOCore

/// The body of an answer that may be of any size, so that it has no limit of time; it must come at a pace instead. Only
/// the time counts in which the server waits for the peer, not that in which the peer waits for a slow disk.
///
/// Silence ends with the read time-out of the client, which must have one.
package struct PacedBody: AsyncSequence, Sendable {
    package typealias Element = ByteBuffer
    package typealias Failure = any Error

    /// The pace that a peer has to keep.
    package struct Pace: Sendable, Hashable {
        package var byteCount: Int
        package var time: Duration

        package init(byteCount: Int, in time: Duration) { (self.byteCount, self.time) = (byteCount, time) }

        /// A kilobyte in a second, on average over a minute: too slow for any media.
        package static let file = Pace(byteCount: 64 << 10, in: .seconds(60))
    }

    private let body: HTTPClientResponse.Body
    private let pace: Pace

    /// - Parameters:
    ///   - response: the answer.
    ///   - pace: what the peer has to send.
    package init(_ response: HTTPClientResponse, pace: Pace = .file) {
        body = response.body
        self.pace = pace
    }

    package func makeAsyncIterator() -> Iterator { Iterator(body.makeAsyncIterator(), pace) }

    package struct Iterator: AsyncIteratorProtocol {
        private var pieces: HTTPClientResponse.Body.AsyncIterator
        private var meter: PaceMeter
        private let clock = ContinuousClock()

        init(_ pieces: HTTPClientResponse.Body.AsyncIterator, _ pace: Pace) {
            self.pieces = pieces
            meter = PaceMeter(pace)
        }

        package mutating func next() async throws -> ByteBuffer? {
            let begin = clock.now
            guard let piece = try await pieces.next() else { return nil }
            try meter.receive(piece.readableBytes, after: clock.now - begin)
            return piece
        }
    }
}
