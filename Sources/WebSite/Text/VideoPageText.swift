import Accounts
import Community
import Foundation
import HTTPEndpoints
import MediaCore
import Workflows

/// The texts of the pages of published videos and of moderation.
struct VideoPageText {
    let videos, search, newest, mostLiked, feed, publish, station: String
    let like, unlike, comment, send, answer, deleted, edited,
        held, hiddenComment,
        approve,
        delete: String
    let commentsClosed, logInToTakePart, report, reportText, reason, reported, takeBack: String
    let hidden, appeal, appealed, owner, share, copied, more, notHere, unlisted: String
    let follow, unfollow: String
    let views, likes, comments, reports, ownVideos, followers, followings: CountedNoun
    let followersOf, followingsOf, likersOf, nobodyHere: String
    let name, text, tags, visibility, commentPolicy, save, withdraw, edit, listed, onlyByAddress, day,
        competition: String
    let open, approval, closed, changedMeanwhile: String
    let latitude, longitude, usePlace, placeUnknown, placeRefused: String
    let moderation, nothingToDecide, restore, hide, deleteForGood, note, appealOf, saidWith: String
    let members, searchMembers, searchEverything, searchButton, noMembers, nothingFound, all, competitions: String
    let activity, news, followedLikes, ownLikes, nothingHappened, followsYou, likesYours, likesThis, commented,
        replied: String
    let profile, about, profileVisibility, everybody, membersOnly, showsFollows, showsLikes, yes, no, saved: String
    let hiddenMember, hiddenProfile, mute, unmute, block, unblock, warn, suspend, fromModerators: String
    let events: [ModerationRecord.Event: String]
    let reasons: [ReportReason: String]
    let language: SiteLanguage

    /// The names of the fields of a place.
    static let latitudeField = "latitude"
    static let longitudeField = "longitude"

    static func preferred(_ acceptLanguage: String?) -> VideoPageText {
        switch SiteLanguage.preferred(acceptLanguage) {
        case .english: english
        case .spanish: spanish
        }
    }

    /// What a moderator has decided, with what was said about it.
    func record(_ record: ModerationRecord) -> String {
        let event = events[record.event] ?? record.event.rawValue
        return record.text.isEmpty ? event : "\(event): \(record.text)"
    }

    /// What is wrong, with the field and the reason, in the language of the page.
    func sentence(_ error: CommunityError) -> String {
        switch error.code {
        case .changedMeanwhile: changedMeanwhile
        case .invalidField where error.field == Self.latitudeField || error.field == Self.longitudeField: placeRefused
        case .loginNeeded: "\(logInToTakePart)."
        default:
            [error.field.flatMap(label), language == .english ? error.reason : spanishReason(error)]
                .compactMap(\.self).joined(separator: ": ") + "."
        }
    }

    /// The label of a field of a form; `nil` for one that has none.
    private func label(of field: String) -> String? {
        switch field {
        case "name": name
        case "text": text
        case "tags": tags
        case "competition": competition
        case "day": day
        case "about": about
        default: nil
        }
    }

    private func spanishReason(_ error: CommunityError) -> String {
        if let range = error.range { return "de \(range.lowerBound) a \(range.upperBound)" }
        return switch (error.code, error.field) {
        case (.invalidField, "day"): "un número a partir de 1"
        case (.conflict, "competition"): "todavía no se puede entrar en ella; se abre una semana antes de empezar"
        case (.notFound, _): "no se ha encontrado"
        case (.missingFields, _): "falta"
        case (.invalidField, _): "el valor no es válido o es demasiado largo"
        case (.notAllowed, _): "no está permitido"
        case (.tooMany, _): "ya hay tantos como puede haber"
        case (.tooOften, _): "demasiadas veces; inténtelo más tarde"
        case (.conflict, _): "ahora no es posible"
        case (.loginNeeded, _), (.invalidCursor, _), (.changedMeanwhile, _): "recargue la página"
        }
    }

    private static let english = VideoPageText(
        videos: "Videos", search: "Search videos", newest: "newest", mostLiked: "most liked",
        feed: "From those you follow",
        publish: "Publish", station: "the station",
        like: "I like it", unlike: "I do not like it any more",
        comment: "Your comment", send: "Send", answer: "Answer", deleted: "This comment was deleted.",
        edited: "changed", held: "waits for approval", hiddenComment: "is hidden", approve: "Approve", delete: "Delete",
        commentsClosed: "Comments are closed.", logInToTakePart: "Log in to like, comment and report", report: "Report",
        reportText: "What is wrong?", reason: "Reason", reported: "Thank you. The moderators will look at it.",
        takeBack: "Take the report back",
        hidden: "This video is hidden. Only you and the moderators see this page.",
        appeal: "Say why it should be shown again", appealed: "The moderators will look at it again.",
        owner: "Published by", share: "Share",
        copied: "The address is in the clipboard.",
        more: "More", notHere: "There are no videos here.", unlisted: "unlisted: seen by everybody who has the address",
        follow: "Follow", unfollow: "Do not follow any more",
        views: CountedNoun("view", "views"), likes: CountedNoun("like", "likes"),
        comments: CountedNoun("comment", "comments"), reports: CountedNoun("report", "reports"),
        ownVideos: CountedNoun("video", "videos"), followers: CountedNoun("follower", "followers"),
        followings: CountedNoun("followed", "followed"),
        followersOf: "Followers", followingsOf: "Followed members", likersOf: "Who likes it",
        nobodyHere: "Nobody is here yet.",
        name: "Name", text: "What it is about", tags: "Tags, separated by commas", visibility: "Who finds it",
        commentPolicy: "Comments", save: "Save", withdraw: "End the publication", edit: "Edit",
        listed: "everybody, in lists and search", onlyByAddress: "everybody who has the address", day: "Day",
        competition: "Competition",
        open: "open", approval: "I approve them", closed: "closed",
        changedMeanwhile: "Somebody has changed it meanwhile. Read it again.",
        latitude: "Where it is from, for the map: latitude, such as 43.3623", longitude: "Longitude, such as -5.8437",
        usePlace: "Use my place", placeUnknown: "The browser does not say where you are.",
        placeRefused:
            "A place has a latitude from -90 to 90 and a longitude from -180 to 180, in degrees; or both stay empty.",
        moderation: "What was reported", nothingToDecide: "Nothing waits for a decision.",
        restore: "Show it as before", hide: "Keep it hidden", deleteForGood: "Delete it for good",
        note: "Note to the owner", appealOf: "The owner says:", saidWith: "reported for",
        members: "Members", searchMembers: "Search members",
        searchEverything: "Search videos, members and competitions",
        searchButton: "Search", noMembers: "There are no members with such a name.", nothingFound: "Nothing was found.",
        all: "All of them", competitions: "Competitions",
        activity: "Activity", news: "About you", followedLikes: "What those you follow like", ownLikes: "What you like",
        nothingHappened: "Nothing has happened yet.", followsYou: "follows you", likesYours: "likes your video",
        likesThis: "likes this video", commented: "has commented on your video", replied: "has answered you",
        profile: "Profile", about: "About you", profileVisibility: "Who sees your profile", everybody: "everybody",
        membersOnly: "members only", showsFollows: "Show others who follows whom",
        showsLikes: "Show others what you like",
        yes: "yes", no: "no", saved: "Saved.",
        hiddenMember: "a hidden member",
        hiddenProfile: "This profile is hidden. Only you and the moderators see this page.", mute: "Mute",
        unmute: "Do not mute any more", block: "Block", unblock: "Do not block any more",
        warn: "Warn the owner with the note", suspend: "Suspend the owner's account",
        fromModerators: "From the moderators",
        events: [
            .restored: "shown again", .hidden: "hidden", .deleted: "deleted", .warned: "warned",
            .suspended: "account suspended",
        ],
        reasons: [
            .spam: "adverts or spam", .violence: "violence", .nudity: "nudity", .hate: "hate",
            .harassment: "harassment",
            .copyright: "somebody else's work", .privacy: "privacy", .other: "something else",
        ], language: .english)

    private static let spanish = VideoPageText(
        videos: "Vídeos", search: "Buscar vídeos", newest: "más nuevos", mostLiked: "los que más gustan",
        feed: "De quienes sigue", publish: "Publicar", station: "la emisora",
        like: "Me gusta", unlike: "Ya no me gusta",
        comment: "Su comentario", send: "Enviar", answer: "Responder", deleted: "Este comentario se ha borrado.",
        edited: "modificado", held: "espera aprobación", hiddenComment: "está oculto", approve: "Aprobar",
        delete: "Borrar", commentsClosed: "Los comentarios están cerrados.",
        logInToTakePart: "Entre para dar «me gusta», comentar y denunciar", report: "Denunciar",
        reportText: "¿Qué ocurre?", reason: "Motivo", reported: "Gracias. Los moderadores lo revisarán.",
        takeBack: "Retirar la denuncia",
        hidden: "Este vídeo está oculto. Solo usted y los moderadores ven esta página.",
        appeal: "Explique por qué debería volver a mostrarse", appealed: "Los moderadores volverán a revisarlo.",
        owner: "Publicado por", share: "Compartir",
        copied: "La dirección está en el portapapeles.", more: "Más", notHere: "Aquí no hay vídeos.",
        unlisted: "oculto en las listas: lo ve quien tiene la dirección",
        follow: "Seguir", unfollow: "Dejar de seguir",
        views: CountedNoun("visualización", "visualizaciones"), likes: CountedNoun("me gusta", "me gusta"),
        comments: CountedNoun("comentario", "comentarios"), reports: CountedNoun("denuncia", "denuncias"),
        ownVideos: CountedNoun("vídeo", "vídeos"), followers: CountedNoun("seguidor", "seguidores"),
        followings: CountedNoun("seguido", "seguidos"),
        followersOf: "Seguidores", followingsOf: "Miembros seguidos", likersOf: "A quién le gusta",
        nobodyHere: "Aquí todavía no hay nadie.",
        name: "Nombre", text: "De qué trata", tags: "Etiquetas, separadas por comas", visibility: "Quién lo encuentra",
        commentPolicy: "Comentarios", save: "Guardar", withdraw: "Retirar la publicación", edit: "Editar",
        listed: "todo el mundo, en listas y búsquedas", onlyByAddress: "quien tiene la dirección", day: "Día",
        competition: "Competición",
        open: "abiertos", approval: "los apruebo yo", closed: "cerrados",
        changedMeanwhile: "Alguien lo ha cambiado entretanto. Vuelva a leerlo.",
        latitude: "De dónde es, para el mapa: latitud, como 43.3623", longitude: "Longitud, como -5.8437",
        usePlace: "Usar mi posición", placeUnknown: "El navegador no dice dónde está usted.",
        placeRefused:
            "Un lugar tiene una latitud de -90 a 90 y una longitud de -180 a 180, en grados; o las dos quedan vacías.",
        moderation: "Denuncias", nothingToDecide: "No hay nada pendiente de decidir.",
        restore: "Mostrarlo como antes", hide: "Dejarlo oculto", deleteForGood: "Borrarlo del todo",
        note: "Nota para quien lo publicó", appealOf: "Quien lo publicó dice:", saidWith: "denunciado por",
        members: "Miembros", searchMembers: "Buscar miembros",
        searchEverything: "Buscar vídeos, miembros y competiciones",
        searchButton: "Buscar", noMembers: "No hay miembros con ese nombre.", nothingFound: "No se ha encontrado nada.",
        all: "Ver todo", competitions: "Competiciones",
        activity: "Actividad", news: "Sobre usted", followedLikes: "Lo que gusta a quienes sigue",
        ownLikes: "Lo que le gusta", nothingHappened: "Todavía no ha pasado nada.", followsYou: "le sigue",
        likesYours: "ha marcado su vídeo con «me gusta»", likesThis: "ha marcado este vídeo con «me gusta»",
        commented: "ha comentado su vídeo", replied: "le ha respondido",
        profile: "Perfil", about: "Sobre usted", profileVisibility: "Quién ve su perfil", everybody: "todo el mundo",
        membersOnly: "solo los miembros", showsFollows: "Mostrar a quién sigue y quién le sigue",
        showsLikes: "Mostrar lo que le gusta", yes: "sí", no: "no", saved: "Guardado.",
        hiddenMember: "un miembro oculto",
        hiddenProfile: "Este perfil está oculto. Solo usted y los moderadores ven esta página.", mute: "Silenciar",
        unmute: "Dejar de silenciar", block: "Bloquear", unblock: "Dejar de bloquear",
        warn: "Advertir con la nota a quien lo publicó", suspend: "Suspender la cuenta de quien lo publicó",
        fromModerators: "De los moderadores",
        events: [
            .restored: "mostrado de nuevo", .hidden: "oculto", .deleted: "borrado", .warned: "advertencia",
            .suspended: "cuenta suspendida",
        ],
        reasons: [
            .spam: "publicidad o spam", .violence: "violencia", .nudity: "desnudez", .hate: "odio",
            .harassment: "acoso",
            .copyright: "obra de otra persona", .privacy: "intimidad", .other: "otra cosa",
        ], language: .spanish)
}
