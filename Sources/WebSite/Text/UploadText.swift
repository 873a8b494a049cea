import Community
import HTTPEndpoints
import HTTPTypes
import Workflows

/// The texts of the pages on which members send videos.
struct UploadText {
    let heading, room, choose, record, stop, progress, waiting, wrong, resume, describe, needsScript, own,
        nothing: String
    let receiving, processing, ready, failed, published, wanted, problem, missing: String
    let preview, picture, pictureTime, usePicture, publish, saveOnly, delete, open, notTaken, replace, keep: String
    let shareAfter, shareNow: String
    /// What the script says of a refusal in place of the server's reason, which is in English; empty for the reason.
    let notVideo, noRoom, refused: String
    let noCamera, notAccepted: String
    let ownPicture, pictureNotUsable, pictureTooLarge, pictureTooEarly: String
    let language: SiteLanguage

    static func preferred(_ acceptLanguage: String?) -> UploadText {
        switch SiteLanguage.preferred(acceptLanguage) {
        case .english: english
        case .spanish: spanish
        }
    }

    /// How far an upload is.
    func state(_ upload: MemberUpload) -> String {
        switch upload.state {
        case .receiving: receiving
        case .processing:
            upload.title?.progress.map { "\(processing) \(Int(max(0, min(1, $0)) * 100)) %" } ?? processing
        case .ready: upload.isWanted ? wanted : ready
        case .failed: failed
        case .published: published
        }
    }

    /// Why an upload could not be published; `nil` if nothing has kept it from that. The server keeps the reason in
    /// English, so that in other languages what was typed is checked again.
    func problem(of upload: MemberUpload, _ text: VideoPageText) -> String? {
        guard let reason = upload.problem else { return nil }
        guard language == .spanish else { return "\(problem) \(reason)." }
        guard upload.state != .failed else { return "\(problem) \(failed)." }
        do throws(CommunityError) {
            _ = try upload.contents.checked()
            return "\(problem) \(notAccepted)"
        } catch {
            return "\(problem) \(text.sentence(error))"
        }
    }

    /// The room that a member has.
    func room(_ usage: UploadUsage) -> String {
        room.replacing("{free}", with: "\(usage.free >> 20)").replacing("{all}", with: "\(usage.quota >> 20)")
    }

    /// What is wrong with an image that was sent as the picture in lists.
    func sentence(aboutPicture status: HTTPResponse.Status) -> String {
        switch status {
        case .contentTooLarge:
            pictureTooLarge.replacing("{limit}", with: "\(ImageBody.poster.maximumByteCount >> 20)")
        case .conflict: pictureTooEarly
        default: pictureNotUsable
        }
    }

    private static let english = UploadText(
        heading: "Publish a video", room: "{free} of your {all} MiB are free.", choose: "Choose a video",
        record: "Record with the camera", stop: "Stop", progress: "Sent",
        waiting: "The network is away. The rest is sent as soon as it is back.", wrong: "The video was not sent.",
        resume: "After a reload, choose the same file again: it goes on where it was.",
        describe: "Describe it meanwhile", needsScript: "Sending a video needs JavaScript.", own: "Your uploads",
        nothing: "You have not sent a video yet.", receiving: "not complete: choose the same file again",
        processing: "is being prepared", ready: "plays, and only you see it", failed: "cannot be played",
        published: "published", wanted: "is published as soon as it plays", problem: "It could not be published:",
        missing: "Still missing:", preview: "Preview", picture: "Picture in lists",
        pictureTime: "Second of the video; stop the preview where you like it", usePicture: "Use this picture",
        publish: "Publish", saveOnly: "Only save", delete: "Delete the video", open: "Open",
        notTaken: "This server takes no videos from members.",
        replace: "File that plays", keep: "the one that there is",
        shareAfter: "Share it when it is published", shareNow: "Your video is published. Share it:",
        notVideo: "", noRoom: "", refused: "", noCamera: "The browser does not let this page use the camera.",
        notAccepted: "the competition, its day or the tags are not accepted.",
        ownPicture: "Or an image of your own, JPEG or PNG",
        pictureNotUsable: "This file cannot be used as an image. Choose a JPEG or PNG file.",
        pictureTooLarge: "The image is too large; the limit is {limit} MiB.",
        pictureTooEarly: "The video is not complete yet. Choose its picture when it is.", language: .english)

    private static let spanish = UploadText(
        heading: "Publicar un vídeo", room: "Tiene libres {free} de sus {all} MiB.", choose: "Elegir un vídeo",
        record: "Grabar con la cámara", stop: "Parar", progress: "Enviado",
        waiting: "No hay red. El resto se envía en cuanto vuelva.", wrong: "El vídeo no se ha enviado.",
        resume: "Después de recargar la página, elija otra vez el mismo archivo: sigue donde estaba.",
        describe: "Describirlo mientras tanto", needsScript: "Para enviar un vídeo hace falta JavaScript.",
        own: "Sus envíos", nothing: "Todavía no ha enviado ningún vídeo.",
        receiving: "incompleto: elija otra vez el mismo archivo", processing: "se está preparando",
        ready: "se reproduce, y solo lo ve usted", failed: "no se puede reproducir", published: "publicado",
        wanted: "se publica en cuanto se reproduzca", problem: "No se ha podido publicar:", missing: "Falta:",
        preview: "Vista previa", picture: "Imagen en las listas",
        pictureTime: "Segundo del vídeo; pare la vista previa donde le guste", usePicture: "Usar esta imagen",
        publish: "Publicar", saveOnly: "Solo guardar", delete: "Borrar el vídeo", open: "Abrir",
        notTaken: "Este servidor no acepta vídeos de los miembros.",
        replace: "Archivo que se reproduce", keep: "el que hay",
        shareAfter: "Compartirlo cuando esté publicado", shareNow: "Su vídeo está publicado. Compártalo:",
        notVideo: "El nombre del archivo no tiene la extensión de un vídeo, como .mp4.",
        noRoom: "No hay sitio para él, o hay envíos sin terminar.",
        refused: "El servidor no lo ha aceptado.", noCamera: "El navegador no deja usar la cámara en esta página.",
        notAccepted: "la competición, su día o las etiquetas no se aceptan.",
        ownPicture: "O una imagen propia, JPEG o PNG",
        pictureNotUsable: "Este archivo no sirve como imagen. Elija un archivo JPEG o PNG.",
        pictureTooLarge: "La imagen es demasiado grande; el límite es de {limit} MiB.",
        pictureTooEarly: "El vídeo todavía no está completo. Elija su imagen cuando lo esté.", language: .spanish)
}
