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
                case .ready(let title, let revision, let extras):
                    let published = self.publishedTitles.store(
                        title, revision: revision, extras: extras, at: address, now: .now())
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
            let isTransportStream = published.isTransportStream(exchange.media.directives)
            if isTransportStream || PackagedTitle.isTransportStreamName(name),
                let obstacle = published.title.transportStreamObstacle
            {
                return .response(.problem(.notAcceptable, obstacle))
            }
            guard let playlist = published.playlist(named: name, isTransportStream: isTransportStream) else {
                return .response(.problem(.notFound, "the title has no rendition \(name)"))
            }
            let kind = published.extras.encryption == nil ? PlaylistKind.title : .encryptedTitle
            return .response(playlistResponse(playlist, kind: kind, exchange: exchange))
        case .initializationSection(let revision, let name, _):
            guard revision == published.revision, let rendition = published.title.rendition(named: name[...]) else {
                return .response(Self.replaced)
            }
            let isAudio = rendition.track.mediaType == .audio
            guard let section = try? published.sealed(rendition.initializationSection(), of: rendition.name) else {
                return .response(Self.unreadable)
            }
            return .response(
                MediaResponse(
                    request: exchange.request,
                    fields: isAudio ? MediaFields.audioInitialization : MediaFields.videoInitialization,
                    etag: "\"\(revision)-\(name)-init\"", body: [section]))
        case .segment(let revision, let name, let number):
            guard let piece = published.piece(version: revision, folder: name, number: number) else {
                return .response(Self.replaced)
            }
            return answer(exchange, piece: piece, of: published)
        case .transportStreamSegment(let revision, let number):
            return transportStreamSegment(number, version: revision, published: published, exchange: exchange)
        case .titleTransportStreamSegment(let revision, let name, let number):
            return transportStreamSegment(
                number, of: name, version: revision, published: published, exchange: exchange)
        case .subtitleSegment(let version, let name, let number):
            return subtitleSegment(number, version: version, name: name, published: published, exchange: exchange)
        case .chapters: return chapters(of: published, exchange: exchange)
        case .key: return key(of: published, exchange: exchange)
        case .part, .file:
            return .response(Self.replaced)
        }
    }

    static let replaced = MediaResponse.problem(
        .notFound, "there is no such segment; the title may have been replaced")

    private func answer(_ exchange: MediaExchange, piece: TitlePiece, of published: PublishedTitle) -> MediaAnswer {
        // Encrypted or not: with another key it is another folder.
        let folder = published.extras.encryption.map { "\(piece.folder) \($0.key.id)" } ?? piece.folder
        let key = SegmentCache.Key(title: published.title.instance, rendition: folder, number: piece.number)
        if let cached = segmentCache.segment(key) {
            return .response(response(cached, piece: piece, of: published, exchange: exchange))
        }
        do {
            // What the page cache holds is read at once: handing it to another thread would take longer. Encryption
            // takes longer still.
            if published.extras.encryption == nil,
                case .complete(let buffer) = try piece.read(from: published.title, cachedOnly: true)
            {
                segmentCache.offer(buffer, key: key)
                return .response(response(buffer, piece: piece, of: published, exchange: exchange))
            }
        } catch {
            return .response(Self.unreadable)
        }
        let read = threadPool.runIfActive(eventLoop: exchange.eventLoop) { () -> ByteBuffer? in
            guard case .complete(let buffer) = try piece.read(from: published.title, cachedOnly: false) else {
                return nil
            }
            return try published.sealed(buffer, of: piece.sealedAs)
        }
        return .pending(
            read.map { buffer in
                guard let buffer else { return .response(Self.replaced) }
                self.segmentCache.offer(buffer, key: key)
                return .response(self.response(buffer, piece: piece, of: published, exchange: exchange))
            })
    }

    private static let unreadable = MediaResponse.problem(
        .internalServerError, "the title's file cannot be read")

    private func response(
        _ buffer: ByteBuffer, piece: TitlePiece, of published: PublishedTitle, exchange: MediaExchange
    ) -> MediaResponse {
        MediaResponse(
            request: exchange.request, fields: piece.isAudio ? MediaFields.audioSegment : MediaFields.videoSegment,
            etag: "\"\(published.revision)-\(piece.folder)-\(piece.number)\"", body: [buffer])
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
