/// Where operators edit what people read about titles and tracks.
enum EditingPath {
    static let titles = "/operator/titulos/"
    static let tracks = "/operator/pistas/"
    /// What follows the path of a track to send a cover, and to remove it.
    static let cover = "/caratula"
    static let coverRemoval = "/caratula/quitar"

    static func title(_ id: String) -> String { titles + SitePage.queryComponent(id) }
    static func track(_ id: String) -> String { tracks + SitePage.queryComponent(id) }
}
