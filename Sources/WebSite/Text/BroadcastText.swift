import SiteTexts

/// The texts of the page on which somebody goes live from a browser.
struct BroadcastText: SiteTextSection {
    static let section = "broadcast"

    let heading, needsHTTPS, notPossible, needsScript, preview, noPicture, level: String
    let channel, picture, sound, quality, defaultCamera, defaultMicrophone, start, stop: String
    let onAir, sent, dropped, viewers, whatViewersSee, channelPage, about: String
    let screen, notAllowed, noDevice, ended, refused, connecting, reconnecting, live: String

    /// The texts that the script shows.
    var words: [(String, String)] {
        [
            ("screen", screen), ("notAllowed", notAllowed), ("noDevice", noDevice), ("ended", ended),
            ("refused", refused), ("connecting", connecting), ("reconnecting", reconnecting), ("live", live),
        ]
    }

    /// The texts of the template.
    var values: [String: Any] {
        [
            "heading": heading, "needsHTTPS": needsHTTPS, "notPossible": notPossible, "needsScript": needsScript,
            "preview": preview, "noPicture": noPicture, "level": level, "channel": channel, "picture": picture,
            "sound": sound, "quality": quality, "defaultCamera": defaultCamera,
            "defaultMicrophone": defaultMicrophone, "start": start, "stop": stop, "onAir": onAir, "sent": sent,
            "dropped": dropped, "viewers": viewers, "whatViewersSee": whatViewersSee, "channelPage": channelPage,
            "about": about,
        ]
    }
}
