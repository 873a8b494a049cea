import Accounts
import Foundation
import HTTPEndpoints
import MediaCore

/// The texts of mails about accounts in one language.
struct AccountMailText: Sendable {
    private let language: SiteLanguage
    let confirmationSubject, confirmationIgnored: String
    let newAddressSubject, newAddressIgnored, addressChangeSubject: String
    let passwordResetSubject, passwordResetIgnored, passwordChangedSubject, passwordChanged: String
    let credentialsEnded: String
    let suspendedSubject: String

    static func of(_ language: SiteLanguage) -> AccountMailText {
        switch language {
        case .english: english
        case .spanish: spanish
        }
    }

    private static let english = AccountMailText(
        language: .english, confirmationSubject: "confirm your e-mail address",
        confirmationIgnored:
            "If you have not signed up, do nothing: without the link the account cannot be used, and it is deleted.",
        newAddressSubject: "confirm your new e-mail address",
        newAddressIgnored: "If you do not know this account, do nothing: your address is not used.",
        addressChangeSubject: "your e-mail address is about to change", passwordResetSubject: "a new password",
        passwordResetIgnored: "If you have not asked for it, do nothing: your password stays as it is.",
        passwordChangedSubject: "your password has changed",
        passwordChanged: "The password of your account has changed.",
        credentialsEnded:
            "All its sessions, app passwords, API tokens, devices for offline copies and push messages have ended, and its webhooks are off. Log in again, and set up what you still use.",
        suspendedSubject: "your account is suspended")

    private static let spanish = AccountMailText(
        language: .spanish, confirmationSubject: "confirme su correo",
        confirmationIgnored:
            "Si no se ha registrado, no haga nada: sin el enlace la cuenta no se puede usar, y se borrará.",
        newAddressSubject: "confirme su correo nuevo",
        newAddressIgnored: "Si no conoce esta cuenta, no haga nada: su dirección no se usará.",
        addressChangeSubject: "su correo va a cambiar", passwordResetSubject: "una contraseña nueva",
        passwordResetIgnored: "Si no la ha pedido, no haga nada: su contraseña sigue siendo la misma.",
        passwordChangedSubject: "su contraseña ha cambiado",
        passwordChanged: "La contraseña de su cuenta ha cambiado.",
        credentialsEnded:
            "Se han cerrado todas sus sesiones y han terminado sus contraseñas de aplicación, tokens, dispositivos con copias sin conexión y avisos en navegadores; sus webhooks están desactivados. Vuelva a iniciar sesión y a configurar lo que aún use.",
        suspendedSubject: "su cuenta está suspendida")

    func greeting(_ username: String) -> String {
        switch language {
        case .english: "Hello \(username),"
        case .spanish: "Hola, \(username):"
        }
    }

    /// The time for which a link works, such as `24 hours`.
    func time(_ link: NewLink) -> String {
        let hours = max(1, Int((link.link.expiresAt - link.link.createdAt).seconds) / 3_600)
        return switch language {
        case .english: hours == 1 ? "1 hour" : "\(hours) hours"
        case .spanish: hours == 1 ? "1 hora" : "\(hours) horas"
        }
    }

    func confirmation(_ time: String) -> String {
        switch language {
        case .english: "Open this link within \(time) to confirm your address and use your account:"
        case .spanish: "Abra este enlace en un plazo de \(time) para confirmar su dirección y usar su cuenta:"
        }
    }

    func newAddress(_ time: String) -> String {
        switch language {
        case .english: "Open this link within \(time) to use this address for your account:"
        case .spanish: "Abra este enlace en un plazo de \(time) para usar esta dirección en su cuenta:"
        }
    }

    func addressChange(_ new: String) -> String {
        switch language {
        case .english:
            "Somebody who is logged in to your account wants to change its e-mail address to \(new). It changes when the link in a mail to that address is followed."
        case .spanish:
            "Alguien con la sesión iniciada en la cuenta de usted quiere cambiar su correo a \(new). Cambiará cuando se siga el enlace de un mensaje enviado a esa dirección."
        }
    }

    func changePassword(_ address: String) -> String {
        switch language {
        case .english: "If it was not you, change your password now, which ends all other sessions: \(address)"
        case .spanish:
            "Si no ha sido usted, cambie ya su contraseña, lo que cierra todas las demás sesiones: \(address)"
        }
    }

    func passwordReset(_ time: String) -> String {
        switch language {
        case .english: "Open this link within \(time) to set a new password:"
        case .spanish: "Abra este enlace en un plazo de \(time) para poner una contraseña nueva:"
        }
    }

    func suspended(until end: WallClockTime?) -> String {
        let time = end.map { time in
            Date(time).formatted(
                Date.FormatStyle(
                    date: .long, time: .shortened, locale: Locale(identifier: language.rawValue), timeZone: .gmt))
        }
        return switch (language, time) {
        case (.english, let time?): "Your account is suspended until \(time) UTC. After that you can log in again."
        case (.english, nil): "Your account is suspended until an administrator restores it."
        case (.spanish, let time?):
            "Su cuenta está suspendida hasta el \(time) UTC. Después podrá volver a iniciar sesión."
        case (.spanish, nil): "Su cuenta está suspendida hasta que un administrador la restaure."
        }
    }

    func askForPassword(_ address: String) -> String {
        switch language {
        case .english: "If it was not you, set a new one: \(address)"
        case .spanish: "Si no ha sido usted, ponga otra: \(address)"
        }
    }
}
