import Accounts
import HTTPEndpoints
import Workflows

/// The paths of the pages of contacts and messages.
enum MessagingPath {
    static let recent = ResourcePaths.messages
    static let chats = "\(recent)/chats"
    static let contacts = "\(recent)/contactos"
    static let requests = "\(recent)/solicitudes"
    static let search = "\(recent)/buscar"
    static let settings = "\(recent)/ajustes"
    static let people = "\(recent)/personas"
    static let clearing = "\(recent)/borrar"
    static let groups = "\(recent)/grupos"
    static let conversations = "\(recent)/c"
    static let invitations = "\(recent)/invitaciones"
    static let inviting = "\(recent)/invitar"

    // The suffixes of the path of a conversation.
    static let information = "info"
    static let message = "mensaje"
    static let clear = "borrar"
    static let answer = "responder"
    static let mute = "silenciar"
    static let name = "nombre"
    static let members = "miembros"
    static let deletion = "eliminar"
    // The suffixes of the path of a contact.
    static let chat = "chat"
    static let removal = "quitar"

    static func conversation(_ id: OpaqueID) -> String { ResourcePaths.page(ofConversation: id) }
    static func conversation(_ id: OpaqueID, _ part: String) -> String {
        "\(conversation(id))/\(part)"
    }
    static func invite(_ name: String) -> String { "\(inviting)/\(SitePage.queryComponent(name))" }
    static func contact(_ name: String, _ part: String) -> String {
        "\(contacts)/\(SitePage.queryComponent(name))/\(part)"
    }
}
