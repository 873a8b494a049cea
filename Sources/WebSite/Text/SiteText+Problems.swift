import HTTPEndpoints
import HTTPTypes

extension SiteText {
    /// What went wrong, for the page of an error. The API's own sentences are English; Spanish has one for each status.
    func explanation(of problem: ProblemDetails) -> String {
        switch siteLanguage {
        case .english: return problem.detail ?? problem.status.reasonPhrase
        case .spanish:
            let code = problem.status.code
            return Self.spanishExplanations[code]
                ?? (code < 500
                    ? "El servidor no puede hacer lo que se le ha pedido." : "El servidor no puede hacerlo ahora.")
        }
    }

    private static let spanishExplanations: [Int: String] = [
        400: "El servidor no entiende la petición.",
        401: "Para esto hay que iniciar sesión.",
        402: "Para ver este título hay que alquilarlo.",
        403: "Su cuenta no tiene permiso para esto.",
        405: "Aquí no se puede hacer eso.",
        406: "El servidor no tiene esto en un formato que acepte su navegador.",
        408: "La petición ha tardado demasiado en llegar.",
        409: "Eso no es compatible con el estado actual.",
        410: "Lo que había aquí ya no está, o el plazo ha terminado.",
        412: "Alguien lo ha cambiado mientras tanto. Vuelva a cargar la página.",
        413: "Lo que se ha enviado es demasiado grande.",
        415: "El servidor no acepta este tipo de archivo.",
        414: "La dirección es demasiado larga.",
        422: "Lo que se ha enviado no es válido.",
        428: "Vuelva a cargar la página antes de cambiarlo.",
        429: "Ha habido demasiadas peticiones en poco tiempo. Espere un poco e inténtelo otra vez.",
        500: "Ha ocurrido un error en el servidor. Su registro dice cuál.",
        502: "Otro servidor, que hace falta para esto, no responde.",
        503: "El servidor no puede responder ahora. Inténtelo dentro de un momento.",
        507: "No queda espacio en el disco del servidor.",
    ]
}
