import HTTPTypes
import NIOCore
import NIOPosix
import Packaging

/// Titles as MPEG-TS: each segment is muxed once, by the first who asks, and shared with the others.
extension MediaDelivery {
    func transportStreamSegment(
        _ number: Int, of name: String = PackagedTitle.transportStreamName, version: String, published: PublishedTitle,
        exchange: MediaExchange
    ) -> MediaAnswer {
        let title = published.title
        guard let muxer = transportStreamMuxer, version == published.revision, title.transportStreamObstacle == nil,
            let byteCount = title.transportStreamMediaByteCount(number, of: name)
        else { return .response(Self.replaced) }
        guard byteCount <= Self.maximumMuxedByteCount else { return .response(Self.tooLarge) }
        // No channel has a name with a slash in it.
        let key = TransportStreamCache.Key(
            source: "vod/\(title.instance)/\(name)", epoch: version, mediaSequence: number)
        return muxed(key, mediaByteCount: byteCount, exchange: exchange) {
            guard let segment = try title.transportStreamSegment(number, of: name) else { throw CancellationError() }
            return try published.sealed(try muxer.mux(segment), of: name)
        } answer: { segment in
            MediaResponse(
                request: exchange.request, fields: MediaFields.transportStreamSegment,
                etag: "\"\(version)-\(name)-\(number)\"", body: [segment])
        }
    }
}
