package import HTTPTypes
package import LiveChannels
package import MediaCore
package import NIOCore
package import NIOPosix
import Packaging
import Synchronization

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
    let playlistResponses: PlaylistResponseCache
    let partResponses = PartResponseCache()
    let requests = MediaRequestCache()
    /// The pages of other origins whose scripts may fetch media.
    package let crossOrigin: MediaCrossOriginPolicy
    let budget: DeliveryBudget
    let departedSegments = DepartedSegments()
    let pieceBuffers = PieceBuffers()
    package let sharedSegments: SharedSegments
    let clock: WallClock
    /// The measurements of the connections.
    let statistics: DeliveryStatistics
    /// Decides who may watch; `nil` if everything is for everyone.
    let viewing: (any ViewingAuthority)?
    /// Hears what players fetch of titles; `nil` if nobody wants to know.
    let playback: (any PlaybackObserver)?
    private let waiterNumber = Atomic<Int>(0)

    /// - Parameters:
    ///   - channels: the live channels.
    ///   - titles: the source of titles and tracks.
    ///   - threadPool: threads that may wait for a disk.
    ///   - transportStreams: muxes MPEG-TS; `nil` if MPEG-TS is not available.
    ///   - viewing: decides who may watch; `nil` if everything is for everyone.
    ///   - playback: hears what players fetch of titles; `nil` if nobody wants to know.
    ///   - crossOrigin: the pages of other origins whose scripts may fetch media.
    ///   - statistics: receives what the connections measure.
    package convenience init(
        channels: LiveChannelDirectory, titles: any PackagedTitleSource, threadPool: NIOThreadPool,
        transportStreams: TransportStreamMuxing? = nil, viewing: (any ViewingAuthority)? = nil,
        playback: (any PlaybackObserver)? = nil, crossOrigin: MediaCrossOriginPolicy = .everyone,
        statistics: DeliveryStatistics = DeliveryStatistics()
    ) {
        self.init(
            channels: channels, titles: titles, threadPool: threadPool, budget: DeliveryBudget(),
            transportStreams: transportStreams, viewing: viewing,
            playback: playback, crossOrigin: crossOrigin, statistics: statistics)
    }

    /// - Parameters:
    ///   - channels: the live channels.
    ///   - titles: the source of titles and tracks.
    ///   - threadPool: threads that may wait for a disk.
    ///   - budget: the memory of transfers.
    ///   - transportStreams: muxes MPEG-TS; `nil` if MPEG-TS is not available.
    ///   - viewing: decides who may watch; `nil` if everything is for everyone.
    ///   - playback: hears what players fetch of titles; `nil` if nobody wants to know.
    ///   - clock: the clock of viewers.
    ///   - crossOrigin: the pages of other origins whose scripts may fetch media.
    ///   - statistics: receives what the connections measure.
    package init(
        channels: LiveChannelDirectory, titles: any PackagedTitleSource, threadPool: NIOThreadPool,
        budget: DeliveryBudget, transportStreams: TransportStreamMuxing? = nil, viewing: (any ViewingAuthority)? = nil,
        playback: (any PlaybackObserver)? = nil, clock: WallClock = .system,
        crossOrigin: MediaCrossOriginPolicy = .everyone,
        statistics: DeliveryStatistics = DeliveryStatistics()
    ) {
        self.channels = channels
        self.titles = titles
        self.threadPool = threadPool
        sharedSegments = SharedSegments { work in
            threadPool.submit { state in
                if case .active = state { work() }
            }
        }
        muxingThreadPool = transportStreams?.threadPool ?? threadPool
        self.budget = budget
        transportStreamMuxer = transportStreams?.muxer
        self.viewing = viewing
        self.playback = playback
        self.clock = clock
        self.crossOrigin = crossOrigin
        playlistResponses = PlaylistResponseCache(crossOrigin)
        self.statistics = statistics
    }

    /// Whether others than invited people must not learn that something exists.
    func isConcealed(_ subject: MediaSubject) -> Bool {
        guard let viewing, !viewing.isForEveryone(subject) else { return false }
        return viewing.isConcealed(subject)
    }

    func nextWaiterNumber() -> Int { waiterNumber.wrappingAdd(1, ordering: .relaxed).newValue }
}

extension MediaDelivery {
    func answer(_ exchange: MediaExchange) -> MediaAnswer {
        let media = exchange.media
        if let conflict = media.directives.conflict { return .response(.problem(.badRequest, conflict.reason)) }
        guard let viewing else {
            return media.signature == nil ? admittedAnswer(exchange) : answer(exchange, Self.nothingIsSigned)
        }
        // A signature counts also where none is needed, so that no address plays with a made-up one.
        guard media.signature != nil || !viewing.isForEveryone(media.subject) else { return admittedAnswer(exchange) }
        if media.signature != nil, let decision = viewing.decideNow(exchange.viewingRequest) {
            return answer(exchange, decision)
        }
        if media.signature == nil, media.isEntry, let signature = media.directives.signature {
            guard viewing.isConcealed(media.subject) else {
                return .response(Self.redirection(exchange, signature: signature))
            }
            return redirection(exchange, signature: signature, viewing)
        }
        let request = exchange.viewingRequest
        let decision = exchange.eventLoop.makeFutureWithTask { await viewing.decide(request) }
        return .pending(decision.map { [self] in answer(exchange, $0) })
    }

    /// Leads a player to the path with the signature if that is valid. A redirection for any other would tell that
    /// there is something.
    private func redirection(
        _ exchange: MediaExchange, signature: String, _ viewing: any ViewingAuthority
    ) -> MediaAnswer {
        @Sendable func answer(_ decision: ViewingDecision) -> MediaAnswer {
            guard case .allowedByPath = decision else { return self.answer(exchange, decision) }
            return .response(Self.redirection(exchange, signature: signature))
        }
        var signed = exchange
        signed.media.signature = signature
        let request = signed.viewingRequest
        if let decision = viewing.decideNow(request) { return answer(decision) }
        return .pending(exchange.eventLoop.makeFutureWithTask { answer(await viewing.decide(request)) })
    }

    private func answer(_ exchange: MediaExchange, _ decision: ViewingDecision) -> MediaAnswer {
        let refusal = decision.refusal(isBrowser: exchange.isFromPage, unknown: unknown(exchange.media))
        if let refusal { return .response(refusal) }
        switch decision {
        case .open: return admittedAnswer(exchange)
        case .allowedByPath(let seconds): return admittedAnswer(exchange).cached(atMost: seconds)
        case .allowedWithSignature(let signature) where exchange.media.isPlaylist:
            return .response(Self.redirection(exchange, signature: signature))
        default: return admittedAnswer(exchange).forOneViewer
        }
    }

    /// Whether somebody may watch what a path leads to, for a proxy that keeps the media and asks for each request.
    ///
    /// - Parameters:
    ///   - target: the path with its query, as the client has requested it.
    ///   - fields: the header that the client has sent.
    ///   - peer: the address of the connection.
    package func decide(_ target: String, fields: HTTPFields, from peer: SocketAddress?) async -> AddressDecision {
        guard let media = MediaRequest(target: target) else { return .nothing }
        if let conflict = media.directives.conflict { return .conflict(conflict.reason) }
        let decision = await decide(media, target, fields: fields, from: peer)
        if !decision.isRefusal, await isGone(media) { return .nothing }
        return .decided(decision, address: media.canonicalAddress)
    }

    private func decide(
        _ media: MediaRequest, _ target: String, fields: HTTPFields, from peer: SocketAddress?
    ) async -> ViewingDecision {
        guard let viewing else { return media.signature == nil ? .open : Self.nothingIsSigned }
        guard media.signature != nil || !viewing.isForEveryone(media.subject) else { return .open }
        let request = ViewingRequest(MediaAddress(media), fields: fields, target: target, peer: peer)
        if media.signature != nil, let decision = viewing.decideNow(request) { return decision }
        return await viewing.decide(request)
    }

    /// Whether the channel, title or track of a request is not there any more: a proxy may have copies of it, and a
    /// rental or link may last longer.
    private func isGone(_ media: MediaRequest) async -> Bool {
        switch media.source {
        case .channel(let name): channels.viewableChannel(named: name.text) == nil
        case .title(let address): media.resource != .file ? await isGone(address) : false
        }
    }

    private static let nothingIsSigned = ViewingDecision.linkNotValid(reason: "this server does not sign addresses")

    /// Leads a player to the same playlist with the signature in the path, which all that the playlist names inherits.
    private static func redirection(_ exchange: MediaExchange, signature: String) -> MediaResponse {
        let query = ViewingRequest.query(of: exchange.request.path ?? "")
        let parameters = query.utf8.split(separator: UInt8(ascii: "&")).map { Substring($0) }.filter { parameter in
            let name = Substring(parameter.utf8.prefix { $0 != UInt8(ascii: "=") })
            return !ViewingRequest.credentialParameters.contains(String(name))
        }
        let rest = parameters.isEmpty ? "" : "?\(parameters.joined(separator: "&"))"
        let location = "/\(MediaPath.signedFolderName)/\(signature)\(exchange.media.canonicalPath)\(rest)"
        return MediaResponse(
            head: HTTPResponse(
                status: .found,
                headerFields: [
                    .location: location, .cacheControl: "no-store", .contentLength: "0",
                ]),
            body: [])
    }

    /// The response for an address at which there is no channel, title or track.
    private func unknown(_ media: MediaRequest) -> MediaResponse {
        switch media.source {
        case .channel(let name): unknownChannel(name.text)
        case .title(let address): Self.unknownTitle(address, media.resource)
        }
    }

    /// The answer to somebody who may watch.
    private func admittedAnswer(_ exchange: MediaExchange) -> MediaAnswer {
        switch exchange.media.source {
        case .channel(let name): answer(exchange, channelName: name.text)
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
