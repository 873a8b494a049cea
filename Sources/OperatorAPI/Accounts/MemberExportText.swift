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

    /// - Parameters:
    ///   - username: the name of the member.
    ///   - files: the videos in the archive; `nil` for an archive without any.
    func introduction(_ username: String, files: [MemberFiles.Entry]?) -> String {
        areas(username) + (files.map(list) ?? withoutFiles)
    }

    private var withoutFiles: String {
        switch language {
        case .english:
            """
            The files of the videos that you have sent are not in this archive, because they can be many gigabytes; you
            can ask for an archive with them. Their pages play them.

            """
        case .spanish:
            """
            Los archivos de los vídeos que ha enviado no están aquí, porque pueden ocupar muchos gigabytes; puede pedir
            un archivo que los incluya. Se reproducen en sus páginas.

            """
        }
    }

    private func list(_ files: [MemberFiles.Entry]) -> String {
        let heading =
            switch (language, files.isEmpty) {
            case (.english, false): "The files of the videos that you have sent, as they were sent:\n"
            case (.english, true): "You have sent no videos.\n"
            case (.spanish, false): "Los archivos de los vídeos que ha enviado, tal como se enviaron:\n"
            case (.spanish, true): "No ha enviado ningún vídeo.\n"
            }
        return files.reduce(into: heading) { text, file in
            text += "\n\(file.name)\n    \(file.fileName)\(remark(file.outcome).map { ": \($0)" } ?? "")\n"
        }
    }

    private func remark(_ outcome: MemberFiles.Outcome) -> String? {
        switch (outcome, language) {
        case (.whole, _): nil
        case (.incomplete, .english): "could not be read to its end, and is incomplete here"
        case (.incomplete, .spanish): "no se ha podido leer hasta el final, y aquí está incompleto"
        case (.missing, .english): "is not on the server any more, and not in this archive"
        case (.missing, .spanish): "ya no está en el servidor, y falta en este archivo"
        }
    }

    private func areas(_ username: String) -> String {
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


            """
        }
    }
}
