import HTTPTypes
import LiveChannels
import MediaCore
import NIOCore
import Packaging

extension MediaDelivery {
    /// Longest wait for a channel's first segment, longer than any usual encoder needs for it.
    static let maximumFirstSegmentWait = Duration.seconds(10)
    /// Longest wait of a blocking request, in target durations; after it the answer is 503 (rfc8216bis §6.2.5.2).
    static let maximumReloadWaitInTargetDurations: Int64 = 3

    func answer(_ exchange: MediaExchange, channelName: String) -> MediaAnswer {
        guard let channel = channels.viewableChannel(named: channelName) else {
            return .response(unknownChannel(channelName))
        }
        switch exchange.media.resource {
        case .playlist(let name):
            return playlist(named: name.text, of: channel, exchange: exchange)
        case .manifest: return playlist(named: LiveWindow.manifestName, of: channel, exchange: exchange)
        case .manifestPatch: return manifestPatch(of: channel, exchange: exchange)
        case .initializationSection(let epoch, let rendition, let number):
            guard let number,
                let section = channel.initializationSection(
                    rendition: rendition.text[...], number: number, epoch: epoch.text[...])
            else { return .response(Self.gone) }
            let fields = MediaFields.initialization(ofRendition: rendition.text)
            return .response(
                counted(
                    MediaResponse(
                        request: exchange.request, fields: fields, etag: "\"\(epoch)-\(rendition)-init-\(number)\"",
                        body: [section]), of: exchange, channel))
        case .segment(let epoch, let rendition, let number):
            let address = LiveSegmentAddress(rendition: rendition.text, epoch: epoch.text, mediaSequence: number)
            guard
                let segment = channel.segment(
                    rendition: rendition.text[...], mediaSequence: number, epoch: epoch.text[...])
            else {
                return growingSegment(at: address, of: channel, exchange: exchange)
                    ?? archivedSegment(at: address, of: channel, exchange: exchange)
            }
            if let shared = shared(segment, at: address, of: channel, for: exchange) {
                return .file(transfer(shared, at: address, of: exchange, channel))
            }
            return .response(response(segment.bytes, at: address, of: exchange, channel))
        case .transportStreamSegment(let epoch, let number):
            return transportStreamSegment(number, epoch: epoch.text, of: channel, exchange: exchange)
        case .part(let epoch, let rendition, let number, let index):
            let address = LivePartAddress(
                rendition: rendition.text, epoch: epoch.text, mediaSequence: number, index: index)
            return part(at: address, of: channel, exchange: exchange)
        case .titleTransportStreamSegment, .subtitleSegment, .subtitles, .chapters, .key, .license, .file:
            return .response(.problem(.notFound, "a channel has no file"))
        }
    }

    /// The response for a name that no channel has, or only one that the client must not learn of.
    func unknownChannel(_ name: String) -> MediaResponse {
        let shown = channels.all.map(\.name).filter { name in
            MediaName(name).map { !isConcealed(.channel($0)) } ?? false
        }
        let hint = NearestName.suggestion(for: name, among: shown).map { "; did you mean \($0)?" } ?? ""
        return .problem(.notFound, "there is no channel \(name)\(hint)")
    }

    /// The segment in an in-memory file, if this viewer's connection can send it without copying.
    private func shared(
        _ segment: LiveSegment, at address: LiveSegmentAddress, of channel: LiveChannel, for exchange: MediaExchange
    ) -> SharedSegment? {
        guard exchange.isDirect, exchange.request.method != .head else { return nil }
        let key = SharedSegments.Key(channel: channel.name, segment: address)
        return sharedSegments.segment(for: key, byteCount: segment.byteCount) {
            let plain = SelectedRepresentation(
                request: HTTPRequest(method: .get, scheme: nil, authority: nil, path: nil), fields: address.fields,
                etag: address.etag, byteCount: Int64(segment.byteCount))
            return MediaResponseHead(head: plain.head, crossOrigin: crossOrigin.common ?? HTTPFields()).http1()
        } pieces: {
            segment.bytes
        }
    }

    private func transfer(
        _ shared: SharedSegment, at address: LiveSegmentAddress, of exchange: MediaExchange, _ channel: LiveChannel
    ) -> FileTransfer {
        var transfer = FileTransfer(
            shared.media, request: exchange.request, fields: address.fields, etag: address.etag)
        // All responses to requests for the whole have the same head, unless it depends on the page.
        if transfer.head.status == .ok, crossOrigin.common != nil { transfer.encoded = shared.response }
        transfer.holding = LiveHolding(channel: channel, segment: address, in: shared.file)
        channel.countSent(byteCount: transfer.remainingByteCount)
        return transfer
    }

    static let gone = MediaResponse.problem(
        .notFound, "this part of the stream does not exist or is no longer available")

    func counted(
        _ response: MediaResponse, of exchange: MediaExchange, _ channel: LiveChannel
    ) -> MediaResponse {
        if exchange.request.method != .head { channel.countSent(byteCount: response.bodyByteCount) }
        return response
    }

    // MARK: Playlists

    private func playlist(named name: String, of channel: LiveChannel, exchange: MediaExchange) -> MediaAnswer {
        let directives = exchange.media.directives
        if let error = directives.error { return .response(.problem(.badRequest, error)) }
        // There is one manifest for all players, but for those that want no segment before it is complete.
        let isManifest = name == LiveWindow.manifestName
        let form = isManifest && directives.form != .wholeSegments ? .lowLatency : directives.form
        var request = LivePlaylistRequest(
            name: name, form: form, skips: directives.skips, position: directives.position,
            start: directives.start, codecGeneration: directives.codecGeneration)
        if !request.mayBlock { request.position = nil }
        // The first viewer of a publisher that has just started need not retry for being a second early.
        let longest = request.position == nil ? Self.maximumFirstSegmentWait : Self.maximumReloadWait(channel)
        return playlist(
            request, of: channel, exchange: exchange, deadline: exchange.eventLoop.now + TimeAmount(longest))
    }

    private func playlist(
        _ request: LivePlaylistRequest, of channel: LiveChannel, exchange: MediaExchange, deadline: NIODeadline
    ) -> MediaAnswer {
        switch channel.playlist(request) {
        case .ready(let playlist):
            countViewer(of: request.name, channel, exchange: exchange)
            let kind: PlaylistKind =
                request.name == LiveWindow.manifestName
                ? .liveManifest : request.position == nil ? .live : .blockingReload
            // Playlists for a single viewer are not cached, because they would displace those that all others share.
            let response =
                request.start == nil
                ? playlistResponse(playlist, kind: kind, exchange: exchange)
                : PlaylistResponseCache.makeResponse(
                    for: playlist, fields: kind.fields, acceptsGzip: exchange.acceptsGzip)
            return .response(counted(response, of: exchange, channel))
        case .tooFarAhead:
            return .response(.problem(.badRequest, "_HLS_msn or _HLS_part is too far ahead"))
        case .unsuitable(let reason):
            return .response(.problem(.notAcceptable, reason))
        case .absent:
            return .response(
                channel.window().isPlayable
                    ? .problem(.notFound, "\(channel.name) has no rendition \(request.name)")
                    : Self.notPlayable(channel))
        case .pending(let awaited):
            return wait(for: awaited, of: channel, exchange: exchange, deadline: deadline) { hasCome in
                if hasCome {
                    return self.playlist(request, of: channel, exchange: exchange, deadline: deadline)
                }
                guard case .position = awaited else { return .response(Self.notPlayable(channel)) }
                return .response(Self.waitedTooLong)
            }
        }
    }

    /// Counts a client that gets a playlist as a viewer.
    private func countViewer(of playlist: String, _ channel: LiveChannel, exchange: MediaExchange) {
        guard let viewer = exchange.viewerKey else { return }
        channel.viewers.saw(
            viewer, variant: ViewedVariant(playlist: playlist), now: clock.now(),
            client: ClientKind(userAgent: exchange.request.headerFields.first(.userAgent)))
    }

    /// Answers with the difference between the manifest that a player has and the current one. A player that gets none
    /// asks for the whole manifest.
    private func manifestPatch(of channel: LiveChannel, exchange: MediaExchange) -> MediaAnswer {
        let directives = exchange.media.directives
        guard let published = directives.publishTime else {
            return .response(.problem(.badRequest, "a patch needs publishTime, as the manifest's PatchLocation has it"))
        }
        let form = directives.form == .wholeSegments ? LivePlaylistForm.wholeSegments : .lowLatency
        switch channel.manifestPatch(from: published, form) {
        case .ready(let patch):
            countViewer(of: LiveWindow.manifestName, channel, exchange: exchange)
            let response = playlistResponse(patch, kind: .liveManifestPatch, exchange: exchange)
            return .response(counted(response, of: exchange, channel))
        case .unknown:
            return .response(
                .problem(.gone, "that manifest is too old or not known; load \(MediaRequest.manifestFileName)"))
        case .absent: return .response(Self.notPlayable(channel))
        }
    }

    private static func maximumReloadWait(_ channel: LiveChannel) -> Duration {
        .seconds(maximumReloadWaitInTargetDurations * Int64(channel.targetDuration))
    }

    private static let waitedTooLong = MediaResponse.problem(
        .serviceUnavailable, "the publisher has sent nothing for three target durations", retryAfter: 1)

    // MARK: Parts

    /// Answers a request for a hinted part when the part is complete, not earlier (rfc8216bis §6.2.6).
    private func part(at address: LivePartAddress, of channel: LiveChannel, exchange: MediaExchange) -> MediaAnswer {
        if let part = channel.part(at: address) { return .response(response(part, at: address, of: exchange, channel)) }
        let deadline = exchange.eventLoop.now + TimeAmount(Self.maximumReloadWait(channel))
        return wait(for: .part(address), of: channel, exchange: exchange, deadline: deadline) { hasCome in
            guard hasCome, let part = channel.part(at: address) else {
                // A part that is still being built was only waited for too long.
                return .response(channel.window().mayCome(address) ? Self.waitedTooLong : Self.gone)
            }
            return .response(self.response(part, at: address, of: exchange, channel))
        }
    }

    private func response(
        _ part: PartialSegment, at address: LivePartAddress, of exchange: MediaExchange, _ channel: LiveChannel
    ) -> MediaResponse {
        let request = exchange.request
        let isWhole = request.headerFields.first(.range) == nil && request.headerFields.first(.ifNoneMatch) == nil
        guard isWhole, part.byteCount <= PartResponseCache.maximumByteCount else {
            return counted(response(part, at: address, to: request, channel), of: exchange, channel)
        }
        let whole = partResponses.response(for: .init(channel: channel.name, part: address)) {
            let plain = HTTPRequest(method: .get, scheme: nil, authority: nil, path: nil)
            return self.response(part, at: address, to: plain, channel).withEncoding(crossOrigin)
        }
        return counted(whole, of: exchange, channel)
    }

    private func response(
        _ part: PartialSegment, at address: LivePartAddress, to request: HTTPRequest, _ channel: LiveChannel
    ) -> MediaResponse {
        let fields = MediaFields.segment(ofRendition: address.rendition)
        let etag = "\"\(address.epoch)-\(address.rendition)-\(address.mediaSequence).\(address.index)\""
        var response = MediaResponse(request: request, fields: fields, etag: etag, body: [part.header, part.media])
        let segment = LiveSegmentAddress(
            rendition: address.rendition, epoch: address.epoch, mediaSequence: address.mediaSequence)
        response.holding = LiveHolding(
            channel: channel, segment: segment, part: address, byteCount: part.byteCount)
        return response
    }

    // MARK: Growing segments

    /// The answer to a request for a segment that is being made, or will begin now; `nil` if it is neither.
    private func growingSegment(
        at address: LiveSegmentAddress, of channel: LiveChannel, exchange: MediaExchange
    ) -> MediaAnswer? {
        let first = LivePartAddress(
            rendition: address.rendition, epoch: address.epoch, mediaSequence: address.mediaSequence, index: 0)
        let begins = channel.part(at: first) != nil
        guard begins || channel.window().mayCome(first) else { return nil }
        let deadline = exchange.eventLoop.now + TimeAmount(Self.maximumReloadWait(channel))
        // Clients that close the connection afterwards may be those of HTTP/1.0, which knows no chunks.
        if exchange.request.asksToClose {
            let position = ReloadPosition(mediaSequence: address.mediaSequence, part: nil)
            let awaited = AwaitedMedia.position(position, rendition: address.rendition)
            return wait(for: awaited, of: channel, exchange: exchange, deadline: deadline) { _ in
                self.complete(address, of: channel, exchange: exchange)
            }
        }
        if begins { return growing(address, of: channel) }
        return wait(for: .part(first), of: channel, exchange: exchange, deadline: deadline) { hasCome in
            // A segment whose parts are not listed is complete then.
            hasCome
                ? self.growing(address, of: channel) : self.complete(address, of: channel, exchange: exchange)
        }
    }

    private func complete(
        _ address: LiveSegmentAddress, of channel: LiveChannel, exchange: MediaExchange
    ) -> MediaAnswer {
        let segment = channel.segment(
            rendition: address.rendition[...], mediaSequence: address.mediaSequence, epoch: address.epoch[...])
        return .response(
            segment.map { response($0.bytes, at: address, of: exchange, channel) } ?? Self.gone)
    }

    private func growing(_ address: LiveSegmentAddress, of channel: LiveChannel) -> MediaAnswer {
        .growing(
            GrowingSegment(
                address, of: channel, maximumWait: Self.maximumReloadWait(channel), waiterNumber: nextWaiterNumber()))
    }

    // MARK: Waiting

    private func wait(
        for awaited: AwaitedMedia, of channel: LiveChannel, exchange: MediaExchange, deadline: NIODeadline,
        _ answer: @escaping @Sendable (Bool) -> MediaAnswer
    ) -> MediaAnswer {
        let number = nextWaiterNumber()
        let future = channel.wait(for: awaited, identifier: number, on: exchange.eventLoop, until: deadline)
        return .pending(future.map(answer), cancel: { channel.stopWaiting(number) }, waitsForMedia: true)
    }

    private static func notPlayable(_ channel: LiveChannel) -> MediaResponse {
        channel.status().publisher == nil
            ? .problem(.notFound, "nobody is broadcasting on \(channel.name) now", retryAfter: 5)
            : .problem(.serviceUnavailable, "\(channel.name) is about to start", retryAfter: 1)
    }
}
