/// Where operators edit what people read about titles and tracks.
enum EditingPath {
    static let titles = "/operator/titulos/"
    static let tracks = "/operator/pistas/"

    static func title(_ id: String) -> String { titles + SitePage.queryComponent(id) }
    static func track(_ id: String) -> String { tracks + SitePage.queryComponent(id) }
}
