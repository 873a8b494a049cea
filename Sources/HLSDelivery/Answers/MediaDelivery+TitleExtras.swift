import Foundation
import HTTPTypes
import MediaCore
import NIOCore
import NIOPosix
import Packaging

/// Delivery of titles' subtitles, chapters and keys.
extension MediaDelivery {
    func subtitleSegment(
        _ number: Int, version: String, name: String, published: PublishedTitle, exchange: MediaExchange
    ) -> MediaAnswer {
        guard let member = published.subtitles.member(named: name), published.subtitleVersion(member) == version
        else {
            return .response(Self.replaced)
        }
        let track = member.track
        let answer: @Sendable (SubtitleDocument) -> MediaAnswer = { document in
            guard let segment = published.title.subtitleSegment(number, of: document) else {
                return .response(Self.replaced)
            }
            return .response(
                MediaResponse(
                    request: exchange.request, fields: MediaFields.subtitleSegment,
                    etag: "\"\(version)-\(name)-\(number)\"", body: [segment]))
        }
        if let document = track.loaded { return answer(document) }
        return .pending(threadPool.runIfActive(eventLoop: exchange.eventLoop) { track.load() }.map(answer))
    }

    /// Answers with a complete subtitle track, for a browser's `<track>` element.
    func subtitles(name: String, of published: PublishedTitle, exchange: MediaExchange) -> MediaAnswer {
        guard let member = published.subtitles.member(named: name) else {
            return .response(.problem(.notFound, "the title has no subtitles \(name)"))
        }
        let text = threadPool.runIfActive(eventLoop: exchange.eventLoop) {
            ByteBuffer(string: member.track.load().webVTT())
        }
        return .pending(
            text.map { text in
                .response(
                    MediaResponse(
                        request: exchange.request, fields: MediaFields.subtitles,
                        etag: "\"\(published.revision)-\(member.track.revision)-\(name)\"", body: [text]))
            })
    }

    func chapters(of published: PublishedTitle, exchange: MediaExchange) -> MediaAnswer {
        // The page of a title asks for them before it knows whether there are any.
        let json =
            published.extras.chapters?.json(duration: published.title.duration.seconds) ?? TitleChapters.noneAsJSON
        return .response(
            MediaResponse(
                request: exchange.request, fields: MediaFields.chapters, etag: "\"\(published.revision)-chapters\"",
                body: [json]))
    }

    func key(of published: PublishedTitle, exchange: MediaExchange) -> MediaAnswer {
        guard let encryption = published.extras.encryption else {
            return .response(.problem(.notFound, "the title is not encrypted"))
        }
        guard let token = exchange.media.directives.token ?? exchange.request.bearerToken else {
            return .response(.problem(.unauthorized, "the key requires the token in the playlist's key URL"))
        }
        guard encryption.isValid(token: token, now: clock.now()) else {
            return .response(.problem(.forbidden, "the token is not valid or has expired; load the playlist again"))
        }
        return .response(
            MediaResponse(
                request: exchange.request, fields: MediaFields.key, etag: nil,
                body: [ByteBuffer(bytes: encryption.key.bytes)]))
    }

    /// Answers with the license of a title, for the key system `org.w3.clearkey`. The token is that of the key.
    func license(of published: PublishedTitle, exchange: MediaExchange) -> MediaAnswer {
        guard let encryption = published.extras.encryption, encryption.method == .cbcs else {
            return .response(.problem(.notFound, "the title is not encrypted with cbcs"))
        }
        guard let body = exchange.body else {
            var response = MediaResponse.problem(.methodNotAllowed, "a license is asked for with POST")
            response.head.headerFields[.allow] = "POST"
            return .response(response)
        }
        guard let token = exchange.media.directives.token ?? exchange.request.bearerToken else {
            return .response(.problem(.unauthorized, "the license requires the token in the manifest's address of it"))
        }
        guard encryption.isValid(token: token, now: clock.now()) else {
            return .response(.problem(.forbidden, "the token is not valid or has expired; load the manifest again"))
        }
        guard body.readableBytes <= ClearKeyLicense.maximumRequestByteCount else {
            return .response(
                .problem(
                    .contentTooLarge,
                    "a request for a license has \(ClearKeyLicense.maximumRequestByteCount) bytes at most"))
        }
        do throws(ClearKeyLicense.Refusal) {
            let license = try ClearKeyLicense.answer(body, key: encryption.key)
            var fields = MediaFields.license
            fields[.contentLength] = String(license.readableBytes)
            return .response(
                MediaResponse(head: HTTPResponse(status: .ok, headerFields: fields), body: [license]))
        } catch {
            switch error {
            case .notARequest:
                return .response(.problem(.badRequest, #"the body has to be like {"kids":["LwVHf8JLtPrv2GUXFW2v_A"]}"#))
            case .otherKeys:
                return .response(.problem(.notFound, "the title has none of these keys; load the manifest again"))
            }
        }
    }
}

extension HTTPRequest {
    /// The bearer token of the request (RFC 6750 §2.1); `nil` if there is none.
    fileprivate var bearerToken: String? {
        guard let value = headerFields[.authorization], value.lowercased().hasPrefix("bearer ") else { return nil }
        return String(value.dropFirst("bearer ".count).drop { $0 == " " })
    }
}
