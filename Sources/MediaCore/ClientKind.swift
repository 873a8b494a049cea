/// The kind of program with which somebody watches, as its user agent tells.
package enum ClientKind: String, Sendable, Hashable, CaseIterable {
    /// A browser with the site's player or another one in a page.
    case browser
    /// The player of Apple's systems, in Safari and in apps.
    case apple
    /// The player of Android apps.
    case android
    /// A television or a box beside one.
    case television
    /// A player for files and streams, such as VLC.
    case player
    case other

    /// Parts of user agents, in the order in which they are looked for: televisions name a browser, too.
    private static let marks: [(kind: ClientKind, texts: [String])] = [
        (
            .television,
            [
                "smart-tv", "smarttv", "tizen", "web0s", "webos", "roku", "appletv", "crkey", "aftt", "bravia",
                "hbbtv", "googletv", "android tv",
            ]
        ),
        (.apple, ["applecoremedia", "avfoundation"]),
        (.android, ["exoplayer", "stagefright", "androidxmedia3", "dalvik", "okhttp"]),
        (.player, ["vlc", "libvlc", "lavf", "mpv", "ffplay", "kodi", "gstreamer", "quicktime", "hls.js"]),
        (.browser, ["mozilla/"]),
    ]
    /// Limit of the part of a user agent that is looked at.
    private static let maximumCharacterCount = 300

    /// - Parameter userAgent: the field `User-Agent`; `nil` if there is none.
    package init(userAgent: String?) {
        let agent = (userAgent ?? "").prefix(Self.maximumCharacterCount).lowercased()
        self = Self.marks.first { $0.texts.contains { agent.contains($0) } }?.kind ?? .other
    }
}
