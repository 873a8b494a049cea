package import HTTPEndpoints
import MediaCore
package import Notifications
import Workflows

/// The texts of the pages that say what a member is told.
package struct NotificationText: Sendable {
    let heading, empty, gone, readAll, more, unread, settings, settingsText, save, saved: String
    let devices, addDevice, addDeviceFailed, removeDevice, endMailQuestion, endMail, mailEnded: String
    package let allOfThem, endOfMail: String
    let groups: [NotificationGroup: String]
    let ways: [String: String]
    private let language: SiteLanguage

    static func preferred(_ acceptLanguage: String?) -> NotificationText {
        of(SiteLanguage.preferred(acceptLanguage))
    }

    package static func of(_ language: SiteLanguage) -> NotificationText {
        switch language {
        case .english: english
        case .spanish: spanish
        }
    }

    private static let english = NotificationText(
        heading: "Notifications", empty: "Nothing has happened yet.", gone: "It is not there any more.",
        readAll: "Mark all as read", more: "More", unread: "new", settings: "What you are told",
        settingsText: "Choose for each group how you want to be told of it.", save: "Save",
        saved: "Your choice is saved.", devices: "Your devices", addDevice: "Notify this device",
        addDeviceFailed: "This browser does not allow it.", removeDevice: "Remove",
        endMailQuestion: "Do you want no more mails about what happens here?", endMail: "No more mails",
        mailEnded: "You get no more mails about what happens here.", allOfThem: "All of them:",
        endOfMail: "No more of these mails:",
        groups: [
            .newVideos: "New videos and live channels", .aboutMe: "About you", .followed: "From those you follow",
        ],
        ways: ["site": "on the site", "mail": "by e-mail", "push": "on your devices", "webhook": "by webhook"],
        language: .english)

    private static let spanish = NotificationText(
        heading: "Avisos", empty: "Todavía no ha pasado nada.", gone: "Ya no está.",
        readAll: "Marcar todo como leído", more: "Más", unread: "nuevo", settings: "De qué se le avisa",
        settingsText: "Elija para cada grupo cómo quiere que se le avise.", save: "Guardar",
        saved: "Su elección está guardada.", devices: "Sus dispositivos", addDevice: "Avisar en este dispositivo",
        addDeviceFailed: "Este navegador no lo permite.", removeDevice: "Quitar",
        endMailQuestion: "¿No quiere más correos sobre lo que pasa aquí?", endMail: "No más correos",
        mailEnded: "Ya no recibirá correos sobre lo que pasa aquí.", allOfThem: "Todos:",
        endOfMail: "No más correos como este:",
        groups: [
            .newVideos: "Vídeos nuevos y canales en directo", .aboutMe: "Sobre usted", .followed: "De quienes sigue",
        ],
        ways: ["site": "en el sitio", "mail": "por correo", "push": "en sus dispositivos", "webhook": "por webhook"],
        language: .spanish)

    /// What a notification says, on one line and without characters that could harm a mail or a device.
    package func plainSentence(_ notification: MemberNotification) -> String {
        UntrustedText.stripped(sentence(notification), maximumCharacterCount: Self.maximumPlainLength)
    }

    private static let maximumPlainLength = 500

    package func greeting(_ username: String) -> String {
        switch language {
        case .english: "Hello \(username),"
        case .spanish: "Hola, \(username):"
        }
    }

    /// The subject of a mail.
    package func subject(_ count: Int) -> String {
        switch language {
        case .english: count == 1 ? "1 notification" : "\(count) notifications"
        case .spanish: count == 1 ? "1 aviso" : "\(count) avisos"
        }
    }

    /// What a notification says.
    func sentence(_ notification: MemberNotification) -> String {
        let count = notification.count
        guard let item = notification.items.first else { return gone }
        let actor = item.actor ?? station
        let video = item.video?.name ?? ""
        switch language {
        case .english:
            switch notification.kind {
            case .newVideo: return count == 1 ? "New video: \(video)" : "\(count) new videos, the last one: \(video)"
            case .competitionVideo:
                let name = item.video?.competitionName ?? ""
                return count == 1 ? "New video of \(name): \(video)" : "\(count) new videos of \(name)"
            case .channelLive: return "\(item.name ?? "") is live"
            case .follower: return count == 1 ? "\(actor) follows you" : "\(actor) and \(count - 1) more follow you"
            case .comment:
                return count == 1
                    ? "\(actor) has commented on \(video)" : "\(count) comments on \(video), the last one by \(actor)"
            case .reply: return count == 1 ? "\(actor) has answered you" : "\(count) answers to your comment"
            case .like: return count == 1 ? "\(actor) likes \(video)" : "\(actor) and \(count - 1) more like \(video)"
            case .decision: return "The moderators have decided: \(decision(item))"
            case .rentalEnding: return "The time to watch \(item.name ?? "") is about to end"
            case .uploadReady: return "Your video plays: \(item.name ?? "")"
            case .uploadFailed: return "Your video cannot be played: \(item.name ?? "")"
            case .reported: return count == 1 ? "\(reported(item)) was reported" : "\(count) reports: \(reported(item))"
            case .reportWaiting: return count == 1 ? "A report awaits a decision" : "\(count) reports await a decision"
            case .supportMessage: return count == 1 ? "A new message for help" : "\(count) new messages for help"
            case .followedVideo:
                return count == 1
                    ? "\(actor) has a new video: \(video)"
                    : "\(count) new videos of those you follow, the last one: \(video)"
            case .followedLike: return count == 1 ? "\(actor) likes \(video)" : "Those you follow like \(count) videos"
            }
        case .spanish:
            switch notification.kind {
            case .newVideo: return count == 1 ? "Vídeo nuevo: \(video)" : "\(count) vídeos nuevos, el último: \(video)"
            case .competitionVideo:
                let name = item.video?.competitionName ?? ""
                return count == 1 ? "Vídeo nuevo de \(name): \(video)" : "\(count) vídeos nuevos de \(name)"
            case .channelLive: return "\(item.name ?? "") está en directo"
            case .follower: return count == 1 ? "\(actor) le sigue" : "\(actor) y \(count - 1) más le siguen"
            case .comment:
                return count == 1
                    ? "\(actor) ha comentado \(video)" : "\(count) comentarios en \(video), el último de \(actor)"
            case .reply: return count == 1 ? "\(actor) le ha respondido" : "\(count) respuestas a su comentario"
            case .like:
                return count == 1
                    ? "A \(actor) le gusta \(video)" : "A \(actor) y a \(count - 1) más les gusta \(video)"
            case .decision: return "Los moderadores han decidido: \(decision(item))"
            case .rentalEnding: return "Se acaba el tiempo para ver \(item.name ?? "")"
            case .uploadReady: return "Su vídeo se reproduce: \(item.name ?? "")"
            case .uploadFailed: return "Su vídeo no se puede reproducir: \(item.name ?? "")"
            case .reported:
                return count == 1 ? "Han denunciado \(reported(item))" : "\(count) denuncias: \(reported(item))"
            case .reportWaiting:
                return count == 1 ? "Una denuncia espera una decisión" : "\(count) denuncias esperan una decisión"
            case .supportMessage:
                return count == 1 ? "Un mensaje nuevo de ayuda" : "\(count) mensajes nuevos de ayuda"
            case .followedVideo:
                return count == 1
                    ? "\(actor) tiene un vídeo nuevo: \(video)"
                    : "\(count) vídeos nuevos de quienes sigue, el último: \(video)"
            case .followedLike:
                return count == 1 ? "A \(actor) le gusta \(video)" : "A quienes sigue les gustan \(count) vídeos"
            }
        }
    }

    /// What of the receiver was reported, in the middle of a sentence in Spanish and at its beginning in English.
    private func reported(_ item: NotificationItem) -> String {
        let video = item.video?.name ?? ""
        return switch (language, item.reported) {
        case (.english, "comment"): "Your comment on \(video)"
        case (.english, "profile"): "Your profile"
        case (.english, _): "Your video \(video)"
        case (.spanish, "comment"): "su comentario en \(video)"
        case (.spanish, "profile"): "su perfil"
        case (.spanish, _): "su vídeo \(video)"
        }
    }

    private var station: String {
        switch language {
        case .english: "the station"
        case .spanish: "la emisora"
        }
    }

    private func decision(_ item: NotificationItem) -> String {
        switch (language, item.decision) {
        case (.english, "restored"): "it is shown"
        case (.english, "deleted"): "it was deleted"
        case (.english, _): "it stays hidden"
        case (.spanish, "restored"): "se muestra"
        case (.spanish, "deleted"): "se ha borrado"
        case (.spanish, _): "sigue oculto"
        }
    }
}
