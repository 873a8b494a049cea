import CEmbeddedFiles
import HTTPEndpoints
import Workflows

/// The style sheet, the script and the icon of the site, which are files in `Resources`.
enum SiteAssets {
    static let styleSheet = String(decoding: antena_site_css().content, as: UTF8.self)
    static let script = withoutComments(String(decoding: antena_site_js().content, as: UTF8.self))
    private static let styleType = "text/css; charset=utf-8"
    private static let scriptType = "text/javascript; charset=utf-8"
    /// The style sheets and scripts whose addresses have a version, by their names.
    static let versioned: [String: CompressedAsset] = [
        "antena.css": CompressedAsset(styleSheet, styleType), "antena.js": CompressedAsset(script, scriptType),
        "player.css": CompressedAsset(playerStyleSheet, styleType),
    ]
    /// The service worker of the whole site, which shows push messages.
    static let serviceWorker = String(decoding: PackageResources.worker_js, as: UTF8.self)
    static let playerStyleSheet = String(decoding: antena_player_css().content, as: UTF8.self)
    /// The modules of the player by the names of their files; they import each other.
    static let playerModules: [String: CompressedAsset] = playerTexts.mapValues { CompressedAsset($0, scriptType) }
    private static let playerTexts: [String: String] = {
        var texts: [String: String] = [:]
        for index in 0..<antena_player_module_count() {
            let module = antena_player_module(index)
            let text = String(decoding: module.file.content, as: UTF8.self)
            texts["\(String(cString: module.name)).js"] = withoutComments(text)
        }
        return texts
    }()

    /// A script without the lines that are comments, and without indentation: a quarter less to send. The scripts have
    /// no comment behind code, and no text of several lines.
    private static func withoutComments(_ script: String) -> String {
        script.split(separator: "\n").map { $0.drop { $0 == " " } }
            .filter { line in line != "*" && !["//", "/*", "* ", "*/"].contains { line.hasPrefix($0) } }
            .joined(separator: "\n")
    }

    /// The version of all modules together: they are used together only.
    static let playerVersion = version(
        of: playerTexts.sorted { $0.key < $1.key }.map(\.value).joined() + playerStyleSheet)
    static let icon = EmbeddedText.text(PackageResources.icon_svg)

    /// A version that changes with the content, so that the URL can be cached forever.
    static func version(of content: String) -> String {
        // The 64-bit FNV-1a hash.
        let hash = content.utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
        return String(hash, radix: 36)
    }
}
