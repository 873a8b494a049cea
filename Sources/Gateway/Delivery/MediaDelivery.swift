import HTTPTypes
package import LiveChannels
import NIOCore
package import NIOPosix
package import Packaging
import Synchronization
import MediaCore

/// What all connections' delivery handlers share: the channels, the titles and the cache.
package final class MediaDelivery: Sendable {
    let channels: LiveChannelDirectory
    let titles: any PackagedTitleSource
    /// Where waiting for a disk is allowed.
    let threadPool: NIOThreadPool
    /// Where MPEG-TS is made, which keeps no reader waiting.
    let muxingThreadPool: NIOThreadPool
    let transportStreams = TransportStreamCache()
    /// `nil` where no channel is had as MPEG-TS.
    let transportStreamMuxer: (any TransportStreamMuxer)?
    let publishedTitles = PublishedTitleCache()
    let playlistResponses = PlaylistResponseCache()
    let budget: DeliveryBudget
    let departedSegments = DepartedSegments()
    let pieceBuffers = PieceBuffers()
    let clock: WallClock
    private let waiterNumber = Atomic<Int>(0)

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

/// How a media request is answered.
enum MediaAnswer: Sendable {
    /// From memory, at once.
    case response(MediaResponse)
    /// From memory that was made for those who asked; the objects are held until it has been sent.
    case held(MediaResponse, [any AnyObject & Sendable])
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
    /// Whose share of the delivery budget is used.
    var peer = AddressGroup(nil)

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

    static let busy = MediaResponse.problem(
        .serviceUnavailable, "the server is sending to as many clients as it has memory for; try again", retryAfter: 2)

    /// Answers when the delivery budget has room for it, or else with 503.
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
