import Community
import Foundation
import HTTPEndpoints
import MediaCore

/// The texts of the community's pages. Templates read the fields by name, as in `{{c.days}}`.
struct CommunityText {
    let locale: String
    let community, competitions, videos, introduction, search, none, noneFinished, finishedOnes, currentOnes: String
    let calendar, calendarOfAll, days, standings, scrolls, opensOn, timeZone, back, backToCompetition, follow,
        unfollow: String
    /// The words for states, and for a day of a number.
    let states: [CompetitionState: String]
    let dayName: String
    // For operators.
    let new, edit, name, description, timeZoneField, firstDay, dayCount, save, saved, create, editStandings,
        standingsText, table,
        tooLargeForForm: String
    let image, imageText, chooseImage, useImage, removeImage, imageNotUsable, imageTooLarge: String
    let delete, deleteText, changedMeanwhile, wrong: String
    /// What a field accepts, for a value that it does not.
    let refusals: [String: String]

    static func preferred(_ acceptLanguage: String?) -> CommunityText {
        switch SiteLanguage.preferred(acceptLanguage) {
        case .english: english
        case .spanish: spanish
        }
    }

    func state(_ state: CompetitionState) -> String { states[state] ?? state.rawValue }

    func day(_ number: Int) -> String { "\(dayName) \(number)" }

    /// A date with its weekday, such as `Friday 17 July 2026`.
    func weekday(_ date: CivilDate) -> String { text(date, .complete) }

    /// A date, such as `17 July 2026`.
    func date(_ date: CivilDate) -> String { text(date, .long) }

    /// The dates of a competition.
    func dates(_ schedule: CompetitionSchedule) -> String {
        schedule.dayCount == 1
            ? date(schedule.firstDay) : "\(date(schedule.firstDay)) – \(date(schedule.lastDay))"
    }

    private func text(_ date: CivilDate, _ style: Date.FormatStyle.DateStyle) -> String {
        Date(timeIntervalSince1970: Double(date.daysSince1970) * 86_400).formatted(
            Date.FormatStyle(date: style, time: .omitted, locale: Locale(identifier: locale), timeZone: .gmt))
    }

    private static let english = CommunityText(
        locale: "en_GB", community: "Community", competitions: "Competitions", videos: "Videos",
        introduction: "Competitions with their days and standings. Each can be entered from a week before it begins.",
        search: "Search competitions", none: "There are no competitions at the moment.",
        noneFinished: "No competition has finished yet.", finishedOnes: "Finished competitions",
        currentOnes: "Current competitions", calendar: "Add to a calendar",
        calendarOfAll: "Calendar of all competitions", days: "Days", standings: "Standings",
        scrolls: "Standings, a table that may be wider than the screen", opensOn: "Opens on",
        timeZone: "Time zone:", back: "All competitions", backToCompetition: "Back to the competition",
        follow: "Follow", unfollow: "Follow no longer",
        states: [.closed: "Closed", .open: "Open", .running: "Running", .finished: "Finished"], dayName: "Day",
        new: "New competition", edit: "Edit competition", name: "Name", description: "Description",
        timeZoneField: "Time zone", firstDay: "First day", dayCount: "Number of days, from 1 to 60", save: "Save",
        saved: "Saved.",
        create: "Make the competition", editStandings: "Edit standings",
        standingsText:
            "One line for each row, with commas between the cells; the first line has the names of the columns. You can "
            + "paste what a spreadsheet saves as CSV. An empty field removes the standings.",
        table: "Standings as CSV",
        tooLargeForForm:
            "The standings are too large for a form. Replace them with “antena competition standings” or through the API.",
        image: "Image", imageText: "The square in the middle of the image is used.", chooseImage: "Image, JPEG or PNG",
        useImage: "Use this image", removeImage: "Remove this image",
        imageNotUsable: "This file cannot be used as an image. Choose a JPEG or PNG file.",
        imageTooLarge: "The image is too large; the limit is 8 MiB.", delete: "Delete competition",
        deleteText: "The competition is deleted with its standings and its image. This cannot be undone.",
        changedMeanwhile: "Somebody else has changed this competition meanwhile. Check it and save again.",
        wrong: "Something is missing or cannot be used. See below.",
        refusals: [
            "name": "A name of at most 200 characters.", "description": "At most 10,000 characters.",
            "timeZone": "A time zone of the list.", "firstDay": "A date from 1900 to 2999, such as 2026-07-17.",
            "dayCount": "A whole number from 1 to 60.",
            "standings":
                "At most 50 columns, 500 rows, and 200 characters in a cell; no row has more cells than the first.",
        ])

    private static let spanish = CommunityText(
        locale: "es_ES", community: "Comunidad", competitions: "Competiciones", videos: "Vídeos",
        introduction:
            "Competiciones con sus días y su clasificación. En cada una se puede entrar desde una semana antes de que empiece.",
        search: "Buscar competiciones", none: "No hay competiciones en este momento.",
        noneFinished: "Todavía no ha terminado ninguna competición.", finishedOnes: "Competiciones terminadas",
        currentOnes: "Competiciones actuales", calendar: "Añadir a un calendario",
        calendarOfAll: "Calendario de todas las competiciones", days: "Días", standings: "Clasificación",
        scrolls: "Clasificación, una tabla que puede ser más ancha que la pantalla", opensOn: "Se abre el",
        timeZone: "Zona horaria:", back: "Todas las competiciones", backToCompetition: "Volver a la competición",
        follow: "Seguir", unfollow: "Dejar de seguir",
        states: [.closed: "Cerrada", .open: "Abierta", .running: "En curso", .finished: "Terminada"], dayName: "Día",
        new: "Nueva competición", edit: "Editar la competición", name: "Nombre", description: "Descripción",
        timeZoneField: "Zona horaria", firstDay: "Primer día", dayCount: "Número de días, de 1 a 60", save: "Guardar",
        saved: "Guardado.",
        create: "Crear la competición", editStandings: "Editar la clasificación",
        standingsText:
            "Una línea por fila, con comas entre las celdas; la primera línea tiene los nombres de las columnas. Puede "
            + "pegar lo que una hoja de cálculo guarda como CSV. Un campo vacío quita la clasificación.",
        table: "Clasificación en CSV",
        tooLargeForForm:
            "La clasificación es demasiado grande para un formulario. Cámbiela con «antena competition standings» o con la API.",
        image: "Imagen", imageText: "Se usa el cuadrado del centro de la imagen.",
        chooseImage: "Imagen, JPEG o PNG", useImage: "Usar esta imagen", removeImage: "Quitar esta imagen",
        imageNotUsable: "Este archivo no sirve como imagen. Elija un archivo JPEG o PNG.",
        imageTooLarge: "La imagen es demasiado grande; el límite es de 8 MiB.", delete: "Borrar la competición",
        deleteText: "La competición se borra con su clasificación y su imagen. No se puede deshacer.",
        changedMeanwhile:
            "Otra persona ha cambiado esta competición mientras tanto. Revísela y guarde de nuevo.",
        wrong: "Falta algo o no se puede usar. Mire abajo.",
        refusals: [
            "name": "Un nombre de 200 caracteres como máximo.", "description": "Como máximo 10 000 caracteres.",
            "timeZone": "Una zona horaria de la lista.", "firstDay": "Una fecha de 1900 a 2999, como 2026-07-17.",
            "dayCount": "Un número entero de 1 a 60.",
            "standings":
                "Como máximo 50 columnas, 500 filas y 200 caracteres por celda; ninguna fila tiene más celdas que la primera.",
        ])
}
