import CEmbeddedFiles
import HTTPEndpoints
import Workflows

/// The style sheet, the script and the icon of the site, which are files in `Resources`.
enum SiteAssets {
    static let styleSheet = String(decoding: antena_site_css().content, as: UTF8.self)
    private static let styleType = "text/css; charset=utf-8"
    private static let scriptType = "text/javascript; charset=utf-8"
    /// The style sheets by the names in their addresses.
    static let styles: [String: CompressedAsset] = [
        "antena.css": CompressedAsset(styleSheet, styleType),
        "player.css": CompressedAsset(playerStyleSheet, styleType),
    ]
    /// The service worker of the whole site, which shows push messages.
    static let serviceWorker = String(decoding: PackageResources.worker_js, as: UTF8.self)
    static let playerStyleSheet = String(decoding: antena_player_css().content, as: UTF8.self)
    /// The modules of the player by the names of their files; they import each other.
    static let playerModules = assets(playerTexts)
    /// The other scripts of the site, likewise.
    static let siteModules = assets(siteTexts)
    private static let playerTexts = texts(antena_player_module_count(), antena_player_module)
    private static let siteTexts = texts(antena_site_module_count(), antena_site_module)

    private static func assets(_ texts: [String: String]) -> [String: CompressedAsset] {
        texts.mapValues { CompressedAsset($0, scriptType) }
    }

    private static func texts(_ count: Int, _ module: (Int) -> AntenaEmbeddedModule) -> [String: String] {
        var texts: [String: String] = [:]
        for index in 0..<count {
            let module = module(index)
            let text = String(decoding: module.file.content, as: UTF8.self)
            texts["\(String(cString: module.name)).js"] = withoutComments(text)
        }
        return texts
    }

    /// A script without the lines that are comments, and without indentation: a quarter less to send. The scripts have
    /// no comment behind code, and no text of several lines.
    private static func withoutComments(_ script: String) -> String {
        script.split(separator: "\n").map { $0.drop { $0 == " " } }
            .filter { line in line != "*" && !["//", "/*", "* ", "*/"].contains { line.hasPrefix($0) } }
            .joined(separator: "\n")
    }

    /// The version of all modules of the player together: they are used together only.
    static let playerVersion = version(of: joined(playerTexts) + playerStyleSheet)
    /// The version of the other scripts.
    static let scriptVersion = version(of: joined(siteTexts))

    private static func joined(_ texts: [String: String]) -> String {
        texts.sorted { $0.key < $1.key }.map(\.value).joined()
    }

    static let styleVersion = version(of: styleSheet)

    /// The versions in the addresses of style sheets and scripts, for templates.
    static var versions: [String: Any] {
        ["styleVersion": styleVersion, "scriptVersion": scriptVersion, "playerVersion": playerVersion]
    }

    static let iconPath = "/site/icon.svg"
    static let touchIconPath = "/site/icon-touch.png"

    /// An icon of the app as a PNG image.
    struct Icon: Sendable {
        let path: String
        /// The width and the height, in pixels.
        let size: Int
        /// The purpose in the manifest; `nil` for any.
        var purpose: String?
        let bytes: @Sendable () -> [UInt8]
    }

    static let icons = [
        Icon(path: "/site/icon-192.png", size: 192) { antena_icon_192_png().content },
        Icon(path: "/site/icon-512.png", size: 512) { antena_icon_512_png().content },
        Icon(path: "/site/icon-full.png", size: 512, purpose: "maskable") { antena_icon_full_png().content },
        Icon(path: touchIconPath, size: 180) { antena_icon_touch_png().content },
    ]
    static let icon = EmbeddedText.text(PackageResources.icon_svg)

    /// A version that changes with the content, so that the URL can be cached forever.
    static func version(of content: String) -> String { version(of: Array(content.utf8)) }

    static func version(of bytes: [UInt8]) -> String {
        // The 64-bit FNV-1a hash.
        let hash = bytes.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
        return String(hash, radix: 36)
    }
}
