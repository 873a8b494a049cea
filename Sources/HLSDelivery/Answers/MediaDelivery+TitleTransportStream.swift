import HTTPTypes
import MediaCore
import NIOCore
import NIOPosix
import Packaging

/// Delivery of titles as MPEG-TS. Each segment is muxed once, for the first request, and shared with concurrent ones.
extension MediaDelivery {
    func transportStreamSegment(
        _ number: Int, of name: String = PackagedTitle.transportStreamName, version: String, published: PublishedTitle,
        exchange: MediaExchange
    ) -> MediaAnswer {
        let title = published.title
        guard let muxer = transportStreamMuxer, version == published.revision, title.transportStreamObstacle == nil,
            published.extras.encryption?.method != .cbcs,
            let byteCount = title.transportStreamMediaByteCount(number, of: name)
        else { return .response(Self.replaced) }
        guard byteCount <= Self.maximumMuxedByteCount else { return .response(Self.tooLarge) }
        notePlayback(exchange, segment: number, title.transportStreamSeconds(ofSegment: number, of: name))
        // Channel names do not contain slashes, so the key cannot collide with a channel's.
        let key = TransportStreamCache.Key(
            source: "vod/\(title.instance)/\(name)", epoch: version, mediaSequence: number)
        return muxed(key, mediaByteCount: byteCount, exchange: exchange) { completion in
            title.fetchTransportStreamMedia(number, of: name, completion)
        } mux: {
            guard let segment = try title.transportStreamSegment(number, of: name) else { throw CancellationError() }
            return try published.sealed(try muxer.mux(segment), of: name)
        } answer: { segment in
            MediaResponse(
                request: exchange.request, fields: MediaFields.transportStreamSegment,
                etag: "\"\(version)-\(name)-\(number)\"", body: [segment])
        }
    }
}
