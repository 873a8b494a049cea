import HTTPTypes
package import LiveChannels
import NIOCore
package import NIOPosix
package import Packaging
import Synchronization
import MediaCore

/// The state shared by the delivery handlers of all connections: channels, titles and caches.
package final class MediaDelivery: Sendable {
    let channels: LiveChannelDirectory
    let titles: any PackagedTitleSource
    /// The threads that may wait for a disk.
    let threadPool: NIOThreadPool
    /// The threads that mux MPEG-TS, separate so that muxing does not delay reads.
    let muxingThreadPool: NIOThreadPool
    let transportStreams = TransportStreamCache()
    /// The muxer of MPEG-TS; `nil` if MPEG-TS is not available.
    let transportStreamMuxer: (any TransportStreamMuxer)?
    let publishedTitles = PublishedTitleCache()
    let playlistResponses = PlaylistResponseCache()
    let budget: DeliveryBudget
    let departedSegments = DepartedSegments()
    let pieceBuffers = PieceBuffers()
    let sharedSegments = SharedSegments()
    let clock: WallClock
    private let waiterNumber = Atomic<Int>(0)

    /// - Parameters:
    ///   - channels: the live channels.
    ///   - titles: the source of titles and tracks.
    ///   - threadPool: threads that may wait for a disk.
    ///   - muxingThreadPool: threads that mux MPEG-TS; `nil` uses `threadPool`.
    ///   - transportStreamMuxer: the muxer of MPEG-TS; `nil` if MPEG-TS is not available.
    package convenience init(
        channels: LiveChannelDirectory, titles: any PackagedTitleSource, threadPool: NIOThreadPool,
        muxingThreadPool: NIOThreadPool? = nil,
        transportStreamMuxer: (any TransportStreamMuxer)? = nil
    ) {
        self.init(
            channels: channels, titles: titles, threadPool: threadPool, muxingThreadPool: muxingThreadPool,
            budget: DeliveryBudget(), transportStreamMuxer: transportStreamMuxer)
    }

    init(
        channels: LiveChannelDirectory, titles: any PackagedTitleSource, threadPool: NIOThreadPool,
        muxingThreadPool: NIOThreadPool? = nil,
        budget: DeliveryBudget,
        transportStreamMuxer: (any TransportStreamMuxer)? = nil, clock: WallClock = .system
    ) {
        self.channels = channels
        self.titles = titles
        self.threadPool = threadPool
        self.muxingThreadPool = muxingThreadPool ?? threadPool
        self.budget = budget
        self.transportStreamMuxer = transportStreamMuxer
        self.clock = clock
    }

    func nextWaiterNumber() -> Int { waiterNumber.wrappingAdd(1, ordering: .relaxed).newValue }
}

/// The answer to a media request.
enum MediaAnswer: Sendable {
    /// A response in memory.
    case response(MediaResponse)
    /// A response in memory that is not cached; the objects are kept alive until it has been sent.
    case held(MediaResponse, [any AnyObject & Sendable])
    /// An answer that has to wait for the next part, a disk or the catalogue.
    ///
    /// - Parameter cancel: called on the event loop if the client disconnects first.
    case pending(EventLoopFuture<MediaAnswer>, cancel: (@Sendable () -> Void)? = nil)
    /// A file that is sent in pieces.
    case file(FileTransfer)
}

/// One request with everything needed to answer it.
struct MediaExchange: Sendable {
    var request: HTTPRequest
    var media: MediaRequest
    var eventLoop: any EventLoop
    /// The hash of address and user agent, see ``ViewerCounter``; `nil` if this viewer has just been counted.
    var viewerKey: UInt64?
    /// The client's address, whose share of the delivery budget is used.
    var peer = AddressGroup(nil)
    /// True if bodies can be written to the connection's socket directly, bypassing all handlers: plain HTTP/1.1.
    var isDirect = false

    var acceptsGzip: Bool {
        guard let header = request.headerFields.first(.acceptEncoding) else { return false }
        var anyCoding = false
        for coding in header.split(separator: ",") {
            let parts = coding.split(separator: ";").map { $0.filter { $0 != " " && $0 != "\t" }.lowercased() }
            // A weight of zero means "not acceptable" (RFC 9110 §12.4.2).
            let isAccepted = !parts.dropFirst().contains {
                $0.hasPrefix("q=0") && $0.allSatisfy { "q=0.".contains($0) }
            }
            // An entry for gzip takes precedence over "*" (§12.5.3).
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

    static let busy = MediaResponse.problem(
        .serviceUnavailable, "the server has no memory for more clients at the moment; try again", retryAfter: 2)

    /// Answers when the delivery budget allows it, otherwise with 503.
    func claim(
        _ demand: DeliveryBudget.Demand, for exchange: MediaExchange,
        _ answer: @escaping @Sendable (DeliveryClaim) -> MediaAnswer
    ) -> MediaAnswer {
        switch budget.claim(demand, of: exchange.peer, on: exchange.eventLoop) {
        case .granted(let claim): answer(claim)
        case .refused: .response(Self.busy)
        case .waiting(let claim, let cancel):
            .pending(claim.map(answer).recover { _ in .response(Self.busy) }, cancel: cancel)
        }
    }

    func playlistResponse(
        _ playlist: RenderedPlaylist, kind: PlaylistKind, exchange: MediaExchange
    ) -> MediaResponse {
        playlistResponses.response(for: playlist, kind: kind, acceptsGzip: exchange.acceptsGzip)
    }
}
