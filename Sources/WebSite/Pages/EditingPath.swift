/// The paths of the pages on which operators edit what people read about titles, tracks and channels.
enum EditingPath {
    static let titles = "/operator/titulos/"
    static let tracks = "/operator/pistas/"
    static let channels = "/operator/canales/"
    /// The suffix of a track's or channel's path to send a cover, and to remove it.
    static let cover = "/caratula"
    static let coverRemoval = "/caratula/quitar"

    /// The suffixes of a channel's path for its links for publishers, and to end one.
    static let publishLinks = "/enlaces"
    static let removal = "/quitar"

    static func publishLinks(ofChannel name: String) -> String { channel(name) + publishLinks }
    static func title(_ id: String) -> String { titles + SitePage.queryComponent(id) }
    static func channel(_ name: String) -> String { channels + SitePage.queryComponent(name) }
    static func track(_ id: String) -> String { tracks + SitePage.queryComponent(id) }
}
