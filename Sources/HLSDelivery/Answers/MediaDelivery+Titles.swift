import MediaCore
import APIContract
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
                    return .response(Self.unknownTitle(address, exchange.media.resource))
                }
            }.flatMapErrorThrowing { error in
                guard error is TitlesUnavailable else { throw error }
                // Viewers of a title do not need the database until the title changes.
                let published = self.publishedTitles.lastKnownTitle(at: address, now: .now())
                return published.map { self.answer(exchange, published: $0) } ?? .response(Self.databaseUnavailable)
            })
    }

    /// Whether there is no title or track at an address; false if that cannot be found out.
    func isGone(_ address: TitleAddress) async -> Bool {
        if publishedTitles.title(at: address, now: .now()) != nil { return false }
        switch try? await titles.packagedTitle(at: address) {
        case .ready(let title, let revision, let extras):
            _ = publishedTitles.store(title, revision: revision, extras: extras, at: address, now: .now())
            return false
        case .unknown: return true
        case .notReady, nil: return false
        }
    }

    private func answer(_ exchange: MediaExchange, published: PublishedTitle) -> MediaAnswer {
        if let obstacle = published.encryptionObstacle, exchange.media.isOfMedia {
            return .response(Self.notEncryptable(obstacle))
        }
        switch exchange.media.resource {
        case .playlist(let playlistName):
            let name = playlistName.text
            let isTransportStream = published.isTransportStream(exchange.media.directives)
            if isTransportStream || PackagedTitle.isTransportStreamName(name),
                published.extras.encryption?.method == .cbcs
            {
                return .response(Self.noTransportStream)
            }
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
        case .manifest: return manifest(of: published, exchange: exchange)
        case .initializationSection(let revision, let name, nil):
            guard revision.text == published.revision,
                let rendition = published.title.rendition(named: name.text[...])
            else {
                return .response(Self.replaced)
            }
            let isAudio = rendition.track.mediaType == .audio
            guard let section = try? published.initializationSection(of: rendition) else {
                return .response(Self.unreadable)
            }
            return .response(
                MediaResponse(
                    request: exchange.request,
                    fields: isAudio ? MediaFields.audioInitialization : MediaFields.videoInitialization,
                    etag: "\"\(revision)-\(name)-init\"", body: [section]))
        case .segment(let revision, let name, let number):
            guard let piece = published.piece(version: revision.text, folder: name.text, number: number) else {
                return .response(Self.replaced)
            }
            return answer(exchange, piece: piece, of: published)
        case .transportStreamSegment(let revision, let number):
            return transportStreamSegment(number, version: revision.text, published: published, exchange: exchange)
        case .titleTransportStreamSegment(let revision, let name, let number):
            return transportStreamSegment(
                number, of: name.text, version: revision.text, published: published, exchange: exchange)
        case .subtitleSegment(let version, let name, let number):
            return subtitleSegment(
                number, version: version.text, name: name.text, published: published, exchange: exchange)
        case .subtitles(let name): return subtitles(name: name.text, of: published, exchange: exchange)
        case .chapters: return chapters(of: published, exchange: exchange)
        case .key: return key(of: published, exchange: exchange)
        case .license: return license(of: published, exchange: exchange)
        case .part, .file, .initializationSection, .manifestPatch:
            return .response(Self.replaced)
        }
    }

    private func manifest(of published: PublishedTitle, exchange: MediaExchange) -> MediaAnswer {
        if published.extras.encryption?.method == .aes128 { return .response(Self.noManifest) }
        guard let manifest = published.playlist(named: LiveWindow.manifestName) else { return .response(Self.replaced) }
        guard let encryption = published.extras.encryption else {
            return .response(playlistResponse(manifest, kind: .titleManifest, exchange: exchange))
        }
        // Players take the address of licenses as it is, so it begins with a slash, unlike all others: with the
        // signature in the path, if there is one.
        let prefix = exchange.media.signature.map { "/\(MediaPath.signedFolderName)/\($0)" } ?? ""
        let address = "\(prefix)\(exchange.media.folder)/\(encryption.licenseAddress)"
        let text = String(buffer: manifest.plain)
            .replacing(">\(encryption.licenseAddress)<", with: ">\(XMLText.escaped(address))<")
        return .response(
            PlaylistResponseCache.makeResponse(
                for: RenderedPlaylist { text }, fields: PlaylistKind.encryptedManifest.fields,
                acceptsGzip: exchange.acceptsGzip))
    }

    /// DASH has no encryption of whole segments.
    private static let noManifest = MediaResponse.problem(
        .notFound, "the title is encrypted with AES-128, which HLS alone has (its field encryption; cbcs has both)",
        type: .encryptionNotSupported)
    private static let noTransportStream = MediaResponse.problem(
        .notAcceptable, "the title is encrypted with cbcs, which MPEG-TS does not have; leave out format=ts")

    private static func notEncryptable(_ reason: String) -> MediaResponse {
        .problem(.notFound, "the title is to be encrypted with cbcs, but: \(reason)", type: .encryptionNotSupported)
    }

    /// The response for an address at which there is no title or track, whatever is requested of it.
    static func unknownTitle(_ address: TitleAddress, _ resource: MediaRequest.Resource) -> MediaResponse {
        guard resource == .file else { return .problem(.notFound, "there is no \(address.description)") }
        guard case .track(let id) = address else {
            return .problem(.notFound, "only radio tracks are served as files")
        }
        return .problem(.notFound, "there is no track \(id), or its file has been removed")
    }

    static let replaced = MediaResponse.problem(
        .notFound, "there is no such segment; the title may have been replaced")

    private func answer(_ exchange: MediaExchange, piece: TitlePiece, of published: PublishedTitle) -> MediaAnswer {
        if let encryption = published.extras.encryption,
            let samples = published.sampleEncryption(of: piece.rendition)
        {
            return protected(
                exchange, piece: piece, of: published, by: SampleCipher(key: encryption.key, encryption: samples))
        }
        return claim(.init(byteCount: FileTransfer.claimedByteCount), for: exchange) { claim in
            guard let media = piece.media(of: published.title) else { return .response(Self.replaced) }
            let transfer = FileTransfer(
                media, request: exchange.request,
                fields: piece.isAudio ? MediaFields.audioSegment : MediaFields.videoSegment,
                etag: published.etag(of: piece), sealing: published.chain(of: piece.sealedAs), claim: claim)
            self.notePlayback(exchange, piece: piece)
            return .file(transfer)
        }
    }

    /// Answers with a piece whose samples are encrypted. What of them is protected follows from the frames, so that the
    /// piece is made as a whole, once for all who ask for it at the time.
    private func protected(
        _ exchange: MediaExchange, piece: TitlePiece, of published: PublishedTitle, by cipher: SampleCipher
    ) -> MediaAnswer {
        let title = published.title
        guard let media = piece.media(of: title) else { return .response(Self.replaced) }
        guard media.byteCount <= Self.maximumMuxedByteCount else { return .response(Self.tooLargeToEncrypt) }
        notePlayback(exchange, piece: piece)
        let key = TransportStreamCache.Key(
            source: "vod/\(title.instance)/\(piece.folder)", epoch: published.revision, mediaSequence: piece.number)
        let fields = piece.isAudio ? MediaFields.audioSegment : MediaFields.videoSegment
        return muxed(key, mediaByteCount: media.byteCount, exchange: exchange) { completion in
            media.file.fetch(media.fileRanges, completion)
        } mux: {
            guard let protected = try piece.protected(of: title, by: cipher) else { throw CancellationError() }
            return protected
        } answer: { segment in
            MediaResponse(request: exchange.request, fields: fields, etag: published.etag(of: piece), body: [segment])
        } failure: { error in
            .problem(.internalServerError, "this segment cannot be encrypted: \(error)")
        }
    }

    private static let tooLargeToEncrypt = MediaResponse.problem(
        .notFound, "this segment has more than \(maximumMuxedByteCount >> 20) MiB, too many to encrypt its samples")

    private static let unreadable = MediaResponse.problem(
        .internalServerError, "the title's file cannot be read")

    private static let databaseUnavailable = MediaResponse.problem(
        .serviceUnavailable, "the database does not answer; try again", retryAfter: 2)

    // MARK: Original files

    private func trackFile(_ exchange: MediaExchange, address: TitleAddress) -> MediaAnswer {
        guard case .track(let id) = address else {
            return .response(.problem(.notFound, "only radio tracks are served as files"))
        }
        let lookup = exchange.eventLoop.makeFutureWithTask { try await self.titles.trackFile(id: id.text) }
        let request = exchange.request
        return .pending(
            lookup.map { file in
                guard let file else {
                    return .response(Self.unknownTitle(address, .file))
                }
                return self.claim(.init(byteCount: FileTransfer.claimedByteCount), for: exchange) { claim in
                    .file(FileTransfer(file, request: request, claim: claim))
                }
            }.flatMapErrorThrowing { error in
                guard error is TitlesUnavailable else { throw error }
                return .response(Self.databaseUnavailable)
            })
    }
}
