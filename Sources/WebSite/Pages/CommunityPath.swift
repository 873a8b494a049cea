import Accounts
import HTTPEndpoints
import Workflows

/// The paths of the pages that show competitions, and of those on which operators edit them.
enum CommunityPath {
    static let community = ResourcePaths.community
    static let editing = "/operator/competiciones"
    static let new = "\(editing)/nueva"
    /// What follows the editing path of a competition.
    static let standings = "clasificacion"
    static let image = "imagen"
    static let imageRemoval = "imagen/quitar"
    static let map = "mapa"
    static let mapRemoval = "mapa/quitar"
    static let deletion = "borrar"
    /// What follows the path of a competition for the form of those who follow it.
    static let follow = "seguir"

    static func competition(_ id: OpaqueID) -> String { ResourcePaths.page(ofCompetition: id) }
    static func edit(_ id: OpaqueID) -> String { "\(editing)/\(id)" }
    static func edit(_ id: OpaqueID, _ part: String) -> String { "\(edit(id))/\(part)" }
}
