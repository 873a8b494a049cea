import APIContract
import Accounts
import Community
import Foundation
import HTTPEndpoints
import HTTPTypes
import Hummingbird
import JSONDocument
import MediaCore
import NIOCore
import Workflows

/// Videos in the pages of other sites: a page that is only the player, and what tells programs of it
/// (https://oembed.com).
struct EmbeddingPages: Sendable {
    let pages: PublishedVideoPages

    /// The size of a player in pixels, unless a program asks for a smaller one.
    static let usualSize = (width: 640, height: 360)
    /// Limit of the sizes that programs ask for.
    private static let maximumLength = 10_000
    /// The time for which programs may keep an answer.
    private static let cacheSeconds = 3_600

    var endpoints: [Endpoint] {
        [
            Endpoint(.get, "\(VideoPath.embedding){id}", PublishedVideoPages.reading, handler: player),
            Endpoint(.get, VideoPath.oEmbed, PublishedVideoPages.reading, handler: describe).forPrograms,
        ]
    }

    /// A page that other sites may show in a frame, unlike all others: it has no form, and a link only to itself.
    private func player(_ request: Request, _ context: GatewayRequestContext) async throws -> Response {
        let video = try await pages.viewing.video(context)
        let page = SitePage(.embedding, request, context)
        guard let folder = pages.viewing.folder(of: video) else { throw ProblemDetails(.notFound) }
        var values: [String: Any] = [
            "id": video.id.text, "name": SitePage.displayed(video.name), "path": VideoPath.video(video.id),
            "playlist": "\(folder)/playlist.m3u8",
        ]
        if video.hasPoster { values["poster"] = "\(folder)/poster.jpg" }
        var response = try page.bareResponse(values)
        response.headers[.contentSecurityPolicy] = ContentSecurityPolicy(mayBeFramed: true).text
        return response
    }

    // MARK: oEmbed

    private func describe(_ request: Request, _ context: GatewayRequestContext) async throws -> Response {
        if let format = PageRequest.value(of: "format", in: request), format != "json" {
            // The specification has this status for it.
            throw ProblemDetails(.notImplemented, "\"format\" can be \"json\" only")
        }
        let page = SitePage(.embedding, request, context)
        guard let address = PageRequest.value(of: "url", in: request) else {
            throw ProblemDetails(.badRequest, "\"url\" must be the address of a video's page")
        }
        guard let id = video(at: address, page) else {
            throw ProblemDetails(.notFound, "\"url\" is not the address of a video's page on this server")
        }
        let limits = (
            try PageRequest.number("maxwidth", in: request, 1...Self.maximumLength),
            try PageRequest.number("maxheight", in: request, 1...Self.maximumLength)
        )
        let video = try await pages.viewing.video(id, context)
        guard pages.viewing.folder(of: video) != nil else { throw ProblemDetails(.notFound, "there is no such video") }
        let size = Self.size(width: limits.0, height: limits.1)
        let player = pages.url(VideoPath.embedding(video.id), page)
        let frame =
            #"<iframe src="\#(XMLText.escaped(player))" width="\#(size.width)" height="\#(size.height)" "#
            + #"title="\#(XMLText.escaped(SitePage.displayed(video.name)))" allow="fullscreen" "#
            + #"allowfullscreen style="border:0"></iframe>"#
        var fields: [JSONText.Field] = [
            ("version", .string("1.0")), ("type", .string("video")), ("title", .string(video.name)),
            ("provider_name", .string(Product.name)), ("provider_url", .string(pages.url("/", page))),
            ("author_name", .string(PublishedVideoPages.author(of: video, pages.text(request)))),
            ("width", .integer(size.width)), ("height", .integer(size.height)), ("html", .string(frame)),
            ("cache_age", .integer(Self.cacheSeconds)),
        ]
        if let owner = video.ownerName {
            fields.append(("author_url", .string(pages.url(VideoPath.member(owner), page))))
        }
        return Response(
            status: .ok,
            headers: [
                .contentType: "application/json; charset=utf-8", .vary: "Accept-Language, Cookie",
                .cacheControl: context.principal.member == nil ? "no-cache" : "private, no-cache",
            ],
            body: ResponseBody(byteBuffer: ByteBuffer(string: JSONText.object(fields).rendered)))
    }

    /// The video whose page has an address, which may be that of the public site or the one that was asked.
    private func video(at address: String, _ page: SitePage) -> OpaqueID? {
        let origins = [page.origin, pages.pages.publicAddress?.origin].compactMap(\.self)
        guard let components = URLComponents(string: address), let host = components.host,
            components.scheme == "http" || components.scheme == "https",
            origins.contains(where: { URLComponents(string: $0)?.host?.lowercased() == host.lowercased() })
        else { return nil }
        for prefix in [VideoPath.videos, VideoPath.embedding] where components.path.hasPrefix(prefix) {
            return OpaqueID(parsing: String(components.path.dropFirst(prefix.count)))
        }
        return nil
    }

    /// The largest size of the usual shape that fits.
    static func size(width: Int?, height: Int?) -> (width: Int, height: Int) {
        let usual = usualSize
        let width = min(width ?? usual.width, (height ?? usual.height) * usual.width / usual.height, usual.width)
        return (max(1, width), max(1, width * usual.height / usual.width))
    }
}
