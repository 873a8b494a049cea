import Foundation
import HTTPEndpoints
import SiteTexts
import Workflows

/// The manifest of the site as an app (Web Application Manifest).
struct SiteManifest {
    let face: StationFace
    let text: InstallationText

    private struct Icon: Encodable {
        var src: String
        var sizes: String
        var type: String
        var purpose: String?
    }

    private struct Shortcut: Encodable {
        var name: String
        var url: String
    }

    /// The videos that other apps share go to the service worker; the server takes none at that path.
    private struct ShareTarget: Encodable {
        struct Parameters: Encodable {
            struct File: Encodable {
                var name = "video"
                var accept = ["video/*"]
            }

            var title = "title"
            var files = [File()]
        }

        var action = InstallationPath.sharing
        var method = "POST"
        var enctype = "multipart/form-data"
        var params = Parameters()
    }

    private struct Document: Encodable {
        var id = "/"
        var name: String
        var shortName: String
        var description: String?
        var lang: String
        var startURL = "/"
        var scope = "/"
        var display = "standalone"
        var backgroundColor = "#0c0e12"
        var themeColor = "#15181e"
        var icons: [Icon]
        var shortcuts: [Shortcut]
        var shareTarget = ShareTarget()

        enum CodingKeys: String, CodingKey {
            case id, name, description, lang, scope, display, icons, shortcuts
            case shortName = "short_name"
            case startURL = "start_url"
            case backgroundColor = "background_color"
            case themeColor = "theme_color"
            case shareTarget = "share_target"
        }
    }

    /// - Throws: an error if the document cannot be encoded.
    func json() throws -> [UInt8] {
        let name = SitePage.displayed(face.name)
        let document = Document(
            name: name, shortName: name, description: face.text(text.language.rawValue).map(SitePage.displayed),
            lang: text.language.rawValue, icons: icons,
            shortcuts: [
                Shortcut(name: text.live, url: ResourcePaths.live), Shortcut(name: text.radio, url: "/radio"),
                Shortcut(name: text.upload, url: VideoPath.upload),
            ])
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return Array(try encoder.encode(document))
    }

    private var icons: [Icon] {
        if let logo = face.logo { return [Icon(src: face.iconPath, sizes: "any", type: logo.type)] }
        return [Icon(src: SiteAssets.iconPath, sizes: "any", type: "image/svg+xml")]
            + SiteAssets.icons.filter { $0.path != SiteAssets.touchIconPath }.map {
                Icon(src: $0.path, sizes: "\($0.size)x\($0.size)", type: "image/png", purpose: $0.purpose)
            }
    }
}
