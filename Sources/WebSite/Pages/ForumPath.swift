import Accounts
import Forum
import HTTPEndpoints
import Workflows

/// The paths of the pages of the forum.
enum ForumPath {
    static let forum = ResourcePaths.forum
    static let category = "\(forum)/categoria/"
    static let channel = "\(forum)/canal/"
    static let title = "\(forum)/titulo/"
    static let new = "\(forum)/nuevo"
    static let search = "\(forum)/buscar"
    static let rules = "\(forum)/normas"
    static let categories = "/operator/foro"
    static let topics = ResourcePaths.topics
    static let comments = "\(forum)/comentario/"

    static let comment = "comentar"
    static let edit = "editar"
    static let delete = "borrar"
    static let moderate = "moderar"
    static let follow = "seguir"
    static let report = "denunciar"
    static let whole = "entero"

    /// The parameters of lists: the end from which a list is read, and the page of a topic.
    static let from = "desde"
    static let end = "final"
    static let page = "pagina"
    static let quote = "citar"
    static let done = "hecho"

    static func topic(_ id: OpaqueID, _ part: String) -> String { "\(ResourcePaths.page(ofTopic: id))/\(part)" }
    static func comment(_ id: OpaqueID, _ part: String) -> String { "\(comments)\(id)/\(part)" }

    /// The page of a topic on which the comment with a place is.
    static func place(_ place: Int64, of topic: OpaqueID) -> String {
        let number = (max(place, 1) - 1) / Int64(ForumComment.pageSize) + 1
        let page = number > 1 ? "?\(page)=\(number)" : ""
        return "\(ResourcePaths.page(ofTopic: topic))\(page)#c\(place)"
    }

    /// The list of the topics of a category.
    static func list(_ category: ForumCategory) -> String {
        switch category.kind {
        case .general: "\(self.category)\(category.id)"
        case .channel: "\(channel)\(SitePage.queryComponent(category.subject))"
        case .title: "\(title)\(SitePage.queryComponent(category.subject))"
        }
    }
}
