import HTTPEndpoints

/// The texts of the form for announcements.
struct AnnouncementPageText {
    let heading, explanation, text, audience, everyone, members, from, until, timeHint: String
    let publish, save, delete, edit, empty, dismiss, label: String
    let textMissing, textTooLong, wrongTime, wrongEnd, tooMany, changedMeanwhile: String

    static func preferred(_ acceptLanguage: String?) -> AnnouncementPageText {
        switch SiteLanguage.preferred(acceptLanguage) {
        case .english: english
        case .spanish: spanish
        }
    }

    private static let english = AnnouncementPageText(
        heading: "Announcements",
        explanation: "An announcement is shown on top of every page until it is dismissed. **bold**, *italic* and "
            + "[links](https://example.org) work.",
        text: "Text", audience: "For", everyone: "everybody", members: "members", from: "From", until: "Until",
        timeHint: "(UTC, such as 2026-11-21T22:00:00Z; leave it empty for now, or for no end)", publish: "Publish",
        save: "Save", delete: "Delete", edit: "Edit", empty: "There are no announcements.", dismiss: "Dismiss",
        label: "Announcement", textMissing: "The announcement needs a text.",
        textTooLong: "The text has at most 1,000 characters.",
        wrongTime: "Write times like 2026-11-21T22:00:00Z.", wrongEnd: "The end must be later than the start.",
        tooMany: "There are 100 announcements already. Delete those that are over.",
        changedMeanwhile: "Somebody else has changed the announcement. Check it and save again.")

    private static let spanish = AnnouncementPageText(
        heading: "Anuncios",
        explanation: "Un anuncio aparece encima de todas las páginas hasta que se oculta. Se admiten **negrita**, "
            + "*cursiva* y [enlaces](https://example.org).",
        text: "Texto", audience: "Para", everyone: "todo el mundo", members: "miembros", from: "Desde",
        until: "Hasta", timeHint: "(UTC, como 2026-11-21T22:00:00Z; vacío: desde ahora, o sin final)",
        publish: "Publicar", save: "Guardar", delete: "Borrar", edit: "Editar", empty: "No hay anuncios.",
        dismiss: "Ocultar", label: "Anuncio", textMissing: "El anuncio necesita un texto.",
        textTooLong: "El texto tiene como máximo 1000 caracteres.",
        wrongTime: "Escriba las horas así: 2026-11-21T22:00:00Z.",
        wrongEnd: "El final debe ser posterior al comienzo.",
        tooMany: "Ya hay 100 anuncios. Borre los que hayan terminado.",
        changedMeanwhile: "Alguien ha cambiado el anuncio. Revíselo y guárdelo de nuevo.")
}
