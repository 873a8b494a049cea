import MediaCore
import HTTPTypes
import LiveChannels
import NIOCore
import NIOPosix
import Packaging

extension MediaDelivery {
    func answer(_ exchange: MediaExchange, address: TitleAddress) -> MediaAnswer {
        if exchange.media.resource == .file { return trackFile(exchange, address: address) }
        if let published = publishedTitles.title(at: address, now: .now()) {
            return answer(exchange, published: published)
        }
        let lookup = exchange.eventLoop.makeFutureWithTask { try await self.titles.packagedTitle(at: address) }
        return .pending(
            lookup.map { lookup in
                switch lookup {
                case .ready(let title, let revision):
                    let published = self.publishedTitles.store(title, revision: revision, at: address, now: .now())
                    return self.answer(exchange, published: published)
                case .notReady(let reason):
                    return .response(.problem(.serviceUnavailable, reason, retryAfter: 2))
                case .unknown:
                    return .response(.problem(.notFound, "there is no such title"))
                }
            })
    }

    private func answer(_ exchange: MediaExchange, published: PublishedTitle) -> MediaAnswer {
        switch exchange.media.resource {
        case .playlist(let name):
            guard let playlist = published.playlist(named: name) else {
                return .response(.problem(.notFound, "the title has no rendition \(name)"))
            }
            return .response(playlistResponse(playlist, kind: .title, exchange: exchange))
        case .initializationSection(let revision, let name, _):
            guard revision == published.revision, let rendition = published.title.rendition(named: name[...]) else {
                return .response(Self.replaced)
            }
            let isAudio = rendition.track.mediaType == .audio
            return .response(
                MediaResponse(
                    request: exchange.request,
                    fields: isAudio ? MediaFields.audioInitialization : MediaFields.videoInitialization,
                    etag: "\"\(revision)-\(name)-init\"", body: [rendition.initializationSection()]))
        case .segment(let revision, let name, let number):
            guard revision == published.revision, let rendition = published.title.rendition(named: name[...]),
                rendition.segments.indices.contains(number)
            else { return .response(Self.replaced) }
            return segment(number, of: rendition, published: published, exchange: exchange)
        case .part, .transportStreamSegment, .file:
            return .response(Self.replaced)
        }
    }

    private static let replaced = MediaResponse.problem(
        .notFound, "there is no such segment; the title may have been replaced")

    private func segment(
        _ number: Int, of rendition: PackagedRendition, published: PublishedTitle, exchange: MediaExchange
    ) -> MediaAnswer {
        let key = SegmentCache.Key(title: published.title.instance, rendition: rendition.name, number: number)
        if let cached = segmentCache.segment(key) {
            return .response(segmentResponse(cached, number, of: rendition, published: published, exchange: exchange))
        }
        do {
            // What the page cache holds is read at once: handing it to another thread would take longer.
            if case .complete(let buffer) = try published.title.segment(
                number, of: rendition, allocator: ByteBufferAllocator(), cachedOnly: true)
            {
                segmentCache.offer(buffer, key: key)
                return .response(
                    segmentResponse(buffer, number, of: rendition, published: published, exchange: exchange))
            }
        } catch {
            return .response(.problem(.internalServerError, "the title's file cannot be read"))
        }
        let read = threadPool.runIfActive(eventLoop: exchange.eventLoop) {
            try published.title.segment(number, of: rendition, allocator: ByteBufferAllocator(), cachedOnly: false)
        }
        return .pending(
            read.map { outcome in
                guard case .complete(let buffer) = outcome else { return .response(Self.replaced) }
                self.segmentCache.offer(buffer, key: key)
                return .response(
                    self.segmentResponse(buffer, number, of: rendition, published: published, exchange: exchange))
            })
    }

    private func segmentResponse(
        _ buffer: ByteBuffer, _ number: Int, of rendition: PackagedRendition, published: PublishedTitle,
        exchange: MediaExchange
    ) -> MediaResponse {
        let isAudio = rendition.track.mediaType == .audio
        return MediaResponse(
            request: exchange.request, fields: isAudio ? MediaFields.audioSegment : MediaFields.videoSegment,
            etag: "\"\(published.revision)-\(rendition.name)-\(number)\"", body: [buffer])
    }

    // MARK: Files as they are

    private func trackFile(_ exchange: MediaExchange, address: TitleAddress) -> MediaAnswer {
        guard case .track(let id) = address else {
            return .response(.problem(.notFound, "only radio tracks are served as files"))
        }
        let lookup = exchange.eventLoop.makeFutureWithTask { try await self.titles.trackFile(id: id) }
        let request = exchange.request
        return .pending(
            lookup.flatMap { file in
                guard let file else {
                    return exchange.eventLoop.makeSucceededFuture(
                        MediaAnswer.response(.problem(.notFound, "there is no track \(id)")))
                }
                return self.threadPool.runIfActive(eventLoop: exchange.eventLoop) {
                    MediaAnswer.file(try FileTransfer(file: file, request: request))
                }.flatMapError { _ in
                    exchange.eventLoop.makeSucceededFuture(
                        .response(.problem(.notFound, "the track's file has gone")))
                }
            })
    }
}
