import HTTPTypes
import LiveChannels
import NIOCore
import NIOPosix

/// Delivery of segments on disk, with the same URL, entity tag and bytes as when they were in memory.
extension MediaDelivery {
    func archivedSegment(
        at address: LiveSegmentAddress, of channel: LiveChannel, exchange: MediaExchange
    ) -> MediaAnswer {
        guard
            let segment = channel.archivedSegment(
                rendition: address.rendition[...], mediaSequence: address.mediaSequence, epoch: address.epoch[...])
        else { return .response(Self.gone) }
        return claim(.init(byteCount: FileTransfer.claimedByteCount), for: exchange) { claim in
            do {
                // Cached pages are read here, because another thread would take longer.
                let media = try segment.media(cachedOnly: true)
                if let answer = self.answer(media, at: address, of: channel, exchange: exchange, claim: claim) {
                    return answer
                }
            } catch {
                return .response(Self.unreadable)
            }
            let media = self.threadPool.runIfActive(eventLoop: exchange.eventLoop) {
                try segment.media(cachedOnly: false)
            }
            return .pending(
                media.map { media in
                    self.answer(media, at: address, of: channel, exchange: exchange, claim: claim)
                        ?? .response(Self.unreadable)
                }.recover { _ in .response(Self.unreadable) })
        }
    }

    private static let unreadable = MediaResponse.problem(
        .internalServerError, "the channel's archive cannot be read")

    /// The response; `nil` if it has to wait for the disk.
    private func answer(
        _ media: ArchivedMedia, at address: LiveSegmentAddress, of channel: LiveChannel, exchange: MediaExchange,
        claim: DeliveryClaim
    ) -> MediaAnswer? {
        switch media {
        case .memory(let body): return .response(response(body, at: address, of: exchange, channel))
        case .stored(let stored):
            let transfer = FileTransfer(
                stored, request: exchange.request, fields: address.fields, etag: address.etag, claim: claim)
            if exchange.request.method != .head { channel.countSent(byteCount: transfer.remainingByteCount) }
            return .file(transfer)
        case .missing: return .response(Self.gone)
        case .needsDisk: return nil
        }
    }

    /// The response with a segment in memory.
    ///
    /// - Parameter body: the segment, in pieces.
    func response(
        _ body: [ByteBuffer], at address: LiveSegmentAddress, of exchange: MediaExchange, _ channel: LiveChannel
    ) -> MediaResponse {
        var response = MediaResponse(
            request: exchange.request, fields: address.fields, etag: address.etag, body: body)
        // A range of it holds all of it.
        let byteCount = body.reduce(0) { $0 + $1.readableBytes }
        response.holding = LiveHolding(channel: channel, segment: address, part: nil, byteCount: byteCount)
        return counted(response, of: exchange, channel)
    }
}
