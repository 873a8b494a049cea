import HTTPTypes
package import LiveChannels
import NIOCore
package import NIOPosix
package import Packaging
import Synchronization

/// What all connections' delivery handlers share: the channels, the titles and the cache.
package final class MediaDelivery: Sendable {
    let channels: LiveChannelDirectory
    let titles: any PackagedTitleSource
    /// Where waiting for a disk is allowed.
    let threadPool: NIOThreadPool
    let segmentCache: SegmentCache
    let transportStreams = TransportStreamCache()
    /// `nil` where no channel is had as MPEG-TS.
    let transportStreamMuxer: (any TransportStreamMuxer)?
    let publishedTitles = PublishedTitleCache()
    let playlistResponses = PlaylistResponseCache()
    let clock: WallClock
    private let waiterNumber = Atomic<Int>(0)

    package init(
        channels: LiveChannelDirectory, titles: any PackagedTitleSource, threadPool: NIOThreadPool,
        segmentCacheByteCount: Int = SegmentCache.defaultByteCount,
        transportStreamMuxer: (any TransportStreamMuxer)? = nil, clock: WallClock = .system
    ) {
        self.channels = channels
        self.titles = titles
        self.threadPool = threadPool
        segmentCache = SegmentCache(maximumByteCount: segmentCacheByteCount)
        self.transportStreamMuxer = transportStreamMuxer
        self.clock = clock
    }

    func nextWaiterNumber() -> Int { waiterNumber.wrappingAdd(1, ordering: .relaxed).newValue }
}

/// How a media request is answered.
enum MediaAnswer: Sendable {
    /// From memory, at once.
    case response(MediaResponse)
    /// Something has to be waited for: the next part, a disk, the catalogue.
    ///
    /// - Parameter cancel: called on the event loop where the client goes away first.
    case pending(EventLoopFuture<MediaAnswer>, cancel: (@Sendable () -> Void)? = nil)
    /// A file that is sent piece by piece.
    case file(FileTransfer)
}

/// One request as the answering functions need it.
struct MediaExchange: Sendable {
    var request: HTTPRequest
    var media: MediaRequest
    var eventLoop: any EventLoop
    /// Address and agent, hashed; see ``ViewerCounter``. `nil` where this viewer was counted a moment ago.
    var viewerKey: UInt64?

    var acceptsGzip: Bool {
        guard let header = request.headerFields[.acceptEncoding] else { return false }
        var anyCoding = false
        for coding in header.split(separator: ",") {
            let parts = coding.split(separator: ";").map { $0.filter { $0 != " " && $0 != "\t" }.lowercased() }
            // RFC 9110 §12.4.2: a weight of zero means "not acceptable".
            let isAccepted = !parts.dropFirst().contains {
                $0.hasPrefix("q=0") && $0.allSatisfy { "q=0.".contains($0) }
            }
            // What is said of gzip itself holds before what is said of all others (§12.5.3).
            if parts.first == "gzip" { return isAccepted }
            if parts.first == "*" { anyCoding = isAccepted }
        }
        return anyCoding
    }
}

extension MediaDelivery {
    func answer(_ exchange: MediaExchange) -> MediaAnswer {
        switch exchange.media.source {
        case .channel(let name): answer(exchange, channelName: name)
        case .title(let address): answer(exchange, address: address)
        }
    }

    func playlistResponse(
        _ playlist: RenderedPlaylist, kind: PlaylistKind, exchange: MediaExchange
    ) -> MediaResponse {
        playlistResponses.response(for: playlist, kind: kind, acceptsGzip: exchange.acceptsGzip)
    }
}
