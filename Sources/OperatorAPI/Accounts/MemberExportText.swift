import HTTPEndpoints

/// What the archive with a member's data says about itself, in one language.
struct MemberExportText: Sendable {
    private let language: SiteLanguage

    init(_ language: SiteLanguage) { self.language = language }

    var fileName: String {
        switch language {
        case .english: "README.txt"
        case .spanish: "LEEME.txt"
        }
    }

    /// - Parameter username: the name of the member.
    func introduction(_ username: String) -> String {
        switch language {
        case .english:
            """
            All that the server knows about \(username). Text editors and browsers open the files.

            account.json                  your account
            sessions.json, tokens.json    where you are logged in, and your tokens, without their secrets
            webhooks.json                 your webhooks
            credits.json, rentals.json, votes.json
                                          what you have at the video club: the newest 10,000 of each
            competitions.json             the competitions that you follow
            community.json                your videos, likes, comments, reports and profile: the newest 10,000 of each
            videos.json                   your published videos with the addresses of their pages
            notifications.json, notificationPreferences.json
                                          what you were told, and how you want to be told
            photo.jpg                     your photo, if you have one

            The files of the videos that you have sent are not in this archive, because they can be many gigabytes.
            Their pages play them.

            """
        case .spanish:
            """
            Todo lo que el servidor sabe de \(username). Los archivos se abren con un editor de texto o un navegador.

            account.json                  su cuenta
            sessions.json, tokens.json    dónde tiene la sesión iniciada, y sus claves de programas, sin los secretos
            webhooks.json                 sus webhooks
            credits.json, rentals.json, votes.json
                                          lo que tiene en el videoclub: los 10.000 más recientes de cada clase
            competitions.json             las competiciones que sigue
            community.json                sus vídeos, «me gusta», comentarios, denuncias y perfil: los 10.000 más
                                          recientes de cada clase
            videos.json                   sus vídeos publicados con las direcciones de sus páginas
            notifications.json, notificationPreferences.json
                                          de qué se le ha avisado, y cómo quiere que se le avise
            photo.jpg                     su foto, si la tiene

            Los archivos de los vídeos que ha enviado no están aquí, porque pueden ocupar muchos gigabytes. Se
            reproducen en sus páginas.

            """
        }
    }
}
