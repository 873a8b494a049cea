import Accounts
import HTTPEndpoints

/// The texts of the form for help and of the inbox.
struct SupportText {
    let help, explanation, sender, subject, text, send, sent: String
    let tooMany, full, tooLong: String
    let inbox, empty, delete, more: String

    static func preferred(_ acceptLanguage: String?) -> SupportText {
        switch SiteLanguage.preferred(acceptLanguage) {
        case .english: english
        case .spanish: spanish
        }
    }

    /// What a visitor is told; the reasons of errors are in English.
    func error(_ error: AccountsError, _ account: AccountText) -> String {
        switch error.code {
        case .tooManyAttempts: tooMany
        case .busy: full
        case .invalidField: tooLong
        default: account.error(error)
        }
    }

    private static let english = SupportText(
        help: "Help", explanation: "Write to the people who run this site. You need no account.",
        sender: "Your e-mail address, so that we can answer", subject: "Subject", text: "What can we help with?",
        send: "Send", sent: "Your message has arrived. Thank you.",
        tooMany: "Too many messages came from your address. Try again in an hour.",
        full: "The inbox is full at the moment. Try again later.",
        tooLong: "Address and subject have at most 200 characters, and the text 5,000.",
        inbox: "Messages from visitors", empty: "There are no messages.", delete: "Delete", more: "Older ones")

    private static let spanish = SupportText(
        help: "Ayuda", explanation: "Escriba a quienes llevan este sitio. No hace falta tener una cuenta.",
        sender: "Su correo, para poder responderle", subject: "Asunto", text: "¿En qué podemos ayudar?",
        send: "Enviar", sent: "Su mensaje ha llegado. Gracias.",
        tooMany: "Han llegado demasiados mensajes desde su dirección. Inténtelo dentro de una hora.",
        full: "El buzón está lleno en este momento. Inténtelo más tarde.",
        tooLong: "El correo y el asunto tienen como máximo 200 caracteres, y el texto 5000.",
        inbox: "Mensajes de visitantes", empty: "No hay mensajes.", delete: "Borrar", more: "Anteriores")
}
