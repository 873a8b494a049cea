import HTTPTypes
import LiveChannels
import NIOCore
import NIOPosix
import Packaging

extension MediaDelivery {
    /// Of what goes into one MPEG-TS segment: 6 s at 85 Mbit/s. Muxing takes about three times as much memory.
    static let maximumMuxedByteCount = 64 << 20

    /// Muxed once, by the first who asks, on a thread that may take its time.
    func transportStreamSegment(
        _ number: Int, epoch: String, of channel: LiveChannel, exchange: MediaExchange
    ) -> MediaAnswer {
        guard let muxer = transportStreamMuxer else { return .response(Self.gone) }
        let key = TransportStreamCache.Key(source: channel.name, epoch: epoch, mediaSequence: number)
        let future: EventLoopFuture<ByteBuffer>
        switch transportStreams.claim(key, on: exchange.eventLoop) {
        case .ready(let segment):
            return .response(response(segment, key: key, of: exchange, channel))
        case .pending(let pending):
            future = pending
        case .first(let first):
            future = first
            mux(key, of: channel, muxer)
        }
        return .pending(
            future.map { .response(self.response($0, key: key, of: exchange, channel)) }
                .flatMapErrorThrowing { error in .response((error as? MuxingRefusal)?.response ?? Self.failure(error)) }
        )
    }

    private func mux(_ key: TransportStreamCache.Key, of channel: LiveChannel, _ muxer: any TransportStreamMuxer) {
        guard let segment = channel.transportStreamSegment(mediaSequence: key.mediaSequence, epoch: key.epoch) else {
            return transportStreams.finish(.failure(MuxingRefusal(response: Self.gone)), key: key)
        }
        guard segment.byteCount <= Self.maximumMuxedByteCount else {
            return transportStreams.finish(.failure(MuxingRefusal(response: Self.tooLarge)), key: key)
        }
        threadPool.submit { state in
            guard case .active = state else {
                return self.transportStreams.finish(.failure(CancellationError()), key: key)
            }
            self.transportStreams.finish(Result { try muxer.mux(segment) }, key: key)
        }
    }

    private struct MuxingRefusal: Error {
        var response: MediaResponse
    }

    static let tooLarge = MediaResponse.problem(
        .notFound, "this segment is too large to be had as MPEG-TS; take the playlist without format=ts")

    static func failure(_ error: any Error) -> MediaResponse {
        .problem(.internalServerError, "this segment cannot be had as MPEG-TS: \(error)")
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
