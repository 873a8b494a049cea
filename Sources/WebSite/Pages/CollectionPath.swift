import Workflows

/// The pages of series, albums and artists.
enum CollectionPath {
    static let series = "/videoclub/series"
    static let albums = "/radio/albumes"
    static let artists = "/radio/artistas"

    static func series(_ id: String) -> String { "\(series)/\(id)" }
    static func album(_ id: String) -> String { "\(albums)/\(id)" }
    static func artist(_ id: String) -> String { "\(artists)/\(id)" }
    static func track(_ id: String) -> String { ResourcePaths.page(ofTrack: id) }
}
