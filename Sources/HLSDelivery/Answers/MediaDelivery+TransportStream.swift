import HTTPTypes
import LiveChannels
import NIOCore
import NIOPosix
import Packaging

extension MediaDelivery {
    /// Maximum size of the media in one MPEG-TS segment: 6 s at 85 Mbit/s.
    static let maximumMuxedByteCount = 64 << 20
    /// Muxing needs up to three and a half times as much memory as the media: the media itself, libav's output, the
    /// result and a list of its packets.
    static let muxingMemoryFactor = 4

    func transportStreamSegment(
        _ number: Int, epoch: String, of channel: LiveChannel, exchange: MediaExchange
    ) -> MediaAnswer {
        guard let muxer = transportStreamMuxer else { return .response(Self.gone) }
        let key = TransportStreamCache.Key(source: channel.name, epoch: epoch, mediaSequence: number)
        let answer: @Sendable (ByteBuffer) -> MediaResponse = {
            self.response($0, key: key, of: exchange, channel)
        }
        if let joined = transportStreams.join(key, on: exchange.eventLoop) {
            return shared(joined, exchange: exchange, answer: answer)
        }
        guard let segment = channel.transportStreamSegment(mediaSequence: number, epoch: epoch) else {
            return .response(Self.gone)
        }
        guard segment.byteCount <= Self.maximumMuxedByteCount else { return .response(Self.tooLarge) }
        return muxed(
            key, mediaByteCount: segment.byteCount, exchange: exchange, mux: { try muxer.mux(segment) }, answer: answer)
    }

    /// Answers with a segment that is muxed once, for the first request, on a thread that may block, and shared with
    /// concurrent requests.
    ///
    /// - Parameters:
    ///   - fetch: has media of another machine brought to this one before it is muxed, and calls its argument then;
    ///     returns false if there is nothing to bring.
    ///   - mux: called on that thread, unless another request is muxing the segment.
    ///   - answer: called on the event loop.
    ///   - failure: the response to an error of `fetch` or `mux`.
    func muxed(
        _ key: TransportStreamCache.Key, mediaByteCount: Int, exchange: MediaExchange,
        fetch: @escaping @Sendable (@escaping FetchCompletion) -> Bool = { _ in false },
        mux: @escaping @Sendable () throws -> ByteBuffer, answer: @escaping @Sendable (ByteBuffer) -> MediaResponse,
        failure: @escaping @Sendable (any Error) -> MediaResponse = MediaDelivery.failure
    ) -> MediaAnswer {
        if let joined = transportStreams.join(key, on: exchange.eventLoop) {
            return shared(joined, exchange: exchange, answer: answer, failure: failure)
        }
        return claim(.init(byteCount: Self.muxingMemoryFactor * mediaByteCount), for: exchange) { claim in
            switch self.transportStreams.claim(key, on: exchange.eventLoop) {
            case .ready(let segment):
                return self.shared(
                    exchange.eventLoop.makeSucceededFuture(segment), exchange: exchange, answer: answer,
                    failure: failure)
            case .pending(let pending):
                return self.shared(pending, exchange: exchange, answer: answer, failure: failure)
            case .first(let first):
                let muxOnThread: @Sendable (Result<Void, any Error>) -> Void = { fetched in
                    self.muxingThreadPool.submit { state in
                        guard case .active = state else {
                            return self.transportStreams.finish(.failure(CancellationError()), key: key)
                        }
                        let result = Result {
                            try fetched.get()
                            let bytes = try mux()
                            return MuxedSegment(bytes: bytes, charge: claim.charge(bytes.readableBytes))
                        }
                        self.transportStreams.finish(result, key: key)
                    }
                }
                if !fetch(muxOnThread) { muxOnThread(.success(())) }
                return self.shared(first, exchange: exchange, answer: answer, failure: failure)
            }
        }
    }

    /// Answers with a shared segment, which counts towards the share of each client that gets it.
    private func shared(
        _ segment: EventLoopFuture<MuxedSegment>, exchange: MediaExchange,
        answer: @escaping @Sendable (ByteBuffer) -> MediaResponse,
        failure: @escaping @Sendable (any Error) -> MediaResponse = MediaDelivery.failure
    ) -> MediaAnswer {
        let answers = segment.map { segment in
            self.claim(.init(byteCount: segment.bytes.readableBytes, isShared: true), for: exchange) { claim in
                .held(answer(segment.bytes), segment.charge.map { [claim, $0] } ?? [claim])
            }
        }
        return .pending(answers.recover { .response(failure($0)) })
    }

    static let tooLarge = MediaResponse.problem(
        .notFound, "this segment is too large for MPEG-TS; use the playlist without format=ts")

    @Sendable static func failure(_ error: any Error) -> MediaResponse {
        .problem(.internalServerError, "this segment cannot be converted to MPEG-TS: \(error)")
    }

    private func response(
        _ segment: ByteBuffer, key: TransportStreamCache.Key, of exchange: MediaExchange, _ channel: LiveChannel
    ) -> MediaResponse {
        counted(
            MediaResponse(
                request: exchange.request, fields: MediaFields.transportStreamSegment,
                etag: "\"\(key.epoch)-ts-\(key.mediaSequence)\"", body: [segment]), of: exchange, channel)
    }
}
