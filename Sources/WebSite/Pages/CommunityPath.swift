import Accounts
import HTTPEndpoints
import Workflows

/// The paths of the pages that show competitions, and of those on which operators edit them.
enum CommunityPath {
    static let community = ResourcePaths.community
    static let editing = "/operator/competiciones"
    static let new = "\(editing)/nueva"
    /// The suffix of a competition's editing path.
    static let standings = "clasificacion"
    static let image = "imagen"
    static let imageRemoval = "imagen/quitar"
    static let map = "mapa"
    static let mapRemoval = "mapa/quitar"
    static let deletion = "borrar"
    /// The suffix of a competition's path for the form that follows it.
    static let follow = "seguir"

    static func competition(_ id: OpaqueID) -> String { ResourcePaths.page(ofCompetition: id) }
    static func edit(_ id: OpaqueID) -> String { "\(editing)/\(id)" }
    static func edit(_ id: OpaqueID, _ part: String) -> String { "\(edit(id))/\(part)" }
}
