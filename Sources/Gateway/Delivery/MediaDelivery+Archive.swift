import HTTPTypes
import LiveChannels
import NIOCore
import NIOPosix
import Packaging

/// Which segment of a channel is meant: see the playlist's URIs.
struct LiveSegmentAddress: Sendable, Hashable {
    var rendition: String
    var epoch: String
    var mediaSequence: Int
}

/// Segments that lie on disk: the same URL, the same ETag and the same bytes as when they were in memory.
extension MediaDelivery {
    func archivedSegment(
        at address: LiveSegmentAddress, of channel: LiveChannel, exchange: MediaExchange
    ) -> MediaAnswer {
        guard
            let segment = channel.archivedSegment(
                rendition: address.rendition[...], mediaSequence: address.mediaSequence, epoch: address.epoch[...])
        else { return .response(Self.gone) }
        do {
            // What the page cache holds is read at once: handing it to another thread would take longer.
            let read = try segment.read(cachedOnly: true)
            if let answer = answer(read, at: address, of: channel, exchange: exchange) { return answer }
        } catch {
            return .response(Self.unreadable)
        }
        let read = threadPool.runIfActive(eventLoop: exchange.eventLoop) { try segment.read(cachedOnly: false) }
        return .pending(
            read.map { read in
                self.answer(read, at: address, of: channel, exchange: exchange) ?? .response(Self.unreadable)
            }.flatMapErrorThrowing { _ in .response(Self.unreadable) })
    }

    private static let unreadable = MediaResponse.problem(
        .internalServerError, "the channel's archive cannot be read")

    /// `nil` where the disk has to be waited for.
    private func answer(
        _ read: ArchivedSegmentRead, at address: LiveSegmentAddress, of channel: LiveChannel, exchange: MediaExchange
    ) -> MediaAnswer? {
        switch read {
        case .complete(let body): .response(response(body, at: address, of: exchange, channel))
        case .missing: .response(Self.gone)
        case .needsDisk: nil
        }
    }

    /// - Parameter body: the segment, in pieces.
    func response(
        _ body: [ByteBuffer], at address: LiveSegmentAddress, of exchange: MediaExchange, _ channel: LiveChannel
    ) -> MediaResponse {
        counted(
            MediaResponse(
                request: exchange.request,
                fields: address.rendition == "audio" ? MediaFields.audioSegment : MediaFields.videoSegment,
                etag: "\"\(address.epoch)-\(address.rendition)-\(address.mediaSequence)\"", body: body),
            of: exchange, channel)
    }
}
