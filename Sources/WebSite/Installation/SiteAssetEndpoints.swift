import HLSDelivery
import HTTPEndpoints
import HTTPTypes
import Hummingbird
import NIOCore
import SiteTexts
import Workflows

/// The files that pages are made with: style sheets, scripts, icons, and the files that make the site an app.
struct SiteAssetEndpoints: Sendable {
    /// The look of the station, as it is now.
    let face: @Sendable () -> StationFace

    private static let reason = "style sheets, scripts and icons are the same for everybody"
    private static let scriptEnding = ".js"
    private static let day = "public, max-age=86400"

    var endpoints: [Endpoint] {
        [
            Self.versionedStyle("antena.css", version: SiteAssets.styleVersion),
            Self.versionedStyle("player.css", version: SiteAssets.playerVersion),
            Self.modules("player", SiteAssets.playerModules, version: SiteAssets.playerVersion),
            Self.modules("scripts", SiteAssets.siteModules, version: SiteAssets.scriptVersion),
            Self.open("/site/{version}/flags/{file}") { request, context in
                let name = try context.parameters.require("file")
                guard let flag = FlagDrawings.assets[name] else {
                    throw ProblemDetails(.notFound, "there is no such flag")
                }
                return try Self.versioned("flags/\(name)", FlagDrawings.version, context) {
                    flag.response(to: request, cacheControl: CachePolicy.immutable)
                }
            },
            Self.open("/site/{version}/words/{language}") { request, context in
                let name = try context.parameters.require("language")
                guard name.hasSuffix(Self.scriptEnding),
                    let language = SiteLanguage(rawValue: String(name.dropLast(Self.scriptEnding.count)))
                else { throw ProblemDetails(.notFound, "there are no texts in this language") }
                let text = PlayerText.of(language)
                return try Self.versioned("words/\(name)", text.version, context) {
                    text.script.response(to: request, cacheControl: CachePolicy.immutable)
                }
            },
            Self.open("/site/{version}/station.css") { _, context in try accent(context) },
            Self.open("/site/{version}/logo") { _, context in try logo(context) },
            // At the root, because a service worker serves the pages below its own path. Browsers that registered it at
            // the other path go on with that one.
            Self.open("/service-worker.js") { _, _ in serviceWorker },
            Self.open("/site/push.js") { _, _ in serviceWorker },
            Self.open(InstallationPath.manifest) { request, _ in try manifest(request) },
            Self.open("/favicon.ico") { _, _ in
                // Programs that do not read pages ask for this name.
                Response(status: .movedPermanently, headers: [.location: SiteAssets.iconPath, .cacheControl: Self.day])
            },
            Self.open("/robots.txt") { _, _ in
                Self.asset(ByteBuffer(string: Self.robots), "text/plain; charset=utf-8", cacheControl: Self.day)
            },
            Self.open(SiteAssets.iconPath) { _, _ in
                Self.asset(ByteBuffer(string: SiteAssets.icon), "image/svg+xml", cacheControl: Self.day)
            },
        ]
            + SiteAssets.icons.map { icon in
                Self.open(icon.path) { _, _ in
                    Self.asset(ByteBuffer(bytes: icon.bytes()), "image/png", cacheControl: Self.day)
                }
            }
    }

    private static func open(
        _ path: String,
        _ handler: @escaping @Sendable (Request, GatewayRequestContext) async throws -> Response
    ) -> Endpoint {
        Endpoint(.get, path, .open(reason: reason), handler: handler)
    }

    /// The paths that search engines leave alone: forms, accounts and the API (RFC 9309).
    private static let robots = """
        User-agent: *
        Disallow: /api/
        Disallow: /cuenta
        Disallow: /operator/

        """

    // MARK: Files with a version in their address

    /// A file that may be cached forever, because its address has its version. A page from before an upgrade, or from
    /// another server behind the same name, requests another version and is redirected to the current one, which works
    /// better than a missing style or script; the redirect is not cached.
    private static func versioned(
        _ name: String, _ version: String, _ context: GatewayRequestContext, _ response: () -> Response
    ) throws -> Response {
        guard try context.parameters.require("version") == version else {
            return Response(
                status: .temporaryRedirect, headers: [.location: "/site/\(version)/\(name)", .cacheControl: "no-store"])
        }
        return response()
    }

    private static func versionedStyle(_ name: String, version: String) -> Endpoint {
        open("/site/{version}/\(name)") { request, context in
            guard let asset = SiteAssets.styles[name] else { throw ProblemDetails(.notFound) }
            return try versioned(name, version, context) {
                asset.response(to: request, cacheControl: CachePolicy.immutable)
            }
        }
    }

    /// Modules that import each other, so that all have the same version.
    private static func modules(_ folder: String, _ modules: [String: CompressedAsset], version: String) -> Endpoint {
        open("/site/{version}/\(folder)/{module}") { request, context in
            let name = try context.parameters.require("module")
            guard let module = modules[name] else { throw ProblemDetails(.notFound, "there is no such module") }
            return try versioned("\(folder)/\(name)", version, context) {
                module.response(to: request, cacheControl: CachePolicy.immutable)
            }
        }
    }

    private static func asset(_ bytes: ByteBuffer, _ type: String, cacheControl: String) -> Response {
        Response(
            status: .ok, headers: [.contentType: type, .cacheControl: cacheControl],
            body: ResponseBody(byteBuffer: bytes))
    }

    // MARK: The station's own

    private func accent(_ context: GatewayRequestContext) throws -> Response {
        let face = face()
        guard let style = face.accentStyle, let version = face.accentVersion else { throw ProblemDetails(.notFound) }
        return try Self.versioned("station.css", version, context) {
            Self.asset(
                ByteBuffer(string: style), "text/css; charset=utf-8", cacheControl: CachePolicy.immutable)
        }
    }

    private func logo(_ context: GatewayRequestContext) throws -> Response {
        let face = face()
        guard let logo = face.logo, let version = face.logoVersion else { throw ProblemDetails(.notFound) }
        return try Self.versioned("logo", version, context) {
            var response = Self.asset(
                ByteBuffer(bytes: logo.bytes), logo.type, cacheControl: CachePolicy.immutable)
            // An SVG image can be opened as a page of its own.
            response.headers[.contentSecurityPolicy] = "default-src 'none'; style-src 'unsafe-inline'; sandbox"
            return response
        }
    }

    // MARK: The site as an app

    private func manifest(_ request: Request) throws -> Response {
        let text = InstallationText.preferred(request.headers[.acceptLanguage])
        let manifest = try SiteManifest(face: face(), text: text).json()
        var response = Self.asset(
            ByteBuffer(bytes: manifest), "application/manifest+json", cacheControl: "no-cache")
        response.headers[.vary] = "Accept-Language"
        return response
    }

    /// The service worker, which browsers load again whenever a byte of it changes.
    private var serviceWorker: Response {
        let face = face()
        let values = [
            "version": SiteAssets.version(
                of: SiteAssets.styleVersion + SiteAssets.scriptVersion + (face.accentVersion ?? "") + face.name
                    + (face.logoVersion ?? "")),
            "offline": InstallationPath.offline, "tablet": ScoreboardPath.tablet, "sharing": InstallationPath.sharing,
            "upload": "\(VideoPath.upload)?\(InstallationPath.sharedParameter)=1",
            "name": Self.inScript(SitePage.displayed(face.name)), "icon": face.iconPath,
        ]
        let script = values.reduce(SiteAssets.serviceWorker) { $0.replacing("{{\($1.key)}}", with: $1.value) }
        return Self.asset(
            ByteBuffer(string: script), "text/javascript; charset=utf-8", cacheControl: "no-cache")
    }

    /// A text within single quotes of a script.
    private static func inScript(_ text: String) -> String {
        text.replacing("\\", with: "\\\\").replacing("'", with: "\\'").replacing("\n", with: " ")
    }
}
